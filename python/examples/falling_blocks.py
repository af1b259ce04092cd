# SPDX-License-Identifier: Apache-2.0
"""Let blocks fall, and draw frames of a film, with rays and without any other library."""

import struct
import sys
import tempfile
import zlib
from pathlib import Path

import numpy as np
import numpy.typing as npt

import touche

WIDTH, HEIGHT = 160, 120
Pixels = npt.NDArray[np.uint8]


def write_png(file: Path, pixels: Pixels) -> None:
    """(h, w, 3), uint8."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + row.tobytes() for row in pixels)
    size = struct.pack(">IIBBBBB", pixels.shape[1], pixels.shape[0], 8, 2, 0, 0, 0)
    file.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    )


def draw(world: touche.World, colours: dict[int, Pixels]) -> Pixels:
    """What a camera sees that looks along +y."""
    x, z = np.meshgrid(np.linspace(-4, 4, WIDTH), np.linspace(5.5, -0.5, HEIGHT))
    eyes = np.stack([x.ravel(), np.full(x.size, -20.0), z.ravel()], axis=1)
    along = np.tile([0.05, 1.0, -0.02], (len(eyes), 1))
    depth = np.full(len(eyes), np.inf)
    pixels = np.full((len(eyes), 3), 235, dtype=np.uint8)
    for node, colour in colours.items():
        hits = touche.cast_rays(world.body(touche.NodeId(node)), world.pose(touche.NodeId(node)), eyes, along)
        nearer = hits["t"] < depth
        depth[nearer] = hits["t"][nearer]
        pixels[nearer] = colour
    return pixels.reshape(HEIGHT, WIDTH, 3)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(11)
    world = touche.World()
    world.add(touche.Shape.box((10, 10, 1)), touche.Pose.from_translation((0, 0, -0.5)), fixed=True)
    dynamics = touche.Dynamics(world, tolerance=1e-3, gravity=(0, 0, -9.81), restitution=0.2)
    colours = {}
    for i in range(8):
        pose = touche.Pose.from_axis_angle(
            random.normal(size=3), 1.0, translation=(random.uniform(-1, 1), 0, 1.5 + 1.3 * i)
        )
        block = world.add(touche.Shape.box((1.2, 0.8, 0.6)), pose)
        dynamics.add(block, density=500)
        colours[int(block)] = random.integers(40, 220, 3).astype(np.uint8)
    impacts = 0
    for frame in range(24):
        for _ in range(4):
            impacts += len(dynamics.step(1 / 60).impacts)
        write_png(folder / f"frame-{frame:03}.png", draw(world, colours))
    print(impacts, "impacts; frames in", folder)
    assert not world.touching_pairs(), "no body ever enters another one"


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()))
