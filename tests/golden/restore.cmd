# Nothing to restore; then what a run left behind that was killed together with its watchdog.
bin=$(dirname "$(readlink -f "$(command -v wattune)")")
export LD_LIBRARY_PATH=$bin/../fake_vendor WATTUNE_FAKE_GPUS=$SCRATCH/gpu WATTUNE_STATE_DIR=$SCRATCH/state
"$bin/fake_gpu_tool" create "$WATTUNE_FAKE_GPUS" power_limit_mw=300000 core_lock=1410 || exit
wattune restore
wattune restore --json
mkdir -p "$SCRATCH/state"
gpu=nvml:GPU-00000000-fake-0000-0000-000000000001
printf '%s\n' 'wattune-journal 1' "device $gpu" 'name NVIDIA H200' 'process 1' 'since 1000.000' \
  'found core_clock_mhz unlocked' 'assumed core_clock_mhz' 'touched core_clock_mhz' \
  'found power_limit_w 450.000' 'touched power_limit_w' end >"$SCRATCH/state/nvml_GPU-00000000-fake-0000-0000-000000000001.journal"
WATTUNE_NO_CONTROL=1 wattune restore
echo "code $?"
wattune restore
"$bin/fake_gpu_tool" get "$WATTUNE_FAKE_GPUS" core_lock
"$bin/fake_gpu_tool" get "$WATTUNE_FAKE_GPUS" power_limit_mw
wattune restore --device $gpu
