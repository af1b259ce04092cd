# SPDX-License-Identifier: Apache-2.0
"""What is used in an unusual manner, found by attacks."""

from __future__ import annotations

import copy
import gc
import inspect
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import touche
import touche.fcl as fcl
from conftest import make_cube, make_sphere
from touche.trimesh import CollisionManager

BALL = touche.Shape.sphere(1)


def at(x: float, y: float = 0.0, z: float = 0.0) -> touche.Pose:
    return touche.Pose.from_translation((x, y, z))


def run(code: str, timeout: float = 60) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=timeout, check=False
    )


# ---- objects -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["Pose", "Motion", "Object", "Shape", "Bracket", "TimeOfImpact"])
def test_an_object_without_init_is_refused(kind: str) -> None:
    of: Any = getattr(touche, kind)
    unmade = of.__new__(of)
    for use in (repr, lambda x: touche.intersects(x, None, BALL), lambda x: touche.Pose(x)):
        if kind == "Bracket" and use is not repr:
            continue
        with pytest.raises(TypeError):
            use(unmade)


def test_equal_shapes() -> None:
    a, b = touche.Shape.sphere(1), touche.Shape.sphere(1)
    assert a == b and hash(a) == hash(b)
    assert touche.Shape.sum(a, a) == touche.Shape.sum(a, b)
    assert touche.Shape.half_space((0, 0, 1)) == touche.Shape.half_space((0, -0.0, 1))
    assert touche.Shape.box((1, 2, 3)) != touche.Shape.box((1, 2, 4))
    deep = a
    for _ in range(3000):
        deep = deep.rounded(1e-6)
    assert hash(deep) != hash(deep.rounded(1e-6)) and deep != a
    points = np.random.default_rng(1).normal(size=(200, 3))
    assert touche.Shape.hull(points) == touche.Shape.hull(points.copy())


def test_results_are_equal_after_pickling() -> None:
    hit = touche.time_of_impact(BALL, touche.Motion.interpolated(at(-5), at(5)), BALL, tolerance=1e-3)
    gap = touche.distance(BALL, None, BALL, at(3))
    for value in (hit, gap, gap.closest, hit.contact):
        again = pickle.loads(pickle.dumps(value))
        assert again == value and hash(again) == hash(value)
    with pytest.raises(touche.InvalidInput, match="status"):
        touche.TimeOfImpact.__new__(touche.TimeOfImpact).__setstate__((99, *hit.__getstate__()[1:]))


def test_functions_can_be_pickled() -> None:
    for name in ("intersects", "distance", "time_of_impact", "distance_many", "intersects_many"):
        function = getattr(touche, name)
        assert pickle.loads(pickle.dumps(function)) is function and function.__doc__
        names = list(inspect.signature(function).parameters)
        assert names[0] == "a" and "timeout" in names and "--" not in function.__doc__


def test_motions_keep_their_numbers() -> None:
    axis = np.array([0.0, 0, 1])
    matrix = np.eye(4)
    screw, chain = touche.Motion.screw(None, axis, 1), touche.Motion.chain([matrix])
    axis[:], matrix[0, 3] = [1, 0, 0], 7
    for motion in (screw, chain):
        again = pickle.loads(pickle.dumps(motion))
        assert again.pose(1) == motion.pose(1)
        assert copy.copy(motion) is motion and copy.deepcopy(motion) is motion


def test_what_exists_once_is_not_copied() -> None:
    world = touche.World()
    for value in (world, touche.Stepper(world), touche.Dynamics(world, tolerance=1e-3)):
        for act in (copy.copy, copy.deepcopy, pickle.dumps):
            with pytest.raises(TypeError, match="cannot be copied"):
                act(value)


def test_no_truth() -> None:
    box = touche.Shape.box((2, 2, 2))
    for value in (
        touche.Bracket(0, 1),
        touche.depth(box, None, box, at(1)),
        touche.overlap_thickness(box, None, box, at(1)),
        touche.interior(box),
    ):
        with pytest.raises(TypeError, match="neither true nor false"):
            bool(value)


