# SPDX-License-Identifier: Apache-2.0
"""Many bodies at once: their pairs, steps of all of them, and a hand that moves one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import Body, Bracket, Contact, Motion, Pose, Shape
from ._types import (
    File,
    Floats,
    Integers,
    MotionLike,
    NodeId,
    Order,
    PoseLike,
    PosesLike,
    Progress,
    Vector,
)
from ._values import (
    NotCopied,
    ReadOnlyArrays,
    names_arguments,
    no_truth,
    require,
    truth_of_list,
)
from .queries import Contacts, Depth
from .queries import contacts as _contacts
from .queries import depth as _depth

__all__ = [
    "BodyHit",
    "Handling",
    "HandlingContact",
    "HandlingStep",
    "NearPair",
    "NearPairs",
    "NearestBody",
    "NodeId",
    "PairEvents",
    "StepContact",
    "StepGroup",
    "StepPair",
    "StepResult",
    "Stepper",
    "TouchingPairs",
    "World",
]

_ALL = 2**32 - 1


@dataclass(frozen=True, eq=False, slots=True)
class TouchingPairs(ReadOnlyArrays):
    """Pairs of bodies that touch or intersect. It iterates over them."""

    pairs: Integers
    """(n, 2): nodes, in ascending order."""
    faces: Integers
    """(n, 2): a pair of faces of each that intersect; -1 for Shapes."""
    undecided: Integers
    """(m, 2): pairs that a limit or rounding leaves undecided. Do not take them as apart."""
    stats: dict[str, int]
    """Counts of tested pairs of boxes and faces, by name."""

    def __iter__(self) -> Iterator[tuple[NodeId, NodeId]]:
        for a, b in self.pairs.tolist():
            yield NodeId(a), NodeId(b)

    def __len__(self) -> int:
        return len(self.pairs)

    def __bool__(self) -> bool:
        return truth_of_list(len(self), len(self.undecided) == 0, "pairs that touch")

    def __repr__(self) -> str:
        more = f", {len(self.undecided)} undecided" if len(self.undecided) else ""
        return f"<{len(self)} pairs touch{more}>"


@dataclass(frozen=True, slots=True)
class NearPair:
    """Two bodies that are near each other."""

    a: NodeId
    b: NodeId
    distance: Bracket
    """Proved bounds."""
    closest: Contact | None
    """Their closest points."""


@dataclass(frozen=True, eq=False, slots=True)
class NearPairs(ReadOnlyArrays):
    """Pairs of bodies that are at most a distance apart. It iterates over them, as NearPair."""

    pairs: Integers
    """(n, 2): nodes, in ascending order."""
    lower: Floats
    upper: Floats
    """(n,): proved bounds of their distances."""
    closest: tuple[Contact | None, ...]
    """Their closest points."""
    complete: bool
    """False if a limit ended the search: pairs may be missing."""
    stats: dict[str, int]
    """Counts of tested pairs of boxes and faces, by name."""

    def __iter__(self) -> Iterator[NearPair]:
        for i, (a, b) in enumerate(self.pairs.tolist()):
            distance = Bracket(self.lower[i], self.upper[i])
            yield NearPair(NodeId(a), NodeId(b), distance, self.closest[i])

    def __len__(self) -> int:
        return len(self.pairs)

    def __bool__(self) -> bool:
        return truth_of_list(len(self), self.complete, "pairs that are near")


@dataclass(frozen=True, eq=False, slots=True)
class BodyHit(ReadOnlyArrays):
    """Where a ray meets a body."""

    body: NodeId
    t: float
    """The point is at origin + t · direction, or start + t · (end - start)."""
    face: int | None
    """None for a Shape."""
    side: int
    """1 from outside, -1 from inside, 0 in the plane of the face."""
    point: Floats
    """(3,)"""
    normal: Floats
    """(3,): that of the surface, of unit length."""


@dataclass(frozen=True, eq=False, slots=True)
class NearestBody(ReadOnlyArrays):
    """A body and its point that is closest to a point."""

    body: NodeId
    distance: float
    """A length; infinite beyond max_distance, where face and point mean nothing."""
    face: int | None
    """None for a Shape."""
    point: Floats
    """(3,)"""


class World(NotCopied):
    """Bodies in a scene graph, and queries about all of them.

    A node is a body, or a group of nodes; it is attached to another one or to the world, and moves
    with it. Objects are surfaces, Shapes are solid. Nodes are numbers of type NodeId. A world is
    used by one thread at a time; others wait.

    >>> import touche
    >>> world = touche.World()
    >>> ball = touche.Shape.sphere(1)
    >>> left, right = world.add(ball), world.add(ball, touche.Pose.from_translation((1, 0, 0)))
    >>> list(world.touching_pairs()) == [(left, right)]
    True
    """

    __slots__ = ("_bodies", "_world")

    def __init__(self) -> None:
        self._world = _core._World()
        self._bodies: dict[int, Body] = {}

    # ---- nodes ----

    def add(
        self,
        body: Body,
        pose: PoseLike = None,
        *,
        parent: NodeId | None = None,
        name: str = "",
        fixed: bool = False,
        category: int = 1,
        mask: int = _ALL,
    ) -> NodeId:
        """Adds a body at a pose in the world, or relative to its parent if one is given. Two bodies
        are a pair if the category of each is in the mask of the other (both are sets of bits),
        unless both are fixed. A fixed body may be moved; two of them are never tested."""
        node = NodeId(self._world.add(body, pose, category, mask, fixed, parent, name))
        self._bodies[node] = body
        return node

    def add_many(
        self,
        bodies: Iterable[Body],
        poses: PosesLike,
        *,
        order: Order | None = None,
        parent: NodeId | None = None,
        names: Sequence[str] | None = None,
        fixed: bool = False,
        category: int = 1,
        mask: int = _ALL,
    ) -> Integers:
        """Adds a body for each pose, as `add` does; returns the nodes, (n,). If one is refused, none
        are added."""
        listed = list(bodies)
        called = [""] * len(listed) if names is None else list(names)
        if len(called) != len(listed):
            raise _core.InvalidInput(f"names: {len(called)}, and there are {len(listed)} bodies")
        if isinstance(poses, (list, tuple, np.ndarray)) and len(poses) != len(listed):
            raise _core.InvalidInput(f"poses: {len(poses)}, and there are {len(listed)} bodies")
        nodes: list[NodeId] = []
        try:
            for body, name in zip(listed, called):
                nodes.append(
                    self.add(
                        body, parent=parent, name=name, fixed=fixed, category=category, mask=mask
                    )
                )
            made = np.array(nodes, dtype=np.int64)
            self._world.set_poses(made, poses, order, True)
        except BaseException:
            for node in nodes:
                self.remove(node)
            raise
        return made

    def add_group(
        self, pose: PoseLike = None, *, parent: NodeId | None = None, name: str = ""
    ) -> NodeId:
        """Adds a node without a body."""
        return NodeId(self._world.add_group(pose, parent, name))

    def remove(self, node: NodeId) -> None:
        """Removes a node with all nodes attached to it."""
        below = [node]
        for one in below:  # it grows
            below.extend(self._world.children(one).tolist())
        self._world.remove(node)
        for one in below:
            self._bodies.pop(one, None)

    def replace(self, node: NodeId, body: Body) -> None:
        """Gives a node another body; all else stays."""
        self._world.replace(node, body)
        self._bodies[node] = body

    def __contains__(self, node: NodeId) -> bool:
        return self._world.has(node)

    def __len__(self) -> int:
        return len(self._bodies)

    def __repr__(self) -> str:
        return f"<touche.World of {len(self)} bodies>"

    def picture(self, width: int = 640, height: int = 480) -> bytes:
        """A picture of all bodies, as PNG; a notebook shows it. Half spaces are left out."""
        return _core._picture(
            [(self.body(node), self.pose(node)) for node in self.bodies.tolist()], width, height
        )

    def _repr_png_(self) -> bytes:
        return self.picture()

    @property
    def bodies(self) -> Integers:
        """(n,): all nodes with bodies, in ascending order."""
        return self._world.bodies()

    def body(self, node: NodeId) -> Body:
        """The body of a node. Raises InvalidInput for a group."""
        return self._bodies[node] if node in self._bodies else self._world.shape(node)

    def is_body(self, node: NodeId) -> bool:
        """Whether it has a body: it is no group."""
        return self._world.is_body(node)

    def name(self, node: NodeId) -> str:
        """As it was given."""
        return self._world.name(node)

    def parent(self, node: NodeId) -> NodeId | None:
        """The node that it is attached to; None: the world."""
        found = self._world.parent(node)
        return None if found is None else NodeId(found)

    def children(self, node: NodeId) -> Integers:
        """(n,): the nodes attached to it, the newest first."""
        return self._world.children(node)

    def attach(
        self, node: NodeId, parent: NodeId | None, *, keep: Literal["world", "local"] = "world"
    ) -> None:
        """Attaches a node to another one, or to the world if that is None. It keeps its pose in the
        world or its local pose."""
        if keep not in ("world", "local"):
            raise _core.InvalidInput(f'keep: "{keep}", expected "world" or "local"')
        self._world.attach(node, parent, keep == "local")

    def set_pairs(
        self,
        node: NodeId,
        *,
        category: int | None = None,
        mask: int | None = None,
        fixed: bool | None = None,
    ) -> None:
        """Sets with which bodies a body forms pairs, see `add`. None: as it is."""
        now = self._world.options(node)
        given = (category, mask, fixed)
        self._world.set_options(node, *(n if g is None else g for g, n in zip(given, now)))

    def set_pair_filter(self, is_pair: Callable[[NodeId, NodeId], bool] | None) -> None:
        """Leaves out pairs of bodies for which the function returns False. It must be symmetric and
        return True or False; threads of a query call it, and it may not use the world. Categories
        are much faster."""
        self._world.set_pair_filter(is_pair)

    # ---- poses ----

    def pose(self, node: NodeId) -> Pose:
        """In the world."""
        return self._world.pose(node)

    def local_pose(self, node: NodeId) -> Pose:
        """Relative to the parent."""
        return self._world.local_pose(node)

    def set_pose(self, node: NodeId, pose: PoseLike) -> None:
        """Sets the pose in the world. Nodes attached to it move with it."""
        self._world.set_pose(node, pose, False)

    def set_local_pose(self, node: NodeId, pose: PoseLike) -> None:
        """Sets the pose relative to the parent."""
        self._world.set_pose(node, pose, True)

    def poses(self, nodes: npt.ArrayLike | None = None) -> Floats:
        """(n, 4, 4): in the world, of nodes (n,), by default of all bodies."""
        return self._world.poses(self.bodies if nodes is None else nodes)

    def set_poses(
        self, nodes: npt.ArrayLike, poses: PosesLike, *, order: Order | None = None
    ) -> None:
        """Sets the poses in the world of nodes (n,). Nodes that are attached to others of them get
        theirs afterwards, whatever the order. If a pose or a node is invalid, none changes."""
        self._world.set_poses(nodes, poses, order, False)

    # ---- queries ----

    def touching_pairs(
        self, *, threads: int = 0, timeout: float | None = None, progress: Progress = None
    ) -> TouchingPairs:
        """All pairs of bodies that touch or intersect. Exact, as `intersects`."""
        return TouchingPairs(*self._world.touching_pairs(threads, timeout, progress))

    @names_arguments
    def near_pairs(
        self,
        max_distance: float,
        *,
        threads: int = 0,
        timeout: float | None = None,
        progress: Progress = None,
    ) -> NearPairs:
        """All pairs of bodies that are, or due to rounding may be, at most max_distance (a length)
        apart."""
        pairs, bounds, closest, complete, stats = self._world.near_pairs(
            max_distance, threads, timeout, progress
        )
        return NearPairs(pairs, bounds[:, 0], bounds[:, 1], tuple(closest), complete, stats)

    def touching_body(self, node: NodeId) -> Integers:
        """(n,): all bodies that touch a body, and round ones of which rounding leaves it open."""
        return self._world.touching_body(node)

    def touching_box(self, lower: Vector, upper: Vector) -> Integers:
        """(n,): all bodies that touch the box between two corners (3,), and round ones of which
        rounding leaves it open."""
        return self._world.touching_box(lower, upper)

    def touching_ball(self, centre: Vector, radius: float) -> Integers:
        """(n,): all bodies that touch a ball around a centre (3,), and round ones of which rounding
        leaves it open."""
        return self._world.touching_ball(centre, radius)

    def closest_point(
        self, node: NodeId, point: Vector, *, max_distance: float = math.inf
    ) -> NearestBody:
        """The point of a body that is closest to a point (3,); the distance is infinite beyond
        max_distance."""
        face, found, distance = self._world.closest_point(node, point, max_distance)
        return NearestBody(node, distance, face, found)

    def nearest(
        self, point: Vector, count: int = 1, *, max_distance: float = math.inf
    ) -> list[NearestBody]:
        """The `count` bodies nearest to a point (3,), the nearest first, up to max_distance."""
        return [
            NearestBody(NodeId(body), distance, face, found)
            for body, (face, found, distance) in self._world.nearest(point, count, max_distance)
        ]

    def cast_ray(self, origin: Vector, direction: Vector, *, mask: int = _ALL) -> BodyHit | None:
        """The first body that a ray meets. Only bodies with a category in the mask are tested."""
        return _hit(self._world.cast(origin, direction, False, mask))

    def cast_segment(self, start: Vector, end: Vector, *, mask: int = _ALL) -> BodyHit | None:
        """The first body that the segment between two points meets."""
        return _hit(self._world.cast(start, end, True, mask))

    def all_hits(self, origin: Vector, direction: Vector, *, mask: int = _ALL) -> list[BodyHit]:
        """All points at which a ray meets bodies, sorted by t."""
        return [BodyHit(*hit) for hit in self._world.cast_all(origin, direction, False, mask)]

    def contacts(self, a: NodeId, b: NodeId, *, max_distance: float = 0.0) -> Contacts:
        """Where two bodies touch, or are at most max_distance apart, as `touche.contacts`."""
        return _contacts(
            self.body(a), self.pose(a), self.body(b), self.pose(b), max_distance=max_distance
        )

    def depth(self, a: NodeId, b: NodeId) -> Depth:
        """How deep two convex shapes overlap, as `touche.depth`."""
        of_a, of_b = self.body(a), self.body(b)
        if not isinstance(of_a, Shape) or not isinstance(of_b, Shape):
            raise _core.InvalidInput("depth: of two Shapes; for Objects there is touche.separation")
        return _depth(of_a, self.pose(a), of_b, self.pose(b))


def _hit(found: tuple[Any, ...] | None) -> BodyHit | None:
    return None if found is None else BodyHit(*found)


# ---- steps -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class StepGroup:
    """What became of a node that was given a motion."""

    node: NodeId
    reached: float
    """The time at which it stopped; 1 if it made its whole motion."""
    contact: int | None
    """Index of its first contact in StepResult.contacts."""


@dataclass(frozen=True, slots=True)
class StepPair:
    """Two bodies that meet in a step, or may meet."""

    a: NodeId
    b: NodeId
    status: str
    """As TimeOfImpact.status."""
    time: Bracket
    """Before time.lower they are proved apart; at time.upper they touch."""
    contact: Contact | None
    guess: float | None
    """If a guess was requested, of an undecided pair: when they may meet. It proves nothing."""


@dataclass(frozen=True, slots=True)
class PairEvents:
    """Changes of pairs since the last step; each is (a, b, number of the event)."""

    began: list[tuple[NodeId, NodeId, int]]
    going_on: list[tuple[NodeId, NodeId, int]]
    ended: list[tuple[NodeId, NodeId, int]]


@dataclass(frozen=True, slots=True)
class StepContact:
    """A contact, as given to a function that responds."""

    pair: StepPair
    group_a: NodeId | None
    group_b: NodeId | None
    """The moving nodes of the two bodies; None for a body that stands still."""
    pose_a: Pose
    pose_b: Pose
    """At the time of the contact."""
    rest_a: Motion
    rest_b: Motion
    """Their motions for the rest of the step, if the function sets none."""


@dataclass(frozen=True, slots=True)
class StepResult:
    """What happened in a step."""

    groups: tuple[StepGroup, ...]
    """In the order of the calls of `move`, then of the targets."""
    contacts: tuple[StepPair, ...]
    """Contacts that stopped groups, by time; with the policy "report" the first of each pair."""
    undecided: tuple[StepPair, ...]
    """Pairs that a limit or rounding leaves undecided; each is free until time.lower."""
    time: Bracket
    """Of the first contact of any pair."""
    contact_events: PairEvents
    near_events: PairEvents
    stats: dict[str, int]
    """Counts of tested pairs of boxes and faces, by name."""

    def __bool__(self) -> NoReturn:
        no_truth("StepResult", ".contacts and .undecided")


class Stepper(NotCopied):
    """Moves nodes through a world, step by step. It is proved how far all can move without a
    contact.

    >>> import touche
    >>> world = touche.World()
    >>> ball = touche.Shape.sphere(1)
    >>> left, right = world.add(ball), world.add(ball, touche.Pose.from_translation((6, 0, 0)))
    >>> step = touche.Stepper(world).step({left: touche.Pose.from_translation((8, 0, 0))},
    ...                                   tolerance=1e-3)
    >>> round(step.groups[0].reached, 2)
    0.5
    """

    __slots__ = ("_stepper", "world")

    def __init__(self, world: World) -> None:
        require(world, World, "world")
        self.world = world
        self._stepper = _core._Stepper(world._world)

    def move(self, node: NodeId, motion: MotionLike) -> None:
        """Sets the motion of a node in the next step, in the world. If it does not start at the
        node's pose, the node jumps to its start, which is not tested."""
        self._stepper.move(node, motion)

    @names_arguments
    def step(
        self,
        targets: dict[NodeId, PoseLike] | None = None,
        *,
        tolerance: float,
        clearance: float = 0.0,
        policy: Literal["report", "together", "each", "respond"] = "each",
        respond: Callable[[StepContact], Iterable[tuple[NodeId, MotionLike]] | None] | None = None,
        max_work: int | None = None,
        timeout: float | None = None,
        share: Literal["one_queue", "equal", "by_distance"] = "one_queue",
        viewer: Vector | None = None,
        guess: Literal["none", "proved_time", "volumes", "faces"] = "none",
        events: bool = False,
        near_distance: float = 0.0,
        threads: int = 0,
        go_on: bool = False,
    ) -> StepResult:
        """Takes the step of all nodes with motions (see `move`), and of all with target poses in the
        world, to which they move as Motion.interpolated does.

        tolerance: a length > 0, up to which contacts are located; see `touche.time_of_impact`.
        clearance: a length; pairs that come nearer are in contact.
        policy: at a contact "report" moves nothing, "together" stops all, "each" stops the two that
        meet, "respond" calls `respond`, which may return new motions for the rest of the step. It
        may not use the world.
        max_work or timeout (seconds) limit the step: nodes then stop where their motions are proved.
        share: how pairs share max_work: the pair with the earliest possible contact first
        ("one_queue"), all the same ("equal"), or more for pairs near the position viewer, (3,)
        ("by_distance"). guess: for undecided pairs, estimates when they meet; it proves nothing.
        events: whether contact_events and near_events are found, which takes a distance query for
        each pair that may be nearer than near_distance (a length).
        go_on continues the last step, which was one of "report".
        """
        if targets is not None:
            require(targets, dict, "targets")
        if (respond is not None) != (policy == "respond"):
            raise _core.InvalidInput('respond: it goes with policy="respond"')
        answer = None
        if respond is not None:
            called = respond

            def answer(given: tuple[Any, ...]) -> Iterable[tuple[NodeId, MotionLike]] | None:
                pair, *rest = given
                return called(StepContact(_pair(pair), *rest))

        groups, contacts, undecided, time, contact_events, near_events, stats = self._stepper.run(
            list((targets or {}).items()),
            tolerance,
            clearance,
            policy,
            answer,
            max_work,
            timeout,
            share,
            viewer,
            guess,
            events,
            near_distance,
            threads,
            go_on,
        )
        return StepResult(
            tuple(
                StepGroup(node, reached, None if contact < 0 else contact)
                for node, reached, contact in groups
            ),
            tuple(map(_pair, contacts)),
            tuple(map(_pair, undecided)),
            Bracket(*time),
            PairEvents(*contact_events),
            PairEvents(*near_events),
            stats,
        )

    def forget(self) -> None:
        """Makes the next step like a first one."""
        self._stepper.forget()

    def record(self, file: File | None) -> None:
        """Writes all steps from now on to a file, for a bug report; None ends the recording."""
        self._stepper.record("" if file is None else str(file))


