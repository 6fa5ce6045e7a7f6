wattune tune --replay tests/golden/recording.json --strategy brute_force --quiet --json 2>/dev/null
