# Strategies on recorded spaces: tables, plot data, and what is refused. Threads change no number.
wattune compare-strategies tests/golden/recording.json --strategies random_sample,genetic_algorithm,brute_force --budgets 3,6 --repeats 20 --seed 7 --quiet
wattune compare-strategies tests/golden/recording.json --strategies tabu,sobol --budgets 4 --repeats 5 --objective GFLOP/s --constraint 'work < 4' --csv --jobs 3 --quiet
fault() { "$@"; echo "-> $?"; }
fault wattune compare-strategies tests/golden/recording.json --strategies tabbu
fault wattune compare-strategies tests/golden/recording.json --budgets 0
fault wattune compare-strategies tests/golden/nothing.json
fault wattune compare-strategies tests/golden/recording.json --objective temperature
