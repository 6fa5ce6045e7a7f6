# What is there, against a library with NVML's entry points over a simulated GPU.
bin=$(dirname "$(readlink -f "$(command -v wattune)")")
export LD_LIBRARY_PATH=$bin/../fake_vendor WATTUNE_FAKE_GPUS=$SCRATCH/gpu
"$bin/fake_gpu_tool" create "$WATTUNE_FAKE_GPUS" unsupported=memory_temperature || exit
WATTUNE_NO_CONTROL=1 wattune devices
