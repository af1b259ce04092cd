# SPDX-License-Identifier: Apache-2.0
"""The programs of Python in the documents run, in the folder of the checkout."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAMS = [
    (file, number, text)
    for file in ("README.md", "python/README.md", "docs/python.md")
    for number, text in enumerate(
        re.findall(r"^```python\n(.*?)^```", (ROOT / file).read_text(), re.MULTILINE | re.DOTALL)
    )
]


@pytest.mark.parametrize(
    ("file", "number", "text"), PROGRAMS, ids=[f"{file}-{number}" for file, number, _ in PROGRAMS]
)
def test_program(file: str, number: int, text: str) -> None:
    done = subprocess.run(
        [sys.executable, "-P", "-c", text], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 8
