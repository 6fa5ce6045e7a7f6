wattune space tests/golden/add.toml --json
