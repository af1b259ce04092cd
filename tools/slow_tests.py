#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the names of tests that took longer than a number of seconds, as regular expressions of CTest.

    tools/slow_tests.py JUNIT_FILE SECONDS
"""
import re
import sys
import xml.etree.ElementTree as ElementTree


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    tests = ElementTree.parse(sys.argv[1]).iter("testcase")
    for name in sorted(test.get("name") for test in tests if float(test.get("time")) > float(sys.argv[2])):
        print(re.sub(r"([.+*?^$()\[\]\\|])", r"\\\1", name))


if __name__ == "__main__":
    main()
