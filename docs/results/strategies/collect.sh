#!/usr/bin/env bash
# Makes raw/*.json: what every search strategy reaches on recorded spaces. Same data and program, same files; the number
# of cores changes nothing but the duration (about half an hour on two).
#   docs/results/strategies/collect.sh PROGRAM DATA [STUDY...]
# PROGRAM: the wattune program. DATA: a folder with the recordings (their origin is in README.md). STUDY: mi50, choice,
# held_out; default: all.
set -euo pipefail

program=$(readlink -f "$1")
data=$(readlink -f "$2")
shift 2
here=$(dirname "$(readlink -f "$0")")
spaces=$data/tuning_spaces
virtual=$here/../../../data/virtual/gemm_a100.csv.gz

judge() { # NAME REPEATS RECORDING...
  local name=$1 repeats=$2
  shift 2
  "$program" compare-strategies "$@" --budgets 25,50,100,200,400 --repeats "$repeats" --seed 1 --json \
    > "$here/raw/$name.json.part"
  mv "$here/raw/$name.json.part" "$here/raw/$name.json"
}

mkdir -p "$here/raw"
for study in ${*:-mi50 choice held_out}; do
  echo "$(date -u +%H:%M:%S) $study" >&2
  case $study in
    mi50) judge mi50 200 "$data/fitness_flow/MI50_convolution_15x15.json" ;;
    choice)
      judge choice 40 "$spaces"/convolution_milo/{A100,A4000,MI250X}.json.gz "$spaces"/dedispersion_milo/{A100,MI250X}.json.gz ;;
    held_out)
      judge held_out 40 "$spaces/pnpoly/RTX_3090.json.gz" "$spaces/coulomb3d/coulomb_2080_full_search_space.json" "$virtual" ;;
    *) echo "unknown study $study" >&2; exit 2 ;;
  esac
done
