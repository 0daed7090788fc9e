# Runs of `swift test`, for Scripts/test and Scripts/sanitize. Source it from the package's root.
#
# `test_flags` holds options for all of them; `test_log`, if set, gets what they print.
test_flags=()
test_log=

# rounds PARALLEL SERIAL [OPTION…]: those on virtual time, many at once; then those in real time, one at a time. Limits
# in seconds. With options there is one run of what they name. What failed is told once more at the end, where it is
# found without reading everything.
rounds() {
  local real='^(DeviceTests|CompatibilityTests)\.' parallel=$1 serial=$2 status=0 summary
  shift 2
  summary=$(mktemp)
  if [ $# -gt 0 ]; then
    round $((parallel + serial)) "$@" || status=$?
  else
    round "$parallel" --skip "$real" || status=$?
    round "$serial" --no-parallel --filter "$real" || status=$?
  fi
  [ "$status" = 0 ] || sed 's/^/test: /' "$summary" >&2
  rm -f "$summary"
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
    echo "no test ran to the end of a run (swift test $*)" >>"$summary"
    [ "$status" != 0 ] || status=1
  }
  if [ "$status" != 0 ]; then
    echo "ended with $status (swift test $*)" >>"$summary"
    grep -E '^✘ Test .*(recorded an issue|failed after)|: Fatal error|^.*error: .*signal' "$log" | cut -c1-500 | tail -40 >>"$summary"
    {
      echo "begun, but not ended:"
      unended "$log"
    } >>"$summary"
    standing "$log" >>"$summary"
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

# Where the threads of a run that did not end stand, in this package's own code: the five innermost places of each.
standing() {
  awk '
    /^--- process / { print "  " substr($0, 1, 120) }
    /^Thread / { name = $0; shown = 0 }
    /^#/ && match($0, /(Sources|Tests)\/[^ ]*$/) {
      if (shown == 0) print "  " substr(name, 1, 80)
      if (shown++ < 5) print "    " substr($0, RSTART)
    }' "$1" | head -60
}
