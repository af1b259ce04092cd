# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C, threads, processes and memory."""

from __future__ import annotations

import concurrent.futures
import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import touche
from conftest import make_cube, make_sphere, random_poses

LONG = """
import sys, time, signal, threading, os
sys.path.insert(0, {tests!r})
import numpy as np, touche
from conftest import make_sphere, make_cube, random_poses
a = make_sphere(120)
b = a.refitted(a.vertices * 0.999)
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
started = [0.0]
def interrupt():
    time.sleep({delay})
    started[0] = time.process_time(), time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt, daemon=True).start()
try:
    {query}
except KeyboardInterrupt:
    used, waited = time.process_time() - started[0][0], time.monotonic() - started[0][1]
    print("interrupted", used, waited)
"""


@pytest.mark.parametrize(
    "query",
    [
        "touche.distance_many(a, None, b, random_poses(np.random.default_rng(1), 2_000_000, 0.01))",
        "touche.path(a, touche.Motion.screw(None, (0, 0, 1), 500, point=(0.1, 0, 0)), b,"
        " tolerance=1e-9)",
        "touche.contacts(a, None, a)\n    while True: touche.contacts(a, None, b)",
        "touche.overlap_thickness(a, None, b, touche.Pose.from_translation((0.1, 0, 0)),"
        " relative_error=1e-12, max_points=10**9)",
        "w = touche.World(); w.add_many([a] * 300, random_poses(np.random.default_rng(1), 300, 1))"
        "\n    while True: w.near_pairs(1.0)",
    ],
)
def test_ctrl_c_ends_a_query(query: str) -> None:
    """Measured in processor time: the machine may be busy."""
    code = LONG.format(tests=os.path.dirname(__file__), delay=1.0, query=query)
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stdout.startswith("interrupted"), done.stdout + done.stderr
    used = float(done.stdout.split()[1])
    print(done.stdout)
    assert used < 1.0


def test_ctrl_c_ends_the_conversion_of_poses() -> None:
    poses = "p = np.repeat(random_poses(np.random.default_rng(1), 10_000, 0.01), 200, axis=0)\n"
    code = LONG.format(
        tests=os.path.dirname(__file__), delay=0.2, query="touche.distance_many(a, None, b, p)"
    ).replace("started =", poses + "started =")
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stdout.startswith("interrupted"), done.stdout + done.stderr
    assert float(done.stdout.split()[1]) < 0.5, done.stdout  # all take two seconds


def test_other_threads_go_on() -> None:
    a, b = make_sphere(40), make_sphere(40)
    poses = random_poses(np.random.default_rng(3), 3000, 1)
    count, stop = 0, threading.Event()

    def counting() -> None:
        nonlocal count
        while not stop.is_set():
            count += 1

    thread = threading.Thread(target=counting)
    thread.start()
    touche.distance_many(a, None, b, poses, threads=1)
    stop.set()
    thread.join()
    assert count > 100


def ask(pose: np.ndarray) -> float:
    return touche.distance(make_cube(), None, make_cube(), pose).upper


def ask_of(given: tuple[touche.Object, touche.Shape, np.ndarray]) -> touche.DistanceResult:
    a, b, pose = given
    return touche.distance(a, None, b, pose)


def test_threads_give_the_same_answers() -> None:
    poses = random_poses(np.random.default_rng(4), 200, 3)
    alone = [ask(pose) for pose in poses]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert list(pool.map(ask, poses)) == alone


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_processes_give_the_same_answers(method: str) -> None:
    a, b = make_sphere(30), touche.Shape.box((1, 1, 1)).rounded(0.1)
    poses = random_poses(np.random.default_rng(5), 20, 3)
    touche.distance_many(a, None, b, poses)  # threads that a fork does not have
    alone = [touche.distance(a, None, b, pose) for pose in poses]
    context = multiprocessing.get_context(method)
    with context.Pool(2) as pool:
        results = pool.map(ask_of, [(a, b, pose) for pose in poses])
    assert results == alone


def batch_in_child(poses: np.ndarray) -> list[float]:
    a = make_sphere(30)
    lower: list[float] = touche.distance_many(a, None, a, poses)["lower"].tolist()
    return lower


def test_a_fork_may_use_threads() -> None:
    poses = random_poses(np.random.default_rng(6), 50, 3)
    here = batch_in_child(poses)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(batch_in_child, (poses,)).get(timeout=120) == here


def memory() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize(
    "call",
    [
        lambda a, s, p: touche.intersects(a, p, s, p),
        lambda a, s, p: touche.intersects(a, p.matrix, s),
        lambda a, s, p: touche.distance(a, p, s).closest.point_a,
        lambda a, s, p: touche.time_of_impact(a, p, s, tolerance=1e-3).contact,
        lambda a, s, p: touche.contacts(a, p, a).points,
        lambda a, s, p: a.vertices,
        lambda a, s, p: touche.Motion.interpolated(None, p).pose(0.5),
        lambda a, s, p: pytest.raises(touche.InvalidInput, touche.Pose, np.zeros((4, 4))),
        lambda a, s, p: touche.Motion.function(lambda t: p, 0, 0).pose(0.5),
        lambda a, s, p: touche.intersects_many(a, p, s, np.eye(4)[None])["face_a"],
    ],
)
def test_nothing_leaks(call: object) -> None:
    a, s, p = make_cube(), touche.Shape.sphere(0.1), touche.Pose.from_translation((0.5, 0, 0))

    def many(count: int) -> None:
        for _ in range(count):
            call(a, s, p)  # type: ignore[operator]

    many(2000)
    gc.collect()
    before = memory()
    many(20_000)
    gc.collect()
    assert memory() - before < 2**20  # 52 bytes a call


def test_import_is_quick() -> None:
    code = "import time; t = time.process_time(); import numpy; n = time.process_time() - t;"
    code += "t = time.process_time(); import touche; print(n, time.process_time() - t)"
    output = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    assert float(output.split()[1]) < 1.0


def test_time_goes_by_while_a_query_is_asked() -> None:
    """A query that takes long gives up its lock: the handler of an alarm is called in time."""
    called: list[float] = []
    before = signal.signal(signal.SIGALRM, lambda *_: called.append(time.monotonic()))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        a = make_sphere(60)
        poses = random_poses(np.random.default_rng(7), 20_000, 0.05)
        touche.distance_many(a, None, a, poses, timeout=5)
        end = time.monotonic()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert called and called[0] < end
