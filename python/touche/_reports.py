# SPDX-License-Identifier: Apache-2.0
"""What results of studies, clash checks and simulations have in common: their report, their data,
and how a notebook shows them."""

from __future__ import annotations

import datetime
import html
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

from ._types import File
from ._values import SetOnce, no_truth


class Report(SetOnce):
    """A result that is also a page. A notebook shows the page itself, with its 3D viewer."""

    __slots__ = ("_core", "_data")

    verdict: str
    """How it ended; the same words as in result.json."""
    sentence: str
    """The result in one or two sentences."""
    remarks: list[str]
    """What was odd in the files."""

    def __init__(self, core: Any) -> None:
        self._core = core
        self._data: dict[str, Any] | None = None

    @property
    def data(self) -> dict[str, Any]:
        """result.json as a dict; docs/*-result.schema.json describe it."""
        if self._data is None:
            self._data = json.loads(self._core.json())
        return self._data

    def to_json(self) -> str:
        """The text of result.json. The same input gives the same bytes."""
        return str(self._core.json())

    def to_csv(self) -> str:
        """A table: a header line, and a line for each step or pair."""
        return str(self._core.csv())

    def to_html(self, *, viewer: bool = True) -> str:
        """A page that needs nothing but itself; with or without a 3D viewer."""
        return str(self._core.html(datetime.date.today().isoformat(), viewer))

    def save(self, folder: File) -> Path:
        """Writes result.json, the table and report.html into a folder, which is made if it does not
        exist; returns the folder."""
        target = Path(os.fspath(folder))
        target.mkdir(parents=True, exist_ok=True)
        for name, text in self._files().items():
            (target / name).write_text(text(), encoding="utf-8", newline="")
        return target

    def _files(self) -> dict[str, Callable[[], str]]:
        raise NotImplementedError

    def _repr_html_(self) -> str:
        return frame(self.to_html())

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.sentence}>"

    def __bool__(self) -> NoReturn:
        no_truth(type(self).__name__, ".verdict")


def frame(page: str, height: int = 640) -> str:
    """A page inside another one."""
    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" width="100%" height="{height}" '
        'style="border: 1px solid #ccc" sandbox="allow-scripts allow-popups"></iframe>'
    )
