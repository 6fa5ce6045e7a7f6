# Sourced by run, test and tools/nightly: stages with a name and a time on stderr. A stage's output goes to a log, of
# which the end is shown when the stage fails; all of it is shown with VERBOSE=1.

export LC_NUMERIC=C  # times with a point

stage() {  # stage "what happens" command [argument...]
  local what=$1 log started=$EPOCHREALTIME code=0
  shift
  printf '%s ... ' "$what" >&2
  if [ -n "${VERBOSE:-}" ]; then
    printf '\n' >&2
    "$@" >&2 || code=$?
  else
    log=$(mktemp)
    "$@" >"$log" 2>&1 || code=$?
  fi
  if [ "$code" -eq 0 ]; then
    printf 'done (%s)\n' "$(seconds_since "$started")" >&2
  else
    printf 'FAILED (%s, exit code %s)\n' "$(seconds_since "$started")" "$code" >&2
    [ -z "${log:-}" ] || tail -n "${LOG_LINES:-60}" "$log" >&2
  fi
  [ -z "${log:-}" ] || rm -f "$log"
  return "$code"
}

seconds_since() {
  awk -v from="$1" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.1f s", to - from }'
}

# Job count for builds: one a core, but no more than the memory carries (a heavy file takes about 1.5 GB).
job_count() {
  local cores memory
  cores=$(nproc)
  memory=$(awk '/MemAvailable/ { printf "%d", $2 / 1500000 }' /proc/meminfo)
  [ "$memory" -ge 1 ] || memory=1
  echo $((cores < memory ? cores : memory))
}