# ---- input -------------------------------------------------------------------------------------


def test_orders_are_named() -> None:
    for order in (None, "zyxw", 1):
        with pytest.raises((touche.InvalidInput, TypeError), match="order"):
            touche.Pose.from_quaternion([1, 0, 0, 0], order=order)  # type: ignore[arg-type]
        with pytest.raises((touche.InvalidInput, TypeError), match="order"):
            touche.Pose().quaternion(order=order)  # type: ignore[arg-type]
    for wrong in (["1", "0", "0", "0"], [True, False, False, False], "abcd"):
        with pytest.raises(TypeError, match="quaternion"):
            touche.Pose.from_quaternion(wrong, order="wxyz")


@pytest.mark.parametrize("wrong", ["x", 5, {}, {1.0}, object(), [[1], [1, 2]], (i for i in range(3))])
def test_what_is_no_array(wrong: Any) -> None:
    with pytest.raises(TypeError, match="translation"):
        touche.Pose.from_translation(wrong)
    with pytest.raises(TypeError, match="pose_a"):
        touche.intersects(BALL, wrong, BALL)


def test_errors_of_arrays_are_told() -> None:
    class Broken:
        def __array__(self, dtype: object = None) -> np.ndarray:
            raise KeyError("lost")

    with pytest.raises(TypeError, match="translation") as raised:
        touche.Pose.from_translation(Broken())  # type: ignore[arg-type]
    assert isinstance(raised.value.__cause__, KeyError)
    masked = np.ma.masked_array([1.0, 2, 3], mask=[False, True, False])
    with pytest.raises(touche.InvalidInput, match="masked"):
        touche.Pose.from_translation(masked)
    assert touche.Pose.from_translation(np.ma.masked_array([1.0, 2, 3])) == at(1, 2, 3)


def test_errors_of_dlpack_are_told() -> None:
    class Lost:
        def __dlpack__(self, **_: object) -> object:
            raise RuntimeError("device lost")

        def __dlpack_device__(self) -> tuple[int, int]:
            return 1, 0

    with pytest.raises(TypeError, match="translation: the DLPack protocol of Lost.*device lost"):
        touche.Pose.from_translation(Lost())  # type: ignore[arg-type]


def test_names_of_the_module() -> None:
    assert set(dir(touche)) == {*touche.__all__, "fcl", "trimesh"}


def test_sequences_of_poses() -> None:
    for poses in ([None, touche.Pose()], [np.eye(4), touche.Pose()], (touche.Pose(), None)):
        assert len(touche.intersects_many(BALL, None, BALL, poses)) == 2  # type: ignore[arg-type]
    with pytest.raises(touche.InvalidInput, match="order"):
        touche.intersects_many(BALL, None, BALL, [touche.Pose()], order="wxyz")
    assert len(touche.intersects_many(BALL, None, BALL, [])) == 0
    assert len(touche.contains(BALL, None, [])) == 0
    assert len(touche.World().add_many([], [])) == 0
    with pytest.raises(touche.InvalidInput, match=r"poses_b\[1\].*finite"):
        touche.intersects_many(BALL, None, BALL, np.stack([np.eye(4), np.full((4, 4), np.nan)]))


