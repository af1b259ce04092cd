# SPDX-License-Identifier: Apache-2.0
"""Rigid bodies under gravity, impacts and friction, without penetration."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NoReturn

from . import _core
from ._core import InvalidInput, Motion
from ._types import Floats, JointId, MotionLike, NodeId, Vector
from ._values import NotCopied, ReadOnlyArrays, names_arguments, no_truth, require
from .queries import MassProperties
from .worlds import World

__all__ = [
    "Dynamics",
    "DynamicsResult",
    "Impact",
    "JointId",
    "JointState",
    "LostTime",
    "RestingContact",
]


@dataclass(frozen=True, eq=False, slots=True)
class Impact(ReadOnlyArrays):
    """An impact of two bodies."""

    a: NodeId
    b: NodeId
    time: float
    """Since the start of the step."""
    point: Floats
    normal: Floats
    """(3,), from a to b."""
    impulse: Floats
    """(3,), on b."""
    speed: float
    """With which they approached along the normal."""


@dataclass(frozen=True, eq=False, slots=True)
class RestingContact(ReadOnlyArrays):
    """A contact of two bodies at rest on each other."""

    a: NodeId
    b: NodeId
    point: Floats
    """(3,), in the world."""
    normal: Floats
    """(3,), of unit length, from a to b."""
    distance: float
    """Length: the gap that is left."""
    force: Floats
    """(3,), on b: its impulse divided by the time of the step. A contact may be listed several
    times in a step; the mean force is their sum."""
    time: float
    """Since the start of the step."""


@dataclass(frozen=True, slots=True)
class LostTime:
    """A node for which less time passed than for others."""

    node: NodeId
    time: float
    """The part of the step's time that did not pass for it."""
    turning: float
    """The part of `time` that was lost because it would have turned too far."""


@dataclass(frozen=True, slots=True)
class DynamicsResult:
    """What happened in a step."""

    impacts: tuple[Impact, ...]
    contacts: tuple[RestingContact, ...]
    lost: tuple[LostTime, ...]
    stuck: tuple[tuple[NodeId, NodeId], ...]
    """Pairs that touched or intersected at the start and do not separate: both stand still."""
    unresolved: tuple[tuple[NodeId, NodeId], ...]
    """Pairs so far from the origin that rounding hides the gap between them."""

    def __bool__(self) -> NoReturn:
        no_truth("DynamicsResult", ".impacts and .contacts")


@dataclass(frozen=True, eq=False, slots=True)
class JointState(ReadOnlyArrays):
    """Where a joint is."""

    position: float
    """Angle of a hinge in radians, or distance of a slider."""
    speed: float
    force: Floats
    torque: Floats
    """(3,): means of the last step, of the joint on b, without its motor and its limits."""
    drift: float
    """Length by which it is open."""
    tilt: float
    """Angle by which it is open, in radians."""


