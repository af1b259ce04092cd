#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of docs/response.md, docs/simulate.md and docs/reference/dynamics.md by our own programs:

    ./dev build && python3 tools/draw_responses.py [--build build] [--out docs/images] [NAME...]
"""
import argparse
import json
import pathlib
import re
import subprocess
import tempfile

# Example programs that print a picture.
EXAMPLES = {"responses": "example_bounce_in_a_corner", "way-out": "example_way_out"}
# Scenes of `touche scene`, how many seconds of them, and which of the six pictures of the report.
SCENES = {
    "dominoes": (["dominoes"], 2.5, [1, 2, 3, 4, 5, 6]),
    "standing-bolt": (["standing-bolt"], 1.5, [1, 3, 6]),
    "pile": (["pile", "--bodies", "200"], 3, [1, 3, 6]),
}
COLUMNS = 3
CAPTION = 40  # pixels below each picture
STYLE = ("<style>text{font-size:26px;fill:#333}.scale text{fill:#111}</style>")
FIGURE = re.compile(r"<figure>(<svg.*?</svg>)<figcaption>(.*?)</figcaption></figure>", re.S)
VIEW_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


def film_strip(report, numbers):
    """The pictures of a report side by side, with their times below."""
    figures = FIGURE.findall(report)
    figures = [figures[n - 1] for n in numbers]
    width, height = map(float, VIEW_BOX.search(figures[0][0]).groups())
    rows = -(-len(figures) // COLUMNS)
    full = f"{COLUMNS * width:g} {rows * (height + CAPTION):g}"
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full}" font-family="sans-serif">', STYLE,
           '<rect width="100%" height="100%" fill="white"/>']
    for i, (svg, caption) in enumerate(figures):
        x, y = i % COLUMNS * width, i // COLUMNS * (height + CAPTION)
        out.append(svg.replace("<svg ", f'<svg x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" ', 1))
        out.append(f'<text x="{x + width / 2:g}" y="{y + height + 26:g}" text-anchor="middle">{caption}</text>')
    return "\n".join([*out, "</svg>"]) + "\n"


def simulate(touche, scene, duration, numbers):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run([touche, "scene", *scene, "--out", folder], check=True, stdout=subprocess.DEVNULL)
        file = folder / "scene.json"
        text = json.loads(file.read_text())
        text["duration"] = duration
        file.write_text(json.dumps(text))
        subprocess.run([touche, "simulate", file, "--out", folder / "report", "--format", "html", "--no-viewer"],
                       check=True)
        return film_strip((folder / "report" / "report.html").read_text(), numbers)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=[*EXAMPLES, *SCENES], metavar="NAME")
    parser.add_argument("--build", default="build", type=pathlib.Path)
    parser.add_argument("--out", default="docs/images", type=pathlib.Path)
    options = parser.parse_args()
    for name in options.names:
        if name in EXAMPLES:
            program = options.build / "examples" / EXAMPLES[name]
            picture = subprocess.run([program, "--picture"], check=True, capture_output=True, text=True).stdout
        else:
            picture = simulate(options.build / "touche", *SCENES[name])
        (options.out / f"{name}.svg").write_text(picture)


main()