def test_texts_name_the_argument(cube: touche.Object) -> None:
    calls: list[tuple[type[Exception], str, Callable[[], object]]] = [
        (touche.InvalidInput, "size", lambda: touche.Shape.box((-1, 1, 1))),
        (touche.InvalidInput, "vertices", lambda: cube.refitted([[0, 0, 0]])),
        (touche.InvalidInput, "directions", lambda: touche.cast_rays(cube, None, [[0, 0, 0]], [])),
        (touche.InvalidInput, "threads", lambda: touche.World().touching_pairs(threads=-1)),
        (touche.InvalidInput, "upper", lambda: touche.Bracket(3, 2)),
        (TypeError, "up", lambda: touche.load("x.stl", up=5)),  # type: ignore[arg-type]
        (TypeError, "chord_errors_a", lambda: _path(chord_errors_a="x")),
        (TypeError, "mass", lambda: _dynamics().add(0, mass=5)),  # type: ignore[arg-type]
        (TypeError, "density", lambda: _dynamics().add(0, density="x")),  # type: ignore[arg-type]
        (TypeError, "^clearance: expected a number, found str$", lambda: _clash(clearance="2mm")),
        (TypeError, "^touching: expected a number, found str$", lambda: _clash(touching="x")),
        (TypeError, "^threads: expected a whole number, found float$", lambda: _clash(threads=1.5)),
        (TypeError, "^step: expected a number, found list$", lambda: _path(step=[1])),
        (TypeError, "^tolerance: expected a number", lambda: _dynamics_with(tolerance="1mm")),
        (TypeError, r"bodies\['x'\]: expected \(Object, pose\), found 5", lambda: _assembly(5)),
        (TypeError, "vertices: .*rows differ in length", lambda: touche.Object([[0, 0], [1]], [])),
        (TypeError, "pose_a: expected one pose, found list", lambda: _intersects([touche.Pose()])),
        (touche.InvalidInput, "last row of the matrix is 0, 0, 0, 2", lambda: _intersects(2 * np.eye(4))),
        (touche.InvalidInput, "poses: 1, and there are 2 bodies", lambda: _two_at([None])),
        (touche.InvalidInput, r"faces\[2\]: 9223372036854775808 is too large", lambda: _face(2**63)),
        (TypeError, "order: it is missing", lambda: _quaternion()),
        (TypeError, "expected a whole number, found float32", lambda: _contacts(np.float32(2.9))),
        (TypeError, "max_contacts: expected a whole number", lambda: _contacts(np.array([2]))),
        (touche.InvalidInput, "max_contacts: -1, expected a whole number", lambda: _contacts(-1)),
        (touche.InvalidInput, "threads: 1099511627776, expected", lambda: _path(threads=2**40)),
        (TypeError, "expected a number, found complex128", lambda: _sphere(np.complex128(1 + 5j))),
        (touche.InvalidInput, "the number is too large", lambda: _sphere(10**400)),
        (TypeError, "found ndarray", lambda: _sphere(np.array([1.0]))),
        (TypeError, "t: expected numbers", lambda: _path().clearance("0.5")),
        (TypeError, "world: expected a World", lambda: touche.Dynamics(5, tolerance=1)),  # type: ignore[arg-type]
        (TypeError, "world: expected a World", lambda: touche.Stepper(None)),  # type: ignore[arg-type]
        (TypeError, "body: expected a Body", lambda: touche.mass_properties(5, 1)),  # type: ignore[arg-type]
        (TypeError, "study: expected a Study", lambda: touche.Assembly.of_study(5)),  # type: ignore[arg-type]
        (TypeError, "bodies: expected a Mapping", lambda: touche.Assembly.of([])),  # type: ignore[arg-type]
        (TypeError, "there is Assembly.of", lambda: touche.clash(make_cube())),  # type: ignore[arg-type]
        (TypeError, "targets: expected a dict", lambda: _stepped([(0, at(1))])),
        (TypeError, "factor: expected a Pose, found None", lambda: touche.Pose() * None),
    ]
    for kind, name, call in calls:
        with pytest.raises(kind, match=name):
            call()
    assert isinstance(touche.Pose() * np.eye(4), touche.Pose)
    assert isinstance(np.eye(4) @ at(1, 2, 3), touche.Pose)
    assert np.eye(4) * at(1, 2, 3) == at(1, 2, 3) == at(1, 2, 3) @ np.eye(4)
    assert touche.Shape.sphere(np.array(1)) == touche.Shape.sphere(np.float16(1))


