# SPDX-License-Identifier: Apache-2.0
"""What collision managers of other libraries have in common: the least distance of many bodies."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from . import _core
from ._core import Body, Contact, Pose, Shape
from ._types import Floats
from .queries import contacts, depth


@dataclass(frozen=True, eq=False, slots=True)
class Signed:
    """A distance, negative for convex shapes that overlap, and the points it belongs to."""

    distance: float
    point_a: Floats
    point_b: Floats
    normal: Floats
    face_a: int
    face_b: int


def signed(a: Body, pose_a: Pose, b: Body, pose_b: Pose, max_distance: float) -> Signed | None:
    """The signed distance of two bodies; None beyond max_distance. It is 0 where surfaces of Objects
    meet: a surface has no depth."""
    found = _core.distance(a, pose_a, b, pose_b, max_distance=max_distance)
    if found.closest is None:
        return None
    at = found.closest
    if found.lower > 0 or not meet(a, pose_a, b, pose_b):
        return _of_contact(found.upper, at)
    if not (isinstance(a, Shape) and isinstance(b, Shape)):
        return _of_contact(0.0, at)
    deep = depth(a, pose_a, b, pose_b)
    return Signed(-deep.upper, deep.point_a, deep.point_b, deep.direction, -1, -1)


def _of_contact(distance: float, c: Contact) -> Signed:
    return Signed(distance, c.point_a, c.point_b, c.normal, _number(c.face_a), _number(c.face_b))


def _number(face: int | None) -> int:
    return -1 if face is None else face


def meetings(a: Body, pose_a: Pose, b: Body, pose_b: Pose, most: int) -> list[Signed]:
    """Where two bodies meet, at most `most` points; empty if they do not. Shapes that overlap have
    one, with their depth."""
    if isinstance(a, Shape) and isinstance(b, Shape):
        if not meet(a, pose_a, b, pose_b):
            return []
        deep = depth(a, pose_a, b, pose_b)
        if deep.upper > 0:
            return [Signed(-deep.upper, deep.point_a, deep.point_b, deep.direction, -1, -1)]
    are_faces = not isinstance(a, Shape) and not isinstance(b, Shape)
    found = contacts(a, pose_a, b, pose_b, max_contacts=most if are_faces else None)
    listed = [_of_contact(min(c.distance, 0.0), c) for c in found[:most]]
    if listed or not meet(a, pose_a, b, pose_b):
        return listed
    # A surface inside a shape, which is solid: one of their common points.
    closest = _core.distance(a, pose_a, b, pose_b).closest
    return [] if closest is None else [_of_contact(0.0, closest)]


def meet(a: Body, pose_a: Pose, b: Body, pose_b: Pose) -> bool:
    """Whether two bodies have a common point, where rounding leaves it open, True."""
    found = _core.intersects(a, pose_a, b, pose_b)
    return found.intersects or not found.complete


Placed = tuple[Body, Pose]


def least(pairs: Iterable[tuple[Placed, Placed]]) -> tuple[int, Signed] | None:
    """The pair with the least signed distance: its number, and where. The first of several; None if
    there are no pairs. Pairs whose boxes are farther apart are not measured."""
    best: tuple[int, Signed] | None = None
    for i, ((a, pose_a), (b, pose_b)) in enumerate(pairs):
        most = math.inf if best is None else max(best[1].distance, 0.0)
        found = signed(a, pose_a, b, pose_b, most)
        if found is not None and (best is None or found.distance < best[1].distance):
            best = i, found
    return best
