# Time, energy and power of a command; its exit code and its output pass through.
bin=$(dirname "$(readlink -f "$(command -v wattune)")")
export LD_LIBRARY_PATH=$bin/../fake_vendor WATTUNE_FAKE_GPUS=$SCRATCH/gpu
"$bin/fake_gpu_tool" create "$WATTUNE_FAKE_GPUS" || exit
gpu=nvml:GPU-00000000-fake-0000-0000-000000000001
wattune power --device $gpu -- sh -c 'echo says; sleep 0.3; exit 5'
echo "code $?"
wattune power --device $gpu -- true
wattune power --device $gpu --json -- sleep 0.3
wattune power --device nvml:none -- true
echo "code $?"
wattune power -- /nonexistent
