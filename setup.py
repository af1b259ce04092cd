# SPDX-License-Identifier: Apache-2.0
"""Builds the package with CMake: the module, and the program, which `python -m touche` runs.

Environment: TOUCHE_BUILD, the folder to build in (default: build/python-package of the checkout), which keeps what is
compiled; CMAKE_ARGS, further arguments of CMake; JOBS, parallel compilers (default: all processors).
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pybind11
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).resolve().parent


def version():
    text = (ROOT / "include/touche/version.h").read_text()
    return re.search(r'kVersion = "([^"]+)"', text).group(1)


def requirements():
    """pybind11 before 2.12 cannot read the arrays of NumPy 2."""
    is_new = tuple(int(part) for part in pybind11.__version__.split(".")[:2]) >= (2, 12)
    return ["numpy>=1.22" if is_new else "numpy>=1.22,<2"]


class CMakeBuild(build_ext):
    """Has CMake build the module for this Python, and puts it and the program where setuptools wants them."""

    def build_extension(self, extension):
        build = Path(os.environ.get("TOUCHE_BUILD", ROOT / "build/python-package"))
        target = Path(self.get_ext_fullpath(extension.name)).resolve().parent
        arguments = [
            "-DCMAKE_BUILD_TYPE=Release",
            "-DTOUCHE_PYTHON=ON",
            "-DTOUCHE_TESTS=OFF",
            "-DTOUCHE_EXAMPLES=OFF",
            "-DTOUCHE_PCH=ON",
            f"-DPython3_EXECUTABLE={sys.executable}",
            f"-Dpybind11_DIR={pybind11.get_cmake_dir()}",
            *shlex.split(os.environ.get("CMAKE_ARGS", "")),
        ]
        if shutil.which("ccache"):
            arguments.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        if shutil.which("ninja"):
            arguments += ["-G", "Ninja"]
        subprocess.run(["cmake", "-S", ROOT, "-B", build, *arguments], check=True)
        jobs = os.environ.get("JOBS", str(os.cpu_count()))
        targets = ["--target", "touche_python", "touche_cli"]
        subprocess.run(["cmake", "--build", build, "-j", jobs, *targets], check=True)
        target.mkdir(parents=True, exist_ok=True)
        for module in (build / "python/touche").glob("_core.*.so"):
            self.copy_stripped(module, target / module.name)
        (target / "bin").mkdir(exist_ok=True)
        self.copy_stripped(build / "touche", target / "bin/touche")

    @staticmethod
    def copy_stripped(source, target):
        shutil.copy2(source, target)
        if shutil.which("strip"):
            subprocess.run(["strip", "--strip-unneeded", target], check=True)


setup(
    version=version(),
    install_requires=requirements(),
    ext_modules=[Extension("touche._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    options={"build": {"build_base": "build/setuptools"}},
)
