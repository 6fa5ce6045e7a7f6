#!/usr/bin/env bash
# Makes gemm_a100.csv.gz: every configuration of examples/01_gemm/gemm_virtual.toml at the highest clock of the virtual
# A100, without noise. Same program, same file.
#   data/virtual/record.sh PROGRAM
set -euo pipefail

program=$(readlink -f "$1")
here=$(dirname "$(readlink -f "$0")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$program" tune "$here/../../examples/01_gemm/gemm_virtual.toml" --device 'virtual:a100?noise=0' --strategy brute_force \
  --budget 10000 --objective time --constraint 'core_clock_mhz == 1410' --store "$work/runs.db" --quiet >&2
"$program" export last --store "$work/runs.db" --format csv -o "$work/all.csv" >&2
# The parameters that vary, and what an evaluation gave and cost; nine digits hold every difference there is.
awk -F, -v OFS=, '
  NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i
            n = split("MWG NWG KWG MDIMC NDIMC MDIMA VWM VWN PREFETCH KWI status time_s power_w energy_j compile_s benchmark_s", keep, " ") }
  { for (k = 1; k <= n; k++) {
      cell = $at[keep[k]]
      if (NR > 1 && k > 11) cell = sprintf("%.9g", cell)
      printf "%s%s", cell, k < n ? OFS : "\n" } }' "$work/all.csv" | gzip -9n > "$here/gemm_a100.csv.gz"
