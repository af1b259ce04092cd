# SPDX-License-Identifier: Apache-2.0
"""Worlds, steps, hands and dynamics."""

from __future__ import annotations

import math
import threading
from pathlib import Path

import numpy as np
import pytest

import touche
from conftest import make_cube, random_poses


def at(x: float, y: float = 0.0, z: float = 0.0) -> touche.Pose:
    return touche.Pose.from_translation((x, y, z))


def row_of_cubes(count: int, gap: float) -> tuple[touche.World, list[touche.NodeId]]:
    world = touche.World()
    cube = make_cube()
    return world, [world.add(cube, at(i * (1 + gap))) for i in range(count)]


def test_pairs_are_those_of_single_queries(random: np.random.Generator) -> None:
    cube, ball = make_cube(), touche.Shape.sphere(0.5)
    bodies = [cube if i % 2 else ball for i in range(60)]
    world = touche.World()
    nodes = world.add_many(bodies, random_poses(random, 60, 2.5))
    poses = world.poses(nodes)
    wanted = {
        (nodes[i], nodes[j])
        for i in range(60)
        for j in range(i)
        if touche.intersects(bodies[i], poses[i], bodies[j], poses[j])
    }
    found = world.touching_pairs()
    assert {(b, a) for a, b in found} == wanted and len(found) == len(wanted) > 10
    near = world.near_pairs(0.3)
    assert near.complete and len(near) > len(found)
    for pair in near:
        i, j = nodes.tolist().index(pair.a), nodes.tolist().index(pair.b)
        single = touche.distance(bodies[i], poses[i], bodies[j], poses[j])
        assert pair.distance.upper == pytest.approx(single.upper, abs=1e-12)


def test_nodes() -> None:
    world, (a, b, c) = row_of_cubes(3, 0.5)
    assert len(world) == 3 and a in world and world.bodies.tolist() == [a, b, c]
    assert world.body(a) is world.body(b)
    group = world.add_group(at(0, 0, 5), name="group")
    world.attach(a, group, keep="local")
    assert world.parent(a) == group and world.children(group).tolist() == [a]
    assert world.pose(a).translation.tolist() == [0, 0, 5] and world.name(group) == "group"
    world.attach(a, None)
    assert world.parent(a) is None and world.pose(a).translation[2] == 5
    world.set_local_pose(a, at(0, 0, 1))
    world.remove(b)
    assert b not in world and len(world) == 2
    with pytest.raises(touche.InvalidInput):
        world.pose(b)
    new = world.add(make_cube())
    assert new != b
    world.replace(c, touche.Shape.sphere(1))
    assert isinstance(world.body(c), touche.Shape)
    with pytest.raises(touche.InvalidInput, match="keep"):
        world.attach(a, None, keep="both")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="node: expected a node"):
        world.pose("a")  # type: ignore[arg-type]
    with pytest.raises(touche.InvalidInput):
        world.body(group)


def test_poses_of_many_are_set_together() -> None:
    world, nodes = row_of_cubes(3, 0.5)
    before = world.poses()
    with pytest.raises(touche.InvalidInput):
        world.set_poses([*nodes, 99], np.tile(np.eye(4), (4, 1, 1)))
    with pytest.raises(touche.InvalidInput, match="2, and there are 3 nodes"):
        world.set_poses(nodes, np.tile(np.eye(4), (2, 1, 1)))
    assert np.array_equal(world.poses(), before)
    world.set_poses(nodes, before[::-1])
    assert np.allclose(world.poses(nodes), before[::-1])
    bad = before.copy()
    bad[1, 0, 0] = 7
    with pytest.raises(touche.InvalidInput, match=r"poses\[1\]"):
        world.add_many([make_cube()] * 3, bad)
    assert len(world) == 3


def test_which_pairs_are_tested() -> None:
    world, (a, b, c) = row_of_cubes(3, 0)
    assert list(world.touching_pairs()) == [(a, b), (b, c)]
    world.set_pair_filter(lambda x, y: c not in (x, y))
    assert list(world.touching_pairs()) == [(a, b)]
    world.set_pair_filter(None)
    world.set_pairs(a, category=2, mask=4)
    assert list(world.touching_pairs()) == [(b, c)]

    def broken(x: int, y: int) -> bool:
        raise KeyError(x)

    world.set_pair_filter(broken)
    with pytest.raises(KeyError):
        world.touching_pairs()
    world.set_pair_filter(lambda x, y: len(world.bodies) > 0)
    with pytest.raises(touche.Error, match="a world cannot be used by a function"):
        world.touching_pairs()


def test_points_and_rays() -> None:
    world, (a, b, _) = row_of_cubes(3, 1)
    assert world.touching_ball((1, 0, 0), 0.6).tolist() == [a, b]
    assert world.touching_box((-1, -1, -1), (0, 1, 1)).tolist() == [a]
    assert world.touching_body(a).tolist() == []
    hit = world.cast_ray((0.1, 0.2, 5), (0, 0, -1))
    assert hit is not None and hit.body == a and hit.t == 4.5 and hit.normal[2] == 1
    assert world.cast_segment((0.1, 0.2, 5), (0.1, 0.2, 4)) is None
    assert [hit.t for hit in world.all_hits((0.1, 0.2, 5), (0, 0, -1))] == [4.5, 5.5]
    nearest = world.nearest((1.9, 0, 2), 2)
    assert [body.body for body in nearest] == [b, a] and nearest[0].distance == 1.5
    assert world.closest_point(a, (0, 0, 3)).distance == 2.5
    assert world.closest_point(a, (0, 0, 3), max_distance=1).distance == math.inf
    with pytest.raises(touche.InvalidInput):
        world.nearest((0, 0, math.nan))


