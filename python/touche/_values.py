# SPDX-License-Identifier: Apache-2.0
"""Small helpers of the classes of results."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields
from typing import Any, NoReturn, SupportsIndex, cast

import numpy as np

from ._core import Undecided


def no_truth(kind: str, instead: str) -> NoReturn:
    """For results of which it is not clear what is true: `if result:` must not be always so."""
    raise TypeError(f"a {kind} is neither true nor false: see {instead}")


class NoTruth:
    """A result of which it is not clear what is true."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        no_truth(type(self).__name__, "its attributes")


class SetOnce:
    """A result whose attributes are set once, as in a frozen dataclass."""

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_") and hasattr(self, name):
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")


class ReadOnlyArrays:
    """A dataclass whose arrays cannot be written to."""

    __slots__ = ()

    def __post_init__(self) -> None:
        for field in fields(cast(Any, self)):
            value = getattr(self, field.name)
            if isinstance(value, np.ndarray):
                value.setflags(write=False)


class NotCopied:
    """What exists once: neither copied nor pickled."""

    __slots__ = ()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError(f"a {type(self).__name__} cannot be copied or pickled")


def truth_of_list(count: int, is_complete: bool, what: str) -> bool:
    """Whether there are any. It raises Undecided if none were found and there may be some."""
    if count == 0 and not is_complete:
        raise Undecided(f"it is undecided whether there are {what}: a limit or rounding")
    return count > 0
