#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the tables of docs/performance.md that show what benchmarks wrote with --out.

    tools/bench_tables.py           writes them into the page
    tools/bench_tables.py --check   fails when the page shows other figures than the files hold

In the page a table stands between `<!-- table NAME FILE -->` and `<!-- end of table -->`; NAME is that of
a function below, and FILE lies in bench/results.
"""
import csv
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "performance.md"
RESULTS = ROOT / "bench" / "results"
OWN = "Touché"

# ---- numbers -----------------------------------------------------------------------------------


def digits(value):
    """Three digits that count, without an exponent."""
    return f"{float(f'{value:.3g}'):,.10g}"


def duration(seconds):
    for unit, factor in (("ns", 1e9), ("µs", 1e6), ("ms", 1e3)):
        if seconds * factor < 999.5:
            return f"{digits(seconds * factor)} {unit}"
    return f"{digits(seconds)} s"


def times(factor):
    return f"{factor:.1f}" if factor < 9.95 else f"{float(f'{factor:.3g}'):,.0f}"


def span(factors):
    low, high = times(min(factors)), times(max(factors))
    return f"×{low}" if low == high else f"×{low} to {high}"


def table(head, align, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, align, *rows]).replace("|  |", "| |")


# ---- touche_bench ------------------------------------------------------------------------------

LETTERS = {"FCL": "F", "Bullet": "B", "ODE": "O", "CGAL": "C", "FCL advancement": "A", "PQP": "P"}
TIMES = ["build", "intersects", "all pairs", "distance", "time of impact"]
BYTES = ["heap with mesh", "hierarchy"]


def answers(rows):
    """{scene: {question: {peer: row}}}, in the order of the file."""
    found = {}
    for row in rows:
        found.setdefault(row["scene"], {}).setdefault(row["question"], {})[row["peer"]] = row
    return found


def factor(peers, peer):
    return float(peers[peer]["value"]) / float(peers[OWN]["value"])


def right(peers):
    return [peer for peer in peers if peer != OWN and peers[peer]["right"] == "yes" and float(peers[peer]["value"]) > 0]


def scenes(rows):
    """One line for each scene: Touché's time, and the factor of the fastest peer whose answers are all
    right; bold if it is less than 1. Bytes: size of the hierarchies, beside FCL's."""

    def cell(peers, own):
        if OWN not in peers:
            return "–"
        text = own(float(peers[OWN]["value"]))
        if not right(peers):
            return text
        best = min(right(peers), key=lambda peer: factor(peers, peer))
        beside = f"×{times(factor(peers, best))} {LETTERS.get(best, best)}"
        return f"{text} " + (f"**{beside}**" if factor(peers, best) < 1 else beside)

    lines = []
    for scene, questions in answers(rows).items():
        lines.append([scene, cell(questions.get("hierarchy", {}), lambda value: f"{value:.0f}"),
                      *(cell(questions.get(question, {}), duration) for question in TIMES)])
    return table(["scene", "bytes a triangle", *TIMES], ["---"] * 7, lines)


def peers(rows):
    """One line for each peer: the least and the greatest of what it takes over what Touché takes, over all
    scenes, and where its answers are wrong."""
    found = answers(rows)
    names = [name for name in LETTERS if any(name in p for questions in found.values() for p in questions.values())]
    lines = []
    for name in names:
        line = [f"{name} ({LETTERS[name]})"]
        for question in [*BYTES, *TIMES]:
            asked = [q[question] for q in found.values() if name in q.get(question, {})]
            factors = [factor(p, name) for p in asked if name in right(p)]
            wrong = sum(p[name]["right"] == "no" for p in asked)
            text = [span(factors)] if factors else []
            if wrong:
                text.append(f"wrong in {wrong} of {len(asked)}")
            line.append(", ".join(text) or "–")
        lines.append(line)
    return table(["", *BYTES, *TIMES], ["---"] * 8, lines)


# ---- touche_dynamics_bench ---------------------------------------------------------------------

SCENES = {"pile": "pile of 1,000", "shot-50": "1,000 shot at 50 m/s", "shot-200": "1,000 shot at 200 m/s",
          "shot-200 of 200": "200 shot at 200 m/s", "stack": "stack of ten", "dominoes": "20 dominoes",
          "arch": "arch of 11", "billiards": "billiards, 16 balls", "pendulums": "ten pendulums", "folding": "ten that fold"}
COUNTED = {"stack": "fallen", "arch": "fallen", "dominoes": "tipped", "pendulums": None, "folding": None}
CONSERVATIVE = {"billiards", "pendulums"}
ENDS = ["deepest_mm", "energy_gain", "energy_error", "joint_drift_mm", "counted"]


def share(value):
    return "0" if value == 0 else "< 0.001 %" if value < 1e-5 else f"{100 * value:.2g} %"


def dynamics(rows):
    """One line for each scene and engine. Bullet's variants with the same outcome as Bullet itself are left out."""
    lines, last = [], None
    for scene in sorted({row["scene"]: None for row in rows}, key=lambda s: list(SCENES).index(s)):
        engines = {row["engine"]: row for row in rows if row["scene"] == scene}
        for name, row in engines.items():
            if name.startswith("Bullet,") and all(row[end] == engines["Bullet"][end] for end in ENDS):
                continue
            became = []
            if counted := COUNTED.get(scene, "through"):
                became.append(f"{row['counted']} {counted}")
            if (drift := float(row["joint_drift_mm"])) > 0:
                became.append(f"joints open by {f'{drift:.2g}' if drift < 0.01 else digits(drift)} mm")
            if float(row["lost_s"]) > 0:
                became.append(f"{digits(float(row['lost_s']))} s lost")
            time = [f"{digits(float(row[key]))} ms" for key in ("mean_ms", "worst_ms", "rest_ms")]
            if int(row["steps"]) <= 100:
                time[2] = ""
            lines.append([f"{SCENES[scene]}, {row['steps']} steps" if scene != last else "", name, *time,
                          "0" if float(row["deepest_mm"]) == 0 else f"{digits(float(row['deepest_mm']))} mm",
                          share(float(row["energy_gain"])),
                          share(float(row["energy_error"])) if scene in CONSERVATIVE else "", ", ".join(became)])
            last = scene
    head = ["scene", "engine", "mean step", "worst", "last 100", "deepest", "energy rose by", "energy wrong by",
            "what became of them"]
    return table(head, ["---", "---", *["---:"] * 6, "---"], lines)


# ---- the page ----------------------------------------------------------------------------------

TABLES = {"scenes": scenes, "peers": peers, "dynamics": dynamics}
MARKED = re.compile(r"(<!-- table (\w+) (\S+) -->\n)(.*?)(<!-- end of table -->)", re.S)


def filled(page):
    def fill(found):
        with open(RESULTS / found[3], encoding="utf-8") as file:
            return f"{found[1]}\n{TABLES[found[2]](list(csv.DictReader(file)))}\n\n{found[5]}"

    return MARKED.sub(fill, page)


def main():
    page = PAGE.read_text(encoding="utf-8")
    if not MARKED.search(page):
        sys.exit(f"{PAGE.name} has no marked table")
    if "--check" not in sys.argv:
        PAGE.write_text(filled(page), encoding="utf-8")
    elif filled(page) != page:
        sys.exit(f"{PAGE.name} shows other figures than bench/results: run tools/bench_tables.py")


if __name__ == "__main__":
    main()
