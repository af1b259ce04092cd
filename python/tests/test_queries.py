# SPDX-License-Identifier: Apache-2.0
"""The queries, against closed formulas and against each other."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import touche
from conftest import make_cube, make_sphere, random_poses


def at(x: float, y: float = 0.0, z: float = 0.0) -> touche.Pose:
    return touche.Pose.from_translation((x, y, z))


def test_cubes(cube: touche.Object) -> None:
    assert touche.intersects(cube, None, cube, at(1))  # touching counts
    apart = touche.intersects(cube, None, cube, at(1 + 1e-12))
    assert not apart and apart.complete and apart.face_a is None
    hit = touche.intersects(cube, None, cube, at(0.5))
    assert hit.face_a in range(12) and hit.face_b in range(12)
    assert repr(hit) == "<they intersect>"
    far = touche.distance(cube, None, cube, at(3, 4))
    assert far.lower <= math.hypot(2, 3) <= far.upper + 1e-15
    assert far.lower <= far.upper and far.upper == pytest.approx(math.hypot(2, 3))
    assert far.closest is not None
    assert np.allclose(far.closest.normal, np.array([2, 3, 0]) / math.hypot(2, 3))
    beyond = touche.distance(cube, None, cube, at(9), max_distance=1)
    assert beyond.upper == math.inf and beyond.closest is None and beyond.lower >= 1


def test_a_thin_plate_is_not_missed() -> None:
    cube = make_cube(0.1)
    plate = touche.Object(
        [[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], [[0, 1, 2], [0, 2, 3]]
    )
    motion = touche.Motion.interpolated(at(0, 0, 5), at(0, 0, -5))
    hit = touche.time_of_impact(cube, motion, plate, tolerance=1e-6)
    assert hit and hit.status == "contact" and hit.lower <= 0.495 <= hit.upper + 1e-9
    assert hit.contact is not None and hit.contact.face_b in (0, 1)
    free = touche.time_of_impact(cube, motion, plate, at(2), tolerance=1e-6)
    assert not free and free.status == "free" and free.contact is None


def test_what_is_not_decided_has_no_truth(cube: touche.Object) -> None:
    a, b = make_sphere(60), make_sphere(60)
    open_question = touche.intersects(a, None, b, at(0.001), max_work=0)
    assert not open_question.complete
    with pytest.raises(touche.Undecided):
        bool(open_question)
    stopped = touche.time_of_impact(
        a, touche.Motion.interpolated(at(5), at(0)), b, tolerance=1e-6, max_work=1
    )
    assert stopped.status == "undecided" and stopped.lower < 1
    with pytest.raises(touche.Undecided):
        bool(stopped)
    late = touche.distance(a, None, b, at(5), timeout=0)
    assert late.lower <= late.upper
    with pytest.raises(TypeError):
        bool(late)
    none = touche.contacts(a, None, b, at(0.001), max_work=0)
    assert not none.complete
    with pytest.raises(touche.Undecided):
        bool(none)


@pytest.mark.parametrize("value", [-1, 1.5, "many", 2**70])
def test_limits_that_are_refused(cube: touche.Object, value: object) -> None:
    with pytest.raises((TypeError, touche.InvalidInput), match="max_work"):
        touche.intersects(cube, None, cube, max_work=value)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", [-1, math.nan, "soon"])
def test_timeouts_that_are_refused(cube: touche.Object, value: object) -> None:
    with pytest.raises((TypeError, touche.InvalidInput), match="timeout"):
        touche.distance(cube, None, cube, timeout=value)  # type: ignore[arg-type]


@pytest.mark.parametrize("other", [None, "cube", 7, [[0, 0, 0]]])
def test_other_things_are_no_bodies(cube: touche.Object, other: object) -> None:
    for call in (
        lambda: touche.intersects(cube, None, other),  # type: ignore[arg-type]
        lambda: touche.distance(other, None, cube),  # type: ignore[arg-type]
        lambda: touche.path(cube, None, other, tolerance=1),  # type: ignore[arg-type]
        lambda: touche.contains(other, None, [[0, 0, 0]]),  # type: ignore[arg-type]
        lambda: touche.World().add(other),  # type: ignore[arg-type]
    ):
        with pytest.raises(TypeError, match="expected a touche.Object or a touche.Shape"):
            call()


def test_shapes_and_meshes_in_either_order(cube: touche.Object) -> None:
    ball = touche.Shape.sphere(0.5)
    for a, b in ((cube, ball), (ball, cube)):
        assert touche.distance(a, None, b, at(2)).upper == pytest.approx(1)
        hit = touche.time_of_impact(
            a, touche.Motion.interpolated(at(3), at(-3)), b, tolerance=1e-6
        )
        assert hit.upper == pytest.approx(1 / 3, abs=1e-6)
    assert touche.depth(ball, None, ball, at(0.6)).upper == pytest.approx(0.4)
    with pytest.raises(touche.InvalidInput):
        touche.depth(cube, None, ball)  # type: ignore[arg-type]


def test_contacts(cube: touche.Object) -> None:
    plate = make_cube(4)
    found = touche.contacts(cube, at(0, 0, 2.5), plate)
    assert found and found.complete and len(found.points) == len(found)
    assert np.allclose(found.normals, [0, 0, -1]) and np.allclose(found.points[:, 2], 2)
    assert len(found[:2]) == 2 and found[-1].distance == 0
    pairs = touche.intersecting_faces(cube, at(0, 0, 2.5), plate)
    assert pairs.pairs.tolist() == [[c.face_a, c.face_b] for c in found]
    assert len(touche.contacts(cube, None, plate, at(9))) == 0
    box = touche.Shape.box((1, 1, 1))
    near = touche.contacts(box, at(0, 0, 0.6), touche.Shape.half_space((0, 0, 1)), max_distance=0.2)
    assert len(near) == 4 and near[0].distance == pytest.approx(0.1)


def test_inside(cube: touche.Object, random: np.random.Generator) -> None:
    points = random.uniform(-1, 1, (500, 3))
    inside = (np.abs(points) < 0.5).all(axis=1)
    assert np.array_equal(touche.contains(cube, None, points), inside)
    assert np.array_equal(touche.contains(touche.Shape.box((1, 1, 1)), None, points), inside)
    pose = touche.Pose.from_axis_angle((1, 2, 3), 1, translation=(3, 2, 1))
    assert np.array_equal(touche.contains(cube, pose, pose.apply(points)), inside)
    distance = touche.signed_distance(cube, None, points)
    assert np.array_equal(distance < 0, inside)
    closest = touche.closest_points(cube, None, points)
    assert np.allclose(closest["distance"], np.abs(distance))
    assert np.allclose(np.linalg.norm(points - closest["point"], axis=1), closest["distance"])
    assert np.allclose(touche.winding_number(cube, None, points), inside)
    assert touche.interior(cube).is_closed and not touche.interior(cube).is_open
    small = make_cube(0.2)
    assert touche.containment(small, None, cube).status == "a_in_b"
    assert touche.containment(cube, None, small).status == "b_in_a"
    assert touche.containment(cube, None, small, at(5)).status == "none"
    thick = touche.overlap_thickness(cube, None, cube, at(0.75))
    assert thick.lower - 1e-9 <= 0.25 <= thick.upper + 1e-9
    found = touche.separation(cube, None, cube, at(0.75), tolerance=1e-6)
    assert found.status == "overlapping" and found.shift[0] == pytest.approx(0.25, abs=1e-5)
    assert not touche.intersects(cube, None, cube, found.resolved(at(0.75)))
    apart = touche.separation(cube, None, cube, at(3), tolerance=1e-6)
    assert apart.status == "apart" and apart.distance.upper == pytest.approx(2)


def test_rays(cube: touche.Object) -> None:
    origins = np.array([[0, 0, 5.0], [0, 0, 0], [3, 0, 5]])
    down = np.tile([0, 0, -1.0], (3, 1))
    hits = touche.cast_rays(cube, None, origins, down)
    assert hits["t"].tolist() == [4.5, 0.5, math.inf]
    assert hits["side"].tolist() == [1, -1, 0] and hits["face"][2] == -1
    assert np.isnan(hits["point"][2]).all()
    every = touche.all_hits(touche.Shape.box((1, 1, 1)), None, (0.1, 0.2, 5), (0, 0, -1))
    assert every["t"].tolist() == pytest.approx([4.5, 5.5])
    cut = touche.cast_segments(cube, None, origins, origins + 4 * down)
    assert cut["t"].tolist() == [math.inf, 0.125, math.inf]
    with pytest.raises(touche.InvalidInput, match="directions"):
        touche.cast_rays(cube, None, origins, down[:1])
    with pytest.raises(touche.InvalidInput):
        touche.cast_rays(cube, None, [[0, 0, 0]], [[0, 0, 0]])


def test_paths(cube: touche.Object) -> None:
    passes = touche.Motion.interpolated(at(-5, 1.5), at(5, 1.5))
    free = touche.path(cube, passes, cube, tolerance=1e-4)
    assert free.verdict == "free" and free.is_free and 0.5 in free.min_clearance
    kept = free.clearance([0.0, 0.5, 1.0])
    assert (kept <= [math.hypot(4, 0.5), 0.5, math.hypot(4, 0.5)]).all() and kept.min() > 0.2
    near = touche.path(cube, passes, cube, tolerance=1e-4, clearance=0.7)
    assert near.verdict == "near" and near.is_free
    through = touche.Motion.interpolated(at(-5, 0.5), at(5, 0.5))
    clash = touche.path(cube, through, cube, tolerance=1e-4)
    assert clash.verdict == "clash" and not clash.is_free
    (contact,) = clash.contacts
    assert contact.start.lower <= 0.4 <= contact.start.upper + 1e-4
    assert contact.end.lower - 1e-4 <= 0.6 <= contact.end.upper
    assert contact.deepest.upper == pytest.approx(0.5, rel=0.2)
    with pytest.raises(TypeError):
        bool(clash)
    with pytest.raises(touche.InvalidInput):
        touche.path(cube, passes, cube, tolerance=0)
    with pytest.raises(touche.InvalidInput, match="profile"):
        touche.path(cube, passes, cube, tolerance=1e-4, profile=False).clearance(0.5)


def test_batches_equal_single_queries(random: np.random.Generator) -> None:
    a, b = make_sphere(10), make_cube()
    poses = random_poses(random, 300)
    hits = touche.intersects_many(a, None, b, poses)
    gaps = touche.distance_many(a, None, b, poses)
    share = hits["intersects"].mean()
    assert 0.2 < share < 0.8 and hits["complete"].all()
    for pose, hit, gap in zip(poses, hits, gaps):
        single = touche.intersects(a, None, b, pose)
        assert bool(single) == hit["intersects"]
        distance = touche.distance(a, None, b, pose)
        assert (distance.lower, distance.upper) == (gap["lower"], gap["upper"])
    listed = touche.intersects_many(a, None, b, [touche.Pose(p) for p in poses])
    assert np.array_equal(listed, hits)
    sevens = np.zeros((len(poses), 7))
    for row, pose in zip(sevens, poses):
        row[:3] = pose[:3, 3]
        row[3:] = touche.Pose(pose).quaternion(order="xyzw")
    assert np.array_equal(
        touche.intersects_many(a, None, b, sevens, order="xyzw")["intersects"], hits["intersects"]
    )
    for threads in (1, 2, 3):
        assert np.array_equal(touche.intersects_many(a, None, b, poses, threads=threads), hits)
    assert len(touche.intersects_many(a, None, b, np.zeros((0, 4, 4)))) == 0
    with pytest.raises(touche.InvalidInput, match=r"poses_b\[7\]"):
        wrong = poses.copy()
        wrong[7, 0, 0] = 3
        touche.intersects_many(a, None, b, wrong)
    with pytest.raises(touche.InvalidInput, match="order: it is for quaternions"):
        touche.intersects_many(a, None, b, poses, order="xyzw")


def test_batches_of_motions(random: np.random.Generator) -> None:
    a, b = make_cube(), make_cube(0.3)
    starts, ends = random_poses(random, 60, 3), random_poses(random, 60, 3)
    rows = touche.time_of_impact_many(a, None, b, starts, ends, tolerance=1e-4)
    assert set(rows["status"].tolist()) == {1, 2, 3} or set(rows["status"].tolist()) == {1, 2}
    for start, end, row in zip(starts, ends, rows):
        single = touche.time_of_impact(
            a, None, b, touche.Motion.interpolated(start, end), tolerance=1e-4
        )
        assert (single.lower, single.upper) == (row["lower"], row["upper"])
    with pytest.raises(touche.InvalidInput, match="ends_b"):
        touche.time_of_impact_many(a, None, b, starts, ends[:5], tolerance=1e-4)


def test_progress(random: np.random.Generator) -> None:
    a, b = make_sphere(10), make_cube()
    poses = random_poses(random, 2000)
    calls: list[tuple[int, int]] = []
    touche.distance_many(a, None, b, poses, progress=lambda done, total: calls.append((done, total)))
    assert calls and calls[-1] == (2000, 2000) and calls == sorted(calls)

    class Enough(Exception):
        pass

    def stop(done: int, total: int) -> None:
        raise Enough

    with pytest.raises(Enough):
        touche.distance_many(a, None, b, poses, progress=stop)
    with pytest.raises(TypeError, match="progress"):
        touche.distance_many(a, None, b, poses, progress=3)  # type: ignore[arg-type]


def test_results_are_pickled(cube: touche.Object) -> None:
    results = [
        touche.intersects(cube, None, cube, at(0.5)),
        touche.intersects(cube, None, cube, at(5)),
        touche.distance(cube, None, cube, at(5)),
        touche.time_of_impact(
            cube, touche.Motion.interpolated(at(3), at(0)), cube, tolerance=1e-3
        ),
        touche.contacts(cube, None, cube, at(0.5))[0],
        touche.Bracket(1, 2),
        touche.path(cube, touche.Motion.interpolated(at(3), at(2)), cube, tolerance=1e-3),
    ]
    for result in results:
        again = pickle.loads(pickle.dumps(result))
        assert repr(again) == repr(result)
    assert pickle.loads(pickle.dumps(results[0])) == results[0]


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_bodies_are_pickled(protocol: int) -> None:
    quad = touche.Object([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], [[0, 1, 2, 3]], name="q")
    sphere = make_sphere(20)
    for body in (make_cube(), quad, sphere):
        again = pickle.loads(pickle.dumps(body, protocol))
        assert again == body and again.name == body.name and again.face_count == body.face_count
        assert touche.distance(again, None, sphere, at(4)) == touche.distance(
            body, None, sphere, at(4)
        )
    shape = touche.Shape
    for made in (
        shape.sphere(1),
        shape.capsule(1, 2),
        shape.box((1, 2, 3)).rounded(0.1),
        shape.hull(np.eye(3)),
        shape.half_space((0, 0, 1), 2),
        shape.sum(shape.cone(1, 2), shape.cylinder(1, 2), at(1)),
    ):
        again = pickle.loads(pickle.dumps(made, protocol))
        assert np.array_equal(again.bounds, made.bounds) and repr(again) == repr(made)
        assert again == made and hash(again) == hash(made) and again != shape.sphere(2)
    state = list(make_cube()._state())
    state[-1] = b"of another version"
    assert touche._core._mesh_of_state(*state) == make_cube()


def results_by_name() -> dict[str, object]:
    box = touche.Shape.box((1, 1, 1)).mesh()
    beside = touche.Pose.from_translation((0.9, 0, 0))
    check = touche.clash(touche.Assembly.of({"left": (box, None), "right": (box, beside)}))
    return {
        "verdict": check,
        "complete": touche.contacts(box, None, box, beside),
        "direction": touche.separation(box, None, box, beside, tolerance=1e-6),
        "pairs": touche.intersecting_faces(box, None, box, beside),
    }


@pytest.mark.parametrize("name", ["verdict", "complete", "direction", "pairs"])
def test_results_cannot_be_changed(name: str) -> None:
    result = results_by_name()[name]
    with pytest.raises(AttributeError, match="cannot assign"):
        setattr(result, name, "free")
    with pytest.raises((AttributeError, TypeError)):  # TypeError: frozen with slots, Python 3.11
        setattr(result, "another", 1)
    with pytest.raises(AttributeError, match="cannot delete"):
        delattr(result, name)
    value = getattr(result, name)
    if isinstance(value, np.ndarray):
        with pytest.raises(ValueError, match="read-only"):
            value[0] = 9
