# A recording of another tool: what it is, kept as a run, written in other formats, shown like a run.
wattune import tests/golden/recording.json
wattune import tests/golden/recording.json --keep --output "$SCRATCH/recording.t4.json" 2>&1 >/dev/null || exit
wattune runs
wattune show tests/golden/recording.json --top 2
wattune import "$SCRATCH/recording.t4.json" --json | grep -E '"(format|entries|valid|time_s|energy_j)"'
wattune export tests/golden/recording.json --format csv
wattune export tests/golden/recording.json --format kernel_tuner -o "$SCRATCH/cache.json" --json
wattune import "$SCRATCH/cache.json" | head -2 | tail -1
wattune import tests/golden/add.toml; echo "-> $?"
wattune import nosuch.json; echo "-> $?"
wattune show nosuch.json; echo "-> $?"
