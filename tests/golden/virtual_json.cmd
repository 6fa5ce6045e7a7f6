# The same for programs, with what the fastest would have cost.
wattune tune tests/golden/stream.toml --device virtual:a100 --json 2>/dev/null
