#!/usr/bin/env bash
# lite.sh FOLDER SUITE: FOLDER/root, an emulated arm64 Debian that lacks what Raspberry Pi OS Lite lacks; 12 minutes.
set -eu
exec bash "$(dirname "$0")/../arm/installer_root.sh" "$2" "$1/root" lite
