# SPDX-License-Identifier: Apache-2.0
"""Small helpers of the classes of results."""

from __future__ import annotations

from typing import NoReturn, SupportsIndex

from ._core import Undecided


def no_truth(kind: str, instead: str) -> NoReturn:
    """For results of which it is not clear what is true: `if result:` must not be always so."""
    raise TypeError(f"a {kind} is neither true nor false: see {instead}")


class NoTruth:
    """A result of which it is not clear what is true."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        no_truth(type(self).__name__, "its attributes")


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
