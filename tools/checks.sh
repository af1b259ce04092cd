# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Part of `dev`, which includes it: the checks. docs/ci.md says what each protects, and what a submission and a night run.

all_checks="format includes names words protocol page headers build test python tidy sanitize install snippets docs"

# With --quick: `quick` is set, and a check calls `since` first.
quick="" changed=all

# Sets `changed` to the folders that changed since a night passed the check, or `all`.
since() {  # NAME
  [[ -n $quick ]] || return 0
  changed=$(python3 tools/changed_folders.py "$1" | paste -sd ' ')
  echo "changed since the last night of $1: ${changed:-nothing}"
}

# Whether a folder of src/ or its tests changed, or that is unknown.
is_changed() {  # FOLDER...
  local folder
  [[ $changed != all ]] || return 0
  for folder in "$@"; do
    [[ " $changed " != *" src/$folder "* && " $changed " != *" tests/$folder "* ]] || return 0
  done
  return 1
}

# The bounding volumes of the thesis, their evaluation and the space partitions: no query uses them. Their tests are a
# quarter of all, and a submission builds them only if the code they test changed since the last night.
lab="methods evaluation spatial"

# Sets `test_folders`, the folders whose tests a submission builds.
choose_tests() {
  test_folders=""
  since test
  # shellcheck disable=SC2086
  if [[ -z $quick ]] || is_changed $lab geometry math support; then return; fi
  test_folders=$(find tests -name '*_test.cpp' -printf '%P\n' | cut -d / -f 1 | sort -u |
    grep -vxE "${lab// /|}" | paste -sd ';')
}

# Prints the folders whose tests a submission runs with sanitizers: folders that read bytes or own raw memory, and the
# changed ones if they are few. The viewer needs nearly all libraries, so its tests run when it changed, too.
sanitized_folders() {
  local always="base bvh broadphase convex geometry io world" more folder
  more=$(tr ' ' '\n' <<<"$changed" | sed -nE 's,^(src|tests)/,,p' | sort -u |
    while read -r folder; do [[ ! -d tests/$folder || ! -d src/$folder ]] || echo "$folder"; done)
  (($(wc -w <<<"$more") <= 3)) || more=$(grep -x viewer <<<"$more" || true)
  # shellcheck disable=SC2086
  printf '%s\n' $always $more | sort -u | paste -sd ';'
}

sources() {
  find . \( -name 'build*' -o -name out -o -name '.?*' \) -prune -o \
    \( -name '*.h' -o -name '*.cpp' \) -printf '%P\n'
}

# Sources have the format of .clang-format, and no file has lines that a merge left.
check_format() {
  if git grep -nE '^(<{7}|>{7})( |$)'; then return 1; fi
  sources | xargs -r -P "$jobs" -n 50 clang-format --dry-run -Werror
}

check_includes() { python3 tools/check_includes.py && python3 tools/draw_architecture.py --check; }

check_names() { python3 tools/check_names.py; }

check_words() { python3 tools/check_comments.py && python3 tools/check_packaging.py && python3 tools/check_pages.py && python3 tools/bench_tables.py --check; }

# docs/protocol.md is what the schema says.
check_protocol() { node viewer/tools/generate_protocol.mjs --markdown docs/protocol.md --check; }

