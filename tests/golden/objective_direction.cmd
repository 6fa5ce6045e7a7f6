# Which way an objective goes where no flag says so: rates up, all else down. A flag turns it round.
best() { wattune tune --replay tests/golden/recording.json --strategy brute_force --quiet "$@" 2>/dev/null | grep Best; }
best
best --objective GFLOP/s
best --objective GFLOP/s --minimize
best --maximize
wattune tune --replay tests/golden/recording.json --maximize --minimize; echo "-> $?"
