#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that no type and no function of ours is defined under one qualified name in two files.

Two definitions of one name break the One Definition Rule wherever both are linked: the linker keeps one of two inline
functions, whichever it meets first. No compiler reports this as long as no source includes both headers. Compared
are types and inline functions (with their parameters) at namespace scope in headers, and types in sources outside
unnamed namespaces. Headers that Highway compiles once per target (*-inl.h, *_simd.cpp) are left out.
"""
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

TYPES = ("struct", "class", "union", "enum", "typedef")
PARAMETER_NAME = re.compile(r"([\w>&*])\s+\w+(\s*=[^,]*)?(?=[,)])")
CTAGS = ["ctags", "--output-format=json", "--languages=C++", "--langmap=C++:.h.cpp", "--kinds-C++=cfgstu",
         "--fields=+neKSZ", "--fields-C++=+{properties}{specialization}{template}", "--sort=no", "-f", "-", "-L", "-"]


def definitions(files):
    """Yields the qualified name and the tag of each definition at namespace scope."""
    listed = "\n".join(map(str, files))
    for line in subprocess.run(CTAGS, input=listed, capture_output=True, text=True, check=True).stdout.splitlines():
        tag = json.loads(line)
        scope = tag.get("scope", "")
        if tag["_type"] != "tag" or "specialization" in tag or "__anon" in scope or tag["name"].startswith("__anon"):
            continue
        if scope and tag.get("scopeKind") != "namespace":
            continue
        source = tag["path"].endswith(".cpp")
        if tag["kind"] in TYPES and tag["kind"] != "typedef" or not source:
            function = tag["kind"] == "function"
            types = PARAMETER_NAME.sub(r"\1", tag["signature"]).replace(" ", "") if function else ""
            yield f"{scope}::{tag['name']}{types}", tag.get("template", "") if function else "", tag


def main():
    files = [file for root in ("include", "src") for file in sorted(Path(root).rglob("*"))
             if file.suffix in (".h", ".cpp") and not re.search(r"-inl\.h$|_simd\.cpp$", file.name)]
    found = defaultdict(dict)
    for name, template, tag in definitions(files):
        found[name, template].setdefault(tag["path"], f"{tag['path']}:{tag['line']}")
    twice = {key: places for key, places in found.items() if len(places) > 1}
    for (name, _), places in sorted(twice.items()):
        print(f"{name} is defined in {' and '.join(places.values())}")
    print(f"{len(files)} files, {len(found)} names, {len(twice)} defined twice")
    return 1 if twice else 0


if __name__ == "__main__":
    sys.exit(main())
