# SPDX-License-Identifier: Apache-2.0
"""Simulations of scene files: bodies under gravity, impacts and friction, proved step by step."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from . import _core
from ._core import Body, Pose
from ._reports import Report
from ._types import File, Floats, Progress
from ._values import names_arguments
from .studies import _index

__all__ = ["Simulation", "SimulationResult"]


class Simulation:
    """A scene file (docs/scene.schema.json) with its meshes."""

    __slots__ = ("_scene", "bodies", "duration", "remarks", "time_step", "title", "unit")

    title: str
    unit: str
    """Of all lengths; all else is in SI units."""
    duration: float
    time_step: float
    """Seconds."""
    bodies: list[str]
    """The names of the bodies."""
    remarks: list[str]
    """What is odd in the scene file."""

    def __init__(self, file: File, *, text: str | dict[str, Any] | None = None) -> None:
        """Reads the scene, and its meshes; `text` as for Study. Raises LoadError."""
        if isinstance(text, dict):
            text = json.dumps(text)
        self._scene = _core._Simulation(os.fspath(file), text)
        (
            self.title,
            self.unit,
            self.duration,
            self.time_step,
            self.bodies,
            self.remarks,
        ) = self._scene.info()

    @classmethod
    def of(cls, scene: dict[str, Any], *, folder: File = ".") -> Simulation:
        """Of what a scene file contains. `folder` is that of the meshes."""
        return cls(Path(folder) / "scene.json", text=scene)

    def body(self, name: str) -> tuple[Body, Pose]:
        """A body and its start pose. Raises KeyError if there is none with this name."""
        return self._scene.body(_index(self.bodies, name, "body"))

    @names_arguments
    def run(
        self,
        *,
        resolve: bool = False,
        surfaces: bool = False,
        threads: int = 0,
        timeout: float | None = None,
        progress: Progress = None,
    ) -> SimulationResult:
        """Runs it. With `resolve`, bodies that start in each other are shifted apart first; with
        `surfaces` a body may start inside a closed mesh. The timeout (seconds) stops it between two
        steps."""
        core = self._scene.run(resolve, surfaces, threads, timeout, progress)
        return SimulationResult(core, self.bodies)

    def __repr__(self) -> str:
        return f"<touche.Simulation \"{self.title}\": {len(self.bodies)} bodies>"


class SimulationResult(Report):
    """The result of a simulation."""

    __slots__ = ("_about_surfaces", "bodies", "remarks", "sentence", "verdict")

    verdict: Literal["undecided", "free", "contact", "interrupted"]

    def __init__(self, core: Any, bodies: list[str]) -> None:
        super().__init__(core)
        self.bodies = bodies
        self.verdict, self.sentence, self.remarks, self._about_surfaces = core.sentences()

    @property
    def times(self) -> Floats:
        """(n,): of the start and the ends of steps, in seconds."""
        times: Floats = self._core.times()
        return times

    def poses(self, body: str) -> Floats:
        """(n, 4, 4): of a body at `times`; (1, 4, 4) of a body that is fixed."""
        poses: Floats = self._core.poses(_index(self.bodies, body, "body"))
        return poses

    def save_animation(self, file: File) -> None:
        """Writes a .glb file that any viewer plays."""
        self._core.save_animation(os.fspath(file))

    @property
    def exit_code(self) -> int:
        """That of `touche simulate`."""
        if self.verdict == "free" and self._about_surfaces:
            return 3
        return {"free": 0, "contact": 1}.get(self.verdict, 2)

    def _files(self) -> dict[str, Callable[[], str]]:
        return {
            "result.json": self.to_json,
            "steps.csv": self.to_csv,
            "impacts.csv": lambda: str(self._core.impacts_csv()),
            "report.html": self.to_html,
        }