# Each public header compiles on its own; all together, with the other compiler, too. What a header lacks does not
# depend on the compiler, for both have the same standard library. A submission compiles alone only what changed.
check_headers() {
  local all alone
  since headers
  mapfile -t all < <(find include -name '*.h' | sort)
  alone=("${all[@]}")
  if [[ $changed != all ]]; then mapfile -t alone < <(python3 tools/changed_folders.py headers --headers); fi
  { echo "clang++ ${all[*]#include/}"; ((${#alone[@]} == 0)) || printf 'g++ %s\n' "${alone[@]#include/}"; } |
    xargs -P "$jobs" -L 1 sh -c 'compiler=$1; shift; printf "#include \"%s\"\n" "$@" |
    "$compiler" -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion \
    -Wno-sign-conversion -Werror -Iinclude -isystem /usr/include/eigen3 -x c++ -' sh
}

# Types of the viewer's page; its tests run with all others.
check_page() {
  [[ -d viewer/node_modules ]] || npm --prefix viewer ci --ignore-scripts --no-audit --no-fund --loglevel=error
  npm --prefix viewer run --silent typecheck
}

check_build() { python=ON release; }

# A submission runs a quarter of the random cases: their seeds are fixed, so the rest is likely to pass again. It uses
# the viewer's page in a browser, which takes a third of the time of all tests, only if the viewer changed. In full the
# order is random: no test depends on it.
check_test() {
  local scale=1 how=(--schedule-random)
  since test
  release
  if [[ -n $quick ]]; then
    scale=0.25 how=()
    [[ " $changed " == *" viewer "* ]] || is_changed viewer || how=(-E '^viewer_page$')
  fi
  TOUCHE_TEST_SCALE=${TOUCHE_TEST_SCALE:-$scale} ctest --test-dir build -j "$jobs" --output-on-failure "${how[@]}"
}

# The Python package: its tests, types and stubs.
check_python() {
  python=ON release touche_python touche_cli
  python_tests
}

# Clang with the sanitizers, at -O2: the tests take half as long as at -O1. FOLDER [CMAKE ARGUMENT...]
sanitized() {
  configure "$1" -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_CXX_FLAGS="-O2 -gline-tables-only" -DTOUCHE_SANITIZE=ON "${@:2}"
}

# All sources of a folder at a time: most of its time clang-tidy reads headers. Large folders come first, so that no
# processor waits for another's last one. A submission reads the folders that changed.
check_tidy() {
  local sources
  since tidy
  TOUCHE_UNITY_SIZE=200 sanitized build-tidy -DTOUCHE_TESTS=OFF
  cmake --build build-tidy --target touche_viewer_generated >/dev/null
  sources=$(sed -n 's/^ *"file": "\(.*\)",*$/\1/p' build-tidy/compile_commands.json | grep -v /generated/)
  if [[ $changed != all ]]; then sources=$(python3 tools/changed_folders.py tidy --sources <<<"$sources"); fi
  if [[ -z $sources ]]; then
    echo "no folder changed since the last night"
    return
  fi
  # With a second file that has no such line, grep prints the name of a single one, too.
  xargs grep -c '^#include' /dev/null <<<"$sources" | grep -v ^/dev/null | sort -t : -k 2 -nr | cut -d : -f 1 |
    xargs -P "$jobs" -n 1 clang-tidy -p build-tidy --quiet --warnings-as-errors='*' \
      2> >(grep -v 'warnings generated' >&2)
}

# Our libraries and the program run with sanitizers; the tests are the Release build's objects.
check_sanitize() {
  local folders="" target=all
  since sanitize
  release
  if [[ -n $quick ]]; then folders=$(sanitized_folders) target=touche_tests; fi
  sanitized build-check -DTOUCHE_PCH=ON -DTOUCHE_TESTS=ON -DTOUCHE_EXAMPLES=OFF -DTOUCHE_TEST_OBJECTS="$PWD/build/tests" \
    -DTOUCHE_TEST_FOLDERS="$folders"
  cmake --build build-check -j "$jobs" --target "$target"
  TOUCHE_TEST_SCALE=${TOUCHE_TEST_SCALE:-0.1} ctest --test-dir build-check -j "$jobs" --output-on-failure -LE page
  [[ -n $quick ]] || python_sanitized
}

# build/prefix is what `cmake --install` lays down.
install_prefix() {
  release touche_cli  # the program needs all libraries
  rm -rf build/prefix
  cmake --install build --prefix "$PWD/build/prefix" >/dev/null
}

# consumer NAME [CMAKE ARGUMENT...]: builds a stranger's project in build/consumer/NAME and runs it.
consumer() {
  local folder=build/consumer/$1
  rm -rf "$folder"
  cmake -S tests/consumer -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_PREFIX_PATH="$PWD/build/prefix" "${@:2}" >/dev/null
  cmake --build "$folder" -j "$jobs"
  ctest --test-dir "$folder" --output-on-failure
  "$folder/layout" >"$folder/layout.txt"
  # Sizes and answers equal the first project's, which is compiled as the library is.
  cmp "$folder/layout.txt" build/consumer/plain/layout.txt
}

# The installed package is enough for a stranger's project, whatever that one's compiler and flags
# are; so is the source folder, which gives the core, here as a shared library. A submission builds two of the projects.
check_install() {
  local flags
  install_prefix
  consumer plain
  consumer contracted -DCMAKE_CXX_FLAGS="-mavx2 -mfma -ffp-contract=fast"
  if [[ -z $quick ]]; then
    consumer clang -DCMAKE_CXX_COMPILER=clang++
    consumer native -DCMAKE_CXX_FLAGS=-march=native
    # Functions that are not inlined come from only one of the files that have them.
    consumer not_inlined -DCMAKE_CXX_FLAGS="-march=native -ffp-contract=fast -O1 -fno-inline"
    # Compiles each source of the core alone; with -O1 that takes a fifth less.
    consumer shared -DTOUCHE_SOURCE="$PWD" -DBUILD_SHARED_LIBS=ON -DCMAKE_CXX_FLAGS_RELEASE="-O1 -DNDEBUG"
  fi
  flags=$(PKG_CONFIG_PATH=$(echo build/prefix/lib*/pkgconfig) pkg-config --cflags --libs --static touche)
  # shellcheck disable=SC2086
  g++ -std=c++20 tests/consumer/core.cpp -o build/consumer/pkg-config $flags
  build/consumer/pkg-config
  build/prefix/bin/touche --version
}

check_snippets() {
  python3 tools/check_header_examples.py
  install_prefix
  python3 tools/check_snippets.py build/prefix
}

check_docs() { python3 tools/check_questions.py && mkdir -p out && doxygen Doxyfile && echo "API documentation: out/api/html/index.html"; }

check_step() { "check_$1"; }

cmd_check() {
  local name
  if [[ ${1:-} == --quick ]]; then
    quick=1
    shift
  fi
  [[ ${1:-} != --list ]] || { echo "$all_checks"; return; }
  for name in "$@"; do
    [[ " $all_checks " == *" $name "* ]] || die "no such check: $name (there are: $all_checks)"
  done
  setup build test check viewer python
  choose_tests
  # shellcheck disable=SC2086
  run_steps check_step ${*:-$all_checks}
}
