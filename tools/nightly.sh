# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Part of `dev`, which includes it: every check in full, and what only a night has time for (docs/ci.md).

night_steps="$all_checks bench seeds odr asan coverage"
seeds_scale=10

# Programs and their certified random tests. Each pattern must match one: Google Test reports no pattern without a
# match. Tests with parameters have the name of their set in front.
nightly_tests='query_tests:*RandomMotions.*:ToiProperties.*:TimeSpan.* path_tests:Path.* geometry_tests:LinearImpacts.*:*Linear.*
  methods_tests:Sweep.*:*Enclosing.* world_tests:StepAttack.*:*StepPolicies.* dynamics_tests:DynamicsProperty.*'

# Runs the named tests of one program, silently unless they fail. PROGRAM:PATTERN[:PATTERN...]
run_seeds() {
  local program=build/tests/${1%%:*} filter=${1#*:} log
  log=$program-seeds.log
  if "$program" --gtest_brief=1 --gtest_filter="$filter" >"$log" 2>&1; then
    echo "ok: $1"
  else
    cat "$log"
    echo "FAILED: to repeat it: TOUCHE_TEST_SEED=$TOUCHE_TEST_SEED TOUCHE_TEST_SCALE=$TOUCHE_TEST_SCALE" \
      "$program --gtest_filter='$filter'"
    return 1
  fi
}

# The certified tests with seeds that no night had before.
night_seeds() {
  local all what pattern patterns
  release
  read -ra all -d '' <<<"$nightly_tests" || true
  for what in "${all[@]}"; do
    IFS=: read -ra patterns <<<"${what#*:}"
    for pattern in "${patterns[@]}"; do
      [[ -n $("build/tests/${what%%:*}" --gtest_list_tests --gtest_filter="$pattern" | grep '^ ') ]] ||
        { echo "no test is called $pattern" >&2; return 1; }
    done
  done
  export TOUCHE_TEST_SEED=${TOUCHE_TEST_SEED:-$(date +%s)} TOUCHE_TEST_SCALE=$seeds_scale
  echo "TOUCHE_TEST_SEED=$TOUCHE_TEST_SEED TOUCHE_TEST_SCALE=$TOUCHE_TEST_SCALE"
  export -f run_seeds
  printf '%s\n' "${all[@]}" | xargs -P "$jobs" -I '{}' bash -c 'run_seeds "$1"' bash '{}'
}

# Nothing else compiles the benchmarks and their peers.
night_bench() {
  setup bench
  configure build-bench -DCMAKE_BUILD_TYPE=Release -DTOUCHE_BENCH=ON -DTOUCHE_PCH=ON -DTOUCHE_TESTS=OFF \
    -DTOUCHE_EXAMPLES=OFF -DTOUCHE_VIEWER=OFF
  cmake --build build-bench -j "$jobs"
}

# GCC compares types of one name in all sources when it links the program from its intermediate code; lld cannot do
# that. Two definitions in one of the files that include several sources are an error of the compiler's.
night_odr() {
  TOUCHE_UNITY_SIZE=24 configure build-odr -DCMAKE_CXX_COMPILER=g++ -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS="-O0 -flto=auto" \
    -DCMAKE_EXE_LINKER_FLAGS="-Werror=odr" -DCMAKE_AR="$(command -v gcc-ar)" -DCMAKE_RANLIB="$(command -v gcc-ranlib)" \
    -DTOUCHE_LLD=OFF -DTOUCHE_TESTS=OFF -DCMAKE_COMPILE_WARNING_AS_ERROR=OFF
  cmake --build build-odr -j "$jobs" --target touche_cli
}

# At -O0 inline functions are called, so a definition that differs between two files shows, and tests are compiled with
# the sanitizer, too. They take a hundred times as long as in a Release build, some of them five hundred times. So tests
# that take more than a tenth of a second there are left out; `sanitize` runs them.
night_asan() {
  local left_out=build-asan/left_out.txt
  release
  TOUCHE_UNITY_SIZE=24 configure build-asan -DCMAKE_CXX_COMPILER=g++ -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_CXX_FLAGS="-O0 -g1 -fsanitize=address -fno-omit-frame-pointer" -DTOUCHE_PCH=ON -DTOUCHE_TESTS=ON \
    -DTOUCHE_TEST_TIMEOUT=3600 -DCMAKE_COMPILE_WARNING_AS_ERROR=OFF
  cmake --build build-asan -j "$jobs"
  export TOUCHE_TEST_SCALE=${TOUCHE_TEST_SCALE:-0.05}
  ctest --test-dir build -j "$jobs" -LE page --output-junit "$PWD/build-asan/release.xml" >/dev/null
  python3 tools/slow_tests.py build-asan/release.xml 0.1 >"$left_out"
  echo "left out: $(wc -l <"$left_out") tests, see $left_out"
  ctest --test-dir build-asan -j "$jobs" --output-on-failure -LE page -E "^($(paste -sd '|' "$left_out"))\$"
}

# Of the folders that changed since the last night; of some of them if that is unknown.
night_coverage() {
  local changed folder folders
  changed=$(python3 tools/changed_folders.py coverage)
  folders=$(sed -n 's,^src/,,p' <<<"$changed" |
    while read -r folder; do [[ ! -d src/$folder || ! -d tests/$folder ]] || echo "$folder"; done)
  if [[ -z $folders && $changed != all ]]; then
    echo "no folder of src changed since the last night"
    return
  fi
  # shellcheck disable=SC2086
  cmd_coverage $folders
}

# Runs a step, and records that it passed if nothing but .ci/night differs from the commit at its start.
night_step() {
  local commit
  commit=$(git rev-parse HEAD 2>/dev/null) || commit=""
  if declare -F "night_$1" >/dev/null; then "night_$1"; else "check_$1"; fi
  [[ -n $record ]] || return 0
  is_committed || { echo "not recorded: there are changes that are not committed" >&2; return 1; }
  [[ $(git rev-parse HEAD) == "$commit" ]] || { echo "not recorded: HEAD moved while it ran" >&2; return 1; }
  python3 tools/changed_folders.py "$1" --record
}

is_committed() { [[ -z $(git status --porcelain -- . ':!.ci/night') ]]; }

# The steps that did not pass for these sources.
steps_left() {
  local step
  for step in $night_steps; do
    [[ $(python3 tools/changed_folders.py "$step" --any) == no ]] || echo "$step"
  done
}

cmd_nightly() {
  local word left="" steps=()
  record=""
  for word in "$@"; do
    case $word in
      --list) echo "$night_steps"; return ;;
      --record) record=1 ;;
      --left) left=1 ;;
      [0-9]*) seeds_scale=$word ;;
      *)
        [[ " $night_steps " == *" $word "* ]] || die "no such step: $word (there are: $night_steps)"
        steps+=("$word")
        ;;
    esac
  done
  [[ -z $left || ${#steps[@]} == 0 ]] || die "--left: names the steps itself"
  setup build test check viewer python
  if [[ -n $left ]]; then
    mapfile -t steps < <(steps_left)
    if ((${#steps[@]} == 0)); then
      echo "all steps passed for these sources"
      return
    fi
  fi
  [[ " ${steps[*]:-coverage} " != *" coverage "* ]] || setup coverage
  [[ -z $record || (-z ${TOUCHE_TEST_SCALE:-} && $seeds_scale -ge 10) ]] ||
    die "--record: only full runs are recorded, without TOUCHE_TEST_SCALE and with 10 times the cases of seeds"
  [[ -z $record ]] || is_committed || die "--record: there are changes that are not committed"
  # shellcheck disable=SC2086
  run_steps night_step ${steps[*]:-$night_steps}
  if [[ -n $record ]]; then echo "please commit .ci/night"; fi
}
