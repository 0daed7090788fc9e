# Runs of `swift test`, for Scripts/test and Scripts/sanitize. Source it from the package's root.
#
# `test_flags` holds options for all of them; `test_log`, if set, gets what they print.
test_flags=()
test_log=

# rounds PARALLEL SERIAL [OPTION…]: those on virtual time, many at once; then those in real time, one at a time. Limits
# in seconds. With options there is one run of what they name.
rounds() {
  local real='^(DeviceTests|CompatibilityTests)\.' parallel=$1 serial=$2 status=0
  shift 2
  if [ $# -gt 0 ]; then
    round $((parallel + serial)) "$@"
    return
  fi
  round "$parallel" --skip "$real" || status=$?
  round "$serial" --no-parallel --filter "$real" || status=$?
  return "$status"
}

# round SECONDS OPTION…: one run that ends in time, or tells which tests did not.
round() {
  local limit=$1 log status=0
  shift
  log=$(mktemp)
  # Lines as they come: what a run that hangs printed last is what matters.
  Scripts/bounded "$limit" stdbuf -oL swift test --skip-build "${test_flags[@]}" "$@" </dev/null 2>&1 | tee "$log" || status=$?
  # A filter that finds nothing must not look like success.
  grep -qE 'Test run with [1-9][0-9]* tests? ' "$log" || {
    echo "test: no test ran to the end of a run (swift test $*)" >&2
    [ "$status" != 0 ] || status=1
  }
  if [ "$status" = 124 ]; then
    echo "test: begun, but not ended:" >&2
    unended "$log" >&2
  fi
  [ -z "$test_log" ] || cat "$log" >>"$test_log"
  rm -f "$log"
  return "$status"
}

unended() {
  awk '
    match($0, /Test ("[^"]*"|[A-Za-z_0-9]+\([^)]*\))/) {
      name = substr($0, RSTART, RLENGTH)
      if ($0 ~ /started\.$/ && $0 !~ /Test case/) begun[name] = 1
      if ($0 ~ / (passed|failed) after /) delete begun[name]
    }
    END { for (name in begun) print "  " name }' "$1" | sort
}
