# SPDX-License-Identifier: Apache-2.0
"""What the Python tests of Coal, the IPC Toolkit and MeshLib require, in our own words."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import touche
from conftest import make_cube


def at(x: float, y: float = 0.0, z: float = 0.0) -> touche.Pose:
    return touche.Pose.from_translation((x, y, z))


def torus(radius: float, thickness: float, around: int, across: int) -> touche.Object:
    """Around the z axis; quads that are cut in two."""
    u, v = np.meshgrid(np.arange(around), np.arange(across), indexing="ij")
    a, b = 2 * np.pi * u / around, 2 * np.pi * v / across
    ring = radius + thickness * np.cos(b)
    points = np.stack([ring * np.cos(a), ring * np.sin(a), thickness * np.sin(b)], axis=-1)

    def number(i: np.ndarray, j: np.ndarray) -> np.ndarray:
        return (i % around) * across + j % across

    quads = [number(u, v), number(u + 1, v), number(u + 1, v + 1), number(u, v + 1)]
    p, q, r, s = (corner.ravel() for corner in quads)
    faces = np.concatenate([np.stack([p, q, r], axis=1), np.stack([p, r, s], axis=1)])
    return touche.Object(points.reshape(-1, 3), faces, name="torus")


# ---- Coal ------------------------------------------------------------------------------------


def test_capsules() -> None:
    capsule = touche.Shape.capsule(1, 2)
    assert not touche.intersects(capsule, None, capsule, at(3))
    assert touche.distance(capsule, None, capsule, at(3)).lower > 0.999


def test_a_tetrahedron_and_a_half_space() -> None:
    tetrahedron = touche.Shape.hull([[0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]])
    below = touche.Shape.half_space((0, 0, 1), 0)
    assert not touche.intersects(tetrahedron, None, below, at(0, 0, -0.1))
    assert touche.intersects(tetrahedron, None, below, at(0, 0, 0.1))
    assert touche.intersects(tetrahedron, None, below, at(0, 0, 2))


@pytest.mark.parametrize(
    "shape",
    [
        touche.Shape.box((1, 2, 3)),
        touche.Shape.sphere(1),
        touche.Shape.ellipsoid((1, 2, 3)),
        touche.Shape.hull([[0, 0, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]]),
        touche.Shape.capsule(1, 2),
        touche.Shape.cylinder(1, 2),
        touche.Shape.half_space((0, 0, 1), 2),
    ],
)
def test_shapes_come_back_equal(shape: touche.Shape) -> None:
    assert pickle.loads(pickle.dumps(shape)) == shape


def test_masses_of_shapes() -> None:
    r, h = 3.0, 8.0
    ball = 4 / 3 * math.pi * r**3
    capsule = touche.mass_properties(touche.Shape.capsule(r, h), 1)
    tube = math.pi * r**2 * h
    assert capsule.mass == pytest.approx(ball + tube)
    assert capsule.inertia[2, 2] == pytest.approx(tube * r**2 / 2 + 0.4 * ball * r**2)
    box = touche.mass_properties(touche.Shape.box((8, 10, 12)), 1)
    assert box.mass == pytest.approx(960)
    assert np.allclose(np.diag(box.inertia), np.array([244, 208, 164]) * 960 / 12)
    cone = touche.mass_properties(touche.Shape.cone(r, h), 1)
    assert cone.mass == pytest.approx(math.pi * r**2 * h / 3)
    assert np.allclose(cone.centre, (0, 0, -h / 4))
    cylinder = touche.mass_properties(touche.Shape.cylinder(r, h), 1)
    assert cylinder.inertia[0, 0] == pytest.approx(tube * (3 * r**2 + h**2) / 12)
    assert np.allclose(touche.mass_properties(touche.Shape.sphere(r), 1).inertia, np.eye(3) * 0.4 * ball * r**2)


def test_flat_hulls() -> None:
    triangle = touche.Shape.hull([[0, 0, 0], [0, 1, 0], [1, 0, 0]])
    assert touche.intersects(triangle, None, triangle, at(0.2, 0.2))
    assert not touche.intersects(triangle, None, triangle, at(0, 0, 1e-9))


# ---- IPC Toolkit -----------------------------------------------------------------------------


def test_a_step_up_to_the_time_of_impact_is_free() -> None:
    cube = make_cube()
    start, end = at(1.1), at(0.8)
    assert not touche.intersects(cube, None, cube, start)
    assert touche.intersects(cube, None, cube, end)
    step = touche.Motion.interpolated(start, end)
    hit = touche.time_of_impact(cube, None, cube, step, tolerance=1e-6)
    assert 0 < hit.lower < 1 and hit.status == "contact"
    free = touche.time_of_impact(cube, None, cube, step.part(0, 0.999 * hit.lower), tolerance=1e-6)
    assert free.status == "free"


# ---- MeshLib ---------------------------------------------------------------------------------


def test_two_tori() -> None:
    a = torus(2, 1, 10, 10)
    pairs = touche.intersecting_faces(a, None, a, at(0.5, 1, 1))
    assert len(pairs) > 103 and pairs.complete
    assert len(np.unique(pairs.pairs, axis=0)) == len(pairs)


def test_rays_and_a_torus() -> None:
    a = torus(2, 1, 10, 10)
    hits = touche.cast_rays(a, None, [[0, 0, 0], [0, 0, 0]], [[0, 0, 1], [0.5, 0, 0]])
    assert hits["t"][0] == math.inf
    assert np.allclose(hits["point"][1], (1, 0, 0)) and hits["t"][1] == pytest.approx(2)


def test_points_and_a_torus() -> None:
    a = torus(2, 1, 10, 10)
    assert touche.closest_points(a, None, [[0, 0, 0]])["distance"][0] < math.sqrt(10)
    assert touche.signed_distance(a, None, [[1.5, 0, 0]])[0] < 0
    moved = at(0.5, 1, 1).apply(a.vertices)
    nearest = touche.closest_points(a, None, moved)
    assert len(nearest) == len(moved) and (nearest["distance"] < math.sqrt(10)).all()
