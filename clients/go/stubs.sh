#!/bin/sh
# Generate the stubs into FOLDER/tarneeb, as a Go module of the name `tarneeb`:
#
#     clients/go/stubs.sh [FOLDER]
#
# Without a folder they go where go.mod looks for them, build/clients/go of the repository.
# Needs Go, and buf: $BUF, that of .venv, or one on the PATH; without one, Go builds it, which takes a while.
set -eu

if [ $# -gt 1 ]; then
  echo "usage: $0 [FOLDER]" >&2
  exit 2
fi
root=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "${1:-$root/build/clients/go}"
out=$(cd "${1:-$root/build/clients/go}" && pwd)
cd "$root"

buf=${BUF:-.venv/bin/buf}
command -v "$buf" >/dev/null || buf=buf
command -v "$buf" >/dev/null || buf="go run github.com/bufbuild/buf/cmd/buf@v1.75.0"

# Files of protos that are gone would stay.
rm -rf "$out/tarneeb"
# shellcheck disable=SC2086  # The last one is several words.
$buf generate --template clients/go/buf.gen.yaml --output "$out"

# The versions that the stubs need are those of the client.
cp clients/go/go.mod "$out/tarneeb/go.mod"
go mod edit -module=tarneeb -droprequire=tarneeb -dropreplace=tarneeb "$out/tarneeb/go.mod"
