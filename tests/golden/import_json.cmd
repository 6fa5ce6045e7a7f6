wattune import tests/golden/recording.json --json
