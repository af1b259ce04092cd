#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the names of tests that took longer than a number of seconds, as regular expressions of CTest. Fails if these
are more than a quarter of all, as on a busy machine: a run without them would say little.

    tools/slow_tests.py JUNIT_FILE SECONDS
"""
import re
import sys
import xml.etree.ElementTree as ElementTree


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tests = list(ElementTree.parse(sys.argv[1]).iter("testcase"))
    slow = sorted(test.get("name") for test in tests if float(test.get("time")) > float(sys.argv[2]))
    if 4 * len(slow) >= len(tests):
        sys.exit(f"{sys.argv[1]}: {len(slow)} of {len(tests)} tests took more than {sys.argv[2]} s")
    for name in slow:
        print(re.sub(r"([.+*?^$()\[\]\\|])", r"\\\1", name))


if __name__ == "__main__":
    main()
