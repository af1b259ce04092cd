# SPDX-License-Identifier: Apache-2.0
"""Clash checks: every pair of parts of an assembly is free, near, touching or clashing."""

from __future__ import annotations

import datetime
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from . import _core
from ._core import Body, Bracket, InvalidInput, Object, Pose
from ._reports import Report
from ._types import File, PoseLike, Progress
from ._values import names_arguments, require
from .studies import Study

if TYPE_CHECKING:
    import pandas

__all__ = ["Assembly", "ClashPair", "ClashResult", "Part", "clash"]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of an assembly; parts that are equal share an Object."""

    name: str
    object: Object
    pose: Pose
    group: str
    """The name of its parent node; empty if it has none."""
    file: str
    """The file it comes from; empty if there is none."""


class Assembly(Mapping[str, Part]):
    """The parts of files, folders, a study or a program, by their names.

    >>> import touche
    >>> box = touche.Shape.box((1, 1, 1)).mesh()
    >>> assembly = touche.Assembly.of({"left": (box, None),
    ...                                "right": (box, touche.Pose.from_translation((0.5, 0, 0)))})
    >>> touche.clash(assembly).sentence
    '1 pair of parts clashes: left and right, which overlap by 0.5 mm.'
    """

    __slots__ = ("_names", "_parts", "left_out", "remarks", "source", "unit")

    source: str
    """The file or folder, in one line."""
    unit: str
    """Of the coordinates, and so of all lengths: "m", "mm", ..."""
    remarks: list[str]
    """What was left out, or has defects."""
    left_out: list[tuple[str, str]]
    """Nodes that cannot be read, and why: (name, reason)."""

    @names_arguments
    def __init__(
        self,
        files: File | Sequence[File],
        *,
        unit: str = "",
        up: Literal["x", "y", "z"] | None = None,
        split: Literal["objects", "shells", "layers"] | None = None,
        weld: float | None = None,
        animation: tuple[str, float] | None = None,
        threads: int = 0,
    ) -> None:
        """Reads files and folders. Raises LoadError.

        unit: that of the coordinates in the files ("m", "cm", "mm", "um", "in" or "ft"); by default
        metres for glTF and COLLADA, else millimetres. Nothing is converted. up: the axis of the
        files that points up, by default what they or their formats say; the parts are turned to z
        up. split: makes parts of one file's objects, shells or layers. weld: the length up to which
        vertices at open edges are joined. animation: the parts where an animation of a glTF file
        has them, by its name, at a time in seconds. threads = 0: all."""
        if isinstance(files, (Body, Mapping)):
            raise TypeError(f"files: of a {type(files).__name__} there is Assembly.of")
        listed = [files] if isinstance(files, (str, os.PathLike)) else list(files)
        paths = [os.fspath(file) for file in listed]
        self._take(_core._ClashParts(paths, unit, up, split, weld, animation, threads))

    def _take(self, parts: Any) -> None:
        self._parts = parts
        self.source, self.unit, names, self.remarks, self.left_out = parts.info()
        self._names = {name: i for i, name in enumerate(names)}

    @classmethod
    def _made(cls, parts: Any) -> Assembly:
        made = cls.__new__(cls)
        made._take(parts)
        return made

    @classmethod
    def of(
        cls,
        bodies: Mapping[str, tuple[Object, PoseLike]],
        *,
        unit: str = "mm",
        source: str = "Python",
    ) -> Assembly:
        """Of Objects and poses by name. Of a Shape, take its `mesh(error)`."""
        require(bodies, Mapping, "bodies")
        listed = []
        for name, part in bodies.items():
            require(name, str, "bodies: a name")
            if not isinstance(part, (tuple, list)) or len(part) != 2:
                raise TypeError(f"bodies[{name!r}]: expected (Object, pose), found {part!r}")
            listed.append((name, *part))
        return cls._made(_core._ClashParts.of(listed, unit, source))

    @classmethod
    def of_study(cls, study: Study, s: float = 0.0) -> Assembly:
        """The parts of a study at a position s of its path, from 0 to 1."""
        require(study, Study, "study")
        return cls._made(_core._ClashParts.of_study(study._study, s))

    def __getitem__(self, name: str) -> Part:
        if name not in self._names:
            raise KeyError(f'there is no part "{name}"')
        found, pose, group, file = self._parts.part(self._names[name])
        return Part(name, found, pose, group, file)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def picture(self, width: int = 640, height: int = 480) -> bytes:
        """A picture of all parts, as PNG; a notebook shows it."""
        placed: list[tuple[Body, Pose]] = [(part.object, part.pose) for part in self.values()]
        return _core._picture(placed, width, height)

    def _repr_png_(self) -> bytes:
        return self.picture()

    def __repr__(self) -> str:
        return f"<touche.Assembly of {len(self)} parts: {self.source}>"


@dataclass(frozen=True, slots=True)
class ClashPair:
    """A pair of parts that is not free."""

    part_a: str
    part_b: str
    verdict: str
    """"clash", "contains", "undecided", "open", "within_accuracy", "touching" or "near"."""
    distance: Bracket
    """Proved bounds of the distance of the surfaces."""
    thickness: Bracket | None
    """Proved bounds of how thick the overlap is; None if the surfaces are apart."""
    accepted: str | None
    """If a rule accepts it: the reason."""
    data: dict[str, Any]
    """Its entry in result.json."""


class ClashResult(Report):
    """The result of a clash check."""

    __slots__ = ("comparison", "remarks", "sentence", "verdict")

    verdict: Literal["undecided", "free", "open", "clash", "interrupted"]
    comparison: str
    """What is new, solved and changed, in one sentence; empty without a comparison."""

    def __init__(self, core: Any) -> None:
        super().__init__(core)
        self.verdict, self.sentence, self.comparison, self.remarks = core.sentences()

    @property
    def pairs(self) -> list[ClashPair]:
        """All pairs that are not free, the worst first."""
        listed = self.data["pairs"]
        return [_pair(listed[i]) for i in self._core.worst_first()]

    @property
    def is_free(self) -> bool:
        """Whether it is proved that no parts clash, except accepted ones."""
        return self.verdict == "free"

    def fails_on(self, *what: str) -> bool:
        """Whether a pair that no rule accepts is one of these: verdicts of pairs, "tests" (pairs
        that fail a test of the rules), "duplicates", and "new" (worse than in the comparison, and
        at least "contains"). By default "clash", "contains" and "tests".

        >>> import touche
        >>> box = touche.Shape.box((1, 1, 1)).mesh()
        >>> result = touche.clash(touche.Assembly.of({"left": (box, None), "right": (box, None)}))
        >>> result.fails_on(), result.fails_on("near")
        (True, False)
        """
        return bool(self._core.fails_on(list(what) if what else ["clash", "contains", "tests"]))

    @property
    def exit_code(self) -> int:
        """That of `touche clash` with the same options."""
        if self.verdict == "interrupted":
            return 2
        if self.fails_on():
            return 1
        return {"undecided": 2, "open": 3}.get(self.verdict, 0)

    def to_dataframe(self) -> pandas.DataFrame:
        """A table of pandas with a row for each pair, the worst first."""
        import pandas

        pairs = self.pairs
        return pandas.DataFrame(
            {
                "part_a": [p.part_a for p in pairs],
                "part_b": [p.part_b for p in pairs],
                "verdict": [p.verdict for p in pairs],
                "distance_lower": [p.distance.lower for p in pairs],
                "distance_upper": [p.distance.upper for p in pairs],
                "thickness_lower": [None if p.thickness is None else p.thickness.lower for p in pairs],
                "thickness_upper": [None if p.thickness is None else p.thickness.upper for p in pairs],
                "accepted": [p.accepted for p in pairs],
            }
        )

    def save_bcf(self, file: File, *, author: str = "touche") -> None:
        """Writes a BCF 2.1 archive with a topic for each pair that clashes."""
        today = datetime.date.today().isoformat()
        Path(os.fspath(file)).write_bytes(self._core.bcf(today, author))

    def _files(self) -> dict[str, Callable[[], str]]:
        return {"result.json": self.to_json, "pairs.csv": self.to_csv, "report.html": self.to_html}


def _bracket(value: dict[str, Any]) -> Bracket:
    """Of bounds in result.json, where null is infinite."""
    upper = value["upper"]
    return Bracket(value["lower"], float("inf") if upper is None else upper)


def _pair(entry: dict[str, Any]) -> ClashPair:
    return ClashPair(
        entry["part_a"],
        entry["part_b"],
        entry["class"],
        _bracket(entry["distance"]),
        None if entry.get("thickness") is None else _bracket(entry["thickness"]),
        entry.get("accepted"),
        entry,
    )


@names_arguments
def clash(
    parts: Assembly | File | Sequence[File],
    *,
    clearance: float = 0.0,
    touching: float | None = None,
    ignore_thinner: float = 0.0,
    tolerance: float | None = None,
    rules: File | None = None,
    against: Iterable[str] | None = None,
    of: Iterable[str] | None = None,
    compare: File | None = None,
    compare_tolerance: float = 0.0,
    notes: File | None = None,
    relative_error: float = 0.1,
    thickness_points: int = 20_000,
    threads: int = 0,
    max_work: int | None = None,
    timeout: float | None = None,
    progress: Progress = None,
) -> ClashResult:
    """Classifies every pair of parts of an assembly, or of files and folders.

    Lengths are in the unit of the assembly (metres for glTF and COLLADA). Parts nearer than the
    clearance are near. Overlaps no thicker than `touching` are touching, by default what the chord
    errors of the meshes allow; overlaps that are proved to be no thicker than ignore_thinner are
    touching, too. tolerance: surfaces that are no farther apart count as touching, by default what
    rounding of the coordinates allows. `against` and `of` are patterns of names: only pairs between
    a part of one set and a part of the other are tested; without `of`, between `against` and all
    others. rules, notes and compare (an earlier result.json) are files as of `touche clash`; values
    that change by no more than compare_tolerance count as unchanged. relative_error and
    thickness_points limit how near the bounds of a thickness are brought, max_work the work for each
    pair, timeout the seconds. threads = 0: all. Raises InvalidInput and LoadError.
    """
    assembly = parts if isinstance(parts, Assembly) else Assembly(parts)
    if of is not None and against is None:
        raise InvalidInput("of: it goes with against")
    return ClashResult(
        assembly._parts.check(
            clearance,
            touching,
            ignore_thinner,
            tolerance,
            _path(rules),
            _patterns(against),
            _patterns(of),
            _path(compare),
            compare_tolerance,
            _path(notes),
            relative_error,
            thickness_points,
            threads,
            max_work,
            timeout,
            progress,
        )
    )


def _path(file: File | None) -> str | None:
    return None if file is None else os.fspath(file)


def _patterns(patterns: Iterable[str] | None) -> list[str] | None:
    if patterns is None:
        return None
    return [patterns] if isinstance(patterns, str) else list(patterns)
