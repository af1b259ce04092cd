# SPDX-License-Identifier: Apache-2.0
"""Small helpers of the classes of results."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields
from typing import Any, NoReturn, SupportsIndex, TypeVar, cast

import numpy as np

from ._core import InvalidInput, Undecided


Function = TypeVar("Function", bound=Callable[..., Any])


def names_arguments(function: Function) -> Function:
    """Of a function that hands arguments to the compiled module: errors of numbers, which have the
    argument as `value`, name it."""

    @functools.wraps(function)
    def called(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except (TypeError, InvalidInput) as error:
            if not hasattr(error, "value"):
                raise
            given = inspect.signature(function).bind(*args, **kwargs).arguments
            names = [name for name, value in given.items() if value is error.value]
            if len(names) != 1:
                raise
            raise type(error)(f"{names[0]}: {error}") from None

    return cast(Function, called)


def require(value: object, kind: type[Any], name: str) -> None:
    """Raises TypeError if an argument is not of this kind."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: expected a {kind.__name__}, found {type(value).__name__}")


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

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return type(self), tuple(getattr(self, field.name) for field in fields(cast(Any, self)))


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
