# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import numpy as np
import pytest

import touche


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(20261130)


@pytest.fixture
def cube() -> touche.Object:
    return make_cube()


def make_cube(size: float = 1.0, name: str = "cube") -> touche.Object:
    """Twelve triangles, centred at the origin."""
    corners = size * (np.array([(i & 1, i >> 1 & 1, i >> 2 & 1) for i in range(8)]) - 0.5)
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    faces = [f for a, b, c, d in quads for f in ((a, b, c), (a, c, d))]
    return touche.Object(corners, faces, name=name)


def make_sphere(rings: int = 40, radius: float = 1.0) -> touche.Object:
    """A closed mesh of about 2 · rings² · 2 triangles."""
    theta = np.linspace(0, np.pi, rings + 1)[1:-1]
    phi = np.linspace(0, 2 * np.pi, 2 * rings, endpoint=False)
    t, p = np.meshgrid(theta, phi, indexing="ij")
    points = np.stack([np.sin(t) * np.cos(p), np.sin(t) * np.sin(p), np.cos(t)], -1).reshape(-1, 3)
    points = radius * np.vstack([points, [[0, 0, 1], [0, 0, -1]]])
    n, north, south = 2 * rings, len(points) - 2, len(points) - 1
    faces = []
    for i in range(rings - 2):
        for j in range(n):
            a, b = i * n + j, i * n + (j + 1) % n
            faces += [(a, a + n, b), (b, a + n, b + n)]
    for j in range(n):
        faces.append((north, j, (j + 1) % n))
        last = (rings - 2) * n
        faces.append((south, last + (j + 1) % n, last + j))
    return touche.Object(points, faces, name="sphere")


def random_poses(random: np.random.Generator, count: int, size: float = 2.0) -> np.ndarray:
    q = random.normal(size=(count, 4))
    q /= np.linalg.norm(q, axis=1, keepdims=True)
    w, x, y, z = q.T
    poses = np.tile(np.eye(4), (count, 1, 1))
    poses[:, :3, :3] = np.stack(
        [
            np.stack([1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)], -1),
            np.stack([2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)], -1),
            np.stack([2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)], -1),
        ],
        1,
    )
    poses[:, :3, 3] = random.uniform(-size, size, (count, 3))
    return poses
