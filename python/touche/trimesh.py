# SPDX-License-Identifier: Apache-2.0
"""A drop-in for trimesh.collision: `from touche.trimesh import CollisionManager`.

The methods, their arguments and what they return are the ones of
trimesh.collision.CollisionManager, which needs python-fcl. Convex meshes are solid, as there; all
others are surfaces. What differs:

- Whether meshes meet is decided exactly; touching counts.
- The name that is returned is that of the closest object; of several, the first that was added.
- min_distance is 0 or negative exactly where a collision is reported.
- Contacts of surfaces are all pairs of faces that meet; their depth is 0, since a surface has none.
  Convex meshes that overlap have one contact, with the depth of the pair; a face inside a convex
  mesh has its own depth.
- Managers, meshes and what they return can be pickled; threads may share a manager.
- Meshes may also be Objects and Shapes of touche.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Hashable, Iterator
from typing import Any

import numpy as np

from ._core import Body, InvalidInput, Object, Pose, Shape
from ._managed import Placed, Signed, least, meetings
from ._types import Floats
from .worlds import NodeId, World

__all__ = ["CollisionManager", "ContactData", "DistanceData", "scene_to_collision"]

_EXTERNAL = "__external"


class ContactData:
    """A contact of two objects."""

    def __init__(self, names: tuple[Hashable, Hashable], at: Signed) -> None:
        self.names = set(names)
        self._indices = {names[0]: at.face_a, names[1]: at.face_b}
        self._at = at

    @property
    def normal(self) -> Floats:
        """(3,), of unit length, from the first object to the second one."""
        return self._at.normal

    @property
    def point(self) -> Floats:
        """(3,): in the middle between the deepest points of both."""
        middle: Floats = 0.5 * (self._at.point_a + self._at.point_b)
        return middle

    @property
    def depth(self) -> float:
        """Of convex meshes, the length of the shortest shift that separates them; else 0."""
        return -self._at.distance

    def index(self, name: Hashable) -> int:
        """The face of the object with this name; -1 for convex meshes."""
        return self._indices[name]


class DistanceData:
    """The distance of two objects."""

    def __init__(self, names: tuple[Hashable, Hashable], at: Signed) -> None:
        self.names = set(names)
        self._indices = {names[0]: at.face_a, names[1]: at.face_b}
        self._points = {names[0]: at.point_a, names[1]: at.point_b}
        self._distance = at.distance

    @property
    def distance(self) -> float:
        return self._distance

    def index(self, name: Hashable) -> int:
        """The closest face of the object with this name; -1 for convex meshes."""
        return self._indices[name]

    def point(self, name: Hashable) -> Floats:
        """(3,): the closest point of the object with this name."""
        return self._points[name]


# The body of each mesh that exists, by its id, with the hash of the mesh: that of its data.
_bodies: dict[int, tuple[int, Body]] = {}


def _forget(mesh: int) -> None:
    _bodies.pop(mesh, None)


def body_of(mesh: Any) -> Body:
    """The body of a mesh: its convex hull if it is convex, else an Object."""
    if isinstance(mesh, Body):
        return mesh
    try:
        key = hash(mesh)
        known = _bodies.get(id(mesh))
        if known is None:
            weakref.finalize(mesh, _forget, id(mesh)).atexit = False
    except TypeError:
        return _make_body(mesh)
    if known is None or known[0] != key:
        known = key, _make_body(mesh)
        _bodies[id(mesh)] = known
    return known[1]


def _make_body(mesh: Any) -> Body:
    if getattr(mesh, "is_convex", False):
        return Shape.hull(np.asarray(mesh.vertices))
    return Object(mesh)


class CollisionManager:
    """Objects with names, and their collisions and distances."""

    def __init__(self) -> None:
        self._world = World()
        self._nodes: dict[Hashable, NodeId] = {}
        self._names: dict[NodeId, Hashable] = {}
        self._lock = threading.RLock()  # of what takes several calls of the world

    def __getstate__(self) -> list[tuple[Hashable, Body, Pose]]:
        return [(n, self._world.body(i), self._world.pose(i)) for n, i in self._nodes.items()]

    def __setstate__(self, state: list[tuple[Hashable, Body, Pose]]) -> None:
        self.__init__()  # type: ignore[misc]
        for name, body, pose in state:
            self.add_object(name, body, pose)

    # ---- objects ----

    def add_object(self, name: Hashable, mesh: Any, transform: Any = None) -> Body:
        """Adds a mesh at a transform (4, 4); one with the same name is replaced."""
        body, pose = body_of(mesh), Pose(transform)
        with self._lock:
            if name in self._nodes:
                self.remove_object(name)
            node = self._world.add(body, pose)
            self._nodes[name] = node
            self._names[node] = name
        return body

    def remove_object(self, name: Hashable) -> None:
        """Raises ValueError if there is none with this name."""
        with self._lock:
            node = self._node(name)
            self._world.remove(node)
            del self._nodes[name], self._names[node]

    def set_transform(self, name: Hashable, transform: Any) -> None:
        """Moves an object. Raises ValueError if there is none with this name."""
        self._world.set_pose(self._node(name), transform)

    def _node(self, name: Hashable) -> NodeId:
        if name not in self._nodes:
            raise InvalidInput(f"{name} not in collision manager!")
        return self._nodes[name]

    def _placed(self, node: NodeId) -> Placed:
        return self._world.body(node), self._world.pose(node)

    # ---- collisions ----

    def in_collision_single(
        self, mesh: Any, transform: Any = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """Whether a mesh collides with an object; if requested, also the set of the names of these,
        and a list of ContactData."""
        body, pose = body_of(mesh), Pose(transform)
        with self._lock:
            visitor = self._world.add(body, pose)
            try:
                hits = [NodeId(node) for node in self._world.touching_body(visitor).tolist()]
            finally:
                self._world.remove(visitor)
            touched = [(self._names[node], self._placed(node)) for node in hits]
        names = {name for name, _ in touched}
        data = []
        if return_data:
            for name, placed in touched:
                data += _data((name, _EXTERNAL), placed, (body, pose))
        return _answer(bool(hits), return_names, names, return_data, data)

    def in_collision_internal(self, return_names: bool = False, return_data: bool = False) -> Any:
        """Whether two objects collide; if requested, also the set of pairs of names, each in
        alphabetical order, and a list of ContactData."""
        with self._lock:
            found = self._world.touching_pairs()
            pairs = [(NodeId(a), NodeId(b)) for a, b in [*found, *found.undecided.tolist()]]
            names = {_sorted(self._names[a], self._names[b]) for a, b in pairs}
            data = []
            if return_data:
                for a, b in pairs:
                    data += _data(
                        (self._names[a], self._names[b]), self._placed(a), self._placed(b)
                    )
        return _answer(bool(pairs), return_names, names, return_data, data)

    def in_collision_other(
        self,
        other_manager: CollisionManager,
        return_names: bool = False,
        return_data: bool = False,
    ) -> Any:
        """Whether an object collides with one of another manager; if requested, also the set of
        pairs of names, this manager's first, and a list of ContactData."""
        both = World()
        names_of: dict[NodeId, Hashable] = {}
        placed: dict[NodeId, Placed] = {}
        for manager, category, mask in ((self, 1, 2), (other_manager, 2, 1)):
            for name, node in manager._nodes.items():
                body, pose = manager._placed(node)
                made = both.add(body, pose, category=category, mask=mask)
                names_of[made], placed[made] = name, (body, pose)
        found = both.touching_pairs()
        names, data = set(), []
        pairs = [(NodeId(a), NodeId(b)) for a, b in [*found, *found.undecided.tolist()]]
        for a, b in pairs:  # this manager's nodes were added first
            names.add((names_of[a], names_of[b]))
            if return_data:
                data += _data((names_of[a], names_of[b]), placed[a], placed[b])
        return _answer(bool(pairs), return_names, names, return_data, data)

    # ---- distances ----

    def min_distance_single(
        self, mesh: Any, transform: Any = None, return_name: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of a mesh from an object, negative if convex ones overlap; if
        requested, also the name of the closest object, and a DistanceData."""
        one = body_of(mesh), Pose(transform)
        nodes = list(self._nodes.items())
        found = least((self._placed(node), one) for _, node in nodes)
        if found is None:
            return _answer(np.inf, return_name, None, return_data, None)
        number, at = found
        name = nodes[number][0]
        return _answer(
            at.distance, return_name, name, return_data, DistanceData((name, _EXTERNAL), at)
        )

    def min_distance_internal(
        self, name: Hashable | None = None, return_names: bool = False, return_data: bool = False
    ) -> Any:
        """The least distance of two objects, or of the object with this name from the others; if
        requested, also both names in alphabetical order, and a DistanceData."""
        if name is not None:
            self._node(name)
            pairs = [(name, other) for other in self._nodes if other != name]
        else:
            pairs = list(self._near_pairs())
        found = least(
            (self._placed(self._nodes[a]), self._placed(self._nodes[b])) for a, b in pairs
        )
        if found is None:
            return _answer(np.inf, return_names, None, return_data, None)
        number, at = found
        names = pairs[number]
        return _answer(
            at.distance, return_names, _sorted(*names), return_data, DistanceData(names, at)
        )

    def min_distance_other(
        self,
        other_manager: CollisionManager,
        return_names: bool = False,
        return_data: bool = False,
    ) -> Any:
        """The least distance of an object from one of another manager; if requested, also both
        names, this manager's first, and a DistanceData."""
        pairs = [(a, b) for a in self._nodes for b in other_manager._nodes]
        found = least(
            (self._placed(self._nodes[a]), other_manager._placed(other_manager._nodes[b]))
            for a, b in pairs
        )
        if found is None:
            return _answer(np.inf, return_names, None, return_data, None)
        number, at = found
        names = pairs[number]
        return _answer(at.distance, return_names, names, return_data, DistanceData(names, at))

    def _near_pairs(self) -> Iterator[tuple[Hashable, Hashable]]:
        """Pairs that have the least distance among them: all that are as near as the nearest of
        the ones that follow each other."""
        nodes = list(self._nodes.values())
        if len(nodes) < 2:
            return
        following = zip(nodes, nodes[1:])
        found = least((self._placed(a), self._placed(b)) for a, b in following)
        assert found is not None
        with self._lock:
            near = self._world.near_pairs(max(found[1].distance, 0.0))
            pairs = [(self._names[pair.a], self._names[pair.b]) for pair in near]
        yield from pairs


def _data(names: tuple[Hashable, Hashable], a: Placed, b: Placed) -> list[ContactData]:
    return [ContactData(names, at) for at in meetings(*a, *b, most=100_000)]


def _sorted(a: Any, b: Any) -> tuple[Any, Any]:
    """In ascending order; names of types that have no order are compared as texts."""
    try:
        ascending = a <= b
    except TypeError:
        ascending = (type(a).__name__, str(a)) <= (type(b).__name__, str(b))
    return (a, b) if ascending else (b, a)


def _answer(value: Any, first: bool, names: Any, second: bool, data: Any) -> Any:
    if not first and not second:
        return value
    return (value, *([names] if first else []), *([data] if second else []))


def scene_to_collision(scene: Any) -> tuple[CollisionManager, dict[Hashable, Body]]:
    """A manager of the objects of a trimesh.Scene, and their bodies by the names of nodes."""
    manager = CollisionManager()
    objects = {}
    for node in scene.graph.nodes_geometry:
        transform, geometry = scene.graph[node]
        objects[node] = manager.add_object(node, scene.geometry[geometry], transform)
    return manager, objects
