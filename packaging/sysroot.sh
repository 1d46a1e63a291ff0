#!/usr/bin/env bash
# Unpacks Debian packages into a folder that has its own package database. Nothing is installed, and the machine's list of
# architectures stays as it is.
#
#   sysroot.sh FOLDER ARCH [PACKAGE...] [-- PACKAGE...]
#
# Packages before `--` come with all packages that they depend on, those after it alone. Run again with the same arguments,
# it does nothing. `dpkg-query --admindir=FOLDER/var/lib/dpkg` answers which package a file is from.
set -euo pipefail

main() {
  root=$(realpath --canonicalize-missing "$1") arch=$2
  local wanted="${*:2}" complete=() alone=()
  shift 2
  [ "$(cat "$root/unpacked" 2>/dev/null)" != "$wanted" ] || return 0
  while [ $# -gt 0 ] && [ "$1" != -- ]; do complete+=("$1") && shift; done
  alone=("${@:2}")

  rm -rf "$root"
  local archives=$root/var/cache/apt/archives
  mkdir -p "$root/usr/lib" "$root/var/lib/apt/lists/partial" "$root/var/lib/dpkg/info" "$archives/partial"
  ln -s usr/lib "$root/lib"
  touch "$root/var/lib/dpkg/status"

  local apt=(apt-get -qq -o APT::Sandbox::User=root)
  if [ "$arch" != "$(dpkg --print-architecture)" ]; then private_lists; fi
  if [ ${#complete[@]} -gt 0 ]; then
    "${apt[@]}" install --yes --download-only --no-install-recommends "${complete[@]}" >/dev/null
  fi
  if [ ${#alone[@]} -gt 0 ]; then (cd "$archives" && "${apt[@]}" download "${alone[@]}"); fi
  local package
  for package in "$archives"/*.deb; do unpack "$package"; done
  rm -r "$root/var/cache" "$root/var/lib/apt"
  echo "$wanted" >"$root/unpacked"
}

# The machine's sources and keys, but lists of the architecture, and a package database in which nothing is installed.
private_lists() {
  apt+=(-o "APT::Architecture=$arch" -o "APT::Architectures=$arch" -o "Dir::State=$root/var/lib/apt"
    -o "Dir::State::status=$root/var/lib/dpkg/status" -o "Dir::Cache=$root/var/cache/apt")
  "${apt[@]}" update </dev/null
}

unpack() {
  dpkg-deb --fsys-tarfile "$1" | tar --extract --directory "$root" --no-same-owner --keep-directory-symlink
  dpkg-deb --fsys-tarfile "$1" | tar --list | sed 's|^\.||; s|/$||; s|^$|/.|' \
    >"$root/var/lib/dpkg/info/$(dpkg-deb --field "$1" Package).list"
  { dpkg-deb --field "$1" && printf 'Status: install ok unpacked\n\n'; } >>"$root/var/lib/dpkg/status"
}

main "$@"
