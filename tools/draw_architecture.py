#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the folders of src/ and their dependencies as docs/images/architecture.svg.

    tools/draw_architecture.py           writes the picture
    tools/draw_architecture.py --check   fails when the picture is not that of today's rules

Folders and directions are those that tools/check_includes.py enforces. An arrow from a folder to
another says that the second one uses the first; arrows that follow from others are left out.
"""
import sys
from pathlib import Path

from check_includes import MAY_USE

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "images" / "architecture.svg"
SUBJECT = {
    "base": "files, hashes, random numbers", "math": "poses, motions, rounding",
    "geometry": "soups, exact predicates", "aabb_tree": "boxes that come and go",
    "bvh": "the hierarchy, its kernels", "query": "touch, where, how far, when",
    "path": "whole paths, inside, thickness", "plane": "two dimensions", "deform": "vertices that move",
    "convex": "bodies by their supports", "shape": "convex shapes beside soups", "plane_shape": "solid shapes of the plane",
    "shape_path": "inside and paths of shapes",
    "spatial": "octree, quadtree, kd-tree, BSP",
    "broadphase": "which of many boxes overlap", "world": "bodies in a scene graph",
    "response": "contact geometry, a hand", "dynamics": "rigid bodies",
    "methods": "the thesis' methods, to compare", "io": "mesh files",
    "report": "pages, plots, pictures", "study": "studies and their results",
    "clash": "every pair of an assembly", "simulation": "hands and forces on parts",
    "evaluation": "which method serves best", "viewer": "a world for pages to look at",
}
TARGET = {  # the library that a folder belongs to, where that is not the core
    "methods": "touche::methods", "io": "touche::io", "broadphase": "touche::world",
    "convex": "touche::shapes", "shape": "touche::shapes", "plane_shape": "touche::shapes",
    "shape_path": "touche::shapes",
    "spatial": "touche::world", "response": "touche::dynamics", "dynamics": "touche::dynamics",
    "world": "touche::world", "report": "touche::report",
    "study": "touche::study", "clash": "touche::clash", "simulation": "touche::simulation",
    "evaluation": "touche::evaluation", "viewer": "touche::viewer",
}
COLUMN = {
    "convex": 0, "shape": 0, "plane_shape": 0, "shape_path": 1, "deform": 3, "plane": 3, "spatial": 1, "broadphase": 4, "world": 4, "response": 4, "dynamics": 4, "aabb_tree": 1, "methods": 1, "io": 3, "study": 3, "clash": 3, "viewer": 3, "report": 4, "simulation": 4,
    **dict.fromkeys(["base", "math", "geometry", "bvh", "query", "path", "evaluation"], 2),
}
WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 204, 58, 28, 40, 16


def needed(folder):
    """What a folder uses and does not reach through another one that it uses."""
    used = MAY_USE[folder]
    return [u for u in used if not any(u in MAY_USE[other] for other in used)]


def rank(folder):
    return 1 + max((rank(u) for u in MAY_USE[folder]), default=-1)


def layout():
    """Rows from the top, most general first; columns so that arrows pass beside boxes."""
    place = {folder: (MARGIN + COLUMN[folder] * (WIDTH + GAP_X),
                      MARGIN + rank(folder) * (HEIGHT + GAP_Y)) for folder in MAY_USE}
    return place, (max(x for x, _ in place.values()) + WIDTH + MARGIN,
                   max(y for _, y in place.values()) + HEIGHT + MARGIN)


def draw():
    place, (width, height) = layout()
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
           f'width="{width:g}" font-family="sans-serif" role="img">',
           "<title>The folders of src and who uses whom</title>",
           '<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
           'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z" fill="#5b6b7b"/></marker></defs>',
           f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>']
    for folder in place:
        for used in needed(folder):
            x0, y0 = place[used][0] + WIDTH / 2, place[used][1] + HEIGHT
            x1, y1 = place[folder][0] + WIDTH / 2, place[folder][1]
            bend = (y1 - y0) / 2
            out.append(f'<path d="M{x0:g} {y0:g}C{x0:g} {y0 + bend:g} {x1:g} {y1 - bend:g} '
                       f'{x1:g} {y1 - 2:g}" fill="none" stroke="#5b6b7b" stroke-width="1.4" '
                       'marker-end="url(#head)"/>')
    for folder, (x, y) in place.items():
        core = folder not in TARGET
        out.append(f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="6" '
                   f'fill="{"#e3eefa" if core else "#f6efdd"}" '
                   f'stroke="{"#3d6fa5" if core else "#a8852c"}"/>')
        middle = x + WIDTH / 2
        out.append(f'<text x="{middle:g}" y="{y + 24:g}" text-anchor="middle" font-size="15" '
                   f'font-weight="bold" fill="#1d2730">{folder}</text>')
        out.append(f'<text x="{middle:g}" y="{y + 44:g}" text-anchor="middle" font-size="11" '
                   f'fill="#3c4a57">{SUBJECT[folder]}</text>')
    out.append("</svg>")
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        if PICTURE.read_text() != draw():
            sys.exit("docs/images/architecture.svg is old: run tools/draw_architecture.py")
    else:
        PICTURE.write_text(draw())
