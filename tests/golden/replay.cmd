# A recording answers instead of a device: the same seed gives the same lines.
wattune tune --replay tests/golden/recording.json --strategy random_sample --seed 1 --verbose --quiet
wattune tune --replay tests/golden/recording.json --strategy brute_force --seconds 1.5 --quiet
wattune tune --replay tests/golden/recording.json --objective energy --constraint 'time_ms < 0.8' --budget 11 --quiet
wattune tune --replay tests/golden/recording.json --objective GFLOP/s --samples 0 --start block_size_x=128,work=4 --budget 1 --strategy genetic_algorithm --option population=4 --quiet
wattune show last --top 1
wattune tune --replay last --strategy brute_force --quiet
fault() { "$@"; echo "-> $?"; }
fault wattune tune
fault wattune tune tests/golden/add.toml --replay tests/golden/recording.json
fault wattune tune --replay tests/golden/recording.json --objective temperature
fault wattune tune --replay tests/golden/recording.json --constraint 'block_size_x <'
fault wattune tune --replay tests/golden/recording.json --strategy tabu --option tenur=3
fault wattune tune --replay tests/golden/recording.json --time-unit h
fault wattune tune --replay tests/golden/recording.json --start 7
fault wattune tune tests/golden/add.toml --samples 3
