# SPDX-License-Identifier: Apache-2.0
"""touche.trimesh and touche.fcl: what the tests of trimesh and python-fcl require, in our own words, and
what their users complain about."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import touche
import touche.fcl as fcl
from conftest import make_cube, make_sphere
from touche.trimesh import CollisionManager, scene_to_collision


class Mesh:
    """What is used of a trimesh."""

    def __init__(self, vertices: np.ndarray, faces: np.ndarray, is_convex: bool) -> None:
        self.vertices, self.faces, self.is_convex = vertices, faces, is_convex


def unit_cube(is_convex: bool = True) -> Mesh:
    cube = make_cube()
    return Mesh(cube.vertices, cube.triangles.astype(int), is_convex)


def at(x: float, y: float = 0.0, z: float = 0.0) -> np.ndarray:
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


@pytest.mark.parametrize("is_convex", [True, False])
def test_collisions_of_a_manager(is_convex: bool) -> None:
    cube = unit_cube(is_convex)
    manager = CollisionManager()
    manager.add_object("cube0", cube)
    manager.add_object("cube1", cube, at(5))
    assert manager.in_collision_single(cube, at(0.5)) is True
    hit, names, data = manager.in_collision_single(
        cube, at(5.5), return_names=True, return_data=True
    )
    assert hit and names == {"cube1"} and data and data[0].names == {"cube1", "__external"}
    assert all(len(d.point) == 3 and np.isclose(np.linalg.norm(d.normal), 1) for d in data)
    if is_convex:
        assert data[0].depth == pytest.approx(0.5)
    else:
        assert data[0].index("cube1") in range(12)
    assert manager.in_collision_single(cube, at(-5), return_names=True) == (False, set())
    assert manager.in_collision_internal() is False
    manager.add_object("cube2", cube, at(5.5))
    assert manager.in_collision_internal(return_names=True) == (True, {("cube1", "cube2")})
    manager.set_transform("cube2", at(-5))
    assert manager.in_collision_internal() is False
    manager.set_transform("cube2", at(5.5))
    assert manager.in_collision_internal(return_data=True)[0] is True
    manager.remove_object("cube2")
    assert manager.in_collision_internal() is False
    with pytest.raises(ValueError, match="not in collision manager"):
        manager.remove_object("cube2")
    other = CollisionManager()
    other.add_object("cube0", cube, at(-5))
    assert manager.in_collision_other(other) is False
    other.add_object("cube3", cube, at(5.5))
    hit, names, data = manager.in_collision_other(other, return_names=True, return_data=True)
    assert hit and names == {("cube1", "cube3")} and data


def test_distances_of_a_manager() -> None:
    cube = unit_cube()
    manager = CollisionManager()
    assert manager.min_distance_single(cube) == math.inf
    manager.add_object("cube1", cube, at(5))
    assert manager.min_distance_single(cube) == pytest.approx(4)
    assert manager.min_distance_single(cube, at(5.75)) == pytest.approx(-0.25)
    manager.add_object("cube2", cube, at(-5))
    assert manager.min_distance_single(cube, at(2), return_name=True) == (pytest.approx(2), "cube1")
    assert manager.min_distance_single(cube, at(-2), return_name=True)[1] == "cube2"
    distance, names, data = manager.min_distance_internal(return_names=True, return_data=True)
    assert distance == pytest.approx(9) and names == ("cube1", "cube2")
    assert np.linalg.norm(data.point("cube1") - data.point("cube2")) == pytest.approx(9)
    manager.add_object("cube3", cube, at(2))
    assert manager.min_distance_internal(return_names=True)[1] == ("cube1", "cube3")
    manager.set_transform("cube3", at(-2))
    assert manager.min_distance_internal(return_names=True)[1] == ("cube2", "cube3")
    assert manager.min_distance_internal("cube1", return_names=True) == (
        pytest.approx(6),
        ("cube1", "cube3"),
    )
    other = CollisionManager()
    other.add_object("cube4", cube, at(-9))
    distance, names, data = manager.min_distance_other(other, return_names=True, return_data=True)
    assert distance == pytest.approx(3) and names == ("cube2", "cube4")
    assert data.distance == distance and data.names == {"cube2", "cube4"}


def test_collision_and_distance_agree(random: np.random.Generator) -> None:
    sphere = make_sphere(8)
    mesh = Mesh(sphere.vertices, sphere.triangles.astype(int), True)
    manager = CollisionManager()
    for i in range(20):
        manager.add_object(i, mesh, at(*random.uniform(-6, 6, 3)))
    hits = 0
    for _ in range(60):
        place = at(*random.uniform(-6, 6, 3))
        hit = manager.in_collision_single(mesh, place)
        distance, name, data = manager.min_distance_single(
            mesh, place, return_name=True, return_data=True
        )
        assert hit == (distance <= 0)
        hits += hit
        if not hit:
            apart = data.point(name) - data.point("__external")
            assert np.linalg.norm(apart) == pytest.approx(distance)
    assert 10 < hits < 50


def test_all_that_collide_are_named() -> None:
    manager = CollisionManager()
    ball = make_sphere(6, radius=3.0)
    for i in range(700):
        manager.add_object(f"ball_{i}", ball, at((i / 700 - 0.5) * 30, 0, -50))
    large = touche.Shape.box((200, 200, 98))
    hit, names = manager.in_collision_single(large, return_names=True)
    assert hit and names == {f"ball_{i}" for i in range(700)}


def test_managers_are_pickled() -> None:
    manager = CollisionManager()
    manager.add_object("a", unit_cube())
    manager.add_object("b", unit_cube(False), at(0.5))
    again = pickle.loads(pickle.dumps(manager))
    assert again.in_collision_internal(return_names=True) == (True, {("a", "b")})


def test_scenes() -> None:
    class Graph(dict):  # type: ignore[type-arg]
        @property
        def nodes_geometry(self) -> list[str]:
            return list(self)

    class Scene:
        geometry = {"cube": unit_cube()}
        graph = Graph(left=(at(0), "cube"), right=(at(0.5), "cube"))

    manager, objects = scene_to_collision(Scene())
    assert manager.in_collision_internal() and set(objects) == {"left", "right"}


# ---- python-fcl ------------------------------------------------------------------------------


def model(mesh: touche.Object) -> fcl.BVHModel:
    made = fcl.BVHModel()
    made.beginModel(len(mesh.vertices), len(mesh.triangles))
    made.addSubModel(mesh.vertices, mesh.triangles)
    made.endModel()
    return made


GEOMETRIES = {
    "box": fcl.Box(1, 1, 1),
    "sphere": fcl.Sphere(0.5),
    "cone": fcl.Cone(0.5, 1),
    "cylinder": fcl.Cylinder(0.5, 1),
    "capsule": fcl.Capsule(0.3, 0.4),
    "ellipsoid": fcl.Ellipsoid(0.5, 0.4, 0.3),
    "convex": fcl.Convex(make_cube().vertices, 0, []),
    "mesh": model(make_cube()),
    "triangle": fcl.TriangleP([0, 0, 0], [0.5, 0, 0], [0, 0.5, 0]),
}


@pytest.mark.parametrize("first", GEOMETRIES)
@pytest.mark.parametrize("second", GEOMETRIES)
def test_pairs(first: str, second: str) -> None:
    a = fcl.CollisionObject(GEOMETRIES[first])
    b = fcl.CollisionObject(GEOMETRIES[second], fcl.Transform(np.array([3.0, 0.2, 0.1])))
    assert fcl.collide(a, b) == 0
    result = fcl.DistanceResult()
    apart = fcl.distance(a, b, fcl.DistanceRequest(True, True), result)
    assert 1.5 < apart < 3.1 and result.min_distance == apart
    assert result.nearest_points[0] is not None and result.nearest_points[1] is not None
    ends = np.subtract(result.nearest_points[1], result.nearest_points[0])
    assert np.linalg.norm(ends) == pytest.approx(apart, abs=1e-9)
    b.setTranslation(np.array([0.05, 0.04, 0.03]))
    found = fcl.CollisionResult()
    meets = fcl.collide(a, b, fcl.CollisionRequest(10, True), found)
    if "mesh" not in (first, second) and first + second != "triangletriangle":
        assert meets == len(found.contacts) >= 1 and found.is_collision
        assert fcl.distance(a, b) in (-1, 0)
        assert fcl.distance(a, b, fcl.DistanceRequest(True, True)) <= 0


def test_continuous_collisions_are_not_missed() -> None:
    plate = model(
        touche.Object([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], [[0, 1, 2], [0, 2, 3]])
    )
    cube = fcl.CollisionObject(model(make_cube(0.1)), fcl.Transform(np.array([0, 0, 5.0])))
    target = fcl.Transform(np.array([0, 0, -5.0]))
    result = fcl.ContinuousCollisionResult()
    still = fcl.CollisionObject(plate)
    time = fcl.continuousCollide(cube, target, still, fcl.Transform(), None, result)
    assert result.is_collide and time == pytest.approx(0.495, abs=1e-4)
    still.setTranslation(np.array([5.0, 0, 0]))
    assert fcl.continuousCollide(cube, target, still, fcl.Transform(np.array([5.0, 0, 0]))) == 1
    with pytest.raises(ValueError, match="ccd_motion_type"):
        fcl.continuousCollide(
            cube, target, still, target, fcl.ContinuousCollisionRequest(ccd_motion_type=3)
        )


def test_transforms() -> None:
    turn = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
    for given in (fcl.Transform(turn), fcl.Transform([math.sqrt(0.5), 0, 0, math.sqrt(0.5)])):
        assert np.allclose(given.getRotation(), turn)
        assert np.allclose(fcl.Transform(given).getQuatRotation(), [0.5**0.5, 0, 0, 0.5**0.5])
    assert np.allclose(fcl.Transform(turn, [1, 2, 3]).getTranslation(), [1, 2, 3])
    for wrong in (([1, 2],), (turn, [1, 2]), (1, 2, 3)):
        with pytest.raises(ValueError):
            fcl.Transform(*wrong)


def test_fcl_refuses_at_once() -> None:
    held = fcl.CollisionObject(fcl.Box(1, 1, 1))
    wrong: list[Callable[[], object]] = [
        lambda: fcl.Transform(2 * np.eye(3)),
        lambda: fcl.Transform(np.full((3, 3), np.nan), [0, 0, 0]),
        lambda: fcl.Transform(np.array([0, math.inf, 0])),
        lambda: fcl.Transform().setRotation(2 * np.eye(3)),
        lambda: fcl.Transform().setTranslation([0, 0, math.nan]),
        lambda: fcl.Box(1, -1, 1),
        lambda: fcl.Sphere(-1),
        lambda: fcl.Capsule(0.5, math.nan),
        lambda: fcl.Cylinder(-1, 1),
        lambda: fcl.Cone(1, -1),
        lambda: fcl.Ellipsoid(1, 1, math.inf),
        lambda: fcl.Halfspace([0, 0, 0], 1),
        lambda: fcl.TriangleP([0, 0, 0], [1, 0, 0], [0, math.nan, 0]),
        lambda: fcl.Transform(np.ma.array([1, 2, 3], mask=[1, 0, 0])),
        lambda: fcl.Transform(np.eye(4)),
        lambda: fcl.Transform([math.nan, 0, 0, 0]),
        lambda: model(make_cube()).addSubModel(np.eye(3), [[0, 1, 2]]),
        lambda: fcl.BVHModel().addSubModel(np.eye(4), [[0, 1, 2]]),
        lambda: fcl.BVHModel().addSubModel(np.eye(3), [[0, 1, 2, 0]] * 3),
    ]
    for call in wrong:
        with pytest.raises(touche.InvalidInput):
            call()
    kinds: list[Callable[[], object]] = [
        lambda: fcl.Transform(np.array([1 + 5j, 2, 3])),
        lambda: fcl.Transform(["1", "2", "3"]),
        lambda: fcl.Box("1", 2, 3),  # type: ignore[arg-type]
        lambda: fcl.BVHModel().addSubModel(np.eye(3) + 5j, [[0, 1, 2]]),
        lambda: fcl.BVHModel().addSubModel(np.eye(3), [[0.0, 1, 2]]),
        lambda: fcl.collide(held, held, fcl.CollisionResult()),  # type: ignore[arg-type]
        lambda: fcl.distance(held, held, fcl.CollisionRequest()),  # type: ignore[arg-type]
        lambda: fcl.continuousCollide(held, held, held, held),  # type: ignore[arg-type]
    ]
    for call in kinds:
        with pytest.raises(TypeError, match="expected|neither"):
            call()
    vertices, copied = np.eye(4)[:, :3].copy(), fcl.BVHModel()
    copied.addSubModel(vertices, [[0, 1, 2]])
    vertices += 100
    assert copied.endModel() == 0
    assert copied.body.vertices.max() == 1
    box = fcl.Box(1, 1, 1)
    objects: list[Callable[[Any], object]] = [
        fcl.CollisionObject,
        lambda o: fcl.collide(o, held),
        lambda o: fcl.distance(held, o),
        lambda o: fcl.continuousCollide(held, fcl.Transform(), o, fcl.Transform()),
        fcl.DynamicAABBTreeCollisionManager().registerObject,
    ]
    for call_with in objects:
        with pytest.raises(TypeError, match="expected a .*, found"):
            call_with(held if call_with is fcl.CollisionObject else box)
    with pytest.raises(touche.InvalidInput, match="no faces and no shape"):
        fcl.collide(fcl.CollisionObject(None), held)


def test_managers_of_fcl() -> None:
    boxes = [
        fcl.CollisionObject(GEOMETRIES["box"], fcl.Transform(np.array([x, 0.0, 0.0])))
        for x in (0, 2, 4)
    ]
    manager = fcl.DynamicAABBTreeCollisionManager()
    manager.registerObjects(boxes)
    manager.setup()
    assert manager.size() == 3 and not manager.empty()
    data = fcl.CollisionData()
    manager.collide(data, fcl.defaultCollisionCallback)
    assert not data.result.is_collision
    distance = fcl.DistanceData()
    manager.distance(distance, fcl.defaultDistanceCallback)
    assert distance.result.min_distance == pytest.approx(1)
    boxes[1].setTranslation(np.array([0.5, 0, 0]))
    manager.update(boxes[1])
    manager.collide(data, fcl.defaultCollisionCallback)
    assert data.result.is_collision
    one = fcl.CollisionObject(GEOMETRIES["sphere"], fcl.Transform(np.array([4.0, 0, 0])))
    alone = fcl.CollisionData(fcl.CollisionRequest(10, True))
    manager.collide(one, alone, fcl.defaultCollisionCallback)
    assert alone.result.contacts[0].penetration_depth == pytest.approx(1)
    other = fcl.DynamicAABBTreeCollisionManager()
    other.registerObject(one)
    both = fcl.CollisionData()
    manager.collide(other, both, fcl.defaultCollisionCallback)
    assert both.result.is_collision
    manager.unregisterObject(boxes[2])
    assert len(manager.getObjects()) == 2
    manager.clear()
    assert manager.empty()
