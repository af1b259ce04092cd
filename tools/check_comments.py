#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the words of comments, pages and texts that programs print, and the first line of sources.

Comments and pages use the field's words (docs/conventions.md, "House vocabulary"). The words below are the ones that
made readers read a sentence twice: bodies and pairs as persons, and everyday words for terms that the field has. The
first line of a source is the licence's alone. Strings are checked for fewer words, because some of the words are names
of keys and options, too.

    tools/check_comments.py [--count] [FOLDER or FILE ...]
"""
import io
import re
import sys
import tokenize
from collections import Counter
from pathlib import Path

FOLDERS = ["include", "src", "cli", "scenes", "tests", "bench", "fuzz", "examples", "docs", "README.md",
           "CONTRIBUTING.md", "viewer/src", "viewer/tests", "python", "packaging", "setup.py"]

# A word, and what to write in its place.
VOCABULARY = [
    (r"who|whom|whoever", "the body, the pair, the caller: a noun, or that"),
    (r"those", "the noun itself, or the ones"),
    (r"in vain", "stalled, did not converge, without result"),
    (r"so many", "a limit by its name, N"),
    (r"but for", "except"),
    (r"tells?|told|telling", "report, say, distinguish"),
    (r"asks?|asked|asking", "query, test, request"),
    (r"looks? at|looked at|looking at", "test, examine, query"),
    (r"dear|dearer|dearest", "expensive"),
    (r"(?<!half-edge )(?<!half-edges' )twins?(?! half-edge)", "reference implementation; of half-edges: opposite half-edge"),
    (r"(?<!in )(?<!in its )(?<!takes )(?<!take )(?<!took )(?<!decimal )places?", "contact candidate, point, position"),
    (r"(?<!either )(?<!other )(?<!both )(?<!this )(?<!same )(?<!half )(?<!one )ways?(?! round)(?! out\b)",
     "path, motion, direction, method"),
    (r"(?:a|the|each|every|one|more|no|of|many|all|few|last|first|next|further) pass(?:es)?", "iteration"),
]

# The words that are checked in strings: the ones that are never a key, an option or a name.
IN_STRINGS = {r"who|whom|whoever", r"those", r"in vain", r"so many", r"but for", r"tells?|told|telling",
              r"looks? at|looked at|looking at"}


def pattern(words):
    return re.compile("|".join(rf"\b(?P<w{i}>{word})\b" for i, (word, _) in enumerate(VOCABULARY) if word in words),
                      re.IGNORECASE)


WORDS, STRING_WORDS = pattern({word for word, _ in VOCABULARY}), pattern(IN_STRINGS)

# Literals are matched, too, so that a comment inside of one is none.
COMMENT = r"(?P<line>//[^\n]*)|(?P<block>/\*.*?\*/)"
TOKEN = re.compile(
    r'(?P<raw>R"(?P<end>[^()\\\s]*)\(.*?\)(?P=end)")|(?P<string>"(?:\\.|[^"\\\n])*")'
    r"|'(?:\\[^'\n]+|[^'\\\n]|\\')'|" + COMMENT, re.DOTALL)
SCRIPT_TOKEN = re.compile(
    COMMENT + r"|(?P<string>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')|(?P<raw>`(?:\\.|[^`\\])*`)", re.DOTALL)

LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"


def without_names(line):
    """A line without text in backticks, which are names of the code, and without targets of links."""
    return re.sub(r"\]\([^)]*\)", "]()", re.sub(r"`[^`]*`", "``", line))


def comments(text):
    """Pairs of a line's number and what a comment says there."""
    for token in TOKEN.finditer(text):
        if token.lastgroup in ("line", "block"):
            first = text.count("\n", 0, token.start()) + 1
            for number, line in enumerate(token.group().splitlines(), first):
                yield number, without_names(line)


def strings(text, tokens):
    """Pairs of a line's number and a string that begins there. Adjacent literals of C++ are one string."""
    first, whole, end = 0, "", 0
    for token in tokens.finditer(text):
        if token.lastgroup not in ("string", "raw"):
            continue
        if not whole or text[end:token.start()].strip():
            yield first, whole
            first, whole = text.count("\n", 0, token.start()) + 1, ""
        whole += re.sub(r"\$\{[^}]*\}|\\n", " ", token.group())[1:-1]
        end = token.end()
    yield first, whole


def prose(text):
    """Pairs of a line's number and the line, of a page without its code."""
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield number, without_names(line)


def python_parts(text):
    """Pairs of a pattern and lines: comments and documentation, and other strings."""
    words, rest = [], []
    begins = True  # a string where a statement begins is documentation
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            words.append((token.start[0], without_names(token.string)))
        elif token.type == tokenize.STRING and begins:
            lines = enumerate(token.string.splitlines(), token.start[0])
            words += [(number, without_names(line)) for number, line in lines
                      if not line.lstrip(' "r').startswith((">>>", "..."))]
        elif token.type == tokenize.STRING:
            rest.append((token.start[0], without_names(token.string)))
        if token.type not in (tokenize.COMMENT, tokenize.NL):
            begins = token.type in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    return [(WORDS, words), (STRING_WORDS, rest)]


def checked(suffix, text):
    """Triples of a pattern, a line's number, and a text in which the pattern is a mistake."""
    if suffix == ".md":
        parts = [(WORDS, prose(text))]
    elif suffix in (".ts", ".json"):
        parts = [(STRING_WORDS, strings(text, SCRIPT_TOKEN))]
    elif suffix in (".py", ".pyi"):
        parts = python_parts(text)
    else:
        parts = [(WORDS, comments(text)), (STRING_WORDS, strings(text, TOKEN))]
    for words, lines in parts:
        for number, line in lines:
            yield words, number, line


def files(named):
    for name in named:
        path = Path(name)
        for file in [path] if path.is_file() else sorted(path.rglob("*")):
            if file.suffix in (".h", ".cpp", ".md", ".ts", ".py", ".pyi") or file.name.endswith(".schema.json"):
                yield file


def main(arguments):
    count = "--count" in arguments
    named = [argument for argument in arguments if argument != "--count"] or FOLDERS
    bad = listed = 0
    by_word = Counter()
    for source in files(named):
        listed += 1
        text = source.read_text()
        if source.suffix in (".h", ".cpp") and not text.startswith(LICENCE):
            bad += 1
            print(f"{source}:1: the first line is not the licence's alone")
        for words, number, line in checked(source.suffix, text):
            for found in words.finditer(line):
                bad += 1
                instead = VOCABULARY[int(found.lastgroup[1:])][1]
                by_word[found.group().lower()] += 1
                if not count:
                    print(f'{source}:{number}: "{found.group()}" (write: {instead}): {line.strip()}')
    if count:
        for word, times in by_word.most_common():
            print(f"{times:6} {word}")
    print(f"{listed} files, {bad} words that are not the house's")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
