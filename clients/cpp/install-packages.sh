#!/bin/sh
# Installs what the C++ client is built with, from Debian (bookworm or later, or an Ubuntu as new); as root.
set -eu
packages="cmake g++ libgrpc++-dev libgtest-dev libprotobuf-dev libssl-dev ninja-build protobuf-compiler
protobuf-compiler-grpc"

missing=
for package in $packages; do
  case $(dpkg-query --show --showformat='${db:Status-Abbrev}' "$package" 2>/dev/null) in
    ii*) ;;
    *) missing="$missing $package" ;;
  esac
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ]; then
  echo "As root: apt-get install --no-install-recommends$missing" >&2
  exit 1
fi
echo "Installing$missing ..."
export DEBIAN_FRONTEND=noninteractive
# Another installation may be under way; and a fresh image knows of no packages.
apt-get update --quiet=2
# shellcheck disable=SC2086
apt-get install --yes --quiet=2 --no-install-recommends -o DPkg::Lock::Timeout=300 $missing >/dev/null
