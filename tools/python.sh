# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Part of `dev`, which includes it: tests of the Python package, with the system's Python.

# What a step of a check or of a night runs; `python` must have been ON when the package was built. [PYTEST ARGUMENT...]
python_tests() {
  # Without the folder of the caller in front of others: python/touche has no module.
  PYTHONPATH=$PWD/build/python /usr/bin/python3 -P -m pytest -q -p no:cacheprovider python/tests "$@"
  (($# == 0)) || return 0
  # The types of the package, of its examples, and of the stubs of the module.
  (
    cd python
    export MYPYPATH=$PWD/../build/python
    /usr/bin/python3 -m mypy --config-file mypy.ini -p touche
    /usr/bin/python3 -m mypy --config-file mypy.ini examples/*.py
  )
  (
    cd build/python
    /usr/bin/python3 -m mypy.stubtest touche._core --mypy-config-file ../../python/mypy.ini \
      --allowlist ../../python/tests/stubtest_allowed.txt --ignore-missing-stub
  )
}

# The tests with sanitizers in the module and the libraries. The interpreter has none, so their runtime is loaded first;
# what it never frees is not reported. The program is the Release build's. Tests of the
# process' memory are left out: the sanitizer keeps what was freed.
python_sanitized() {
  sanitized build-check -DTOUCHE_PCH=ON -DTOUCHE_TESTS=OFF -DTOUCHE_EXAMPLES=OFF -DTOUCHE_PYTHON=ON \
    -DPython3_EXECUTABLE=/usr/bin/python3
  cmake --build build-check -j "$jobs" --target touche_python
  ln -sf "$PWD/build/touche" build-check/python/touche/bin/touche
  LD_PRELOAD=$(clang++ -print-file-name="libclang_rt.asan-$(uname -m).so") ASAN_OPTIONS=detect_leaks=0 \
    PYTHONMALLOC=malloc PYTHONPATH=$PWD/build-check/python \
    /usr/bin/python3 -P -m pytest -q -p no:cacheprovider -k 'not test_nothing_leaks' python/tests
}
