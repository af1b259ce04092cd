#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that each public header is named, as it is included, by a page of docs/reference or another one
that README.md links: who reads of a function finds there what to include."""
import sys
from pathlib import Path

PAGES = [Path("README.md"), *sorted(Path("docs").glob("*.md")), *sorted(Path("docs/reference").glob("*.md"))]


def main():
    text = "\n".join(page.read_text() for page in PAGES)
    headers = sorted(file.relative_to("include") for file in Path("include/touche").rglob("*.h"))
    missing = [header for header in headers if str(header) not in text]
    for header in missing:
        print(f"{header} is named by no page of docs/")
    print(f"{len(headers)} public headers, {len(missing)} named by no page")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
