# A run from beginning to end on the CPU, and everything that can be asked of it afterwards.
wattune tune tests/golden/add.toml --device cpu --quiet || exit
wattune runs
wattune show last
wattune export last --format header
wattune export last --format csv
wattune export last --format t4 --output "$SCRATCH/add.json" && grep -c '"invalidity": *"correct"' "$SCRATCH/add.json"
