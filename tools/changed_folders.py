#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Lists the folders that changed since a step of a night passed: src/path, tests/path, cli, docs, ...

Lines of .ci/night name a step and the commit that it last passed in full; uncommitted changes count, too. A public
header belongs to the folder that implements it. Prints `all` where that is unknown (no such line or commit, a commit
that HEAD does not descend from), or where what changed concerns every folder.

    tools/changed_folders.py STEP             the folders, one a line
    tools/changed_folders.py STEP --headers   changed public headers and headers that include them, or `all`
    tools/changed_folders.py STEP --sources   of the sources on standard input (paths, also those of files that
                                              cmake/unity.cmake writes), the ones of changed folders
    tools/changed_folders.py STEP --any       `no` if nothing changed that the step reads, else `yes`: .ci/night never
                                              counts, nor does prose where a step only compiles and runs
    tools/changed_folders.py STEP --record    writes the line of the step, for HEAD
"""
import re
import subprocess
import sys
from pathlib import Path

from check_includes import PUBLIC

NIGHT = Path(".ci/night")
# Changes here concern all folders: compiler options, libraries, and what clang-tidy looks for.
EVERYWHERE = re.compile(r"CMakeLists\.txt$|cmake/|\.clang-tidy$")


# Steps that compile and run, and what they do not read.
COMPILES = {"asan", "bench", "build", "coverage", "headers", "odr", "sanitize", "seeds", "tidy"}
PROSE = re.compile(r".*\.md$|docs/images/")


def git(*arguments):
    # A checkout may belong to another user than the one that runs the checks, as in a container.
    done = subprocess.run(["git", "-c", f"safe.directory={Path.cwd()}", *arguments], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def recorded():
    """The commits of .ci/night, by step. Fails if the file is not what --record writes."""
    lines = NIGHT.read_text().splitlines() if NIGHT.exists() else []
    for number, line in enumerate(lines, 1):
        if not re.fullmatch(r"[a-z]+ [0-9a-f]{40}", line):
            sys.exit(f"{NIGHT}:{number}: no step and commit: {line}")
    return dict(line.split() for line in lines)


def record(step):
    commit = git("rev-parse", "HEAD")
    if commit is None:
        sys.exit("changed_folders.py: git knows no commit here")
    # The lines stay sorted, so that the file does not depend on the order of the steps.
    steps = recorded() | {step: commit.strip()}
    NIGHT.write_text("".join(f"{name} {steps[name]}\n" for name in sorted(steps)))


def changed_files(step):
    """The files that changed since the step passed, or None where that is unknown, and the reason."""
    commit = recorded().get(step)
    if not commit:
        return None, f"no commit of {step} in {NIGHT}"
    try:
        known = git("merge-base", "--is-ancestor", commit, "HEAD") is not None
    except FileNotFoundError:
        return None, "git is not installed"
    if not known:
        return None, f"HEAD is no descendant of {commit[:8]}, or git does not know"
    files = git("diff", "--name-only", "--no-renames", "-z", commit)
    more = git("ls-files", "--others", "--exclude-standard", "-z")
    if files is None or more is None:
        return None, "git does not say what changed"
    return [file for file in (files + more).split("\0") if file and file != str(NIGHT)], ""


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
    if len(sys.argv) not in (2, 3) or not re.fullmatch("[a-z]+", sys.argv[1]):
        sys.exit(__doc__)
    step, mode = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
    if mode == "--record":
        return record(step)
    files, reason = changed_files(step)
    if mode == "--any":
        read = files if files is None or step not in COMPILES else [file for file in files if not PROSE.match(file)]
        return print("no" if read == [] else "yes")
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
