# Each fault: where it is, what it is, what to do, and its exit code.
fault() { "$@"; echo "-> $?"; }
fault wattune check tests/golden/faulty.toml
fault wattune check tests/golden/none.toml
fault wattune check tests/golden/empty.toml
fault wattune tune --quiet tests/golden/empty.toml --device cpu
fault wattune tune tests/golden/add.toml --device nosuch
fault wattune show 7
fault wattune runs --store "$SCRATCH/no/such/folder/runs.db"
fault wattune export last --format pdf
fault wattune tnue
