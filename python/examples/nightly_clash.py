# SPDX-License-Identifier: Apache-2.0
"""Compare an assembly with its state of yesterday; the exit code is 1 if something new clashes."""

import sys
import tempfile
from pathlib import Path

import touche


def state(shift: float) -> touche.Assembly:
    """A housing, a lid on it, and a bracket that someone moves."""
    box, at = touche.Shape.box, touche.Pose.from_translation
    return touche.Assembly.of(
        {
            "housing": (box((100, 60, 40)).mesh(), None),
            "lid": (box((100, 60, 3)).mesh(), at((0, 0, 21.5))),
            "bracket": (box((10, 10, 30)).mesh(), at((55.5 - shift, 0, 0))),
        }
    )


def check(assembly: touche.Assembly, folder: Path, yesterday: Path | None) -> int:
    result = touche.clash(assembly, clearance=2.0, compare=yesterday)
    result.save(folder)
    print(result.sentence)
    if yesterday is not None:
        print(result.comparison)
    for pair in result.pairs:
        print(pair.part_a, "and", pair.part_b, "are", pair.verdict)
    return 1 if result.fails_on("new") else 0


def main(folder: Path) -> int:
    monday, tuesday = folder / "monday", folder / "tuesday"
    check(state(0.0), monday, None)
    code = check(state(1.0), tuesday, monday / "result.json")
    print("exit code", code, "- report:", tuesday / "report.html")
    return code


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp())))
