# SPDX-License-Identifier: Apache-2.0
"""The viewer: a page in which parts are seen, grabbed and moved as far as contacts allow."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Literal

from . import _core
from ._types import File

__all__ = ["Viewer", "view"]


class Viewer:
    """A running server of the viewer's page. A notebook shows the page; `close` ends it."""

    __slots__ = ("_viewer", "url")

    url: str
    """With it, anyone can view, move parts and save."""

    def __init__(
        self,
        inputs: File | Sequence[File],
        *,
        address: str = "127.0.0.1",
        port: int = 0,
        unit: str = "",
        up: Literal["x", "y", "z"] | None = None,
        folder: File | None = None,
    ) -> None:
        """Opens a study, a scene, mesh files, assemblies, folders of these, or the result of a study,
        a simulation or a clash check. port 0: any. folder: where to save. Raises LoadError."""
        if not hasattr(_core, "_Viewer"):
            raise _core.Error("this build has no viewer: it needs TOUCHE_VIEWER=ON (Node, npm, Boost)")
        listed = [inputs] if isinstance(inputs, (str, os.PathLike)) else list(inputs)
        target = None if folder is None else os.fspath(folder)
        self._viewer = _core._Viewer([os.fspath(i) for i in listed], address, port, unit, up, target)
        self.url = self._viewer.url()

    def close(self) -> None:
        """Ends the server, after recordings that were not saved are. Raises Error if they cannot."""
        self._viewer.close()

    def __enter__(self) -> Viewer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        return (
            f'<iframe src="{self.url}" width="100%" height="640" '
            'style="border: 1px solid #ccc"></iframe>'
        )

    def __repr__(self) -> str:
        return f"<touche.Viewer at {self.url}>"


def view(inputs: File | Sequence[File], *, unit: str = "", folder: File | None = None) -> Viewer:
    """Starts the viewer; open its url in a browser, or let a notebook show it."""
    return Viewer(inputs, unit=unit, folder=folder)
