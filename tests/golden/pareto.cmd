# What one quantity costs of another; energies that cannot be believed are said to be so.
wattune pareto tests/golden/energies.json --minimize energy,time --intent energy-within:5% --intent ES_50 --intent time-under:100W
wattune pareto tests/golden/recording.json --maximize GFLOP/s --minimize energy --csv | tr -d '\r'
wattune tune --replay tests/golden/energies.json --objective energy --strategy brute_force --quiet
wattune show tests/golden/energies.json --top 1
wattune pareto tests/golden/energies.json --json
fault() { "$@"; echo "-> $?"; }
fault wattune pareto tests/golden/energies.json --minimize time,enrgy
fault wattune pareto tests/golden/energies.json --minimize time
fault wattune pareto tests/golden/energies.json --intent cheap
