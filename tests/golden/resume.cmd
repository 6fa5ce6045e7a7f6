# A finished run's outcomes are taken over on request: nothing is measured twice.
wattune tune tests/golden/add.toml --device cpu --quiet >/dev/null 2>&1 || exit
wattune tune tests/golden/add.toml --device cpu --reuse
