#!/usr/bin/env bash
# installer.sh [bookworm|trixie] [FOLDER]: `make install` into an emulated arm64 Debian, twice, and off again. As root.
#
# By hand only: making the root takes 12 minutes (kept in FOLDER, by default in the cache beside the others), and each
# run 4 more. What only the Pi's own archive has, python3-picamera2 and python3-lgpio, are empty packages here: what pip
# resolves and installs, systemd's files, users and folders are real.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
suite=${1:-trixie} folder=${2:-${XDG_CACHE_HOME:-$HOME/.cache}/referee-pi}
root=$folder/installer-$suite

emulated() { python3 "$here/emulated.py" "$root/rest/qemu" "$@"; }

bash "$here/installer_root.sh" "$suite" "$root"

# shellcheck disable=SC2016 # for the shell in there
emulated /usr/bin/env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin QEMU_CPU=cortex-a72 \
  DEBIAN_FRONTEND=noninteractive PIP_CERT=/etc/ssl/certs/ca-certificates.crt PIP_DEFAULT_TIMEOUT=180 bash -uc '
  root=$1 project=$2
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount --rbind /sys "$root/sys"
  mount --bind "$project/tests/pi/arm/cpuinfo" "$root/proc/cpuinfo"
  cp /etc/resolv.conf "$root/etc/"
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  cd "$project" || exit
  failed=0
  step() {
    echo "== $1"
    shift
    if "$@"; then echo "== done"; else failed=$? && echo "== failed ($failed)"; fi
  }
  unchanged() {
    local told
    told=$(bash systemd/install.sh --root "$root") && echo "$told" && ! grep "^  + " <<< "$told"
  }
  step "told only" bash systemd/install.sh --dry-run --root "$root"
  step "installed" bash systemd/install.sh --root "$root"
  step "installed again: nothing may change" unchanged
  step "the program there" chroot "$root" /usr/local/bin/referee rules
  step "taken off" bash systemd/install.sh --uninstall --root "$root"
  exit $failed' _ "$root" "$(cd "$here/../../.." && pwd)"
