#!/usr/bin/env bash
# Energy on a GPU: update periods of its sensors, three methods against each other, repeats, a kernel of 20 microseconds,
# and GEMM tuned for energy over the same random configurations in adaptive windows and in fixed ones of one second. A
# pass for time alone goes first, so that neither of the two pays for compiling.
# Usage: COMMIT=$(git rev-parse HEAD) collect.sh WATTUNE DEVICE_ENERGY OUT   (from the project's root)
# Raw output goes to OUT/raw. Changes no setting of the GPU.
set -u
wattune=$1
device_energy=$2
out=$3
export WATTUNE_NO_CONTROL=1
export WATTUNE_STORE=$out/runs.db
raw=$out/raw
mkdir -p "$raw"
date -u +%Y-%m-%dT%H:%M:%SZ >"$raw/date.txt"
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,power.limit,temperature.gpu --format=csv >"$raw/nvidia-smi.csv"
[ -n "${COMMIT:-}" ] && echo "$COMMIT" >"$raw/commit.txt"
"$wattune" --version >"$raw/version.txt"
"$wattune" devices --measure --json >"$raw/devices.json" 2>"$raw/devices.log" || echo "devices: exit code $?"
"$device_energy" >"$raw/device_energy.log" 2>&1 || echo "device_energy: exit code $?"
grep '^{' "$raw/device_energy.log" >"$raw/energy.jsonl"
"$wattune" power --json -- "$device_energy" --gtest_filter='*TenRepeats*' >"$raw/power.json" 2>"$raw/power.log" || echo "power: exit code $?"

# The example's spec, with energy of every configuration.
spec() {  # NAME OPTIONS
  sed -e "s|^file = .*|file = \"$PWD/examples/01_gemm/gemm.cl\"|" -e 's|^objective = .*|objective = "energy"|' \
    examples/01_gemm/gemm.toml >"$out/$1.toml"
  printf '\n[energy]\nmeasure = true\n%s' "$2" >>"$out/$1.toml"
}
tune() {  # NAME SPEC OPTION…
  local name=$1 spec=$2
  shift 2
  echo "== $name"
  "$wattune" tune "$spec" --device cuda --strategy random_sample --budget "${BUDGET:-205}" --seconds 400 --seed 1 --fresh "$@" \
    --json >"$raw/gemm_$name.json" 2>"$raw/gemm_$name.log" || echo "exit code $?"
  "$wattune" export last --format csv -o "$raw/gemm_$name.csv" 2>>"$raw/gemm_$name.log"
  "$wattune" show last --top 3
}
spec adaptive ""
spec fixed $'min_window = 1.0\nmax_window = 1.0\nskip_hopeless = false\n'
tune time examples/01_gemm/gemm.toml
tune adaptive "$out/adaptive.toml"
# Time, energy and their product from this one set of measurements.
for objective in time energy edp; do
  "$wattune" tune --replay last --objective "$objective" --strategy brute_force --json >"$raw/replay_$objective.json" 2>>"$raw/gemm_adaptive.log"
done
tune fixed "$out/fixed.toml"
