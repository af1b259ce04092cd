#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the direction of includes: no folder of src/ includes what MAY_USE does not allow.

docs/images/architecture.svg shows the rules; tools/draw_architecture.py draws it.
Public headers count as part of the folder that implements them. Everything outside src/ uses
public headers only; tests, benchmarks and fuzz targets may look inside.
"""
import re
import sys
from pathlib import Path

# What each folder of src/ may include, besides itself.
MAY_USE = {
    "base": [],
    "math": ["base"],
    "geometry": ["base", "math"],
    "bvh": ["base", "math", "geometry"],
    "convex": ["base", "math", "geometry"],
    "shape": ["base", "math", "geometry", "bvh", "query", "convex"],
    "aabb_tree": ["base", "math", "geometry"],
    "query": ["base", "math", "geometry", "aabb_tree", "bvh"],
    "path": ["base", "math", "geometry", "aabb_tree", "bvh", "query"],
    "plane": ["base", "math", "geometry", "aabb_tree", "bvh", "query", "path"],
    "plane_shape": ["base", "math", "geometry", "aabb_tree", "bvh", "query", "path", "plane", "convex", "shape"],
    "shape_path": ["base", "math", "geometry", "aabb_tree", "bvh", "query", "path", "convex", "shape"],
    "methods": ["base", "math", "geometry", "aabb_tree", "bvh", "query"],
    "deform": ["base", "math", "geometry", "aabb_tree"],
    "spatial": ["base", "math", "geometry", "aabb_tree"],
    "broadphase": ["base", "math", "geometry", "aabb_tree", "bvh"],
    "world": ["base", "math", "geometry", "aabb_tree", "bvh", "broadphase", "query", "shape"],
    "response": ["base", "math", "geometry", "aabb_tree", "bvh", "query", "shape", "path", "plane", "broadphase", "world"],
    "dynamics": ["base", "math", "geometry", "aabb_tree", "bvh", "query", "shape", "path", "broadphase", "world",
                 "response"],
    "io": ["base", "math", "geometry", "aabb_tree", "bvh", "query", "path", "plane"],
    "report": ["base", "math", "geometry"],
    "study": ["base", "math", "geometry", "aabb_tree", "bvh", "query", "shape", "path", "plane", "io", "report"],
    "clash": ["base", "math", "geometry", "aabb_tree", "bvh", "query", "shape", "path", "plane", "io", "report", "study"],
    "simulation": ["base", "math", "geometry", "aabb_tree", "bvh", "query", "shape", "path", "plane", "broadphase",
                   "world", "response", "dynamics", "io", "report", "study"],
    "viewer": ["base", "math", "geometry", "aabb_tree", "bvh", "query", "shape", "path", "plane", "broadphase", "world",
               "response", "dynamics", "methods", "io", "report", "study", "clash", "simulation"],
    "evaluation": ["base", "math", "geometry", "aabb_tree", "bvh", "query", "path", "plane", "methods", "deform", "io",
                   "report", "study"],
}

# Where each public header belongs.
PUBLIC = {
    "types": "base", "version": "base", "budget": "base", "simd": "base", "names": "base", "pose": "math", "motion": "math", "soup": "geometry", "mass": "geometry",
    "linear": "geometry", "distance": "geometry", "distance_batch": "query", "broadphase": "broadphase", "world": "world", "step": "world", "response": "response", "handling": "response", "spatial": "spatial",
    "plane": "plane", "plane_volumes": "plane", "plane_shape": "plane_shape", "outline_file": "io",
    "near_faces": "query", "reference": "query", "dynamics": "dynamics", "manifold": "response", "swept_sphere": "methods", "kdop": "methods",
    "separation": "response",
    "object": "bvh", "shape": "shape", "hierarchy_file": "bvh", "query": "query", "batch": "query", "point_query": "query", "volume_tree": "methods",
    "measure_costs": "methods", "continuous": "methods", "self_contact": "deform",
    "overlap": "path", "path": "path", "cost_file": "evaluation", "io": "io", "file_frame": "io", "study": "study",
    "animation": "io", "simulation": "simulation",
    "clash": "clash", "viewer": "viewer", "handle": "simulation", "shape_file": "study", "evaluation": "evaluation", "zoo": "evaluation", "continuous_evaluation": "evaluation", "touche": "clash",
}

# Folders outside src/ and the folders of ours they may include besides the public headers.
OUTSIDE = {
    "cli": ["cli", "scenes"], "scenes": ["scenes"], "bench": ["bench", "scenes", "tests/support"],
    "fuzz": ["fuzz", "scenes", "tests/support"], "examples": ["examples", "scenes"], "python": ["python"],
}

# Internal headers that files outside src/ may include: the one source of random numbers; the renderer of reports,
# which draws bodies in notebooks; poses from the bits that pickles keep.
EXCEPTIONS = {"scenes": ["base/random.h"], "python": ["math/pose_bits.h", "report/drawing.h", "report/render.h"]}

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def folder_of(path, including):
    """The folder a quoted include belongs to, or None for other people's headers."""
    head = path.split("/")[0]
    if head == "touche":
        return PUBLIC.get(Path(path).stem, "?" + path)
    if head in MAY_USE and "/" in path:
        return head
    if "/" not in path and (including.parent / path).exists():
        return "own"
    return None


def complaint(source, bracket, path):
    if ".." in Path(path).parts:
        return "climbs out of its folder"
    top = source.parts[0]
    folder = folder_of(path, source)
    if folder is None:
        near = [top, *OUTSIDE.get(top, ["scenes", "tests/support"])]
        if bracket == '"' and not any((Path(d) / path).exists() for d in near):
            return "is neither ours nor in angle brackets"
        return None
    if folder.startswith("?"):
        return "is a public header this script does not know: add it to PUBLIC"
    if top == "src" or top == "include":
        own = source.parts[1] if top == "src" else PUBLIC.get(source.stem)
        if own not in MAY_USE:
            return f"is included from a folder this script does not know: {own}"
        if top == "include" and not path.startswith("touche/"):
            return "is internal, a public header must not need it"
        if folder != "own" and folder != own and folder not in MAY_USE[own]:
            return f"belongs to {folder}, which {own} must not know"
        return None
    internal = folder != "own" and not path.startswith("touche/")
    if path in EXCEPTIONS.get(top, []):
        return None
    return "is internal" if internal and top not in ("tests", "fuzz", "bench") else None


def main():
    listed = [file for folder in ["include", "src", "tests", *OUTSIDE]
              for file in sorted(Path(folder).rglob("*")) if file.suffix in (".h", ".cpp")]
    bad = 0
    for source in listed:
        for number, line in enumerate(source.read_text().splitlines(), 1):
            found = INCLUDE.match(line)
            why = complaint(source, *found.groups()) if found else None
            if why:
                bad += 1
                print(f'{source}:{number}: "{found.group(2)}" {why}')
    print(f"{len(listed)} files, {bad} wrong includes")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
