#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the regions of shapes and of pairs of shapes that docs/distances.md speaks of.

plot_regions.py FOLDER    writes regions-NAME.svg
"""
import sys
from pathlib import Path

from svg import Svg

COLOURS = ["#f3c9a5", "#bcd9ee", "#c9e5c4"]  # of corners, edges, faces
DARK = ["#a04a00", "#1b5c88", "#2c6a35"]
INK = "#333"


def label(dimension, index):
    return ["corner", "edge", "face"][dimension] + (f" {index}" if dimension < 2 else "")


def clip(polygon, point, normal):
    """The part of a convex polygon on the side of a line that the normal points to."""
    def side(p):
        return (p[0] - point[0]) * normal[0] + (p[1] - point[1]) * normal[1]
    kept = []
    for p, q in zip(polygon, polygon[1:] + polygon[:1]):
        a, b = side(p), side(q)
        if a >= 0:
            kept.append(p)
        if a * b < 0:
            t = a / (a - b)
            kept.append((p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])))
    return kept


def middle(polygon):
    return sum(p[0] for p in polygon) / len(polygon), sum(p[1] for p in polygon) / len(polygon)


def convex_regions(corners):
    """What is nearest to each corner, edge and to the inside of a convex polygon, in a square."""
    window = [(0, 0), (10, 0), (10, 10), (0, 10)]
    n = len(corners)
    sides = [(q[0] - p[0], q[1] - p[1]) for p, q in zip(corners, corners[1:] + corners[:1])]
    regions = []
    for k in range(n):
        before, after = sides[k - 1], sides[k]
        area = clip(clip(window, corners[k], before), corners[k], (-after[0], -after[1]))
        regions.append((0, k, area))
    for k in range(n):
        u, p, q = sides[k], corners[k], corners[(k + 1) % n]
        area = clip(clip(clip(window, p, u), q, (-u[0], -u[1])), p, (u[1], -u[0]))
        regions.append((1, k, area))
    regions.append((2, 0, corners))
    return regions


def draw_shape(svg, left, top, size, corners, title):
    def at(p):
        return left + size * p[0] / 10, top + size * (10 - p[1]) / 10
    for dimension, index, area in convex_regions(corners):
        svg.polygon([at(p) for p in area], COLOURS[dimension], "#fff")
    for dimension, index, area in convex_regions(corners):
        x, y = at(middle(area))
        svg.text(x, y + 4, "middle", label(dimension, index), DARK[dimension])
    svg.polygon([at(p) for p in corners], "none", INK)
    for p in corners:
        svg.dot(*at(p), INK)
    svg.text(left + size / 2, top - 10, "middle", title)


def draw_flat(file):
    svg = Svg(960, 340)
    draw_shape(svg, 20, 30, 290, [(2.5, 2.5), (8, 3), (4.5, 7.5)], "triangle: 7 regions")
    draw_shape(svg, 335, 30, 290, [(2.8, 3.2), (7.2, 3.2), (7.2, 6.8), (2.8, 6.8)], "rectangle: 9 regions")
    left, top, width, height = 650, 105, 290, 140
    p, q = left + 85, left + 205
    for x0, x1, dimension in [(left, p, 0), (p, q, 1), (q, left + width, 0)]:
        svg.polygon([(x0, top), (x1, top), (x1, top + height), (x0, top + height)], COLOURS[dimension], "#fff")
    for x, text, dimension in [((left + p) / 2, "corner 0", 0), ((p + q) / 2, "edge 0", 1),
                               ((q + left + width) / 2, "corner 1", 0)]:
        svg.text(x, top + 30, "middle", text, DARK[dimension])
    svg.line(p, top + height / 2, q, top + height / 2, INK)
    svg.dot(p, top + height / 2, INK)
    svg.dot(q, top + height / 2, INK)
    svg.text(left + width / 2, top - 10, "middle", "segment: 3 regions")
    svg.write(file)


def draw_table(svg, left, top, rows, columns, title, cell, never=()):
    """Pairs of regions, coloured by the sum of their dimensions."""
    shades = ["#fbe7d3", "#f3c9a5", "#dfe3c0", "#bcd9ee"]
    head = 66
    svg.text(left + head + cell * len(columns) / 2, top - 56, "middle", title)
    for j, (dimension, text) in enumerate(columns):
        x, y = left + head + cell * (j + 0.5), top - 8
        svg.out.append(f'<g transform="rotate(-45 {x:.1f} {y:.1f})">')
        svg.text(x, y, "start", text, DARK[dimension])
        svg.out.append("</g>")
    for i, (d_row, text) in enumerate(rows):
        svg.text(left + head - 8, top + cell * (i + 0.5) + 4, "end", text, DARK[d_row])
        for j, (d_column, _) in enumerate(columns):
            x, y = left + head + cell * j, top + cell * i
            told = (d_row, d_column) not in never
            fill = shades[d_row + d_column] if told else "#fff"
            svg.polygon([(x, y), (x + cell, y), (x + cell, y + cell), (x, y + cell)], fill, "#fff" if told else "#999")
            svg.text(x + cell / 2, y + cell / 2 + 4, "middle", d_row + d_column if told else "–", "#555")


def draw_pairs(file):
    triangle = [(d, label(d, k)) for d, n in [(0, 3), (1, 3), (2, 1)] for k in range(n)]
    segment = [(0, "corner 0"), (0, "corner 1"), (1, "edge 0")]
    rectangle = [(d, label(d, k)) for d, n in [(0, 4), (1, 4), (2, 1)] for k in range(n)]
    ray, line = [segment[0], segment[2]], [segment[2]]
    svg = Svg(960, 830)
    draw_table(svg, 10, 90, triangle, triangle, "two triangles: 49", 34, never=[(2, 2)])
    draw_table(svg, 330, 90, segment, segment, "two segments: 9", 34)
    draw_table(svg, 640, 90, segment, triangle, "segment and triangle: 21", 34)
    draw_table(svg, 640, 272, ray, triangle, "ray and triangle: 14", 34)
    draw_table(svg, 330, 272, line, triangle, "line and triangle: 7", 34)
    draw_table(svg, 10, 472, rectangle, rectangle, "two rectangles: 81", 34, never=[(2, 2)])
    draw_table(svg, 430, 472, ray, segment, "ray and segment: 6", 34)
    draw_table(svg, 640, 472, ray, ray, "two rays: 4", 34)
    draw_table(svg, 430, 640, line, segment, "line and segment: 3", 34)
    draw_table(svg, 640, 640, line, ray, "line and ray: 2", 34)
    svg.text(20, 808, "start", "Numbers are the dimensions added up: of several closest pairs the one with the least sum "
             "is told. “–” is never the least.")
    svg.write(file)


def draw_space(file):
    """Regions in space: around a box, and in the space of a triangle's two parameters and a line's one."""
    svg = Svg(960, 380)

    def project(x, y, z):
        return x + 0.42 * z, -y - 0.3 * z

    def slab(left, top, scale, outline, low, high, dimension):
        front = [project(x, low, z) for x, z in outline]
        back = [project(x, high, z) for x, z in outline]
        place = [[(left + scale * x, top + scale * y) for x, y in face] for face in (front, back)]
        n = len(outline)
        for k in sorted(range(n), key=lambda i: -(outline[i][1] + outline[(i + 1) % n][1])):
            svg.polygon([place[0][k], place[0][(k + 1) % n], place[1][(k + 1) % n], place[1][k]],
                        COLOURS[dimension], "#fff")
        svg.polygon(place[1], COLOURS[dimension], "#777")
        return place

    gap, cell = 1.5, 1.0
    for j in range(3):
        for k in (2, 1, 0):
            for i in range(3):
                kind = min(2, (i == 1) + (j == 1) + (k == 1))
                x, z = gap * i, gap * k
                slab(40, 330, 52, [(x, z), (x + cell, z), (x + cell, z + cell), (x, z + cell)],
                     gap * j, gap * j + cell, kind)
    svg.text(190, 24, "middle", "point and box: 27 regions, 8 of corners, 12 of edges,")
    svg.text(190, 42, "middle", "6 of faces and the inside, hidden in the middle")

    regions = convex_regions([(3, 3), (7, 3), (3, 7)])
    for column, (title, heights) in enumerate([("line: 7", [(0, 4)]), ("ray: 14", [(0, 1.2), (1.7, 4)]),
                                               ("segment: 21", [(0, 0.9), (1.4, 2.5), (3.0, 4)])]):
        left = 430 + 180 * column
        for low, high in heights:
            for dimension, _, area in sorted(regions, key=lambda r: -middle(r[2])[1]):
                centre = middle(area)
                apart = [((0.93 * (x - centre[0]) + centre[0]) * 0.24, (0.93 * (z - centre[1]) + centre[1]) * 0.24)
                         for x, z in area]
                slab(left, 330, 46, apart, low, high, dimension)
        svg.text(left + 80, 42, "middle", title)
    svg.text(700, 24, "middle", "with a triangle: its two parameters, and upwards that of the")
    svg.write(file)


def main(folder):
    draw_flat(Path(folder) / "regions-shapes.svg")
    draw_pairs(Path(folder) / "regions-pairs.svg")
    draw_space(Path(folder) / "regions-space.svg")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