def test_errors_of_functions_stay_as_they_are() -> None:
    def fails(t: float) -> touche.Pose:
        return touche.Pose.from_axis_angle((0, 0, 1), "x")  # type: ignore[arg-type]

    moves = touche.Motion.function(fails, 1, 1)
    with pytest.raises(TypeError, match="^expected a number, found str$"):
        touche.path(BALL, moves, BALL, tolerance=np.array(1e-2))


def test_copies_of_results_cannot_be_written_to() -> None:
    result = _path()
    for made in (copy.deepcopy(result), pickle.loads(pickle.dumps(result))):
        assert not made.samples.flags.writeable
        assert made.verdict == result.verdict


def _contacts(most: Any) -> touche.Contacts:
    return touche.contacts(make_cube(), None, make_cube(), at(0.5), max_contacts=most)


def _stepped(targets: Any) -> touche.StepResult:
    return touche.Stepper(touche.World()).step(targets, tolerance=1e-3)


def _sphere(radius: Any) -> touche.Shape:
    return touche.Shape.sphere(radius)


def _clash(**options: Any) -> touche.ClashResult:
    return touche.clash(touche.Assembly.of({"ball": (BALL.mesh(0.1), None)}), **options)


def _assembly(part: Any) -> touche.Assembly:
    return touche.Assembly.of({"x": part})


def _intersects(pose: Any) -> bool:
    return bool(touche.intersects(BALL, pose, BALL))


def _two_at(poses: Any) -> object:
    return touche.World().add_many([BALL, BALL], poses)


def _face(corner: int) -> touche.Object:
    return touche.Object(np.eye(3), np.array([[0, 1, corner]], dtype=np.uint64))


def _quaternion() -> touche.Pose:
    return touche.Pose.from_quaternion([1, 0, 0, 0])  # type: ignore[call-arg]


def _dynamics_with(tolerance: Any) -> touche.Dynamics:
    return touche.Dynamics(touche.World(), tolerance=tolerance)


def _path(**options: Any) -> touche.PathResult:
    return touche.path(BALL, None, BALL, at(3), tolerance=1e-3, **options)


def _dynamics() -> touche.Dynamics:
    world = touche.World()
    assert world.add(BALL) == 0
    return touche.Dynamics(world, tolerance=1e-3)


def test_names_of_files_that_are_no_text(tmp_path: os.PathLike[str]) -> None:
    name = os.fsencode(tmp_path) + b"/\xff.obj"
    path = os.fsdecode(name)
    make_cube().save(path)
    assert touche.load(path) == make_cube()
    with pytest.raises(touche.LoadError, match="missing"):
        touche.load(path + "missing.obj")
    with pytest.raises(touche.LoadError, match="none"):
        touche.Study(os.fsdecode(b"\xffnone.json"))


# ---- worlds ------------------------------------------------------------------------------------


def test_what_is_exactly_as_near_is_found() -> None:
    for body in (BALL, touche.Shape.box((2, 2, 2)), make_cube(2)):
        for gap in (0.0, 1.0):
            world = touche.World()
            world.add_many([body, body], [at(0), at(2 + gap)])
            assert len(world.near_pairs(gap)) == 1


def test_filters_return_truths() -> None:
    world = touche.World()
    world.add_many([BALL, BALL], [at(0), at(1)])
    for wrong in (None, "x", np.array([1, 2])):
        world.set_pair_filter(lambda a, b, wrong=wrong: wrong)  # type: ignore[misc]
        with pytest.raises((TypeError, ValueError)):
            world.touching_pairs()
    world.set_pair_filter(lambda a, b: bool(np.bool_(True)))
    assert len(world.touching_pairs()) == 1
    with pytest.raises(TypeError, match="is_pair"):
        world.set_pair_filter(5)  # type: ignore[arg-type]


def test_nodes_are_whole_numbers() -> None:
    world = touche.World()
    world.add(BALL)
    for wrong in ([0.7], ["0"], [True], [float("nan")]):
        with pytest.raises(TypeError, match="nodes"):
            world.poses(wrong)
    with pytest.raises(TypeError, match="node"):
        world.pose(True)  # type: ignore[arg-type]


