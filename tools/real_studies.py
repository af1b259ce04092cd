#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Studies of real meshes, for touche study and touche evaluate: DATA is a folder of meshes and
recorded poses as tests use it (TOUCHE_SHARED_DATA), the studies are written to OUT and printed."""
import csv
import json
import math
import sys
from pathlib import Path


def turned(degrees, x, y, z):
    """A pose turned about the z axis."""
    half = math.radians(degrees) / 2
    return {"translation": [x, y, z], "quaternion": [math.cos(half), 0, 0, math.sin(half)]}


def matrix(row, body):
    return {"matrix": [[float(row[f"{body}_R{i}{j}"]) for j in range(3)] + [float(row[f"{body}_t{axis}"])]
                       for i, axis in enumerate("xyz")]}


def nut(data):
    """An M16 nut unscrewed from its bolt, 577 recorded poses."""
    folder = data / "nut_bolt"
    with open(folder / "factory_m16_loose.csv", newline="") as file:
        poses = [turned(float(row["theta_deg"]), 0, 0, float(row["axial"])) for row in csv.DictReader(file)]
    return {"title": "Real M16 nut and bolt", "unit": "m", "tolerance": 1e-7,
            "parts": {"nut": folder / "factory_nut_m16_loose_subdiv_3x.obj",
                      "bolt": folder / "factory_bolt_m16_loose.obj"},
            "moving": {"nut": poses}}


def gears(data):
    """Two meshing gears on their base: the medium one is lifted off while it turns to avoid its neighbour."""
    folder = data / "gears"
    poses = [turned(0.4 * math.sin(0.3 * step), 0, 0, 0.030 * step / 200) for step in range(201)]
    # It turns about its own shaft.
    centre = 0.02
    for pose in poses:
        w, _, _, z = pose["quaternion"]
        pose["translation"][0] = centre - centre * (w * w - z * z)
        pose["translation"][1] = -centre * 2 * w * z
    return {"title": "Real gears on their base", "unit": "m", "tolerance": 1e-7,
            "parts": {"medium": folder / "factory_gear_medium_space_5e-4.obj",
                      "small": folder / "factory_gear_small_space_5e-4.obj",
                      "base": folder / "factory_gear_base_loose_space_5e-4_subdiv_4x.obj"},
            "moving": {"medium": poses}}


def bodies(data):
    """Two industrial bodies in 501 frames, in contact from frame 26 on."""
    folder = data / "models_in_contact"
    with open(folder / "many_Model_1_poses.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    return {"title": "Real bodies in contact", "unit": "mm", "tolerance": 1e-5,
            "parts": {f"body {n}": folder / f"many_Model_1_obj{n}.obj" for n in (1, 2)},
            "moving": {f"body {n}": [matrix(row, f"o{n}") for row in rows] for n in (1, 2)}}


def study(subject):
    return {
        "touche_study": 1,
        "title": subject["title"],
        "unit": subject["unit"],
        "parts": [{"name": name, "file": str(file.resolve())} for name, file in subject["parts"].items()],
        "groups": [{"name": name, "parts": [name], "motion": {"poses": poses}}
                   for name, poses in subject["moving"].items()],
        "tolerance": subject["tolerance"],
    }


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: real_studies.py DATA OUT")
    data, out = map(Path, sys.argv[1:])
    out.mkdir(parents=True, exist_ok=True)
    for subject in (nut, gears, bodies):
        path = out / f"real_{subject.__name__}.json"
        path.write_text(json.dumps(study(subject(data))) + "\n")
        print(path)


main()
