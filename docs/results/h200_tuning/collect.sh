#!/usr/bin/env bash
# Tunes four examples through CUDA and GEMM through OpenCL, and measures cuBLAS SGEMM in the same call.
# Usage: COMMIT=$(git rev-parse HEAD) collect.sh WATTUNE OUT   (from the project's root; nvcc and cuBLAS must be there)
# Raw output goes to OUT/raw. Changes no setting of the GPU.
set -u
wattune=$1
out=$2
export WATTUNE_NO_CONTROL=1
export WATTUNE_STORE=$out/runs.db
mkdir -p "$out/raw"
date -u +%Y-%m-%dT%H:%M:%SZ >"$out/raw/date.txt"
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,power.limit,temperature.gpu --format=csv >"$out/raw/nvidia-smi.csv"
"$wattune" --version >"$out/raw/version.txt"
[ -n "${COMMIT:-}" ] && echo "$COMMIT" >"$out/raw/commit.txt"
"$wattune" devices --json >"$out/raw/devices.json" 2>"$out/raw/devices.log"

cublas() {
  "$out/cublas_sgemm" >>"$out/raw/cublas.jsonl" && tail -n 1 "$out/raw/cublas.jsonl"
}
tune() {  # NAME SPEC DEVICE BUDGET
  echo "== $1"
  "$wattune" tune "$2" --device "$3" --budget "$4" --seed 1 --json >"$out/raw/$1.json" 2>"$out/raw/$1.log" || echo "exit code $?"
  "$wattune" export last --format csv -o "$out/raw/$1.csv" 2>>"$out/raw/$1.log"
  "$wattune" show last --top 3
}
nvcc -O3 -arch=sm_90 -o "$out/cublas_sgemm" docs/results/h200_tuning/cublas_sgemm.cu -lcublas && cublas
tune gemm_cuda examples/01_gemm/gemm.toml cuda 240
cublas
tune gemm_opencl examples/01_gemm/gemm.toml opencl 155
tune convolution_cuda examples/02_convolution/convolution.toml cuda 160
tune hotspot_cuda examples/03_hotspot/hotspot.toml cuda 160
tune dedispersion_cuda examples/04_dedispersion/dedispersion.toml cuda 160
cublas
"$wattune" runs
rm -f "$out/cublas_sgemm"