def test_a_world_in_its_own_query() -> None:
    world, other = touche.World(), touche.World()
    node = world.add(BALL)
    other.add_many([BALL, BALL], [at(0), at(1)])
    # A function that no query of this world calls may use it.
    assert touche.Motion.function(lambda t: world.pose(node), 0, 0).pose(0.5) == touche.Pose()
    other.set_pair_filter(lambda a, b: len(world.bodies) == 1)
    assert len(other.touching_pairs()) == 1
    other.set_pair_filter(lambda a, b: len(other.bodies) == 2)
    with pytest.raises(touche.Error, match="query of it"):
        other.touching_pairs()


def test_a_signal_handler_may_not_use_the_world_of_the_query() -> None:
    world = touche.World()
    world.add_many([BALL, BALL], [at(0), at(1)])
    seen: list[BaseException] = []

    def handle(number: int, frame: object) -> None:
        try:
            world.bodies  # noqa: B018
        except touche.Error as error:
            seen.append(error)

    def slow(a: touche.NodeId, b: touche.NodeId) -> bool:
        os.kill(os.getpid(), signal.SIGUSR1)
        threading.Event().wait(0.2)
        return True

    before = signal.signal(signal.SIGUSR1, handle)
    try:
        world.set_pair_filter(slow)
        assert len(world.touching_pairs()) == 1
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert len(seen) == 1


def test_adding_many_is_all_or_nothing() -> None:
    world = touche.World()
    with pytest.raises(TypeError):
        world.add_many([BALL, BALL, 5], np.tile(np.eye(4), (3, 1, 1)))  # type: ignore[list-item]
    assert len(world) == 0 and len(world.bodies) == 0


def test_removing_a_group_removes_what_is_attached() -> None:
    world = touche.World()
    group = world.add_group()
    inner = world.add_group(parent=group)
    kept = world.add(BALL)
    world.add(BALL, parent=group)
    world.add(BALL, parent=inner)
    world.remove(group)
    assert len(world) == 1 and world.bodies.tolist() == [kept]


# ---- the end -----------------------------------------------------------------------------------


def test_ctrl_c_ends_a_wait_for_a_mesh() -> None:
    """Work that does not notice that it is cancelled is left alone."""
    code = f"""
import os, signal, sys, threading, time
sys.path.insert(0, {os.path.dirname(__file__)!r})
import touche
from conftest import make_sphere
a = make_sphere(300)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
started = [0.0]
def interrupt():
    time.sleep(0.05)
    started[0] = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
try:
    while True:
        b = touche.Object(a.vertices, a.triangles.astype(int))
        touche.interior(b), b.health(), b.chord_errors()
except KeyboardInterrupt:
    print("waited", time.monotonic() - started[0])
print(touche.interior(a).is_closed)
"""
    done = run(code)
    assert done.returncode == 0, done.stderr
    word, seconds, closed = done.stdout.split()
    assert word == "waited" and float(seconds) < 1 and closed == "True"


def test_the_interpreter_may_end_within_a_query() -> None:
    code = """
import threading, time, touche
ball, world = touche.Shape.sphere(1), touche.World()
for i in range(200):
    world.add(ball)
world.set_pair_filter(lambda a, b: time.sleep(0.01) or True)
threading.Thread(target=world.touching_pairs, daemon=True).start()
time.sleep(0.3)
print("end")
"""
    done = run(code)
    assert (done.returncode, done.stdout) == (0, "end\n"), done.stderr


# ---- drop-ins ----------------------------------------------------------------------------------


