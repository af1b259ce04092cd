# SPDX-License-Identifier: Apache-2.0
"""Pickling of what is made by functions: an Object by its mesh and hierarchy, a Shape and a Motion
by what made them."""

from __future__ import annotations

import copyreg
import pickle
from collections.abc import Callable
from typing import Any

from . import _core


def _object(*state: Any) -> _core.Object:
    return _core._mesh_of_state(*state)


def _made(kind: str, name: str, *arguments: Any) -> Any:
    return getattr(getattr(_core, kind), name)(*arguments)


def _through(poses: list[Any], times: list[float], _: None, how: Any) -> _core.Motion:
    return _core.Motion.through(poses, times, how=how)


def _reduce_object(mesh: _core.Object) -> tuple[Callable[..., _core.Object], tuple[Any, ...]]:
    return _object, mesh._state()


def _reduce_shape(shape: _core.Shape) -> tuple[Callable[..., _core.Shape], tuple[Any, ...]]:
    if shape._recipe is None:
        raise pickle.PicklingError("a Shape that a file or a result gave cannot be pickled")
    return _made, ("Shape", *shape._recipe)


def _reduce_motion(motion: _core.Motion) -> tuple[Callable[..., _core.Motion], tuple[Any, ...]]:
    if motion._recipe is None:
        raise pickle.PicklingError("a Motion that a result gave cannot be pickled")
    name, *arguments = motion._recipe
    if name == "through":
        return _through, tuple(arguments)
    return _made, ("Motion", name, *arguments)


copyreg.pickle(_core.Object, _reduce_object)
copyreg.pickle(_core.Shape, _reduce_shape)
copyreg.pickle(_core.Motion, _reduce_motion)
