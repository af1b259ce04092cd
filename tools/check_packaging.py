#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that recipes and packages name the version of the library, and that their files can be parsed.

    tools/check_packaging.py
"""
import json
import re
import sys
from pathlib import Path


def main():
    version = re.search(r'kVersion = "([^"]+)"', Path("include/touche/version.h").read_text()).group(1)
    minor = ".".join(version.split(".")[:2])
    vcpkg = json.loads(Path("packaging/vcpkg/vcpkg.json").read_text())
    wrong = []
    for file, found in (
        ("packaging/vcpkg/vcpkg.json", vcpkg["version"]),
        ("packaging/conda/meta.yaml", re.search(r'version = "([^"]+)"', Path("packaging/conda/meta.yaml").read_text())[1]),
        ("debian/changelog", re.match(r"touche \(([^-]+)-", Path("debian/changelog").read_text())[1]),
    ):
        if found != version:
            wrong.append(f"{file}: {found}, the library has {version}")
    if f"Package: libtouche{minor}\n" not in Path("debian/control").read_text():
        wrong.append(f"debian/control: there is no package libtouche{minor}")
    if not Path(f"debian/libtouche{minor}.install").exists():
        wrong.append(f"debian/libtouche{minor}.install does not exist")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