class Dynamics(NotCopied):
    """Moves bodies of a world under forces. Bodies that are apart before a step are apart at every
    moment of it, proved, at any speed.

    A node that is added here moves under forces, with all nodes attached to it. All others stand
    still, or follow motions that are given to them.

    >>> import touche
    >>> world = touche.World()
    >>> ball = world.add(touche.Shape.sphere(0.5), touche.Pose.from_translation((0, 0, 2)))
    >>> ground = world.add(touche.Shape.half_space((0, 0, 1)))
    >>> dynamics = touche.Dynamics(world, tolerance=1e-3, gravity=(0, 0, -9.81))
    >>> dynamics.add(ball, density=1000)
    >>> for _ in range(60):
    ...     result = dynamics.step(1 / 30)
    >>> round(float(world.pose(ball).translation[2]), 1)
    0.5
    """

    __slots__ = ("_dynamics", "world")

    @names_arguments
    def __init__(
        self,
        world: World,
        *,
        tolerance: float,
        gravity: Vector | None = None,
        friction: float = 0.5,
        restitution: float = 0.0,
        iterations: int = 200,
        sleep_time: float = 0.0,
        threads: int = 0,
    ) -> None:
        """tolerance: a length > 0; bodies at rest keep a gap of one to two of it. gravity: an
        acceleration (3,), length per time²; None: there is none. friction (Coulomb's coefficient)
        and restitution (0 to 1) of all surfaces, unless set. Units are one system: with metres,
        seconds and kilograms gravity is 9.81, with millimetres 9810. Bodies that stood still for
        sleep_time sleep; 0: bodies never sleep. iterations: at most, of each solver."""
        require(world, World, "world")
        self.world = world
        self._dynamics = _core._Dynamics(
            world._world,
            tolerance,
            gravity,
            friction,
            restitution,
            iterations,
            sleep_time,
            threads,
        )

    def add(
        self,
        node: NodeId,
        *,
        density: float | None = None,
        mass: MassProperties | None = None,
        velocity: Vector | None = None,
        angular_velocity: Vector | None = None,
    ) -> None:
        """Makes a node dynamic: its bodies have a uniform density (mass per volume), or the node has
        a mass in its frame. Velocities are in the world: (3,) of the centre of mass, and (3,) in
        radians per time."""
        if (density is None) == (mass is None):
            raise InvalidInput("add: give density or mass")
        if mass is not None and not isinstance(mass, MassProperties):
            raise TypeError(f"mass: expected MassProperties, found {type(mass).__name__}")
        given = None if mass is None else (mass.mass, mass.centre, mass.inertia)
        self._dynamics.add(node, density, given, velocity, angular_velocity)

    def __repr__(self) -> str:
        return f"<touche.Dynamics: {len(self.nodes)} nodes>"

    def remove(self, node: NodeId) -> None:
        """Makes a node stand still."""
        self._dynamics.remove(node)

    def is_dynamic(self, node: NodeId) -> bool:
        return self._dynamics.is_dynamic(node)

    @property
    def nodes(self) -> list[NodeId]:
        """All dynamic nodes."""
        return self._dynamics.nodes()

    def mass(self, node: NodeId) -> float:
        """Of a dynamic node with all its bodies."""
        return self._dynamics.mass(node)

    def set_surface(
        self, body: NodeId, *, friction: float | None = None, restitution: float | None = None
    ) -> None:
        """Sets the surface of a body; None: as it is. Of a pair of bodies, the larger restitution and
        the geometric mean of both frictions count."""
        self._dynamics.set_surface(body, friction, restitution)

    def set_gravity(self, gravity: Vector) -> None:
        """An acceleration (3,)."""
        self._dynamics.set_gravity(gravity)

    def velocity(self, node: NodeId) -> tuple[Floats, Floats]:
        """Of the centre of mass, and angular: two arrays (3,)."""
        return self._dynamics.velocity(node)

    def set_velocity(
        self, node: NodeId, linear: Vector | None = None, angular: Vector | None = None
    ) -> None:
        """Sets velocities in the world, see `add`; None: as it is."""
        self._dynamics.set_velocity(node, linear, angular)

    def is_asleep(self, node: NodeId) -> bool:
        """Whether it is left out of steps until something touches or wakes it."""
        return self._dynamics.is_asleep(node)

    def wake(self, node: NodeId) -> None:
        """Ends its sleep."""
        self._dynamics.wake(node)

    def apply_force(self, node: NodeId, force: Vector, point: Vector | None = None) -> None:
        """During the next step, at a point or at the centre of mass; in the world."""
        self._dynamics.apply_force(node, force, point)

    def apply_torque(self, node: NodeId, torque: Vector) -> None:
        """During the next step."""
        self._dynamics.apply_torque(node, torque)

    def apply_impulse(self, node: NodeId, impulse: Vector, point: Vector) -> None:
        """Changes the velocity at once."""
        self._dynamics.apply_impulse(node, impulse, point)

    def move(self, node: NodeId, motion: MotionLike) -> None:
        """Sets the motion, in the next step, of a node that is not dynamic."""
        self._dynamics.move(node, motion)

    def join(
        self,
        type: Literal["fixed", "ball", "hinge", "slider"],
        a: NodeId | None,
        b: NodeId | None,
        *,
        point: Vector | None = None,
        axis: Vector | None = None,
        limits: tuple[float, float] = (-math.inf, math.inf),
        motor_speed: float = 0.0,
        motor_strength: float = 0.0,
        contacts: bool = False,
    ) -> JointId:
        """Joins two nodes as they stand; None is the world, and one of them must be dynamic. point
        (3,), by default the origin, and axis (3,), by default z, are in the world. limits: least and
        most angle in radians or distance of b relative to a, with least <= 0 <= most. A motor drives
        it at motor_speed with at most the torque or force motor_strength. Bodies that are joined may
        enter each other unless `contacts` is set.

        >>> import touche
        >>> world = touche.World()
        >>> arm = world.add(touche.Shape.box((2, 0.2, 0.2)), touche.Pose.from_translation((1, 0, 0)))
        >>> dynamics = touche.Dynamics(world, tolerance=1e-3)
        >>> dynamics.add(arm, density=1)
        >>> hinge = dynamics.join("hinge", None, arm, axis=(0, 0, 1), motor_speed=1, motor_strength=9)
        >>> for _ in range(10):
        ...     result = dynamics.step(0.1)
        >>> 0.8 < dynamics.joint_state(hinge).position <= 1.01
        True
        """
        least, most = limits
        return JointId(
            self._dynamics.join(
                type, a, b, point, axis, least, most, motor_speed, motor_strength, contacts
            )
        )

    def remove_joint(self, joint: JointId) -> None:
        """Parts what it joined."""
        self._dynamics.remove_joint(joint)

    @property
    def joints(self) -> list[JointId]:
        """All joints."""
        return self._dynamics.joints()

    def set_motor(self, joint: JointId, *, speed: float, strength: float) -> None:
        """Drives a hinge (radians, torque) or a slider (length, force)."""
        self._dynamics.set_motor(joint, speed, strength)

    def joint_state(self, joint: JointId) -> JointState:
        """Where a joint is, and what it transmits."""
        return JointState(*self._dynamics.joint_state(joint))

    def step(self, dt: float) -> DynamicsResult:
        """Takes a step of time dt > 0."""
        impacts, contacts, lost, stuck, unresolved = self._dynamics.step(dt)
        return DynamicsResult(
            tuple(Impact(*impact) for impact in impacts),
            tuple(RestingContact(*contact) for contact in contacts),
            tuple(LostTime(*item) for item in lost),
            tuple(stuck),
            tuple(unresolved),
        )

    def last_motion(self, node: NodeId) -> Motion:
        """What a node did in the last step; it can be proved again."""
        return self._dynamics.last_motion(node)

    @property
    def kinetic_energy(self) -> float:
        """Of all dynamic nodes."""
        return self._dynamics.energies()[0]

    @property
    def potential_energy(self) -> float:
        """In the field of gravity; 0 at the origin."""
        return self._dynamics.energies()[1]

    @property
    def momentum(self) -> Floats:
        """(3,), of all dynamic nodes."""
        return self._dynamics.momenta()[0]

    @property
    def angular_momentum(self) -> Floats:
        """(3,), about the origin."""
        return self._dynamics.momenta()[1]
