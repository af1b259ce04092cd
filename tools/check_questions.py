#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the tables of docs/questions.md from tools/questions.txt, and checks both.

    tools/check_questions.py          fails when the page is not what the file says, or the headers are not
    tools/check_questions.py --write  writes the page

The calls of each cell are compiled against include/: calls that answer a question or are refused must compile, calls
that the file says do not exist must not, so that a function that fills a hole is noticed. That calls are refused is
tested in tests/plane_shape/refused_questions_test.cpp.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINES = ROOT / "tools" / "questions.txt"
PAGE = ROOT / "docs" / "questions.md"
MARK = "<!-- made by tools/check_questions.py from tools/questions.txt -->\n"

# Types that are not named after the name in questions.txt, by namespace. All others are of that namespace or of touche.
TYPES = {"touche": {"Poses": "std::vector<touche::Pose>"}, "touche::plane": {"Poses": "std::vector<touche::plane::Pose>"}}
OF_TOUCHE = {"ToiOptions", "PathOptions", "NearOptions", "SeparationOptions", "ObjectMoveOptions"}
HEADERS = ["batch", "dynamics", "handling", "manifold", "mass", "near_faces", "overlap", "path", "plane", "plane_shape",
           "plane_volumes", "point_query", "query", "response", "separation", "shape", "step", "world"]

KINDS = ("no", "refused")


class Cell:
    def __init__(self):
        self.calls = []  # (kind, call, line number)
        self.notes = []
        self.one_body = False


class Row:
    def __init__(self, question, link, columns):
        self.question, self.link = question, link
        self.cells = {column: Cell() for column in columns}


class Table:
    def __init__(self, title, namespace, columns):
        self.title, self.namespace, self.columns = title, namespace, columns
        self.lets, self.rows = {}, []


def fail(number, what):
    sys.exit(f"{LINES.relative_to(ROOT)}:{number}: {what}")


