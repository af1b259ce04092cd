# SPDX-License-Identifier: Apache-2.0
"""Make a mesh, save and load it, and test whether and where it touches another one."""

import sys
import tempfile
from pathlib import Path

import numpy as np

import touche


def tetrahedron() -> touche.Object:
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    faces = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    return touche.Object(corners, faces, name="tetrahedron")


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "tetrahedron.ply"
    tetrahedron().save(file)
    part = touche.load(file)
    print(part, "closed" if part.is_closed else "open")

    beside = touche.Pose.from_translation((1.5, 0, 0))
    print(touche.intersects(part, None, part, beside))
    gap = touche.distance(part, None, part, beside)
    assert gap.closest is not None
    print(gap, "between", gap.closest.point_a, "and", gap.closest.point_b)

    overlapping = touche.Pose.from_translation((0.25, 0, 0))
    for contact in touche.contacts(part, None, part, overlapping)[:3]:
        print(contact)
    print("inside:", touche.contains(part, None, [[0.1, 0.1, 0.1], [1.0, 1.0, 1.0]]))
    print(touche.separation(part, None, part, overlapping, tolerance=1e-3).shift)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()))
