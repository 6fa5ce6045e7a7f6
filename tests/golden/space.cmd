wattune space tests/golden/add.toml --list 3
wattune space tests/golden/add.toml --max-threads 100