def test_steps_stop_where_bodies_meet() -> None:
    for policy, reached in (("each", 0.5), ("together", 0.5), ("report", 0.5)):
        world, (a, b) = row_of_cubes(2, 1)
        step = touche.Stepper(world).step(
            {a: at(2)}, tolerance=1e-6, policy=policy  # type: ignore[arg-type]
        )
        assert step.groups[0].reached == pytest.approx(reached, abs=1e-5)
        assert step.contacts[0].a == a and step.contacts[0].b == b
        moved = world.pose(a).translation[0]
        assert moved == 0 if policy == "report" else moved == pytest.approx(1, abs=1e-5)
        assert not touche.intersects(world.body(a), world.pose(a), world.body(b), world.pose(b))
        with pytest.raises(TypeError):
            bool(step)


def test_a_response_goes_on() -> None:
    world, (a, _) = row_of_cubes(2, 1)
    seen: list[touche.StepContact] = []

    def respond(contact: touche.StepContact) -> list[tuple[touche.NodeId, touche.Motion]]:
        seen.append(contact)
        start = contact.pose_a
        return [(a, touche.Motion.interpolated(start, at(0, 0, 1) * start))]

    stepper = touche.Stepper(world)
    stepper.step({a: at(2)}, tolerance=1e-6, policy="respond", respond=respond)
    assert len(seen) == 1 and seen[0].group_a == a and seen[0].group_b is None
    assert world.pose(a).translation == pytest.approx([1, 0, 1], abs=1e-4)
    with pytest.raises(ZeroDivisionError):
        stepper.step({a: at(2)}, tolerance=1e-6, policy="respond", respond=lambda c: 1 / 0)


def test_events_and_undecided_steps(tmp_path: Path) -> None:
    world, (a, b) = row_of_cubes(2, 1)
    stepper = touche.Stepper(world)
    stepper.record(tmp_path / "session")
    step = stepper.step({a: at(2)}, tolerance=1e-6, events=True, near_distance=0.5)
    assert [(x, y) for x, y, _ in step.contact_events.began] == [(a, b)]
    stepper.record(None)
    assert (tmp_path / "session").stat().st_size > 0
    world.set_pose(a, at(0))
    short = touche.Stepper(world).step({a: at(2)}, tolerance=1e-6, policy="report", max_work=0)
    assert short.undecided and short.undecided[0].status == "undecided"


def test_a_hand_holds_a_part_back() -> None:
    world, (a, b) = row_of_cubes(2, 1)
    hand = touche.Handling(world, a, tolerance=1e-4, clearance=1e-3)
    step = hand.step(at(5))
    assert step.status == "held_back" and step.contacts[0].other == b
    assert step.force[0] < 0 and step.pose.translation[0] == pytest.approx(1, abs=0.01)
    for motion in step.motions:
        free = touche.time_of_impact(
            world.body(a), motion, world.body(b), world.pose(b), tolerance=1e-6
        )
        assert free.status == "free"
    assert hand.step(at(-1)).status == "arrived"
    with pytest.raises(touche.InvalidInput):
        touche.Handling(world, a, tolerance=0, clearance=1)


def test_a_cube_falls_and_rests() -> None:
    world = touche.World()
    box = world.add(make_cube(), at(0, 0, 2))
    world.add(make_cube(4), at(0, 0, -2))
    dynamics = touche.Dynamics(world, tolerance=1e-3, gravity=(0, 0, -9.81))
    dynamics.add(box, density=1000)
    assert dynamics.mass(box) == pytest.approx(1000) and dynamics.nodes == [box]
    energy = dynamics.kinetic_energy + dynamics.potential_energy
    for _ in range(120):
        result = dynamics.step(1 / 60)
    assert world.pose(box).translation == pytest.approx([0, 0, 0.5], abs=0.01)
    force = sum(contact.force[2] for contact in result.contacts)
    assert abs(force) == pytest.approx(9810, rel=0.01)
    assert dynamics.kinetic_energy + dynamics.potential_energy < energy
    assert not result.lost and not result.stuck
    with pytest.raises(touche.InvalidInput, match="density or mass"):
        dynamics.add(box)


def test_joints_and_velocities() -> None:
    world = touche.World()
    arm = world.add(touche.Shape.box((1, 0.1, 0.1)), at(0.5))
    dynamics = touche.Dynamics(world, tolerance=1e-4)
    mass = touche.mass_properties(world.body(arm), 10)
    dynamics.add(arm, mass=mass)
    hinge = dynamics.join(
        "hinge", None, arm, point=(0, 0, 0), axis=(0, 0, 1), motor_speed=1, motor_strength=100
    )
    for _ in range(60):
        dynamics.step(1 / 60)
    state = dynamics.joint_state(hinge)
    assert state.position == pytest.approx(1, abs=0.05) and state.drift < 1e-3
    linear, angular = dynamics.velocity(arm)
    assert angular[2] == pytest.approx(1, abs=0.01) and np.linalg.norm(linear) > 0.4
    dynamics.remove_joint(hinge)
    assert dynamics.joints == []
    dynamics.set_velocity(arm, (0, 0, 1))
    assert np.allclose(dynamics.momentum, [0, 0, mass.mass])
    assert dynamics.last_motion(arm).pose(1).translation == pytest.approx(
        world.pose(arm).translation
    )


def test_threads_take_turns() -> None:
    world, nodes = row_of_cubes(200, 0.01)
    errors: list[BaseException] = []

    def work(k: int) -> None:
        try:
            for i in range(20):
                world.set_pose(nodes[k], at(0, 0, 10 + k + i))
                assert len(world.near_pairs(0.02)) > 150
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