def _pair(pair: Sequence[Any]) -> StepPair:
    a, b, status, time, contact, guess = pair
    return StepPair(a, b, status, Bracket(*time), contact, guess)


# ---- hands -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class HandlingContact(ReadOnlyArrays):
    """A contact that holds the part back."""

    held: NodeId
    other: NodeId
    contact: Contact
    force: Floats
    """(3,): of the other body on the part."""


@dataclass(frozen=True, eq=False, slots=True)
class HandlingStep(ReadOnlyArrays):
    """Where a hand's part is, and what holds it back."""

    status: Literal["undecided", "arrived", "held_back", "touching"]
    complete: bool
    """False if a limit ended the step before it reached what contacts allow."""
    pose: Pose
    """Of the part, in the world."""
    force: Floats
    torque: Floats
    """(3,): of all contacts on the part; the torque is about `centre`."""
    centre: Floats
    distance_left: float
    angle_left: float
    """To the target: a length, and radians."""
    motions: tuple[Motion, ...]
    """What it did, one after the other; proved to keep the clearance."""
    contacts: tuple[HandlingContact, ...]

    def __bool__(self) -> NoReturn:
        no_truth("HandlingStep", ".status")


class Handling(NotCopied):
    """A hand that pulls a node of a world towards target poses; it follows as far as contacts
    allow, and is at no moment nearer to another body than the clearance.

    >>> import touche
    >>> world = touche.World()
    >>> ball = touche.Shape.sphere(1)
    >>> held = world.add(ball, touche.Pose.from_translation((0, 0, 3)))
    >>> ground = world.add(touche.Shape.half_space((0, 0, 1)))
    >>> hand = touche.Handling(world, held, tolerance=1e-3, clearance=0.01)
    >>> step = hand.step(touche.Pose.from_translation((0, 0, -5)))
    >>> step.status, round(float(step.pose.translation[2]), 1)
    ('held_back', 1.0)
    """

    __slots__ = ("_handling", "held", "world")

    @names_arguments
    def __init__(
        self,
        world: World,
        held: NodeId,
        *,
        tolerance: float,
        clearance: float,
        max_distance: float = 0.0,
        stiffness: float = 1.0,
        friction: float = 0.0,
        max_rounds: int = 20,
        least_gain: float = 0.05,
        max_work: int | None = None,
        threads: int = 1,
    ) -> None:
        """tolerance and clearance: lengths > 0. Contacts nearer than max_distance are considered;
        0 stands for 3 (clearance + 2 tolerance). Forces are proportional to the stiffness of the
        spring between hand and part, force per length. friction: Coulomb's coefficient. A step ends
        after max_rounds, or before one that gains less than the share least_gain; max_work limits
        the pairs of boxes and faces that are tested in it."""
        require(world, World, "world")
        self.world = world
        self.held = held
        self._handling = _core._Handling(
            world._world,
            held,
            tolerance,
            clearance,
            max_distance,
            stiffness,
            friction,
            max_rounds,
            least_gain,
            max_work,
            threads,
        )

    def step(self, target: PoseLike, *, timeout: float | None = None) -> HandlingStep:
        """Pulls the part towards a target pose, and leaves it where it gets."""
        status, complete, pose, force, torque, centre, left, angle, motions, contacts = (
            self._handling.step(target, timeout)
        )
        return HandlingStep(
            status,
            complete,
            pose,
            force,
            torque,
            centre,
            left,
            angle,
            tuple(motions),
            tuple(HandlingContact(*contact) for contact in contacts),
        )
