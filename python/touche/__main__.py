# SPDX-License-Identifier: Apache-2.0
"""`python -m touche ...` runs the program touche."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path


def program() -> str:
    """The program in this package, or else the one that is installed."""
    beside = Path(__file__).parent / "bin" / "touche"
    found = str(beside) if beside.exists() else shutil.which("touche", path=_others())
    if found is None:
        sys.exit("touche: this package was made without the program, and none is installed")
    return found


def _others() -> str:
    """PATH without the folder of the script that called this one, which has the same name."""
    own = Path(sys.argv[0]).resolve().parent
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(f for f in folders if f and Path(f).resolve() != own)


def main() -> None:
    """Becomes the program: its signals, its output and its exit code are this process's."""
    path = program()
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
