#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws how much of a motion is proved free after how long, from what `./dev bench --anytime`
measured.

plot_anytime.py ANYTIME.csv OUT.svg
"""
import csv
import math
import sys

from svg import Svg

COLOURS = ["#1b6ca8", "#c05a00", "#2c7a3f", "#8a3f8f"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 760, 360, 70, 30, 20, 80
UNITS = {-6: "1 µs", -5: "10 µs", -4: "0.1 ms", -3: "1 ms", -2: "10 ms", -1: "0.1 s", 0: "1 s", 1: "10 s"}


def main(source, target):
    scenes = {}
    with open(source, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            scenes.setdefault(row["scene"], []).append((float(row["mean_seconds"]), float(row["mean_share"])))
    low = math.floor(math.log10(min(p[0] for points in scenes.values() for p in points)))
    high = math.ceil(math.log10(max(p[0] for points in scenes.values() for p in points)))

    def x(seconds):
        return LEFT + (math.log10(seconds) - low) / (high - low) * (WIDTH - LEFT - RIGHT)

    def y(share):
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    svg = Svg(WIDTH, HEIGHT)
    for percent in range(0, 101, 25):
        svg.line(LEFT, y(percent / 100), WIDTH - RIGHT, y(percent / 100), "#ddd")
        svg.text(LEFT - 8, y(percent / 100) + 4, "end", f"{percent} %")
    for decade in range(low, high + 1):
        svg.line(x(10.0**decade), TOP, x(10.0**decade), HEIGHT - BOTTOM, "#ddd")
        svg.text(x(10.0**decade), HEIGHT - BOTTOM + 20, "middle", UNITS.get(decade, f"1e{decade} s"))
    svg.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - BOTTOM + 42, "middle",
             "mean time allowed; up: share of the free part of the motion that is proved")
    for i, (name, points) in enumerate(scenes.items()):
        colour = COLOURS[i % len(COLOURS)]
        svg.curve([(x(s), y(share)) for s, share in points], colour)
        svg.text(LEFT + 300 * i, HEIGHT - 12, "start", name, colour)
    svg.write(target)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
