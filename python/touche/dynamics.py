# SPDX-License-Identifier: Apache-2.0
"""Rigid bodies under gravity, impacts and friction, without penetration."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NoReturn

from . import _core
from ._core import InvalidInput, Motion
from ._types import Floats, JointId, MotionLike, NodeId, Vector
from ._values import NotCopied, no_truth
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
class Impact:
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
class RestingContact:
    """A contact of two bodies at rest on each other."""

    a: NodeId
    b: NodeId
    point: Floats
    normal: Floats
    distance: float
    force: Floats
    """(3,), on b: its mean over the whole step."""
    time: float


@dataclass(frozen=True, slots=True)
class LostTime:
    """A node for which less time passed than for others."""

    node: NodeId
    time: float
    turning: float


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
class JointState:
    """Where a joint is."""

    position: float
    """Angle of a hinge in radians, or distance of a slider."""
    speed: float
    force: Floats
    torque: Floats
    drift: float
    """Length by which it is open."""
    tilt: float


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
        acceleration (3,). friction and restitution: of all surfaces, unless set. Bodies that stood
        still for sleep_time sleep; 0: none does."""
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
        """Makes a node dynamic, with its bodies at a uniform density, or with a mass in its frame.
        Velocities are in the world, the angular one in radians."""
        if (density is None) == (mass is None):
            raise InvalidInput("add: give density or mass")
        if mass is not None and not isinstance(mass, MassProperties):
            raise TypeError(f"mass: expected MassProperties, found {type(mass).__name__}")
        given = None if mass is None else (mass.mass, mass.centre, mass.inertia)
        self._dynamics.add(node, density, given, velocity, angular_velocity)

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
        return self._dynamics.mass(node)

    def set_surface(self, body: NodeId, *, friction: float = 0.5, restitution: float = 0.0) -> None:
        self._dynamics.set_surface(body, friction, restitution)

    def set_gravity(self, gravity: Vector) -> None:
        self._dynamics.set_gravity(gravity)

    def velocity(self, node: NodeId) -> tuple[Floats, Floats]:
        """Of the centre of mass, and angular: two arrays (3,)."""
        return self._dynamics.velocity(node)

    def set_velocity(
        self, node: NodeId, linear: Vector | None = None, angular: Vector | None = None
    ) -> None:
        self._dynamics.set_velocity(node, linear, angular)

    def is_asleep(self, node: NodeId) -> bool:
        return self._dynamics.is_asleep(node)

    def wake(self, node: NodeId) -> None:
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
        """Joins two nodes at their poses; None is the world. Point (3,) and axis (3,) are in the
        world. Limits are of the angle in radians or the distance, of b relative to a. Bodies that
        are joined may enter each other unless `contacts` is set."""
        least, most = limits
        return JointId(
            self._dynamics.join(
                type, a, b, point, axis, least, most, motor_speed, motor_strength, contacts
            )
        )

    def remove_joint(self, joint: JointId) -> None:
        self._dynamics.remove_joint(joint)

    @property
    def joints(self) -> list[JointId]:
        return self._dynamics.joints()

    def set_motor(self, joint: JointId, *, speed: float, strength: float) -> None:
        """Drives a hinge (radians, torque) or a slider (length, force)."""
        self._dynamics.set_motor(joint, speed, strength)

    def joint_state(self, joint: JointId) -> JointState:
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
        return self._dynamics.energies()[0]

    @property
    def potential_energy(self) -> float:
        """In the field of gravity; 0 at the origin."""
        return self._dynamics.energies()[1]

    @property
    def momentum(self) -> Floats:
        return self._dynamics.momenta()[0]

    @property
    def angular_momentum(self) -> Floats:
        """About the origin."""
        return self._dynamics.momenta()[1]
