# SPDX-License-Identifier: Apache-2.0
"""Studies, clash checks, simulations, and how notebooks show them."""

from __future__ import annotations

import html
import json
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import numpy as np
import pytest

import touche
from conftest import make_cube

STUDY = {
    "touche_study": 1,
    "title": "a cube past a cube",
    "unit": "mm",
    "tolerance": 0.001,
    "parts": [
        {"name": "moving", "file": "cube.ply", "pose": {"translation": [-3, 0, 0]}},
        {"name": "still", "file": "cube.ply"},
    ],
}


def scene(name: str, folder: Path) -> Path:
    """A scene that the program generates."""
    subprocess.run(
        [sys.executable, "-m", "touche", "scene", name, "--out", folder],
        check=True,
        capture_output=True,
    )
    return folder


@pytest.fixture(scope="session")
def nut(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return scene("nut-bolt", tmp_path_factory.mktemp("nut")) / "study.json"


def test_the_program_runs() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "touche", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(f"touche {touche.__version__}")
    wrong = subprocess.run([sys.executable, "-m", "touche", "study"], capture_output=True, check=False)
    assert wrong.returncode == 2


def test_a_study_is_that_of_the_program(nut: Path, tmp_path: Path) -> None:
    study = touche.Study(nut)
    assert len(study.parts) == 2 and study.unit == "mm" and "nut" in repr(study).lower()
    calls: list[int] = []
    result = study.run(progress=lambda done, total: calls.append(done))
    assert result.verdict == "free" and result.is_free and result.exit_code == 0 and calls
    folder = result.save(tmp_path / "python")
    done = subprocess.run(
        [sys.executable, "-m", "touche", "study", nut, "--out", tmp_path / "program"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0 and result.sentence in done.stdout
    for name in ("result.json", "steps.csv"):
        assert (folder / name).read_bytes() == (tmp_path / "program" / name).read_bytes()
    assert "viewer" in (folder / "report.html").read_text()
    part, pose = study.part(study.parts[0])
    assert isinstance(part, touche.Object) and isinstance(pose, touche.Pose)
    assert isinstance(study.motion(study.groups[0]), touche.Motion)
    with pytest.raises(KeyError, match="there is no part"):
        study.part("washer")
    with pytest.raises(TypeError):
        bool(result)
    stopped = study.run(timeout=0)
    assert stopped.verdict == "interrupted" and not stopped.is_free


def test_a_notebook_shows_the_report(nut: Path) -> None:
    shown = touche.Study(nut).run(paths=False)._repr_html_()
    assert shown.startswith("<iframe") and html.unescape(shown).count("<!doctype html>".upper()) <= 1
    assert "Touch" in html.unescape(shown)


def test_a_study_that_is_refused(tmp_path: Path) -> None:
    with pytest.raises(touche.LoadError, match="nowhere.json"):
        touche.Study(tmp_path / "nowhere.json")
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(touche.LoadError, match="bad.json"):
        touche.Study(tmp_path / "bad.json")
    with pytest.raises(touche.LoadError, match="memory.json"):
        touche.Study(tmp_path / "memory.json", text={"touche_study": 1})


def test_a_contact_is_named(tmp_path: Path) -> None:
    make_cube().save(tmp_path / "cube.ply")
    poses = [{"t": 0, "translation": [0, 0, 0]}, {"t": 1, "translation": [6, 0, 0]}]
    hand = {"name": "hand", "parts": ["moving"], "motion": {"poses": poses}}
    study = touche.Study(tmp_path / "study.json", text={**STUDY, "groups": [hand]})
    result = study.run(stop_at_first=True)
    assert result.verdict == "contact" and result.exit_code == 1 and not result.is_free
    first = result.first_contact
    assert first is not None and {first["part_a"], first["part_b"]} == {"moving", "still"}
    assert result.time.lower <= 1 / 3 <= result.time.upper + 1e-3


def assembly() -> touche.Assembly:
    cube = make_cube()
    at = touche.Pose.from_translation
    return touche.Assembly.of(
        {"a": (cube, None), "b": (cube, at((0.75, 0, 0))), "c": (cube, at((0, 3, 0)))}
    )


def test_clash(tmp_path: Path) -> None:
    parts = assembly()
    assert list(parts) == ["a", "b", "c"] and parts["b"].pose.translation[0] == 0.75
    assert parts["a"].object == make_cube() and "3 parts" in repr(parts)
    with pytest.raises(KeyError, match='no part "d"'):
        parts["d"]
    result = touche.clash(parts, clearance=2.5)
    assert result.verdict == "clash" and result.exit_code == 1 and not result.is_free
    assert [(p.part_a, p.part_b, p.verdict) for p in result.pairs] == [
        ("a", "b", "clash"),
        ("a", "c", "near"),
        ("b", "c", "near"),
    ]
    worst = result.pairs[0]
    assert worst.thickness is not None and 0.25 in worst.thickness
    assert result.pairs[1].thickness is None and result.pairs[1].distance.upper == 2
    folder = result.save(tmp_path / "report")
    assert (folder / "report.html").stat().st_size > 10_000
    again = touche.clash(parts, clearance=2.5, compare=folder / "result.json")
    assert "0 new" in again.comparison
    assert touche.clash(parts, against=["c"]).is_free
    assert touche.clash(parts, against="a", of="c", clearance=5).pairs[0].part_b == "c"
    result.save_bcf(tmp_path / "issues.bcf")
    assert "bcf.version" in zipfile.ZipFile(tmp_path / "issues.bcf").namelist()
    with pytest.raises(touche.InvalidInput):
        touche.clash(parts, clearance=-1)
    with pytest.raises(touche.InvalidInput, match="of: it goes with against"):
        touche.clash(parts, of=["a"])
    with pytest.raises(touche.InvalidInput, match="is a Shape"):
        touche.Assembly.of({"ball": (touche.Shape.sphere(1), None)})


def test_clash_of_files(tmp_path: Path) -> None:
    make_cube(name="one").save(tmp_path / "one.ply")
    make_cube(name="two").save(tmp_path / "two.ply")
    parts = touche.Assembly(tmp_path)
    assert sorted(parts) == ["one.ply", "two.ply"] and parts.unit == "mm"
    assert touche.clash(parts).verdict == "clash"
    assert touche.clash([tmp_path / "one.ply", tmp_path / "two.ply"]).verdict == "clash"
    with pytest.raises(touche.LoadError):
        touche.clash(tmp_path / "three.ply")


def test_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    class Frame:
        def __init__(self, columns: dict[str, list[object]]) -> None:
            self.columns = columns

    import types

    monkeypatch.setitem(sys.modules, "pandas", types.SimpleNamespace(DataFrame=Frame))
    table = touche.clash(assembly(), clearance=2.5).to_dataframe()
    assert table.columns["part_b"] == ["b", "c", "c"]
    assert table.columns["thickness_upper"][1] is None  # type: ignore[call-overload]
    assert all(a <= b for a, b in zip(table.columns["distance_lower"], table.columns["distance_upper"]))


def test_a_simulation_is_that_of_the_program(tmp_path: Path) -> None:
    file = scene("dominoes", tmp_path / "scene") / "scene.json"
    simulation = touche.Simulation(file)
    assert simulation.bodies and simulation.duration > 0
    result = simulation.run(timeout=3)
    assert result.verdict in ("contact", "free", "interrupted")
    poses = result.poses(simulation.bodies[-1])
    assert poses.shape[1:] == (4, 4) and len(result.times) >= 2
    body, _ = simulation.body(simulation.bodies[0])
    assert isinstance(body, touche.Body)
    result.save_animation(tmp_path / "film.glb")
    folder = result.save(tmp_path / "report")
    assert {p.name for p in folder.iterdir()} == {
        "result.json",
        "steps.csv",
        "impacts.csv",
        "report.html",
    }


def test_pictures(cube: touche.Object) -> None:
    world = touche.World()
    world.add(cube)
    world.add(touche.Shape.sphere(0.5), touche.Pose.from_translation((2, 0, 0)))
    world.add(touche.Shape.half_space((0, 0, 1), -3))
    for shown in (cube, touche.Shape.sphere(1), world, touche.World(), assembly()):
        picture = shown._repr_png_()
        assert picture.startswith(b"\x89PNG") and len(picture) > 100
    with pytest.raises(touche.InvalidInput, match="pixels"):
        world.picture(2, 2)


@pytest.mark.skipif(not hasattr(touche._core, "_Viewer"), reason="built without the viewer")
def test_the_viewer_is_a_page(cube: touche.Object, tmp_path: Path) -> None:
    cube.save(tmp_path / "cube.ply")
    with touche.view(tmp_path / "cube.ply") as viewer:
        request = urllib.request.Request(viewer.url, headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request) as answer:
            assert answer.status == 200
        assert viewer.url in viewer._repr_html_() and viewer.url in repr(viewer)
    with pytest.raises(OSError):
        urllib.request.urlopen(request, timeout=5)
    with pytest.raises(touche.LoadError):
        touche.view(tmp_path / "nowhere.ply")


def test_arrays_of_results_are_those_of_numpy(cube: touche.Object) -> None:
    rows = touche.intersects_many(cube, None, cube, np.eye(4)[None])
    assert rows.dtype.names == ("intersects", "complete", "face_a", "face_b")
