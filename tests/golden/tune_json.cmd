wattune tune tests/golden/add.toml --device cpu --quiet --json 2>/dev/null
