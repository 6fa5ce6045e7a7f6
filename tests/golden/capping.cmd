# Power limits against clocks, on a grid computed from t = t_0 + n/f and P = 40 W + 40 W (f/GHz)^3 under caps.
wattune capping --data tests/golden/clocks_and_caps.csv
wattune capping --data tests/golden/clocks_and_caps.csv --csv | tr -d '\r' | head -5
wattune capping --data tests/golden/clocks_and_caps.csv --json | head -60
fault() { "$@"; echo "-> $?"; }
fault wattune capping --data tests/golden/recording.json
fault wattune capping --data tests/golden/no_such_file.csv
