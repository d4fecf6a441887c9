#!/usr/bin/env bash
# libraries.sh FOLDER REQUIREMENT...: the libraries that the referee has on Raspberry Pi OS Bookworm, for this machine's
# processor: each in the version of the lock, besides what Debian brings. 1 minute, 0.6 GB.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/pi/debian.sh
. "$here/../debian.sh"
venv=$1/venv
shift
"${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/python" -m pip --disable-pip-version-check install -q --no-cache-dir --no-deps --only-binary=:all: "$@" ||
  unavailable "the libraries of Bookworm cannot be fetched"
