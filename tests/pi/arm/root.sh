#!/usr/bin/env bash
# root.sh FOLDER REQUIREMENT...: Debian for arm64 as on a Pi, with what the project needs from PyPI, and the emulator.
# Everything is unpacked only: nothing is emulated while it is made. As root; 2 minutes, 0.6 GB.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/pi/debian.sh
. "$here/../debian.sh"
root=$1
shift
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
downloaded "$tools" debootstrap qemu-user-static
unpacked "$root" "$tools" trixie arm64 python3
cp "$tools/usr/bin/qemu-aarch64-static" "$root/rest/qemu"
mkdir "$root/rest/compiled"
platforms=()
for version in 2_28 2_27 2_17; do platforms+=(--platform "manylinux_${version}_aarch64"); done
"${PYTHON:-python3}" -m pip --disable-pip-version-check install -q --no-cache-dir --no-compile --target "$root/site" \
  "${platforms[@]}" --platform manylinux2014_aarch64 --platform any --python-version 3.13 --implementation cp \
  --only-binary=:all: "$@"
