#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws how many pairs of a step are decided within a budget, from what `./dev bench --step --out
STEP` measured.

plot_steps.py STEP-shares.csv OUT.svg
"""
import csv
import math
import sys

from svg import Svg

COLOURS = ["#1b6ca8", "#c05a00", "#2c7a3f", "#8a3f8f"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 360, 70, 30, 20, 80


def main(source, target):
    curves = {}
    with open(source, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            points = curves.setdefault(f"{row['scene']}, {row['share'].replace('_', ' ')}", {})
            points[float(row["budget_ms"])] = 1 - int(row["undecided"]) / max(1, int(row["pairs"]))
    budgets = sorted({budget for points in curves.values() for budget in points})
    low, high = math.log10(budgets[0]), math.log10(budgets[-1])

    def x(budget):
        return LEFT + (math.log10(budget) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def y(share):
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    svg = Svg(WIDTH, HEIGHT)
    for percent in range(0, 101, 25):
        svg.line(LEFT, y(percent / 100), WIDTH - RIGHT, y(percent / 100), "#ddd")
        svg.text(LEFT - 8, y(percent / 100) + 4, "end", f"{percent} %")
    for budget in budgets:
        svg.line(x(budget), TOP, x(budget), HEIGHT - BOTTOM, "#ddd")
        svg.text(x(budget), HEIGHT - BOTTOM + 20, "middle", f"{budget:g} ms")
    svg.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM + 42, "middle",
             "budget of a step; up: share of its pairs that is decided")
    for i, (name, points) in enumerate(sorted(curves.items())):
        colour = COLOURS[i % len(COLOURS)]
        svg.curve([(x(budget), y(share)) for budget, share in sorted(points.items())], colour)
        svg.text(LEFT + 170 * i, HEIGHT - 12, "start", name, colour)
    svg.write(target)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
