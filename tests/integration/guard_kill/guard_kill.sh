#!/usr/bin/env bash
# A run that changes settings of a (simulated) GPU is killed at random moments: every time the settings found come back.
# The same for exceptions, signals, setters that fail, the death of the watchdog, and two runs on one device.
# Usage: guard_kill.sh VICTIM FAKE_GPU FAKE_LIBRARY_DIR WATTUNE [KILLS] [SEED]. Needs no GPU; needs root, as drivers do.
set -u
victim=$1 fake=$2 wattune=$4 kills=${5:-100} seed=${6:-1}
[ "$(id -u)" -eq 0 ] || { echo "skipped: settings want root"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
trap '' PIPE
export LD_LIBRARY_PATH=$3 WATTUNE_FAKE_GPUS=$dir/gpu WATTUNE_STATE_DIR=$dir/state WATTUNE_PROGRAM=$wattune
unset WATTUNE_NO_CONTROL
RANDOM=$seed
device=nvml:GPU-00000000-fake-0000-0000-000000000001
lock=$dir/state/nvml_GPU-00000000-fake-0000-0000-000000000001.lock
journal=${lock%.lock}.journal
echo "seed $seed"

fail() {
  echo "FAILED: $1"
  for file in "$journal" "$dir/gpu" "$dir/log"; do [ ! -e "$file" ] || grep . "$file"; done
  exit 1
}
declare -A gpu
look() { # the state of the GPU; bash alone, as this is done hundreds of times
  gpu=()
  while read -r key value; do [ -z "$key" ] || gpu[$key]=$value; done <"$dir/gpu"
  settings="core ${gpu[core_lock]} memory ${gpu[memory_lock]} application ${gpu[app_core]} ${gpu[app_memory]} power ${gpu[power_limit_mw]}"
}
millis() { printf '0.%03d' $((RANDOM % $1)); }
# A GPU as somebody left it: a power limit of their own; every third one is old and has application clocks; setters of
# every other one take their time, as a driver's do.
found_gpu() {
  local more=()
  [ $(($1 % 3)) -ne 2 ] || more+=(architecture=4 app_core=1410 app_memory=2201)
  [ $(($1 % 2)) -ne 1 ] || more+=(set_delay_us=5000)
  "$fake" create "$dir/gpu" "power_limit_mw=$((300000 + RANDOM % 300 * 1000))" "${more[@]}"
  look
  found=$settings
}
# The watchdog holds the lock until it is done.
await_watchdog() { flock -w 20 "$lock" -c : || fail "$1: the watchdog does not end"; }
restored() {
  await_watchdog "$1"
  look
  [ "$settings" = "$found" ] || fail "$1: found $found, now $settings"
  [ ! -e "$journal" ] || fail "$1: a journal is left"
}
# Starts a run in the background; what it prints is read from descriptor 8.
start() {
  exec 8< <(exec "$victim" "$device" "$1" "$RANDOM" 2>&1)
  pid=$!
}
await_armed() {
  read -rt 30 -u 8 word _ watchdog && [ "$word" = armed ] || fail "$1: the run does not begin: $word $watchdog"
}
end_run() { # $1: the signal
  kill -"$1" "$pid"
  wait "$pid" 2>/dev/null
}
mkdir -p "$dir/state"
touch "$lock"

changed=0
for ((i = 1; i <= kills; ++i)); do
  found_gpu "$i"
  start loop
  # Three of four kills come while settings change, the fourth anywhere from the start of the process.
  [ $((i % 4)) -eq 0 ] || await_armed "kill $i"
  sleep "$(millis 60)"
  end_run KILL
  restored "kill $i"
  [ "${gpu[sets]}" -eq 0 ] || changed=$((changed + 1))
done
echo "SIGKILL: $kills of $kills restored, $changed of them after settings had changed"
[ "$changed" -ge $((kills / 2)) ] || fail "too few kills came after a change to show anything"

for signal in TERM INT HUP SEGV; do
  for ((i = 1; i <= 2; ++i)); do
    found_gpu "$i"
    start loop
    await_armed "SIG$signal"
    [ $signal != INT ] || kill -TERM "$pid" # a shell starts background jobs with SIGINT ignored
    end_run $signal
    restored "SIG$signal $i"
  done
done
echo "signals: all restored"

for mode in exception:1 uncaught:134 end:0; do
  for ((i = 1; i <= 2; ++i)); do
    found_gpu "$i"
    (exec "$victim" "$device" ${mode%:*} "$RANDOM") >"$dir/log" 2>&1
    code=$?
    [ $code -eq ${mode#*:} ] || fail "$mode: ends with $code"
    restored "$mode $i"
  done
done
echo "exceptions and plain ends: all restored"

# One setter fails from now on: the others are brought back, and the journal keeps what could not be.
for setter in core memory power; do
  found_gpu 0
  start loop
  await_armed "failing $setter"
  for ((wait = 0; wait < 500; ++wait)); do # until all three were changed
    look
    [ "${gpu[core_lock]}" -ne 0 ] && [ "${gpu[memory_lock]}" -ne 0 ] && [ "${settings##* }" != "${found##* }" ] && break
    sleep 0.01
  done
  "$fake" set "$dir/gpu" fail=$setter
  end_run KILL
  await_watchdog "failing $setter"
  look
  wrong=0
  read -ra before <<<"$found"
  read -ra now <<<"$settings"
  for at in "${!before[@]}"; do [ "${before[at]}" = "${now[at]}" ] || wrong=$((wrong + 1)); done
  [ $wrong -eq 1 ] || fail "failing $setter: $wrong settings are not as they were found ($found, now $settings)"
  "$victim" "$device" end 1 >"$dir/log" 2>&1
  [ $? -eq 8 ] && grep -q 'wattune restore' "$dir/log" || fail "failing $setter: a new run does not say what was left behind"
  "$fake" set "$dir/gpu" fail=
  "$wattune" restore --device "$device" >"$dir/log" 2>&1 || fail "failing $setter: wattune restore ends with $?"
  restored "failing $setter"
done
echo "failing setters: the others restored, the rest by wattune restore"

# The watchdog dies: it is replaced, and the new one restores.
for ((i = 1; i <= 3; ++i)); do
  found_gpu "$i"
  start loop
  await_armed "death of the watchdog"
  kill -KILL "$watchdog"
  read -rt 30 -u 8 line && [[ $line == *"started again"* ]] || fail "the watchdog is not replaced: $line"
  end_run KILL
  restored "replaced watchdog $i"
done
# It dies again and again: the run ends with an error, restored.
found_gpu 0
start doomed
await_armed "watchdog dead for good"
while kill -KILL "$watchdog" 2>/dev/null && read -rt 30 -u 8 line && [[ $line == "watchdog "* ]]; do watchdog=${line#watchdog }; done
[[ $line == *"cannot be kept alive"* ]] || kill -KILL "$pid"
wait "$pid" 2>/dev/null
[ $? -eq 8 ] && [[ $line == *"cannot be kept alive"* ]] || fail "a run without a watchdog goes on: $line"
restored "watchdog dead for good"
# It is killed together with the run: the next run sees it, `wattune restore` mends it.
found_gpu 0
start loop
await_armed "both killed"
kill -STOP "$watchdog"
end_run KILL
kill -KILL "$watchdog"
await_watchdog "both killed"
[ -e "$journal" ] || fail "both killed: no journal"
"$victim" "$device" end 1 >"$dir/log" 2>&1
[ $? -eq 8 ] || fail "both killed: a new run begins on top of what was left"
"$wattune" restore --json >"$dir/log" 2>&1 || fail "both killed: wattune restore ends with $?"
restored "both killed"
echo "death of the watchdog: restored"

# Two runs on one device: the second is refused and told who holds it.
found_gpu 0
start loop
await_armed "two runs"
second=$("$victim" "$device" end 1 2>&1)
[ $? -eq 4 ] && [[ $second == *"held by another run (process $pid)"* ]] || fail "two runs: $second"
end_run KILL
restored "two runs"
echo "two runs: the second is refused"
echo "passed"
