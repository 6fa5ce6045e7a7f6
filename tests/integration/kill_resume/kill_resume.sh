#!/usr/bin/env bash
# Kills a tuning run with SIGKILL at random moments and resumes it, until it ends.
# Holds: every outcome that was reported is stored, nothing is measured twice, one run at the end with every configuration.
# Usage: kill_resume.sh WATTUNE [KILLS] [SEED]. Exit code 77 (skipped) where no OpenCL device runs kernels.
set -u
wattune=$1
kills=${2:-20}
RANDOM=${3:-1}
here=$(dirname "$(readlink -f "$0")")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export WATTUNE_STORE=$dir/runs.db POCL_CACHE_DIR=$dir/pocl
mkdir -p "$POCL_CACHE_DIR"

fail() { echo "FAILED: $1"; exit 1; }
measured() { sqlite3 "$WATTUNE_STORE" "select count(*) from outcome" 2>/dev/null || echo 0; }

"$wattune" devices 2>/dev/null | grep -q '^opencl' || { echo "skipped: no OpenCL device"; exit 77; }

stored=0
for ((i = 1; i <= kills; ++i)); do
  "$wattune" tune "$here/scale.toml" --device opencl --verbose 2>"$dir/log" >"$dir/out" &
  pid=$!
  # Most kills come 0 to 1.6 s after the search began: between outcomes and inside writes; every fifth one anywhere in the start.
  if [ $((i % 5)) -ne 0 ]; then
    for ((wait = 0; wait < 600; ++wait)); do grep -qE '^(Run|Resuming run) ' "$dir/log" && break; sleep 0.05; done
  fi
  sleep "$(printf "%d.%02d" $((RANDOM % 2)) $((RANDOM % 60)))"
  kill -9 $pid 2>/dev/null
  wait $pid 2>/dev/null
  reported=$(grep -cE '^[0-9]+ (correct|compile|runtime|correctness|timeout) ' "$dir/log")
  now=$(measured)
  # A resumed run reports stored outcomes again, so what it reported is all there is, give or take the one in flight.
  [ "$now" -ge "$reported" ] || fail "kill $i: $reported outcomes reported, $now stored"
  [ "$now" -ge "$stored" ] || fail "kill $i: $stored outcomes were stored before, $now are now"
  stored=$now
  [ "$(sqlite3 "$WATTUNE_STORE" 'pragma integrity_check')" = ok ] || fail "kill $i: the store is damaged"
done
echo "$kills kills, $stored outcomes stored"
[ "$stored" -gt 0 ] || fail "no run got as far as its first outcome: $(cat "$dir/log")"

"$wattune" tune "$here/scale.toml" --device opencl --json >"$dir/final.json" 2>"$dir/log" || fail "the last run ends with code $?: $(cat "$dir/log")"
grep -q '"evaluations": 480' "$dir/final.json" || fail "not every configuration was evaluated: $(grep evaluations "$dir/final.json")"
[ "$(measured)" -eq 480 ] || fail "$(measured) measurements for 480 configurations: some were made twice"
[ "$("$wattune" runs --json | grep -c '"run":')" -eq 1 ] || fail "a resumed run became another run"
echo "passed: 480 configurations, each measured once, in one run"
