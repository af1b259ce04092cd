#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles and runs what README.md and docs/*.md show, against the installed package.

    tools/check_snippets.py PREFIX

cpp      with a main: compiled and run beside examples/; when a block `text` follows, it must be
         what the program prints. Without a main: compiled as the body of a function in which
         objects a, b, poses pose_a, pose_b and motions motion_a, motion_b exist. Those of several
         documents are compiled together, for most of the time goes to headers.
console  each line `$ touche ...` is run; what stands below it must be its output. A line `...`
         stands for any number of lines.
json     parsed.
"""
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)

HEAD = """#include <touche/broadphase.h>
#include <touche/spatial.h>
#include <touche/clash.h>
#include <touche/distance.h>
#include <touche/distance_batch.h>
#include <touche/dynamics.h>
#include <touche/handle.h>
#include <touche/handling.h>
#include <touche/hierarchy_file.h>
#include <touche/io.h>
#include <touche/linear.h>
#include <touche/manifold.h>
#include <touche/methods/continuous.h>
#include <touche/methods/continuous_evaluation.h>
#include <touche/methods/cost_file.h>
#include <touche/methods/evaluation.h>
#include <touche/methods/measure_costs.h>
#include <touche/methods/swept_sphere.h>
#include <touche/methods/volume_tree.h>
#include <touche/methods/zoo.h>
#include <touche/response.h>
#include <touche/outline_file.h>
#include <touche/plane.h>
#include <touche/plane_shape.h>
#include <touche/plane_volumes.h>
#include <touche/study.h>
#include <touche/touche.h>
#include <touche/simd.h>
#include <touche/separation.h>
#include <touche/step.h>
#include <touche/reference.h>
#include <touche/self_contact.h>
#include <touche/shape.h>
#include <touche/shape_file.h>
#include <touche/simulation.h>
#include <touche/viewer.h>
#include <touche/world.h>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>
"""

FRAGMENT = """[[maybe_unused]] static void snippet%d(const touche::Object& a, const touche::Pose& pose_a,
    const touche::Motion& motion_a, const touche::Object& b, const touche::Pose& pose_b,
    const touche::Motion& motion_b) {
  (void)a; (void)pose_a; (void)motion_a; (void)b; (void)pose_b; (void)motion_b;
#line %d "%s"
%s}
"""

FILES = 4  # that fragments are spread over: one for each of a few processors

# Functions that need no example: members of plain data, and what only the library itself calls.
NOT_SHOWN = {"include", "empty", "centre"}

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(snippets LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(touche REQUIRED)
file(GLOB sources snippet*.cpp)
file(GLOB fragments fragments*.cpp)
foreach(source ${sources} "${fragments}")
  list(GET source 0 first)
  cmake_path(GET first STEM name)
  add_executable(${name} ${source})
  target_compile_options(${name} PRIVATE -O0 -Wall -Wextra)
  target_link_libraries(${name} PRIVATE touche::clash touche::shapes touche::simulation touche::evaluation $<TARGET_NAME_IF_EXISTS:touche::viewer>)
endforeach()
"""


def blocks(files):
    """Yields (place, language, text, text of the `text` block right behind or None)."""
    for file in files:
        content = file.read_text()
        found = list(BLOCK.finditer(content))
        for here, after in zip(found, [*found[1:], None]):
            place = f"{file}:{content.count(chr(10), 0, here.start()) + 1}"
            gap = content[here.end():after.start()] if after else ""
            follows = after and after[1] == "text" and gap.count("\n") <= 4
            yield place, here[1], here[2], after[2] if follows else None


def same(expected, printed):
    """Equal but for trailing space; a line `...` matches any number of lines."""
    want = [line.rstrip() for line in expected.rstrip().split("\n")]
    pattern = "\n".join("(?:.*\n?)*?" if line == "..." else re.escape(line) for line in want)
    got = "\n".join(line.rstrip() for line in printed.rstrip().split("\n"))
    return re.fullmatch(pattern.replace("(?:.*\n?)*?\n", "(?:.*\n)*"), got) is not None


