# SPDX-License-Identifier: Apache-2.0
"""Each example runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


@pytest.mark.parametrize("name", sorted(p.name for p in EXAMPLES.glob("*.py")))
def test_example(name: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, EXAMPLES / name, tmp_path],
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    expected = 1 if name == "nightly_clash.py" else 0  # which finds a new clash
    assert done.returncode == expected, done.stdout + done.stderr
    assert done.stdout


def test_all_are_listed() -> None:
    text = (EXAMPLES / "README.md").read_text()
    assert all(f"`{p.name}`" in text for p in EXAMPLES.glob("*.py"))