def read():
    tables = []
    for number, line in enumerate(LINES.read_text().splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if found := re.fullmatch(r"table (.*) \(([\w:]+)\): (.*)", line):
            tables.append(Table(found[1], found[2], [c.strip() for c in found[3].split("|")]))
        elif found := re.fullmatch(r"let (\w+): (\w+)", line):
            tables[-1].lets[found[1]] = found[2]
        elif found := re.fullmatch(r"\? (.*) \| (\S+)", line):
            tables[-1].rows.append(Row(found[1], found[2], tables[-1].columns))
        elif found := re.fullmatch(r"([^:]+): (.*?)(?: -- (.*))?", line):
            read_cell(tables[-1], number, *found.groups())
        else:
            fail(number, "is no line of this file")
    for table in tables:
        for row in table.rows:
            for column, cell in row.cells.items():
                if not cell.calls and not cell.one_body:
                    sys.exit(f"{LINES.relative_to(ROOT)}: \"{row.question}\" says nothing about {column}")
    return tables


def read_cell(table, number, column, calls, note):
    row = table.rows[-1]
    if column != "*" and column not in row.cells:
        fail(number, f"there is no column {column}")
    kind, _, rest = calls.partition(" ")
    if kind in KINDS:
        calls = rest
    else:
        kind = "yes"
    if kind != "yes" and not note:
        fail(number, "a hole needs a sentence why")
    for at, cell in row.cells.items():
        if column not in ("*", at):
            continue
        if calls == "one body":
            cell.one_body = True
            continue
        cell.calls += [(kind, call, number) for call in split(calls)]
        if note:
            # A note on a hole begins with the functions that the caller might look for.
            names = dict.fromkeys(name_of(table, call) for call in split(calls)) if kind != "yes" else {}
            cell.notes.append(", ".join(f"`{name}`" for name in names) + " – " * bool(names) + note)


def split(calls):
    """The calls between semicolons outside of brackets."""
    parts, depth = [""], 0
    for letter in calls:
        depth += (letter in "({[") - (letter in ")}]")
        if letter == ";" and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


# ---- the page -----------------------------------------------------------------------------------


def name_of(table, call):
    """`World::pose` for a call world.pose(), `distance` for distance(...)."""
    call = call.replace("outline.outline().", "Outline::")
    callee = re.match(r"[\w:.]+", call)[0]
    holder, _, member = callee.partition(".")
    return f"{table.lets[holder]}::{member}" if member else callee


def cell_text(table, cell, notes):
    if cell.one_body and not cell.calls:
        return "·"
    names = dict.fromkeys(name_of(table, call) for kind, call, _ in cell.calls if kind == "yes")
    marks = []
    for note in cell.notes:
        if note not in notes:
            notes.append(note)
        marks.append(f"<sup>{notes.index(note) + 1}</sup>")
    text = ", ".join(f"`{name}`" for name in names) or "–"
    return text + (" " + " ".join(dict.fromkeys(marks)) if marks else "")


def tables_text(tables):
    text, notes = MARK, []
    for table in tables:
        text += f"\n## {table.title}\n\nFunctions without a namespace are in `{table.namespace}`.\n\n"
        text += f"| question | {' | '.join(table.columns)} |\n|---|{'---|' * len(table.columns)}\n"
        for row in table.rows:
            cells = " | ".join(cell_text(table, cell, notes) for cell in row.cells.values())
            text += f"| [{row.question}]({row.link}) | {cells} |\n"
    text += "\n## Notes\n\n"
    for number, note in enumerate(notes, 1):
        text += ("\n" + " " * len(f"{number}. ")).join(wrapped(f"{number}. {note}")) + "\n"
    return text


def wrapped(text, width=115):
    lines = [""]
    for word in text.split(" "):
        if len(lines[-1]) + len(word) + 1 > width and lines[-1]:
            lines.append("")
        lines[-1] += (" " if lines[-1] else "") + word
    return lines


# ---- the check by compiling ---------------------------------------------------------------------


def type_of(table, name):
    if name in TYPES[table.namespace]:
        return TYPES[table.namespace][name]
    if name == "double":
        return name
    return f"{'touche' if name in OF_TOUCHE else table.namespace}::{name}"


def source(tables):
    text = "".join(f"#include <touche/{header}.h>\n" for header in HEADERS) + "#include <vector>\n"
    text += "namespace questions {\n"
    for place, table in enumerate(tables):
        # The types are parameters that hide the real ones, so that calls that do not exist are no errors.
        types = list(dict.fromkeys(t for t in table.lets.values() if t != "double"))
        parameters = ", ".join(f"class {t}" for t in types)
        arguments = ", ".join(type_of(table, t) for t in types)
        variables = ", ".join(f"{t}& {name}" if t in ("World", "Stepper", "Dynamics", "Manifold")
                              else f"const {t}& {name}" for name, t in table.lets.items())
        calls = dict.fromkeys(entry for row in table.rows for cell in row.cells.values() for entry in cell.calls)
        for count, (kind, call, number) in enumerate(calls):
            concept = f"Call{place}_{count}"
            wrong = "does not exist in the headers" if kind != "no" else "exists now: is this hole filled?"
            text += (f"template <{parameters}> concept {concept} = requires({variables}) {{ {call}; }};\n"
                     f"static_assert({'!' if kind == 'no' else ''}{concept}<{arguments}>,\n"
                     f"    R\"(tools/questions.txt:{number}: `{call}` {wrong})\");\n")
    return text + "}\n"


def compile_calls(tables):
    compiler = os.environ.get("CXX", "g++")
    command = [compiler, "-std=c++20", "-fsyntax-only", "-Iinclude", "-isystem", "/usr/include/eigen3", "-x", "c++", "-"]
    done = subprocess.run(command, input=source(tables), cwd=ROOT, text=True, capture_output=True, check=False)
    complaints = re.findall(r"tools/questions\.txt:\d+: `.*` (?:does not exist in the headers|exists now: is this hole filled\?)",
                            done.stderr)
    if done.returncode and not complaints:
        sys.exit(done.stderr)
    return list(dict.fromkeys(complaints))


def main():
    tables = read()
    page = PAGE.read_text()
    made = page[:page.index(MARK)] + tables_text(tables)
    if "--write" in sys.argv[1:]:
        PAGE.write_text(made)
        return 0
    complaints = compile_calls(tables)
    if made != page:
        complaints.append("docs/questions.md is not what tools/questions.txt says: tools/check_questions.py --write")
    calls = sum(len(cell.calls) for table in tables for row in table.rows for cell in row.cells.values())
    print("\n".join([*complaints, f"{calls} calls, {len(complaints)} complaints"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
