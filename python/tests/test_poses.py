# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest

import touche
from conftest import make_cube, random_poses


def test_matrices_come_back(random: np.random.Generator) -> None:
    for matrix in random_poses(random, 100):
        pose = touche.Pose(matrix)
        assert np.allclose(pose.matrix, matrix, atol=1e-14)
        assert np.allclose(np.asarray(pose), matrix, atol=1e-14)
        assert np.allclose((pose * pose.inverse()).matrix, np.eye(4), atol=1e-14)
        assert np.allclose((pose @ pose).matrix, matrix @ matrix, atol=1e-13)
        assert touche.Pose(pose) == pose and hash(touche.Pose(pose)) == hash(pose)
        assert pickle.loads(pickle.dumps(pose)) == pose
        assert copy.deepcopy(pose) is pose
        points = random.normal(size=(5, 3))
        assert np.allclose(pose.apply(points), points @ matrix[:3, :3].T + matrix[:3, 3])


def test_quaternions_need_an_order() -> None:
    half = math.sqrt(0.5)
    a = touche.Pose.from_quaternion((half, 0, 0, half), order="wxyz")
    b = touche.Pose.from_quaternion((0, 0, half, half), order="xyzw")
    assert np.allclose(a.matrix, b.matrix)
    assert np.allclose(a.matrix[:2, :2], [[0, -1], [1, 0]])
    assert np.allclose(a.quaternion(order="wxyz"), (half, 0, 0, half))
    assert np.allclose(a.quaternion(order="xyzw"), (0, 0, half, half))
    with pytest.raises(TypeError):
        touche.Pose.from_quaternion((1, 0, 0, 0))  # type: ignore[call-arg]
    with pytest.raises(touche.InvalidInput, match='expected "wxyz" or "xyzw"'):
        touche.Pose.from_quaternion((1, 0, 0, 0), order="zyxw")  # type: ignore[arg-type]
    with pytest.raises(touche.InvalidInput, match="name its order"):
        touche.intersects_many(make_cube(), None, make_cube(), np.zeros((2, 7)))


def test_scipy_rotations_are_poses() -> None:
    class Rotation:
        def as_matrix(self) -> np.ndarray:
            return np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])

    assert np.allclose(touche.Pose(Rotation()).matrix[:2, :2], [[0, -1], [1, 0]])
    cube = make_cube()
    assert touche.intersects(cube, Rotation(), cube, Rotation())


@pytest.mark.parametrize(
    ("matrix", "text"),
    [
        (np.diag([2.0, 2, 2, 1]), "not rigid"),
        (np.diag([-1.0, 1, 1, 1]), "reflection"),
        (np.eye(3), r"shape \(3, 3\)"),
        (np.full((4, 4), np.nan), "must be finite"),
        (np.array([[1.0, 0, 0, np.nan], [0, 1, 0, 0], [0, 0, 1, 0]]), "must be finite"),
        (np.eye(4) + np.diag([0, 0, 0, 1]), "is 0, 0, 0, 2, expected 0, 0, 0, 1"),
    ],
)
def test_what_is_refused(matrix: object, text: str) -> None:
    with pytest.raises(touche.InvalidInput, match=text):
        touche.Pose(matrix)  # type: ignore[arg-type]
    with pytest.raises(touche.InvalidInput, match="pose_b: .*" + text):
        touche.intersects(make_cube(), None, make_cube(), matrix)  # type: ignore[arg-type]


def test_motions() -> None:
    target = touche.Pose.from_translation((0, 0, 2))
    straight = touche.Motion.interpolated(None, target)
    assert np.allclose(straight.poses([0, 0.5, 1])[:, 2, 3], [0, 1, 2])
    assert np.allclose(straight.reversed().pose(0).matrix, target.matrix)
    assert np.allclose(straight.part(0.5, 1).pose(0).translation, (0, 0, 1))
    carried = straight.carrying(touche.Pose.from_translation((1, 0, 0)))
    assert np.allclose(carried.pose(1).translation, (1, 0, 2))
    screw = touche.Motion.screw(None, (0, 0, 1), 4 * math.pi, 3, point=(1, 0, 0))
    assert np.allclose(screw.pose(0.125).translation, (1, -1, 0.375), atol=1e-12)
    both = touche.Motion.chain([straight, straight.reversed()])
    assert np.allclose(both.pose(0.5).translation, (0, 0, 2))
    through = touche.Motion.through([touche.Pose(), target, touche.Pose()], [0, 0.2, 1])
    assert np.allclose(through.pose(0.2).translation, (0, 0, 2))
    assert touche.Motion.at(target).is_still and not straight.is_still
    called = touche.Motion.function(lambda t: touche.Pose.from_translation((t, 0, 0)), 1, 0)
    assert np.allclose(called.pose(0.25).translation, (0.25, 0, 0))
    for motion in (straight, screw, both, through, carried, straight.part(0, 0.5)):
        again = pickle.loads(pickle.dumps(motion))
        assert np.array_equal(again.poses([0, 0.3, 1]), motion.poses([0, 0.3, 1]))
    with pytest.raises(touche.InvalidInput):
        touche.Motion.through([touche.Pose()])
    with pytest.raises(touche.InvalidInput):
        touche.Motion.through([touche.Pose(), target], [0.5, 1])
    with pytest.raises(touche.InvalidInput, match="how"):
        touche.Motion.interpolated(None, target, "cubic")  # type: ignore[arg-type]
    with pytest.raises(touche.InvalidInput):
        straight.pose(float("nan"))


def test_a_function_that_raises_ends_the_query() -> None:
    class Broken(Exception):
        pass

    def pose(t: float) -> touche.Pose:
        if t > 0.3:
            raise Broken(t)
        return touche.Pose.from_translation((1.5 - t, 0, 0))

    cube = make_cube()
    with pytest.raises(Broken):
        touche.time_of_impact(
            cube, touche.Motion.function(pose, 1, 0), cube, tolerance=1e-3
        )
    bad = touche.Motion.function(lambda t: np.full((4, 4), np.nan), 1, 0)
    with pytest.raises(touche.InvalidInput, match="the pose that the motion's function returned"):
        touche.time_of_impact(cube, bad, cube, tolerance=1e-3)
