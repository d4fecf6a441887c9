#!/usr/bin/env bash
# root.sh FOLDER OLDEST NEWEST REQUIREMENT...: the real libcamera of Debian with its virtual camera, two versions of the
# real picamera2 from PyPI, the real lgpio, and what the project needs besides. As root; 2 minutes, 1.1 GB.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/pi/debian.sh
. "$here/../debian.sh"
root=$1 oldest=$2 newest=$3
shift 3
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
downloaded "$tools" debootstrap
# A compiler comes along for lgpio, which PyPI has for older Pythons only, and for the stand-ins of kernel calls.
unpacked "$root" "$tools" forky amd64 ca-certificates python3-libcamera python3-prctl python3-venv python3-dev gcc libc6-dev \
  linux-libc-dev swig
install -D "$here/virtual.yaml" "$root/usr/share/libcamera/pipeline/virtual/virtual.yaml"
mkdir -p "$root/etc/ssl/certs"
cp /etc/resolv.conf "$root/etc/"
cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
cp "$here/dmaheap.c" "$root/rest/"
# shellcheck disable=SC2016 # for the shell in there
unshare --mount --pid --fork --kill-child bash -c '
  mount -t proc proc "$1/proc" && root=$1 && shift
  exec chroot "$root" env -i PATH=/venv/bin:/usr/bin:/bin HOME=/root PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
    PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_DEFAULT_TIMEOUT=180 sh -ec "$@"' _ "$root" '
  oldest=$1 newest=$2
  shift 2
  gcc -shared -fPIC -O1 -o /rest/dmaheap.so /rest/dmaheap.c -ldl
  python3 -m venv --system-site-packages /venv
  # PiDNG, for raw pictures, would have to be compiled: without it and whatever else no test touches.
  pip install -q --no-deps picamera2=="$newest" || exit 75
  pip install -q --no-deps --target /oldest picamera2=="$oldest"
  pip install -q piexif pillow simplejpeg videodev2 v4l2-python3 av libarchive-c tqdm jsonschema "$@"
  # lgpio still speaks of Python 2, which swig no longer translates.
  old="-DPyInt_Check=PyLong_Check -DPyInt_AsLong=PyLong_AsLong -DPyInt_FromLong=PyLong_FromLong"
  PYPI=1 CFLAGS="$old -DPyString_FromString=PyUnicode_FromString -std=gnu17 -w" pip install -q lgpio==0.2.2.0
' _ "$oldest" "$newest" "$@"
