#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws how cost grows with the number of triangles, from what `./dev bench --growth N` measured.

plot_growth.py GROWTH.csv OUT.svg
"""
import csv
import math
import sys

from svg import Svg

SERIES = [("build", "build", "#1b6ca8"), ("distance", "distance", "#c05a00"),
          ("time_of_impact", "time of impact", "#2c7a3f"), ("intersects", "intersects", "#8a3f8f")]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 460, 70, 130, 20, 50
UNITS = {-6: "1 µs", -3: "1 ms", 0: "1 s", 1: "10 s"}


def main(source, target):
    with open(source, encoding="utf-8") as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    decades_x = range(3, 8)
    low, high = -6, 1

    def x(triangles):
        return LEFT + (math.log10(triangles) - 2.9) / (7.1 - 2.9) * (WIDTH - LEFT - RIGHT)

    def y(seconds):
        return HEIGHT - BOTTOM - (math.log10(seconds) - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    svg = Svg(WIDTH, HEIGHT)
    for decade in range(low, high + 1):
        svg.line(LEFT, y(10**decade), WIDTH - RIGHT, y(10**decade), "#ddd")
        svg.text(LEFT - 8, y(10**decade) + 4, "end", UNITS.get(decade, f"10<tspan dy='-5' font-size='9'>{decade}</tspan>"))
    for decade in decades_x:
        svg.line(x(10**decade), TOP, x(10**decade), HEIGHT - BOTTOM, "#ddd")
        svg.text(x(10**decade), HEIGHT - BOTTOM + 20, "middle", f"10<tspan dy='-5' font-size='9'>{decade}</tspan>")
    svg.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "middle", "triangles of each of the two objects")
    labels = []
    for column, name, colour in SERIES:
        points = [(x(row["triangles"]), y(row[column])) for row in rows]
        svg.curve(points, colour)
        for px, py in points:
            svg.dot(px, py, colour)
        labels.append((points[-1][1] + 4, points[-1][0] + 10, name, colour))
    lowest = -math.inf
    for label_y, label_x, name, colour in sorted(labels):
        lowest = max(label_y, lowest + 16)  # labels of lines that end together stay apart
        svg.text(label_x, lowest, "start", name, colour)
    svg.write(target)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
