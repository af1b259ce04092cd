#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists the folders that changed since the last night that passed: src/path, tests/path, cli, docs, ...

.ci/night holds the commit that `./dev nightly` last passed in full; uncommitted changes count, too. A public header
belongs to the folder that implements it. Prints `all` where that is unknown (no such file or commit, a commit that
HEAD does not descend from), or where what changed concerns every folder.

    tools/changed_folders.py             the folders, one a line
    tools/changed_folders.py --headers   changed public headers and headers that include them, or `all`
    tools/changed_folders.py --sources   of the sources on standard input (paths, also those of files that
                                         cmake/unity.cmake writes), the ones of changed folders
"""
import re
import subprocess
import sys
from pathlib import Path

from check_includes import PUBLIC

NIGHT = Path(".ci/night")
# Changes here concern all folders: compiler options, libraries, and what clang-tidy looks for.
EVERYWHERE = re.compile(r"CMakeLists\.txt$|cmake/|\.clang-tidy$")


def git(*arguments):
    # A checkout may belong to another user than the one that runs the checks, as in a container.
    done = subprocess.run(["git", "-c", f"safe.directory={Path.cwd()}", *arguments], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def changed_files():
    """The files that changed since the last night, or None where that is unknown, and the reason."""
    words = NIGHT.read_text().split() if NIGHT.exists() else []
    if not words:
        return None, f"no commit in {NIGHT}"
    if not re.fullmatch(r"[0-9a-f]{40}", words[0]):
        return None, f"{NIGHT} holds no commit"
    try:
        known = git("merge-base", "--is-ancestor", words[0], "HEAD") is not None
    except FileNotFoundError:
        return None, "git is not installed"
    if not known:
        return None, f"HEAD is no descendant of {words[0][:8]}, or git does not know"
    files = git("diff", "--name-only", "--no-renames", "-z", words[0])
    more = git("ls-files", "--others", "--exclude-standard", "-z")
    if files is None or more is None:
        return None, "git does not say what changed"
    return [file for file in (files + more).split("\0") if file], ""


def folder_of(file):
    parts = Path(file).parts
    if parts[0] == "include":
        return "src/" + PUBLIC.get(Path(file).stem, "?")
    return "/".join(parts[:2]) if parts[0] in ("src", "tests") and len(parts) > 2 else parts[0]


def folder_of_source(file):
    """The same for a path of the compiler's, which may be a file that includes all sources of a folder."""
    unity = re.search(r"/unity/(\w+)_\d+\.cpp$", file)
    if not unity:
        inside = re.search(r"/((?:src|cli|scenes)/.+)$", file)
        return folder_of(inside.group(1)) if inside else "?"
    name = unity.group(1)
    while name not in ("cli", "scenes") and not Path("src", name).is_dir() and "_" in name:
        name = name.rpartition("_")[0]  # src/methods/bounds is methods_bounds
    return name if name in ("cli", "scenes") else "src/" + name


def changed_headers(files):
    """Changed public headers, and public headers that include one of them."""
    headers = {str(file): file.read_text() for file in Path("include").rglob("*.h")}
    found = {file for file in files if file in headers}
    while more := {file for file, text in headers.items() if file not in found and
                   any(f"#include \"{Path(header).relative_to('include')}\"" in text for header in found)}:
        found |= more
    return sorted(found)


def main():
    mode = sys.argv[1] if len(sys.argv) > 1 else ""
    files, reason = changed_files()
    everywhere = [] if files is None else [file for file in files if EVERYWHERE.match(file)]
    if everywhere:
        reason = f"{everywhere[0]} changed"
    if reason:
        print(f"changed_folders.py: everything counts as changed: {reason}", file=sys.stderr)
    folders = {"all"} if reason else {folder_of(file) for file in files}
    if mode == "--sources":
        lines = [line for line in sys.stdin.read().splitlines() if "all" in folders or folder_of_source(line) in folders]
    elif mode == "--headers":
        lines = ["all"] if reason else changed_headers(files)
    elif not mode:
        lines = sorted(folders)
    else:
        sys.exit(__doc__)
    for line in lines:
        print(line)


if __name__ == "__main__":
    main()
