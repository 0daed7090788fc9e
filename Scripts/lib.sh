# Words that the scripts share. Source it from the package's root.

die() {
  printf '%s\n' "$*" >&2
  exit 1
}

# The machine's administrator, for apt alone.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}



# need GROUP…: Debian packages of Scripts/packages/GROUP.txt; silent when all are there.
need() {
  local group package missing=()
  for group in "$@"; do
    while read -r package; do
      case $package in '' | '#'*) continue ;; esac
      [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done <"Scripts/packages/$group.txt"
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  command -v apt-get >/dev/null || die "Sprocket needs Debian 12 or a relative of it (apt-get): ${missing[*]} are missing."
  [ "$(id -u)" = 0 ] || command -v sudo >/dev/null ||
    die "These packages are missing and there is no sudo; install them as root: apt-get install ${missing[*]}"
  echo "Installing ${missing[*]}"
  local log
  log=$(mktemp)
  if ! { as_root apt-get update &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}"; } \
    >"$log" 2>&1; then
    tail -20 "$log" >&2
    die "apt-get failed (all of it: $log)."
  fi
  rm -f "$log"
}

# Finds the Swift toolchain, 6.3 or newer, and puts it on PATH.
need_swift() {
  local folder version
  if ! command -v swift >/dev/null; then
    for folder in "$HOME/.local/share/swiftly/bin" /opt/swift*/usr/bin /usr/local/swift*/usr/bin "$HOME"/swift*/usr/bin; do
      [ -x "$folder/swift" ] && PATH=$folder:$PATH && break
    done
  fi
  command -v swift >/dev/null || die "There is no Swift toolchain. Sprocket needs Swift 6.3 or newer:
get it at https://www.swift.org/install/linux/ (Debian 12), unpack it, and put its usr/bin on PATH (or unpack it to /opt/swift)."
  version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -1)
  [ -n "$version" ] || die "$(command -v swift) does not run: $(swift --version 2>&1 | tail -2)"
  [ "${version%%.*}" -gt 6 ] || { [ "${version%%.*}" = 6 ] && [ "${version#*.}" -ge 3 ]; } ||
    die "$(command -v swift) is Swift $version. Sprocket needs Swift 6.3 or newer: https://www.swift.org/install/linux/"
}

# What a build needs.
need_build() {
  need toolchain build
  need_swift
}

# build_program NAME: a program of the package as it is to be used: optimised, with Swift's libraries inside (loading
# them was a third of a player's start), without libraries of which it uses nothing, the others in the quickest order.
# It has a build folder of its own, else tests and programs would compile each other's modules anew.
programs=.build/programs
build_program() {
  local quiet=--quiet
  # The first time takes minutes: its progress is shown.
  [ -x "$(program_path "$1")" ] || quiet=
  CCC_OVERRIDE_OPTIONS="#^-Wl,--as-needed ^$(Scripts/link-order)" \
    swift build --scratch-path "$programs" -c release --static-swift-stdlib $quiet --product "$1"
}

# The path of a program that build_program made.
program_path() { printf '%s/release/%s' "$programs" "$1"; }
