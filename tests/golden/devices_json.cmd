# The same for programs; with --measure the periods are those that were seen (the GPU is idle: its power stands still).
bin=$(dirname "$(readlink -f "$(command -v wattune)")")
export LD_LIBRARY_PATH=$bin/../fake_vendor WATTUNE_FAKE_GPUS=$SCRATCH/gpu
"$bin/fake_gpu_tool" create "$WATTUNE_FAKE_GPUS" unsupported=power_instant,power_average,power_usage || exit
WATTUNE_NO_CONTROL=1 wattune devices --measure --json 2>/dev/null