# A function or member function that a public header declares: type, name, parameters.
DECLARED = re.compile(r"^ *(?:\[\[nodiscard\]\] )?(?:static |constexpr |inline |template .*> )*"
                      r"(?!return|using|friend|explicit|else)[\w:<>,&*\[\]() ]*?[\w>&*] "
                      r"(?!operator)(\w+)\((?!\*)", re.M)


def missing_examples(shown):
    """Complaints about functions of the public headers that no example of the reference calls."""
    complaints = []
    for header in sorted(Path("include/touche").glob("**/*.h")):
        text = re.sub(r"//.*", "", header.read_text())
        text = re.sub(r"namespace (detail|brute_force) \{.*?\n\}", "", text, flags=re.S)
        text = re.sub(r"(private|protected):.*?\n\};", "", text, flags=re.S)
        for name in dict.fromkeys(DECLARED.findall(text)):
            if name not in NOT_SHOWN and not re.search(rf"\b{name}\b", shown):
                complaints.append(f"{header}: no example in docs/reference calls {name}()")
    return complaints


def run(command, folder, environment):
    done = subprocess.run(command, cwd=folder, env=environment, text=True, timeout=300,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.stdout, done.returncode


def main():
    prefix = Path(sys.argv[1]).resolve()
    root = Path(__file__).resolve().parent.parent
    os.chdir(root)
    work = root / "build" / "snippets"
    work.mkdir(parents=True, exist_ok=True)
    for old in work.glob("*.cpp"):
        old.unlink()
    if not (work / "examples").exists():
        (work / "examples").symlink_to(root / "examples")
    environment = {**os.environ, "PATH": f"{prefix / 'bin'}:{os.environ['PATH']}"}
    environment["CMAKE_PREFIX_PATH"] = str(prefix)

    complaints, programs, fragments, shown, count = [], [], [], [], 0
    for place, language, text, printed in blocks([Path("README.md"), *sorted(Path("docs").glob("**/*.md"))]):
        count += language in ("cpp", "console", "json")
        if language == "cpp":
            if place.startswith("docs/reference/"):
                shown.append(text)
            if "int main(" in text:
                name = f"snippet{len(programs)}"
                (work / f"{name}.cpp").write_text(text)
                programs.append((place, name, printed))
            else:
                file, line = place.split(":")
                fragments.append((len(fragments), int(line) + 1, file, text))
        elif language == "console":
            for command, expected in re.findall(r"^\$ (touche .*)\n((?:(?!\$ ).*\n)*)", text, re.M):
                output, _ = run(shlex.split(command), work, environment)
                if not same(expected, output):
                    complaints.append(f"{place}: `{command}` prints\n{output}")
        elif language == "json":
            try:
                json.loads(text)
            except ValueError as error:
                complaints.append(f"{place}: {error}")

    for number in range(FILES):
        bodies = "".join(FRAGMENT % fragment for fragment in fragments[number::FILES])
        (work / f"fragments{number}.cpp").write_text(HEAD + bodies + ("" if number else "int main() {}\n"))
    complaints += missing_examples(" ".join(shown))

    (work / "CMakeLists.txt").write_text(PROJECT)
    for command in (["cmake", "-S", ".", "-B", "build", "-G", "Ninja"], ["cmake", "--build", "build"]):
        output, status = run(command, work, environment)
        if status:
            sys.exit(output)
    for place, name, printed in programs:
        output, status = run([str(work / "build" / name)], work, environment)
        if status:
            complaints.append(f"{place}: the program ends with {status}:\n{output}")
        elif printed is not None and not same(printed, output):
            complaints.append(f"{place}: the program prints\n{output}")
    print("\n".join([*complaints, f"{count} snippets, {len(complaints)} wrong"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
