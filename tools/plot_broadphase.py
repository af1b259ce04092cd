#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws how many times as fast as its fastest peer the default broad phase is, from what
`./dev bench --broadphase ... --out RESULTS.csv` measured, and prints the same as a table.

plot_broadphase.py RESULTS.csv OUT.svg
"""
import csv
import math
import re
import sys

from svg import Svg

DEFAULT = "Touché"
COLOURS = {"sparse": "#1b6ca8", "dense": "#c05a00", "clustered": "#2c7a3f", "sizes": "#8a3f8f", "floor": "#7a5c2e",
           "falling": "#c23b6b", "giant": "#555"}
LETTERS = {"Bullet": "B", "CGAL": "C", "Embree": "E", "FCL": "F"}
SHARES = [1, 10, 100]
PANEL, GAP, HEIGHT, LEFT, TOP, BOTTOM = 225, 22, 380, 50, 34, 78


def read(source):
    """{(bodies, percent, scene): {driver: {question: value}}} of all answers that were right."""
    cells = {}
    with open(source, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            bodies, percent, question = re.fullmatch(r"(\d+) bodies (\S+) % moving (.+)", row["question"]).groups()
            drivers = cells.setdefault((int(bodies), round(float(percent)), row["scene"]), {})
            if row["right"] == "yes":
                drivers.setdefault(row["peer"], {})[question] = float(row["value"])
    return cells


def fastest_peer(drivers):
    return min((name for name in drivers if not name.startswith(DEFAULT)), key=lambda name: drivers[name]["mean frame"])


def times(drivers, name):
    return drivers[name]["mean frame"] / drivers[DEFAULT]["mean frame"]


def duration(seconds):
    return f"{seconds * 1e6:.3g} µs" if seconds < 1e-3 else f"{seconds * 1e3:.3g} ms"


def cell(drivers):
    peer = fastest_peer(drivers)
    text = f"{duration(drivers[DEFAULT]['mean frame'])} ×{times(drivers, peer):.3g} {LETTERS[peer.split()[0]]}"
    for name in drivers:
        if name.startswith(DEFAULT) and times(drivers, name) < 1 / 1.3:
            text += f", {name.removeprefix(DEFAULT + ' ')} ×{times(drivers, name):.2g}"
    return text


def span(values, digits):
    low, high = f"{min(values):.{digits}f}", f"{max(values):.{digits}f}"
    return low if low == high else f"{low} to {high}"


def print_table(cells):
    """A cell has the default's mean frame, how many times as long the fastest peer takes, and another
    method of the library's where it is more than 1.3 times as fast."""
    print("| boxes | moving |", " | ".join(COLOURS), "| worst frame / mean | bytes a box |")
    print("|---|---|" + "---|" * (len(COLOURS) + 2))
    for bodies, percent in sorted({key[:2] for key in cells}):
        row = {scene: cells[bodies, percent, scene] for scene in COLOURS if (bodies, percent, scene) in cells}
        own = [drivers[DEFAULT] for drivers in row.values()]
        print(f"| {bodies:,} | {percent} % |", " | ".join(cell(row[s]) if s in row else "–" for s in COLOURS),
              "|", span([o["worst frame"] / o["mean frame"] for o in own], 2),
              "|", span([o["memory"] for o in own], 0), "|")


def draw(cells, target):
    factors = {key: times(drivers, fastest_peer(drivers)) for key, drivers in cells.items()}
    sizes = sorted({bodies for bodies, _, _ in cells})
    low, high = math.log10(sizes[0]), math.log10(sizes[-1])
    top = math.log2(max(factors.values()) * 1.15)

    def y(factor):
        return HEIGHT - BOTTOM - math.log2(factor) / top * (HEIGHT - TOP - BOTTOM)

    svg = Svg(LEFT + 3 * PANEL + 3 * GAP, HEIGHT)
    for panel, percent in enumerate(SHARES):
        left = LEFT + panel * (PANEL + GAP)

        def x(bodies, left=left):
            return left + 8 + (math.log10(bodies) - low) / (high - low) * (PANEL - 16)

        svg.text(left + PANEL / 2, TOP - 14, "middle", f"{percent} % of the boxes move")
        for factor in (2**power for power in range(int(top) + 1)):
            svg.line(left, y(factor), left + PANEL, y(factor), "#ddd")
            if panel == 0:
                svg.text(LEFT - 8, y(factor) + 4, "end", f"×{factor}")
        for bodies in sizes:
            svg.line(x(bodies), TOP, x(bodies), HEIGHT - BOTTOM, "#ddd")
            svg.text(x(bodies), HEIGHT - BOTTOM + 20, "middle",
                     f"10<tspan dy='-5' font-size='9'>{round(math.log10(bodies))}</tspan>")
        for scene, colour in COLOURS.items():
            points = [(x(bodies), y(factors[bodies, percent, scene])) for bodies in sizes
                      if (bodies, percent, scene) in factors]
            svg.curve(points, colour)
            for px, py in points:
                svg.dot(px, py, colour)
    svg.text(LEFT + 1.5 * PANEL + GAP, HEIGHT - BOTTOM + 42, "middle",
             "boxes; up: how many times as long the fastest peer takes")
    for i, (scene, colour) in enumerate(COLOURS.items()):
        svg.text(LEFT + 100 * i, HEIGHT - 12, "start", scene, colour)
    svg.write(target)


def main(source, target):
    cells = read(source)
    print_table(cells)
    draw(cells, target)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
