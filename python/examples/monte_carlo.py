# SPDX-License-Identifier: Apache-2.0
"""How often does a peg fit into a hole, if it is held with random errors? One batch answers for all
poses."""

import sys
import time
from pathlib import Path

import numpy as np

import touche


def block_with_hole(radius: float, segments: int = 64) -> touche.Object:
    """A round block with a hole: walls of quads inside and outside, and rings above and below."""
    angle = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    ring = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    points = [
        np.column_stack([r * ring, np.full(segments, z)]) for r in (radius, 15.0) for z in (-10.0, 10.0)
    ]
    here, after = np.arange(segments), (np.arange(segments) + 1) % segments
    inside_low, inside_high, outside_low, outside_high = (k * segments for k in range(4))
    quads = [
        np.stack([x + here, x + after, y + after, y + here], axis=1)
        for x, y in (
            (inside_high, inside_low),
            (outside_low, outside_high),
            (outside_high, inside_high),
            (inside_low, outside_low),
        )
    ]
    return touche.Object(np.concatenate(points), np.concatenate(quads), name="block")


def main(_: Path | None = None) -> None:
    block, peg = block_with_hole(5.05), touche.Shape.cylinder(5, 25)
    random = np.random.default_rng(7)
    count = 20_000
    sevens = np.zeros((count, 7))  # a translation, then a quaternion x, y, z, w
    sevens[:, :2] = random.normal(scale=0.02, size=(count, 2))
    sevens[:, 3:5] = 0.5 * random.normal(scale=0.002, size=(count, 2))  # half of the turns
    sevens[:, 6] = 1
    sevens[:, 3:] /= np.linalg.norm(sevens[:, 3:], axis=1, keepdims=True)

    start = time.perf_counter()
    hits = touche.intersects_many(block, None, peg, sevens, order="xyzw")
    seconds = time.perf_counter() - start
    fits = hits["complete"] & ~hits["intersects"]  # proved
    open_ones = np.count_nonzero(~hits["complete"])
    print(f"the peg fits in {100 * fits.mean():.2f} % of {count} poses; {1e6 * seconds / count:.2f} µs each")
    print(open_ones, "poses are undecided: they touch within rounding")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else None)
