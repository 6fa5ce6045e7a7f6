# Energy over clocks on a GPU that is not there: the whole measuring path on simulated time, the same numbers every time.
wattune tune tests/golden/stream.toml --device virtual:a100 --quiet || exit
echo
wattune tune tests/golden/stream.toml --device 'virtual:a100?refused_clock=1005' --fresh --quiet | tail -3
echo
wattune tune tests/golden/stream.toml --device 'virtual:a100?permission=sensors' --quiet
echo "exit code $?"
wattune tune tests/golden/stream.toml --device virtual:h900 --quiet
echo "exit code $?"
wattune tune tests/golden/add.toml --device virtual:a100 --quiet
echo "exit code $?"
wattune devices | tail -6
