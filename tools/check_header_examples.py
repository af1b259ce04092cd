#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles the examples in the comments of the public headers.

    tools/check_header_examples.py [FILE ...]

An example is a part of a comment that is indented by five spaces or more after `//` or `///`, below an empty line of
the comment; Doxygen shows it as code. Each example is compiled as the body of a function in the namespace of its
header, against include/, without linking. It may use the names below, which have the same meaning in all examples.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

# Names that examples may use without declaring them.
NAMES = """
namespace touche {
template <class... T> void report(const T&...);
template <class... T> void draw(const T&...);
template <class... T> void select(const T&...);
extern const Object a, b, object;
extern const PolygonSoup soup;
extern const std::vector<double> coordinates, before, after;  // of vertices
extern const std::vector<Index> corners;
extern Pose pose, pose_a, pose_b;
extern const std::vector<Pose> poses;
extern const Motion motion, motion_a, motion_b;
extern const Vec3 x, point, start, end, centre, lo, hi, eye, target, direction, displacement;
extern const std::vector<Vec3> points, directions;
extern const Triangle triangle;
extern const Aabb box_a, box_b;
extern const std::vector<Aabb> boxes;
extern const Shape gripper, bolt;
extern const Study study;
extern World world;
extern const NodeId box, nut, ball;
extern Dynamics dynamics;
extern Manifold manifold;
extern const VolumeTree tree_a, tree_b;
extern const Kdop dop_b;
extern int count;
}  // namespace touche

namespace touche::plane {
extern const Outline outline;
extern const Object object, drawing;
extern const Pose pose;
extern const Vec2 eye, target;
}  // namespace touche::plane
"""

EXAMPLE = """
namespace %s {
[[maybe_unused]] static void example%d() {
#line %d "%s"
%s
}
}
"""

# Many examples only declare a variable, or name only some fields of a struct.
FLAGS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-Wno-unused-variable",
         "-Wno-unused-but-set-variable", "-Wno-missing-field-initializers",
         "-Iinclude", "-isystem", "/usr/include/eigen3"]

CODE = re.compile(r" *///? {5}(.*)")
EMPTY = re.compile(r" *///? *$")
NAMESPACE = re.compile(r"namespace (touche[\w:]*) \{")


def examples(header):
    """Yields (namespace, line number, code, whether an empty line of the comment precedes it)."""
    lines = header.read_text().splitlines()
    namespace, number = "touche", 0
    while number < len(lines):
        opened = NAMESPACE.match(lines[number])
        if opened:
            namespace = opened[1]
        first = number
        while number < len(lines) and CODE.match(lines[number]):
            number += 1
        if number == first:
            number += 1
            continue
        code = "\n".join(CODE.match(line)[1] for line in lines[first:number])
        yield namespace, first + 1, code, bool(EMPTY.match(lines[first - 1]))


def main():
    os.chdir(Path(__file__).resolve().parent.parent)
    headers = [Path(name) for name in sys.argv[1:]] or sorted(Path("include/touche").glob("**/*.h"))
    names = sorted(str(h.relative_to("include")) for h in Path("include/touche").glob("**/*.h"))
    source = [f"#include <{name}>" for name in [*names, "atomic", "csignal", "cstdio", "string", "vector"]] + [NAMES]
    count, complaints = 0, []
    for header in headers:
        for namespace, line, code, is_code in examples(header):
            source.append(EXAMPLE % (namespace, count, line, header, code))
            count += 1
            if not is_code:
                complaints.append(f"{header}:{line}: no empty line of the comment above the example")
    done = subprocess.run([os.environ.get("CXX", "g++"), *FLAGS, "-x", "c++", "-"], input="\n".join(source),
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        complaints.append(done.stdout)
    state = "wrong" if complaints else "all compile"
    print("\n".join([*complaints, f"{count} examples in public headers, {state}"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
