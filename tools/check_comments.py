#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks comments: no sentence begins with "What", "Of", "As" or "Mostly so", and the line of the
licence has nothing beside it.

A sentence that begins so either has no verb of its own ("What a world holds.") or keeps its reader
waiting for the subject. "As soon as" and "As long as" are conjunctions, which may begin a sentence.
"""
import re
import sys
from pathlib import Path

FOLDERS = ["include", "src", "cli", "scenes", "tests", "bench", "fuzz", "examples"]

# Literals are matched, too, so that a comment inside of one is none.
TOKEN = re.compile(
    r'R"([^()\\\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\[^\'\n]+|[^\'\\\n]|\\\')\''
    r'|(?P<line>//[^\n]*)|(?P<block>/\*.*?\*/)', re.DOTALL)

LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"

# Within a sentence these words are not capitalised: a line that begins with one begins a sentence.
BEGINNING = re.compile(r'(?:^[\s/*!<-]*|[.?!:;)"][\s"(]+|\()(What|Of|As(?! (?:soon|long) as\b)|Mostly so)\b')


def comments(text):
    """Pairs of a line's number and what a comment says there."""
    for token in TOKEN.finditer(text):
        if token.lastgroup in ("line", "block"):
            first = text.count("\n", 0, token.start()) + 1
            yield from enumerate(token.group().splitlines(), first)


def main():
    listed = [file for folder in FOLDERS for file in sorted(Path(folder).rglob("*")) if file.suffix in (".h", ".cpp")]
    bad = 0
    for source in listed:
        text = source.read_text()
        if not text.startswith(LICENCE):
            bad += 1
            print(f"{source}:1: the first line is not the licence's alone")
        for number, line in comments(text):
            for found in BEGINNING.finditer(line):
                bad += 1
                print(f'{source}:{number}: a sentence begins with "{found.group(1)}": {line.strip()}')
    print(f"{len(listed)} files, {bad} wrong sentences in comments")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
