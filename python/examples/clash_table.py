# SPDX-License-Identifier: Apache-2.0
"""Check an assembly, and make a table of its pairs."""

import sys
import tempfile
from pathlib import Path

import touche


def assembly() -> touche.Assembly:
    plate = touche.Shape.box((100, 60, 4)).mesh()
    pin = touche.Shape.cylinder(5, 30).mesh(0.01)
    at = touche.Pose.from_translation
    return touche.Assembly.of(
        {
            "plate": (plate, None),
            "pin on the plate": (pin, at((0, 0, 17))),
            "pin in the plate": (pin, at((30, 0, 12))),
            "pin nearby": (pin, at((-30, 0, 17.5))),
            "pin far away": (pin, at((0, 0, 80))),
        }
    )


def main(folder: Path) -> None:
    result = touche.clash(assembly(), clearance=1.0)
    print(result.sentence)
    try:
        print(result.to_dataframe().to_string())
    except ImportError:  # pandas is not installed
        for pair in result.pairs:
            print(f"{pair.part_a:20} {pair.part_b:20} {pair.verdict:10} {pair.thickness}")
    print("report:", result.save(folder / "report") / "report.html")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()))
