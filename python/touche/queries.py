# SPDX-License-Identifier: Apache-2.0
"""Questions about two bodies, and about points and rays, beside the ones of `_core`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NoReturn, overload

import numpy as np
import numpy.typing as npt

from . import _core
from ._core import Body, Bracket, Contact, InvalidInput, Pose
from ._types import (
    Array,
    File,
    Floats,
    Integers,
    MotionLike,
    PoseLike,
    Truths,
    Vector,
)
from ._values import (
    NoTruth,
    ReadOnlyArrays,
    SetOnce,
    names_arguments,
    no_truth,
    require,
    truth_of_list,
)

__all__ = [
    "ContactInterval",
    "Contacts",
    "Containment",
    "Depth",
    "FacePairs",
    "Interior",
    "MassProperties",
    "PathResult",
    "Separation",
    "Thickness",
    "all_hits",
    "cast_rays",
    "cast_segments",
    "closest_points",
    "contacts",
    "containment",
    "contains",
    "depth",
    "interior",
    "intersecting_faces",
    "load",
    "mass_properties",
    "overlap_thickness",
    "path",
    "separation",
    "signed_distance",
    "winding_number",
]

PathVerdict = Literal["undecided", "free", "near", "touching", "open", "clash"]
ContainmentStatus = Literal["undecided", "none", "a_in_b", "b_in_a", "open"]


@names_arguments
def load(
    file: File,
    *,
    name: str = "",
    scale: float = 1.0,
    up: Literal["x", "y", "z"] | None = None,
    weld: float | None = None,
    stretch: Vector | None = None,
    threads: int = 0,
) -> _core.Object:
    """The mesh of a file as an Object; "engine.glb#Crankcase" is a part of a file.

    Reads OBJ, STL, PLY, OFF, glTF, 3MF and COLLADA; of a file with several parts, all of them
    together. Coordinates are multiplied by `scale`, and stretched by three factors `stretch`. Their
    unit is that of the file: metres in glTF and COLLADA, millimetres in 3MF. z is up: `up` is the
    axis of the file that points up, by default what the file or its format says, so that a y-up
    glTF is turned (docs/coordinates.md). Vertices at open edges are joined up to the length `weld`,
    by default what the precision of the file says. threads = 0: all. Raises LoadError, which names
    the file and the line or byte.
    """
    return _core.Object(
        file, name=name, scale=scale, up=up, weld=weld, stretch=stretch, threads=threads
    )


# ---- where they touch ------------------------------------------------------------------------


class Contacts(SetOnce, Sequence[Contact]):
    """Pairs of faces that touch, each with points and a normal; a sequence of Contact."""

    __slots__ = ("_items", "complete", "stats")

    def __init__(self, items: list[Contact], complete: bool, stats: dict[str, int]) -> None:
        self._items = tuple(items)
        self.complete = complete
        """False if a limit ended the search."""
        self.stats = stats

    @overload
    def __getitem__(self, index: int) -> Contact: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Contact]: ...
    def __getitem__(self, index: int | slice) -> Contact | Sequence[Contact]:
        return self._items[index]

    def __len__(self) -> int:
        return len(self._items)

    def __bool__(self) -> bool:
        return truth_of_list(len(self), self.complete, "contacts")

    def __repr__(self) -> str:
        return f"<{len(self)} contacts{'' if self.complete else ', not complete'}>"

    @property
    def points(self) -> Floats:
        """(n, 3): the points on a."""
        return np.array([c.point_a for c in self._items]).reshape(-1, 3)

    @property
    def normals(self) -> Floats:
        """(n, 3): of unit length, from a to b."""
        return np.array([c.normal for c in self._items]).reshape(-1, 3)


@names_arguments
def contacts(
    a: Body,
    pose_a: PoseLike,
    b: Body,
    pose_b: PoseLike = None,
    *,
    max_distance: float = 0.0,
    max_contacts: int | None = None,
    max_work: int | None = None,
    timeout: float | None = None,
) -> Contacts:
    """Where two bodies touch, or are at most max_distance (a length) apart.

    Of two Objects: all pairs of faces that intersect, sorted, exactly. Of a Shape: the corners of
    the region of contact, accurate up to rounding. max_contacts, max_work and timeout are for two
    Objects without max_distance; else they raise InvalidInput.

    >>> import touche
    >>> box, ground = touche.Shape.box((2, 2, 2)), touche.Shape.half_space((0, 0, 1))
    >>> len(touche.contacts(box, touche.Pose.from_translation((0, 0, 1)), ground))
    4
    """
    return Contacts(
        *_core._contacts(a, pose_a, b, pose_b, max_distance, max_contacts, max_work, timeout)
    )


@dataclass(frozen=True, eq=False, slots=True)
class FacePairs(ReadOnlyArrays):
    """Pairs of faces that intersect."""

    pairs: Integers
    """(n, 2): numbers of faces of a and b, sorted."""
    complete: bool
    """False if a limit ended the search."""

    def __len__(self) -> int:
        return len(self.pairs)

    def __bool__(self) -> bool:
        return truth_of_list(len(self), self.complete, "faces that intersect")


@names_arguments
def intersecting_faces(
    a: _core.Object,
    pose_a: PoseLike,
    b: _core.Object,
    pose_b: PoseLike = None,
    *,
    max_work: int | None = None,
    timeout: float | None = None,
) -> FacePairs:
    """All pairs of faces of two Objects that intersect; much faster than `contacts`. Exact."""
    return FacePairs(*_core._intersecting_faces(a, pose_a, b, pose_b, max_work, timeout))


# ---- how deep --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class Depth(NoTruth, ReadOnlyArrays):
    """The shortest shift of b after which two convex shapes do not overlap; 0 if they do not."""

    bracket: Bracket
    """Proved bounds of its length."""
    direction: Floats
    """(3,), of unit length: along it b is shifted."""
    point_a: Floats
    point_b: Floats
    """(3,): the deepest point of each in the other."""
    complete: bool
    """Whether the bounds are as near as requested; they hold in any case."""

    @property
    def lower(self) -> float:
        return self.bracket.lower

    @property
    def upper(self) -> float:
        return self.bracket.upper


def depth(
    a: _core.Shape,
    pose_a: PoseLike,
    b: _core.Shape,
    pose_b: PoseLike = None,
    *,
    relative_error: float = 1e-9,
    absolute_error: float = 0.0,
) -> Depth:
    """The penetration depth of two convex shapes, with proved bounds: b shifted by `upper` times
    `direction` does not overlap a, and no shift shorter than `lower` separates them. Bounds may be
    apart by relative_error or absolute_error, whichever allows more. Raises InvalidInput for
    Objects: there is `separation` for them.

    >>> import touche
    >>> ball = touche.Shape.sphere(1)
    >>> round(touche.depth(ball, None, ball, touche.Pose.from_translation((1.5, 0, 0))).upper, 6)
    0.5
    """
    lengths, direction, point_a, point_b, complete = _core._depth(
        a, pose_a, b, pose_b, relative_error, absolute_error
    )
    return Depth(Bracket(*lengths), direction, point_a, point_b, complete)


@dataclass(frozen=True, eq=False, slots=True)
class Thickness(NoTruth, ReadOnlyArrays):
    """The diameter of the largest ball that fits into two bodies."""

    bracket: Bracket
    """Proved bounds, lengths."""
    centre: Floats
    """(3,): of a ball of diameter bracket.lower, if that is greater than 0."""
    complete: bool
    """Whether the bounds are as near as requested; they hold in any case."""

    @property
    def lower(self) -> float:
        return self.bracket.lower

    @property
    def upper(self) -> float:
        return self.bracket.upper


@names_arguments
def overlap_thickness(
    a: Body,
    pose_a: PoseLike,
    b: Body,
    pose_b: PoseLike = None,
    *,
    relative_error: float = 0.01,
    absolute_error: float = 0.0,
    max_points: int = 100_000,
    timeout: float | None = None,
) -> Thickness:
    """How thick the overlap of two bodies is: the diameter of the largest ball inside both. An
    Object is the volume that its faces enclose. At most max_points positions are tested.

    >>> import touche
    >>> box = touche.Shape.box((2, 2, 2))
    >>> apart = touche.Pose.from_translation((1.5, 0, 0))
    >>> 0.5 in touche.overlap_thickness(box, None, box, apart).bracket
    True
    """
    diameter, centre, complete = _core._thickness(
        a, pose_a, b, pose_b, relative_error, absolute_error, max_points, timeout
    )
    return Thickness(Bracket(*diameter), centre, complete)


@dataclass(frozen=True, eq=False, slots=True)
class Separation(ReadOnlyArrays):
    """The signed separation of two bodies: their distance, or minus a shift that separates them."""

    status: Literal["undecided", "apart", "overlapping"]
    distance: Bracket
    """Apart: their distance. Overlapping: -distance.lower is the length of `shift`, and no shift
    shorter than -distance.upper separates them. Both are proved."""
    direction: Floats
    """(3,), of unit length, from a to b, or along the shift."""
    shift: Floats
    """(3,): a shift of b that is proved to separate them; 0 if they are apart."""
    closest: Contact | None
    """If they are apart: the closest faces."""
    complete: bool
    """Whether the bounds are as near as requested; they hold in any case."""

    def resolved(self, pose_b: PoseLike = None) -> Pose:
        """The pose of b after the shift. Raises InvalidInput if it is undecided."""
        if self.status == "undecided":
            raise InvalidInput("separation: it is undecided, so that there is no shift")
        return Pose.from_translation(self.shift) * Pose(pose_b)

    def __bool__(self) -> NoReturn:
        no_truth("Separation", ".status")


@names_arguments
def separation(
    a: Body,
    pose_a: PoseLike,
    b: Body,
    pose_b: PoseLike = None,
    *,
    tolerance: float,
    clearance: float = 0.0,
    relative_error: float = 0.02,
    max_positions: int = 3000,
    timeout: float | None = None,
) -> Separation:
    """How far two closed bodies are apart, or which shift of b would separate them.

    tolerance (a length > 0): distances are found up to one, shifts up to two of it. After the shift
    they are farther apart than the clearance. Raises InvalidInput for two Objects of which one is
    not closed. relative_error limits how much longer than needed a shift may be, max_positions the
    positions that are tested.

    >>> import touche
    >>> ball = touche.Shape.sphere(1)
    >>> found = touche.separation(ball, None, ball, touche.Pose.from_translation((1.5, 0, 0)),
    ...                           tolerance=1e-4)
    >>> found.status, round(float(found.shift[0]), 3)
    ('overlapping', 0.5)
    """
    status, distance, direction, shift, closest, complete = _core._separation(
        a, pose_a, b, pose_b, tolerance, clearance, relative_error, max_positions, timeout
    )
    return Separation(status, Bracket(*distance), direction, shift, closest, complete)


# ---- points and rays -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Interior(NoTruth):
    """Whether it is known what lies inside a body."""

    is_closed: bool
    """Whether the faces enclose a volume without gaps."""
    is_open: bool
    """Whether it is unknown what lies inside: gaps are too wide, or orientations contradict."""
    closed_gap: float
    """Length: the widest of the gaps that count as closed; 0 if there are none."""


def interior(body: Body) -> Interior:
    """Whether it is known what lies inside a body. Shapes are closed.

    >>> import touche
    >>> touche.interior(touche.Shape.box((1, 1, 1)).mesh()).is_closed
    True
    """
    return Interior(*_core._inside(body))


def contains(body: Body, pose: PoseLike, points: npt.ArrayLike) -> Truths:
    """Which of points (n, 3) lie inside a body: (n,), bool.

    The inside of an Object is where the winding number of its faces is at least one half; the faces
    need not be closed. Points on faces may count as either.

    >>> import touche
    >>> touche.contains(touche.Shape.sphere(1), None, [[0, 0, 0], [2, 0, 0]]).tolist()
    [True, False]
    """
    return _core._contains(body, pose, points)


def signed_distance(body: Body, pose: PoseLike, points: npt.ArrayLike) -> Floats:
    """The distance of points (n, 3) from the surface of a body: (n,), negative inside. (trimesh has
    the opposite sign.)

    >>> import touche
    >>> touche.signed_distance(touche.Shape.sphere(1), None, [[0, 0, 0], [3, 0, 0]]).round(6).tolist()
    [-1.0, 2.0]
    """
    return _core._signed_distances(body, pose, points)


def winding_number(body: Body, pose: PoseLike, points: npt.ArrayLike) -> Floats:
    """How often the faces of a body wind around points (n, 3): (n,)."""
    return _core._winding_numbers(body, pose, points)


def closest_points(
    body: Body, pose: PoseLike, points: npt.ArrayLike, *, max_distance: float = math.inf
) -> Array:
    """The points of a body that are closest to points (n, 3).

    Returns a structured array (n,) with distance, face and point (3,). Beyond max_distance the
    distance is infinite; a face is -1 for Shapes, which are solid.
    """
    return _core._closest_points(body, pose, points, max_distance)


def cast_rays(
    body: Body, pose: PoseLike, origins: npt.ArrayLike, directions: npt.ArrayLike
) -> Array:
    """Where rays from origins (n, 3) along directions (n, 3) first meet a body.

    Returns a structured array (n,): t with the point at origin + t · direction, infinite if there
    is none; face; side, 1 where the ray comes from outside and -1 from inside; and point (3,).
    Whether a ray meets a face is decided exactly.
    """
    return _core._cast_rays(body, pose, origins, directions, False)


def cast_segments(body: Body, pose: PoseLike, starts: npt.ArrayLike, ends: npt.ArrayLike) -> Array:
    """The same for segments between points (n, 3); t is from 0 at the start to 1 at the end."""
    return _core._cast_rays(body, pose, starts, ends, True)


def all_hits(body: Body, pose: PoseLike, origin: Vector, direction: Vector) -> Array:
    """All points at which a ray meets a body, sorted by t; fields as of `cast_rays`."""
    return _core._all_hits(body, pose, origin, direction, False)


@dataclass(frozen=True, slots=True)
class Containment(NoTruth):
    """Whether all of one body lies inside another one."""

    status: ContainmentStatus
    """"none", "a_in_b" and "b_in_a" are proved; "open": a body is open, so that it cannot be known;
    "undecided": a limit ended the query."""


@names_arguments
def containment(
    a: Body,
    pose_a: PoseLike,
    b: Body,
    pose_b: PoseLike = None,
    *,
    max_work: int | None = None,
    timeout: float | None = None,
) -> Containment:
    """Whether all of one body lies inside the other. Bodies that intersect give "none".

    >>> import touche
    >>> touche.containment(touche.Shape.sphere(1), None, touche.Shape.box((4, 4, 4))).status
    'a_in_b'
    """
    return Containment(_core._containment(a, pose_a, b, pose_b, max_work, timeout))


@dataclass(frozen=True, eq=False, slots=True)
class MassProperties(ReadOnlyArrays):
    """Of a solid, in the frame of its body."""

    mass: float
    centre: Floats
    """(3,): the centre of mass."""
    inertia: Floats
    """(3, 3): about the centre of mass."""


@names_arguments
def mass_properties(body: Body, density: float) -> MassProperties:
    """The mass properties at a uniform density (mass per volume). Exact except for rounding. Raises
    InvalidInput for Objects that are not closed, and shapes without volume.

    >>> import touche
    >>> touche.mass_properties(touche.Shape.box((1, 2, 3)), 10).mass
    60.0
    """
    require(body, Body, "body")
    return MassProperties(*body._mass(density))


# ---- whole paths -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, slots=True)
class ContactInterval(ReadOnlyArrays):
    """An interval of contact on a path. Times are t, from 0 to 1."""

    start: Bracket
    """Before start.lower they are proved apart, back to the contact before; at start.upper they
    are within the tolerance."""
    end: Bracket
    """At end.lower they are in contact; after end.upper they are proved apart until the next."""
    first: Contact | None
    last: Contact | None
    """At start.upper and at end.lower, where faces are known."""
    deepest: Bracket
    """Thickness of the thickest overlap that was found."""
    deepest_centre: Floats
    """(3,): of the largest ball in it."""
    deepest_at: float
    """Its t."""
    max_thickness: float
    """Length: proved upper bound of the thickness at all tested times."""
    only_touching: bool
    """Whether they are proved to be only touching at all tested times."""
    after: ContainmentStatus
    """From then on until the next contact."""


@dataclass(frozen=True, eq=False, slots=True)
class PathResult(ReadOnlyArrays):
    """All contacts of two bodies on a path, and the clearance in between."""

    verdict: PathVerdict
    """"free": proved, the clearance is kept. "near": proved, no contact, but the clearance is not
    kept. "touching": contacts that are proved to be only touching. "open": the surfaces are apart
    or only touch, but a body is open and may contain the other. "clash"; "undecided"."""
    contacts: tuple[ContactInterval, ...]
    samples: Array
    """Structured array with t, lower, upper, up to t = decided_until: `upper` is the distance at t,
    and from t to the next sample the distance is proved to be at least `lower`."""
    min_clearance: Bracket
    """The least distance on the path, outside of contacts."""
    min_clearance_at: float
    """A t with the distance min_clearance.upper."""
    before: ContainmentStatus
    """Until the first contact."""
    may_reach_in: bool
    """Whether one body may reach into the other one through openings or gaps, and out of it, without
    touching it. Then the verdict is about surfaces, and about bodies that lie wholly inside others."""
    decided_until: float
    """Up to this t, nothing is undecided; 1 unless a limit ended the query."""
    tolerance: float
    """The one used: at least the rounding of coordinates."""
    stats: dict[str, int]
    """Counts of tested pairs of boxes and faces, by name."""

    @property
    def is_free(self) -> bool:
        """Whether it is proved that they do not touch."""
        return self.verdict in ("free", "near")

    def clearance(self, t: npt.ArrayLike) -> Floats:
        """The distance that is proved to be kept at times t, at least; 0 in contacts, and after
        decided_until. Raises InvalidInput for times outside of [0, 1]."""
        if len(self.samples) == 0:
            raise InvalidInput("clearance: the path was computed without its profile")
        times = np.asarray(t) if np.ndim(t) == 0 else _core._numbers(t, "t")
        if times.dtype.kind not in "fiu":
            raise TypeError(f"t: expected numbers, found dtype {times.dtype}")
        if not np.all((times >= 0) & (times <= 1)):
            raise InvalidInput("t: expected times from 0 to 1")
        index = np.searchsorted(self.samples["t"], times, side="right") - 1
        kept: Floats = np.where(times <= self.decided_until, self.samples["lower"][index], 0.0)
        return kept

    def __bool__(self) -> NoReturn:
        no_truth("PathResult", ".verdict and .is_free")

    def __repr__(self) -> str:
        return (
            f"<path: {self.verdict}, {len(self.contacts)} contacts, clearance "
            f"[{self.min_clearance.lower:.6g}, {self.min_clearance.upper:.6g}]>"
        )


@names_arguments
def path(
    a: Body,
    motion_a: MotionLike,
    b: Body,
    motion_b: MotionLike = None,
    *,
    tolerance: float,
    clearance: float = 0.0,
    max_touching_thickness: float = 0.0,
    chord_errors_a: npt.ArrayLike | None = None,
    chord_errors_b: npt.ArrayLike | None = None,
    step: float = 1 / 256,
    relative_error: float = 0.1,
    profile: bool = True,
    thickness_points: int = 20_000,
    threads: int = 0,
    max_work: int | None = None,
    timeout: float | None = None,
) -> PathResult:
    """Analyses a whole path: all intervals of contact, how deep the bodies overlap in them, and the
    proved clearance in between.

    tolerance (a length > 0) as of `time_of_impact`. Bodies nearer than the clearance are near.
    Overlaps no thicker than max_touching_thickness, plus the chord errors of the faces that meet
    (one for each face, see Object.chord_errors), count as touching. `step` is the largest step of t
    between samples; relative_error limits how far apart the bounds of a sample may be, and without
    `profile` there are none. thickness_points limits the positions that are tested for the thickness
    of one overlap, max_work the pairs of boxes and faces, timeout the seconds. threads = 0: all.

    >>> import touche
    >>> ball = touche.Shape.sphere(1)
    >>> passes = touche.Motion.interpolated(touche.Pose.from_translation((-5, 2.5, 0)),
    ...                                     touche.Pose.from_translation((5, 2.5, 0)))
    >>> result = touche.path(ball, passes, ball, tolerance=1e-3)
    >>> result.verdict, 0.5 in result.min_clearance
    ('free', True)
    """
    (
        verdict,
        intervals,
        samples,
        min_clearance,
        min_clearance_at,
        before,
        may_reach_in,
        decided_until,
        used,
        stats,
    ) = _core._path(
        a,
        motion_a,
        b,
        motion_b,
        tolerance,
        clearance,
        max_touching_thickness,
        chord_errors_a,
        chord_errors_b,
        step,
        relative_error,
        profile,
        thickness_points,
        threads,
        max_work,
        timeout,
    )
    found = tuple(
        ContactInterval(
            Bracket(*start), Bracket(*end), first, last, Bracket(*deepest), centre, at, most, only, after
        )
        for start, end, first, last, deepest, centre, at, most, only, after in intervals
    )
    return PathResult(
        verdict,
        found,
        samples,
        Bracket(*min_clearance),
        min_clearance_at,
        before,
        may_reach_in,
        decided_until,
        used,
        stats,
    )

