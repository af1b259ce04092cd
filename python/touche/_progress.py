# SPDX-License-Identifier: Apache-2.0
"""Bars of progress: of tqdm where it is installed, else a line of text on the error output."""

from __future__ import annotations

import sys
from collections.abc import Callable


def bar() -> Callable[[int, int], object]:
    """A new bar, as a function of what is done and the total."""
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _line
    shown = tqdm(total=0)

    def update(done: int, total: int) -> None:
        shown.total = total
        shown.update(done - shown.n)
        if done == total:
            shown.close()

    return update


def _line(done: int, total: int) -> None:
    end = "\n" if done == total else ""
    sys.stderr.write(f"\r{done} of {total}{end}")
    sys.stderr.flush()
