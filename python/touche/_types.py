# SPDX-License-Identifier: Apache-2.0
"""What functions take and return, for type checkers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Literal, NewType, Protocol, Union

import numpy as np
import numpy.typing as npt

from ._core import Motion, Pose

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]

Vector = npt.ArrayLike
"""Three numbers."""


class _Rotation(Protocol):
    def as_matrix(self) -> Array: ...


PoseLike = Union[Pose, npt.ArrayLike, _Rotation, None]
"""A Pose, a matrix (4, 4) or (3, 4), a rotation of scipy, or None for the identity."""

PosesLike = Union[npt.ArrayLike, Sequence[Union[Pose, _Rotation]]]
"""(n, 4, 4), a sequence of Pose, or (n, 7) with an order."""

MotionLike = Union[Motion, PoseLike]
"""A Motion, or what is a pose: then the body stands still."""

Order = Literal["wxyz", "xyzw"]
"""Order of the numbers of a quaternion."""

Progress = Union[Callable[[int, int], object], bool, None]
"""Called with (done, total); True for a bar (tqdm where it is installed)."""

File = Union[str, "PathLike[str]"]

NodeId = NewType("NodeId", int)
"""A node of a world. The number of a removed node never becomes that of another one."""

JointId = NewType("JointId", int)
"""A joint of a Dynamics."""
