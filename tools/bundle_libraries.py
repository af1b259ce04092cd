#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts the shared libraries that a wheel needs into it, beside its module, where module and program find them.

    tools/bundle_libraries.py WHEEL FOLDER

Writes a wheel of the same name into FOLDER. Libraries that every system has with the C and C++ runtimes are left out.
Needs patchelf.
"""
import base64
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

# What PEP 600 allows a wheel to expect, and the loader.
SYSTEM = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|util|stdc\+\+|gcc_s))\.so")


def needed(file):
    """The files of libraries that a file needs, also of those that these need."""
    output = subprocess.run(["ldd", file], capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^\s*(\S+) => (\S+)", output, re.MULTILINE)
    lost = [name for name, path in found if path == "not"]
    if lost:
        sys.exit(f"{file}: {', '.join(lost)} not found")
    return {name: Path(path) for name, path in found if not SYSTEM.match(name)}


def bundle(package):
    libraries = package / "lib"
    libraries.mkdir(exist_ok=True)
    binaries = [*package.glob("_core.*.so"), *package.glob("bin/*")]
    wanted = {}
    for binary in binaries:
        wanted |= needed(binary)
    for name, path in wanted.items():
        shutil.copy2(path.resolve(), libraries / name)
    for binary in [*binaries, *libraries.iterdir()]:
        up = "/.." * (len(binary.relative_to(package).parts) - 1)
        subprocess.run(["patchelf", "--set-rpath", f"$ORIGIN{up}/lib", binary], check=True)
    return sorted(wanted)


def record(root):
    """RECORD lists all files with their hashes."""
    (info,) = root.glob("*.dist-info")
    lines = []
    for file in sorted(p for p in root.rglob("*") if p.is_file() and p.name != "RECORD"):
        digest = base64.urlsafe_b64encode(hashlib.sha256(file.read_bytes()).digest()).rstrip(b"=").decode()
        lines.append(f"{file.relative_to(root)},sha256={digest},{file.stat().st_size}\n")
    lines.append(f"{(info / 'RECORD').relative_to(root)},,\n")
    (info / "RECORD").write_text("".join(lines))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    wheel, folder = Path(sys.argv[1]), Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as work:
        root = Path(work)
        with zipfile.ZipFile(wheel) as given:
            for entry in given.infolist():
                path = given.extract(entry, root)
                Path(path).chmod(entry.external_attr >> 16 or 0o644)
        print("bundled:", ", ".join(bundle(root / "touche")))
        record(root)
        with zipfile.ZipFile(folder / wheel.name, "w", zipfile.ZIP_DEFLATED) as made:
            for file in sorted(p for p in root.rglob("*") if p.is_file()):
                info = zipfile.ZipInfo(str(file.relative_to(root)), (1980, 1, 1, 0, 0, 0))
                info.external_attr = file.stat().st_mode << 16
                info.compress_type = zipfile.ZIP_DEFLATED
                made.writestr(info, file.read_bytes())


if __name__ == "__main__":
    main()
