# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Part of `dev`, which includes it: runs named steps and reports their seconds.

# run_steps CALL NAME...: runs `CALL NAME` for each name and goes on after one that fails. Prints the last lines of the
# output of failed steps, and last a table of seconds and results. Fails if a step failed. Not to be called in a
# condition: bash would ignore errors within the steps.
run_steps() {
  local call=$1 name status start log seconds failed=0 width=12
  local rows=("setup|$SECONDS|ok") tails=()
  log=$(mktemp)
  shift
  for name in "$@"; do
    say "$name"
    start=$SECONDS
    set +e
    if [[ -t 1 ]]; then  # ninja shows its progress in one line, and the output is on the screen
      (set -e; "$call" "$name")
    else
      (set -e; "$call" "$name") 2>&1 | tee "$log"
    fi
    status=$?
    set -e
    seconds=$((SECONDS - start))
    if ((status)); then
      failed=1
      rows+=("$name|$seconds|FAILED")
      [[ -t 1 ]] || tails+=("---- $name failed:"$'\n'"$(grep -v ' Passed ' "$log" | tail -n 60)")
    else
      rows+=("$name|$seconds|ok")
    fi
    say "$name: ${rows[-1]##*|} after $seconds s"
  done
  rm "$log"
  ((${#tails[@]} == 0)) || printf '%s\n' "${tails[@]}"
  rows+=("sum|$SECONDS|$( ((failed)) && echo FAILED || echo ok)")
  printf '\n%-*s %7s  %s\n' "$width" step seconds result
  for name in "${rows[@]}"; do
    IFS='|' read -r name seconds status <<<"$name"
    printf '%-*s %7d  %s\n' "$width" "$name" "$seconds" "$status"
  done
  return $failed
}