def test_objects_that_touch_have_a_distance(random: np.random.Generator) -> None:
    for _ in range(50):
        manager = CollisionManager()
        u = random.normal(size=3)
        r = random.uniform(0.5, 2, 2)
        manager.add_object("a", touche.Shape.sphere(r[0]))
        to = u / np.linalg.norm(u) * r.sum()
        manager.add_object("b", touche.Shape.sphere(r[1]), touche.Pose.from_translation(to).matrix)
        assert abs(manager.min_distance_internal()) < 1e-9
    manager.add_object(1, BALL)
    manager.add_object(None, BALL)
    assert manager.in_collision_internal(return_names=True)[0]


def test_a_manager_with_itself() -> None:
    manager = fcl.DynamicAABBTreeCollisionManager()
    objects = [
        fcl.CollisionObject(fcl.Sphere(1), fcl.Transform(np.array([x, 0.0, 0.0])))
        for x in (0.0, 1.5, 3.0)
    ]
    manager.registerObjects(objects)
    manager.setup()
    met = []
    manager.collide(manager, None, lambda a, b, data: met.append((a, b)))
    assert len(met) == 2 and all(a is not b for a, b in met)


def test_a_mesh_inside_a_shape_has_a_point() -> None:
    away = np.array([10.0, 0, 0])
    mesh = fcl.BVHModel()
    cube = make_cube()
    mesh.beginModel(len(cube.triangles), len(cube.vertices))
    mesh.addSubModel(cube.vertices, cube.triangles.astype(int))
    mesh.endModel()
    inner = fcl.CollisionObject(mesh, fcl.Transform(away))
    outer = fcl.CollisionObject(fcl.Sphere(3), fcl.Transform(away))
    result = fcl.CollisionResult()
    assert fcl.collide(inner, outer, fcl.CollisionRequest(enable_contact=True), result) > 0
    assert np.linalg.norm(result.contacts[0].pos - away) <= 3


def test_input_of_fcl() -> None:
    transform = fcl.Transform()
    for wrong in (5, [1, 2], np.eye(3)):
        with pytest.raises((touche.InvalidInput, TypeError), match="^T: "):
            transform.setTranslation(wrong)
    model = fcl.BVHModel()
    with pytest.raises(TypeError, match="whole numbers"):
        model.addSubModel(np.eye(3), np.array([[0.9, 1.9, 2.9]]))
    with pytest.raises(touche.InvalidInput, match="does not exist"):
        model.addSubModel(np.eye(3), np.array([[-1, 1, 2]]))
    one = fcl.CollisionObject(fcl.Sphere(1))
    with pytest.raises(touche.InvalidInput, match="ccd_motion_type"):
        fcl.continuousCollide(
            one,
            transform,
            one,
            transform,
            fcl.ContinuousCollisionRequest(ccd_motion_type=99),
        )


# ---- found by reading --------------------------------------------------------------------------


def test_a_pose_of_a_rotation() -> None:
    turned = touche.Pose.from_axis_angle((1, 2, 3), 0.7)
    both = touche.Pose.from_rotation(turned.matrix[:3, :3], (1, 2, 3)), at(1, 2, 3) * turned
    assert np.allclose(both[0].matrix, both[1].matrix, atol=1e-15)
    assert turned.apply((1, 2, 3)).shape == (3,) and turned.apply([[1, 2, 3]]).shape == (1, 3)
    assert np.array_equal(turned.apply((1, 2, 3)), turned.apply([[1, 2, 3]])[0])
    with pytest.raises(touche.InvalidInput, match="from_rotation"):
        touche.Pose(np.eye(3))
    for wrong in (2 * np.eye(3), np.full((3, 3), np.nan), np.eye(4)):
        with pytest.raises(touche.InvalidInput, match="rotation"):
            touche.Pose.from_rotation(wrong)
    assert turned.__array__(copy=True).shape == (4, 4)
    with pytest.raises(ValueError, match="copy"):
        turned.__array__(copy=False)


def test_a_distance_is_no_number() -> None:
    with pytest.raises(TypeError):
        float(touche.distance(BALL, None, BALL, at(3)))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        bool(touche.containment(BALL, None, BALL, at(3)))


