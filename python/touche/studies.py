# SPDX-License-Identifier: Apache-2.0
"""Studies: can parts be moved along a path, and if not, when and where do they first touch?"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from . import _core
from ._core import Bracket, Motion, Object, Pose
from ._reports import Report
from ._types import File, Progress
from ._values import names_arguments

__all__ = ["Study", "StudyResult"]


class Study:
    """A study file (docs/study.schema.json) with its meshes.

    >>> import touche
    >>> result = touche.Study("study.json").run()  # doctest: +SKIP
    >>> result.verdict, result.time  # doctest: +SKIP
    ('contact', Bracket(0.25, 0.2501))
    """

    __slots__ = (
        "_study",
        "clearance",
        "groups",
        "parts",
        "remarks",
        "times",
        "title",
        "tolerance",
        "unit",
    )

    title: str
    unit: str
    """Of all lengths."""
    tolerance: float
    clearance: float
    parts: list[str]
    """The names of the parts."""
    groups: list[str]
    """The names of the groups of parts that move together."""
    times: list[float]
    """s of the recorded poses, from 0 to 1."""
    remarks: list[str]
    """What is odd in the study file."""

    def __init__(self, file: File, *, text: str | dict[str, Any] | None = None) -> None:
        """Reads the study, and its meshes. With `text`, JSON or what becomes it, `file` is only the
        name in messages, and its folder that of the meshes. Raises LoadError."""
        if isinstance(text, dict):
            text = json.dumps(text)
        self._study = _core._Study(os.fspath(file), text)
        (
            self.title,
            self.unit,
            self.tolerance,
            self.clearance,
            self.parts,
            self.groups,
            self.times,
            self.remarks,
        ) = self._study.info()

    @classmethod
    def of(cls, study: dict[str, Any], *, folder: File = ".") -> Study:
        """Of what a study file contains. `folder` is that of the meshes."""
        return cls(Path(folder) / "study.json", text=study)

    def part(self, name: str) -> tuple[Object, Pose]:
        """A part and its start pose. Raises KeyError if there is none with this name."""
        return self._study.part(_index(self.parts, name, "part"))

    def motion(self, group: str) -> Motion:
        """The motion of a group: at s, a part is at motion.pose(s) * its start pose. Raises
        KeyError if there is none with this name."""
        return self._study.motion(_index(self.groups, group, "group"))

    @names_arguments
    def run(
        self,
        *,
        stop_at_first: bool = False,
        paths: bool = True,
        thickness_points: int = 20_000,
        explain: bool = True,
        threads: int = 0,
        max_work: int | None = None,
        timeout: float | None = None,
        progress: Progress = None,
    ) -> StudyResult:
        """Runs it. stop_at_first leaves out what follows the first contact; without `paths` no pair
        is followed over its whole path; `explain` searches for a shift that resolves the first
        contact. max_work limits each pair in each step, timeout (seconds) all."""
        return StudyResult(
            self._study.run(
                stop_at_first,
                paths and not stop_at_first,
                thickness_points,
                explain,
                threads,
                max_work,
                timeout,
                progress,
            )
        )

    def __repr__(self) -> str:
        return f"<touche.Study \"{self.title}\": {len(self.parts)} parts, {len(self.times)} poses>"


class StudyResult(Report):
    """The result of a study."""

    __slots__ = ("details", "explanation", "remarks", "sentence", "verdict")

    verdict: Literal["undecided", "free", "contact", "inside", "open", "interrupted"]
    details: str
    """Which faces first meet, where and when; empty without a contact."""
    explanation: str
    """What would resolve the first contact; empty without a hint."""

    def __init__(self, core: Any) -> None:
        super().__init__(core)
        self.verdict, self.sentence, self.details, self.explanation, self.remarks = core.sentences()

    @property
    def is_free(self) -> bool:
        """Whether the path is proved free."""
        return self.verdict == "free"

    @property
    def time(self) -> Bracket:
        """s of the first contact; before time.lower everything is proved free. time.upper is
        infinite if there is none."""
        first = self.first_contact
        if first is None:
            return Bracket(self.data["verdict"]["free_until"], float("inf"))
        touched_at = first["s"]["touched_at"]
        free_until = self.data["verdict"]["free_until"]
        return Bracket(free_until, float("inf") if touched_at is None else touched_at)

    @property
    def first_contact(self) -> dict[str, Any] | None:
        """The entry of data["pairs"] of the first contact that is not allowed, or None."""
        index = self.data["verdict"]["first_contact"]
        return None if index is None else self.data["pairs"][index]

    @property
    def exit_code(self) -> int:
        """That of `touche study`."""
        return {"free": 0, "contact": 1, "inside": 1, "open": 3}.get(self.verdict, 2)

    def _files(self) -> dict[str, Callable[[], str]]:
        return {"result.json": self.to_json, "steps.csv": self.to_csv, "report.html": self.to_html}


def _index(names: list[str], name: str, kind: str) -> int:
    if name not in names:
        raise KeyError(f'there is no {kind} "{name}" (there are: {", ".join(names)})')
    return names.index(name)
