#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `./dev setup` waits while another apt holds one of its locks, and for nothing else. Programs that stand in
# for apt-get, dpkg-query, sudo and sleep come first in PATH: nothing is installed and no time passes.
# usage: dev_setup_test.sh PATH_OF_DEV
set -euo pipefail
dev=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/bin"

stand_in() { printf '#!/bin/bash\n%s\n' "$2" >"$folder/bin/$1"; chmod +x "$folder/bin/$1"; }
stand_in dpkg-query 'echo "not-installed"'
stand_in sudo 'exec "$@"'
stand_in sleep 'echo "$1" >>"$FOLDER/slept"'
# It says what $FOLDER/answer holds as often as $FOLDER/refusals tells, and does its work then.
stand_in apt-get 'echo "$*" >>"$FOLDER/calls"
left=$(cat "$FOLDER/refusals")
if ((left > 0)); then
  echo $((left - 1)) >"$FOLDER/refusals"
  cat "$FOLDER/answer"
  exit 100
fi'

fail() { echo "FAILED: $*"; cat "$folder/err"; exit 1; }
# setup REFUSALS ANSWER: runs `./dev setup build` and sets `status`, `calls`, `slept`.
setup() {
  rm -f "$folder"/{calls,slept}
  touch "$folder"/{calls,slept}
  echo "$1" >"$folder/refusals"
  echo "$2" >"$folder/answer"
  status=0
  FOLDER=$folder PATH=$folder/bin:$PATH "$dev" setup build >"$folder/out" 2>"$folder/err" || status=$?
  calls=$(wc -l <"$folder/calls")
  slept=$(wc -l <"$folder/slept")
}

lists='E: Could not get lock /var/lib/apt/lists/lock. It is held by process 4711 (apt-get)'
frontend='E: Unable to acquire the dpkg frontend lock (/var/lib/dpkg/lock-frontend), is another process using it?'
directory='E: Unable to lock directory /var/lib/apt/lists/'

setup 0 ""
((status == 0 && calls == 2 && slept == 0)) || fail "without another apt: status $status, $calls calls, slept $slept times"
grep -q 'install .*cmake' "$folder/calls" || fail "nothing was installed"

for lock in "$lists" "$frontend" "$directory"; do
  setup 3 "$lock"
  ((status == 0 && calls == 5 && slept == 3)) || fail "$lock: status $status, $calls calls, slept $slept times"
  grep -q 'waiting for it' "$folder/err" || fail "$lock: it does not say what it waits for"
  grep -q 'install .*cmake' "$folder/calls" || fail "$lock: nothing was installed"
done

# Ten minutes for each of both calls are enough; then it says why.
setup 1000 "$lists"
((status != 0 && slept == 240)) || fail "a lock for ever: status $status, slept $slept times"
grep -q 'Could not get lock' "$folder/err" || fail "a lock for ever: it does not say why it ends"

# What is no lock is told at once.
setup 1000 'E: Unable to locate package cmake'
((status != 0 && calls == 2 && slept == 0)) || fail "another error: status $status, $calls calls, slept $slept times"
grep -q 'Unable to locate' "$folder/err" || fail "another error: it does not say why it ends"
echo ok
