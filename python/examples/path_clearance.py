# SPDX-License-Identifier: Apache-2.0
"""Follow a whole path, and plot the clearance that is proved along it."""

import sys
import tempfile
from pathlib import Path

import numpy as np

import touche


def plot(result: touche.PathResult, file: Path) -> None:
    """With Matplotlib; where it is not installed, the samples are written as a table instead."""
    try:
        from matplotlib import pyplot
    except ImportError:
        table = file.with_suffix(".csv")
        header = "t,lower,upper"
        np.savetxt(table, np.array(result.samples.tolist()), delimiter=",", header=header, comments="")
        print("Matplotlib is not installed; the samples are in", table)
        return
    t = np.linspace(0, 1, 400)
    pyplot.step(t, result.clearance(t), where="post", label="proved")
    pyplot.plot(result.samples["t"], result.samples["upper"], label="measured")
    pyplot.xlabel("t")
    pyplot.ylabel("clearance")
    pyplot.legend()
    pyplot.savefig(file)
    print("plotted:", file)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    ring = touche.Shape.cylinder(30, 10)
    arm = touche.Shape.box((80, 6, 6)).rounded(1)
    swing = touche.Motion.screw(
        touche.Pose.from_translation((0, 36, 0)), axis=(0, 0, 1), angle=0.6, travel=25
    )
    result = touche.path(arm, swing, ring, tolerance=1e-3, clearance=3)
    print(result)
    for contact in result.contacts:
        print("contact from", contact.start, "to", contact.end)
    plot(result, folder / "clearance.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()))
