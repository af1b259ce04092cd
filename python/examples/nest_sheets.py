# SPDX-License-Identifier: Apache-2.0
"""Nest sheet parts side by side: of all positions of a grid, tried in one batch, each part takes
the first that is free."""

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

import touche

SHEET = (60.0, 40.0)
GAP = 0.5


def part(random: np.random.Generator) -> touche.Shape:
    """A convex part of the sheet, with half of the gap around it."""
    count = int(random.integers(3, 8))
    angles = np.sort(random.uniform(0, 2 * np.pi, count))
    radius = random.uniform(3, 7)
    corners = radius * np.stack([np.cos(angles), np.sin(angles), 0 * angles], axis=1)
    return touche.Shape.hull(corners).rounded(GAP / 2)


def positions() -> npt.NDArray[np.float64]:
    """Positions from the left to the right, each at eight angles."""
    grid = []
    for x in np.arange(0, SHEET[0], 1.0):
        for y in np.arange(0, SHEET[1], 1.0):
            for angle in np.arange(8) * np.pi / 4:
                pose = touche.Pose.from_axis_angle((0, 0, 1), angle, translation=(x, y, 0))
                grid.append(pose.matrix)
    return np.array(grid)


def proved_apart(
    body: touche.Body, pose: touche.Pose | None, shape: touche.Shape, grid: npt.NDArray[np.float64]
) -> npt.NDArray[np.bool_]:
    """At which poses of the grid a shape is proved not to touch a body."""
    hits = touche.intersects_many(body, pose, shape, grid)
    apart: npt.NDArray[np.bool_] = hits["complete"] & ~hits["intersects"]
    return apart


def main(_: Path | None = None) -> None:
    random = np.random.default_rng(3)
    outside = [
        touche.Shape.half_space((1, 0, 0), 0),
        touche.Shape.half_space((-1, 0, 0), -SHEET[0]),
        touche.Shape.half_space((0, 1, 0), 0),
        touche.Shape.half_space((0, -1, 0), -SHEET[1]),
    ]
    grid = positions()
    placed: list[tuple[touche.Body, touche.Pose]] = []
    for number in range(25):
        shape = part(random)
        free = np.ones(len(grid), dtype=bool)
        for border in outside:
            free &= proved_apart(border, None, shape, grid)
        for body, pose in placed:
            left = np.flatnonzero(free)
            free[left] = proved_apart(body, pose, shape, grid[left])
        if not free.any():
            print("part", number, "does not fit")
            continue
        placed.append((shape, touche.Pose(grid[free.argmax()])))
    print(len(placed), "parts were placed")
    for i, (a, pose_a) in enumerate(placed):
        for b, pose_b in placed[:i]:
            assert not touche.intersects(a, pose_a, b, pose_b)
    print("proved: any two are at least", GAP, "apart")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