def test_features_are_known_for_objects_only() -> None:
    cube = make_cube(2)
    kinds = {c.feature_a[0] for c in touche.contacts(cube, None, cube, at(1, 1, 1)) if c.feature_a}
    assert kinds
    ground = touche.Shape.half_space((0, 0, 1))
    assert all(c.feature_a is None for c in touche.contacts(BALL, at(0, 0, 1), ground))


def test_no_clearance_is_claimed_after_a_limit() -> None:
    sphere = make_sphere(20)
    flies = touche.Motion.interpolated(at(-4, 2.01), touche.Pose.from_axis_angle((0, 0, 1), 3, (4, 2.01, 0)))
    whole = touche.path(sphere, flies, sphere, tolerance=1e-4)
    times = np.linspace(0, 1, 101)
    assert whole.verdict == "free" and (whole.clearance(times) > 0).all()
    limited = 0
    for work in (1, 10, 30, 100, 300, 1000, 3000, 10_000):
        part = touche.path(sphere, flies, sphere, tolerance=1e-4, max_work=work)
        later = times > part.decided_until
        limited += part.verdict == "undecided" and later.any()
        assert (part.clearance(times[later]) == 0).all()
        assert (part.clearance(times) <= 1e-9 + whole.samples["upper"].max()).all()
    assert limited > 0
    for wrong in (np.nan, -0.1, 1.1):
        with pytest.raises(touche.InvalidInput, match="times"):
            whole.clearance(wrong)


def test_poses_of_attached_nodes() -> None:
    world = touche.World()
    group = world.add_group(at(10))
    child, other = world.add_many([BALL, BALL], [at(0), at(5)], parent=group, names=["a", "b"])
    assert world.pose(child) == at(10) and world.pose(other) == at(15) and world.name(other) == "b"
    with pytest.raises(touche.InvalidInput, match="names"):
        world.add_many([BALL], [at(0)], names=[])
    parent = world.add(BALL)
    world.attach(child, parent)
    saved = world.poses([child, parent])
    world.set_pose(parent, at(3, 4))
    world.set_poses([child, parent], saved)  # the parent moves first
    assert np.allclose(world.poses([child, parent]), saved)


def test_setters_keep_what_is_not_given() -> None:
    world = touche.World()
    a, b = world.add_many([BALL, BALL], [at(0), at(1)])
    world.set_pairs(a, category=2, mask=2)
    world.set_pairs(a, fixed=True)
    assert not world.touching_pairs()
    world.set_pairs(a, category=1, mask=1)
    assert world.touching_pairs()
    dynamics = touche.Dynamics(world, tolerance=1e-3)
    dynamics.add(b, density=1, velocity=(1, 2, 3), angular_velocity=(4, 5, 6))
    dynamics.set_velocity(b, angular=(0, 0, 1))
    linear, angular = dynamics.velocity(b)
    assert linear.tolist() == [1, 2, 3] and angular.tolist() == [0, 0, 1]
    dynamics.set_surface(b, restitution=1)
    with pytest.raises(touche.InvalidInput):
        dynamics.set_surface(b, friction=-1)


def test_a_step_that_is_refused_moves_nothing() -> None:
    world = touche.World()
    a, b = world.add_many([BALL, BALL], [at(0), at(10)])
    stepper = touche.Stepper(world)
    with pytest.raises(touche.InvalidInput, match="respond"):
        stepper.step({a: at(1)}, tolerance=1e-3, respond=lambda c: None)
    for wrong in ({"policy": "eech"}, {"viewer": (1, 2)}, {"threads": -1}, {"tolerance": -1.0}):
        with pytest.raises(touche.InvalidInput):
            stepper.step({a: at(1)}, **{"tolerance": 1e-3, **wrong})  # type: ignore[arg-type]
    with pytest.raises(touche.InvalidInput):
        stepper.step({a: at(1), touche.NodeId(99): at(1)}, tolerance=1e-3)
    step = stepper.step({b: at(11)}, tolerance=1e-3)
    assert [group.node for group in step.groups] == [b] and world.pose(a) == at(0)


