# SPDX-License-Identifier: Apache-2.0
"""The examples of all documentation."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from types import ModuleType

import pytest

import touche

MODULES = ["touche"] + [
    f"touche.{m.name}"
    for m in pkgutil.iter_modules(touche.__path__)
    if m.name not in ("__main__", "bin")
]


def texts_of(module: ModuleType) -> dict[str, str]:
    """All documentation of a module: of it, its functions and classes, and their members."""
    found = {module.__name__: module.__doc__ or ""}
    for name, value in vars(module).items():
        if getattr(value, "__module__", None) != module.__name__:
            continue
        found[f"{module.__name__}.{name}"] = getattr(value, "__doc__", None) or ""
        if inspect.isclass(value):
            for member, of in vars(value).items():
                found[f"{module.__name__}.{name}.{member}"] = getattr(of, "__doc__", None) or ""
    return {name: text for name, text in found.items() if ">>>" in str(text)}


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    failed = 0
    for where, text in texts_of(importlib.import_module(name)).items():
        test = doctest.DocTestParser().get_doctest(text, {}, where, None, 0)
        failed += doctest.DocTestRunner(verbose=False).run(test).failed
    assert failed == 0


def test_there_are_examples() -> None:
    count = sum(len(texts_of(importlib.import_module(name))) for name in MODULES)
    assert count >= 20
