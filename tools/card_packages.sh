#!/usr/bin/env bash
# card_packages.sh FOLDER: the Debian packages that Raspberry Pi OS Lite lacks, for `make card-bundle PACKAGES=FOLDER`.
#
# To be run with sudo and the internet on a freshly written Lite, once for each release; it installs nothing. The files
# go to FOLDER/bookworm or FOLDER/trixie, those of the hotspot to the folder `hotspot` in it.
#
# picamera2 wants python3-av, for videos, which would bring a hundred megabytes of FFmpeg and Mesa along. The referee
# records no videos, and picamera2 loads it only for them, so that an empty package takes its place.
set -euo pipefail
folder=${1:?usage: card_packages.sh FOLDER}
read -r -a names <<< "${NAMES:-python3-venv python3-picamera2 python3-numpy python3-lgpio}"
read -r -a hotspot <<< "${HOTSPOT-comitup}"
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT

# What apt would download for these packages, into a folder: fetch FOLDER PACKAGE...
fetch() {
  local to=$1
  shift
  mkdir -p "$to/partial"
  apt-get install --yes --download-only --no-install-recommends -o "Dir::Cache::archives=$to" "$@"
  rm -rf "$to/partial" "$to/lock"
}

stand_in=$here/referee-no-video
mkdir -p "$stand_in/DEBIAN"
cat > "$stand_in/DEBIAN/control" << 'CONTROL'
Package: referee-no-video
Version: 1
Architecture: all
Maintainer: referee <referee@localhost>
Provides: python3-av
Conflicts: python3-av
Replaces: python3-av
Description: stands in for python3-av, where no videos are recorded
 Installing python3-av removes it.
CONTROL
dpkg-deb --root-owner-group --build "$stand_in" "$stand_in.deb" > /dev/null

apt-get update
rm -rf "${folder:?}/$release"
mkdir -p "$folder/$release"
if dpkg-query -W python3-av > /dev/null 2>&1; then
  echo "card_packages.sh: expected a freshly written Lite, found python3-av, which a Lite does not have" >&2
  exit 1
fi
fetch "$folder/$release" "$stand_in.deb" "${names[@]}"
cp "$stand_in.deb" "$folder/$release/"
# An image that is a little older has older parts of the camera: those of this one go along, so that they fit together.
mapfile -t camera < <(dpkg-query -W -f '${Package}\n' 'libcamera*' 'libpisp*' 2> /dev/null | sort -u || true)
[[ ${#camera[@]} == 0 ]] || fetch "$folder/$release" --reinstall "${camera[@]}"
[[ ${#hotspot[@]} == 0 ]] || fetch "$folder/$release/hotspot" "${hotspot[@]}"
for file in "$folder/$release"/python3-picamera2_*.deb; do
  [[ -e $file ]] || continue
  if dpkg-deb --fsys-tarfile "$file" | tar -xO --wildcards '*/encoders/libav_h264_encoder.py' | grep -qE '^(import|from) av\b'; then
    echo "card_packages.sh: expected a picamera2 that loads python3-av for videos only, found one that always does: $file" >&2
    exit 1
  fi
done
du -sh "$folder/$release"