def test_drop_ins_agree_about_tiny_gaps() -> None:
    a, b = make_cube(1), make_cube(1)
    for gap in (0.0, 1e-13, 1e-9):
        manager = CollisionManager()
        manager.add_object("a", a)
        manager.add_object("b", b, at(1 + gap))
        assert manager.in_collision_internal() is (gap == 0)
        assert (manager.min_distance_internal() <= 0) is (gap == 0)


def test_threads_share_a_manager() -> None:
    manager = CollisionManager()
    manager.add_object("ball", BALL)
    wrong: list[object] = []

    def visit(x: float, hits: bool) -> None:
        for _ in range(200):
            found = manager.in_collision_single(BALL, at(x), return_names=True)
            if found != (hits, {"ball"} if hits else set()):
                wrong.append(found)

    threads = [threading.Thread(target=visit, args=args) for args in ((1, True), (3, False)) * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_bodies_of_meshes_are_not_kept() -> None:
    class Mesh:
        def __init__(self) -> None:
            self.vertices = make_cube().vertices.copy()
            self.faces = make_cube().triangles.astype(int)
            self.is_convex = False

        def __hash__(self) -> int:
            return hash(self.vertices.tobytes())

    from touche import trimesh

    gc.collect()
    before = len(trimesh._bodies)
    mesh = Mesh()
    for i in range(5):
        mesh.vertices[0] -= 0.1
        assert trimesh.body_of(mesh).bounds[0][0] == pytest.approx(-0.6 - 0.1 * i)
    assert len(trimesh._bodies) == before + 1
    del mesh
    gc.collect()
    assert len(trimesh._bodies) == before


def test_python_fcl_in_detail() -> None:
    box = fcl.Box(1, 1, 1)
    one, other = fcl.CollisionObject(box), fcl.CollisionObject(fcl.Sphere(1))
    result = fcl.CollisionResult()
    assert fcl.collide(one, other, fcl.CollisionRequest(), result) == 1
    assert result.contacts[0].o1 is box and not result.contacts[0].normal.any()
    model = fcl.BVHModel()
    assert model.beginModel() == 0
    assert model.addSubModel(make_cube().vertices, make_cube().triangles.astype(int)) is True
    assert model.endModel() == 0
    manager = fcl.DynamicAABBTreeCollisionManager()
    floor = fcl.CollisionObject(fcl.Halfspace([0, 0, 1], -3))
    wall = fcl.CollisionObject(fcl.Halfspace([1, 0, 0], -9))
    manager.registerObjects([floor, wall, one])
    data = fcl.CollisionData()
    manager.collide(data, fcl.defaultCollisionCallback)
    assert not data.result.is_collision
    box.side[:] = 10
    manager.update()
    manager.collide(data, fcl.defaultCollisionCallback)
    assert data.result.is_collision


def test_drop_ins_are_imported_when_used() -> None:
    done = run("import touche; touche.trimesh.CollisionManager(); print(touche.fcl.Box)")
    assert "Box" in done.stdout, done.stderr


def test_units_are_known() -> None:
    assembly = touche.Assembly.of({"a": (make_cube(), None), "b": (make_cube(), at(5))}, unit="parsec")
    with pytest.raises(touche.InvalidInput, match="parsec"):
        touche.clash(assembly)


def test_daemon_threads_at_the_end() -> None:
    code = """
import threading, touche
ball = touche.Shape.sphere(1)
world = touche.World()
world.add_many([ball] * 200, [touche.Pose.from_translation((i, 0, 0)) for i in range(200)])
def work():
    while True:
        touche.intersects(ball, None, ball, None); world.touching_pairs(threads=1)
        touche.distance(ball, None, ball, None)
for _ in range(4):
    threading.Thread(target=work, daemon=True).start()
import time; time.sleep(0.3)
"""
    for _ in range(3):
        done = run(code)
        assert done.returncode == 0, done.stderr
