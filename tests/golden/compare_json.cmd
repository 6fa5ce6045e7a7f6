wattune compare-strategies tests/golden/recording.json --strategies random_sample,brute_force --budgets 6 --repeats 3 --json --quiet
