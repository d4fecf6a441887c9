#!/usr/bin/env bash
# installer.sh [bookworm|trixie] [FOLDER]: `make install` into an emulated arm64 Debian, twice, and off again. As root.
#
# By hand only: making the root takes 12 minutes (kept in FOLDER, by default in the cache beside the others), and each
# run 4 more. What only the Pi's own archive has, python3-picamera2 and python3-lgpio, are empty packages here: what pip
# resolves and installs, systemd's files, users and folders are real.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/pi/debian.sh
. "$here/../debian.sh"
suite=${1:-trixie} folder=${2:-${XDG_CACHE_HOME:-$HOME/.cache}/referee-pi}
root=$folder/installer-$suite
mkdir -p "$folder"

emulated() { python3 "$here/emulated.py" "$root/rest/qemu" "$@"; }

# A package of this name and version with one empty module, for what only the Pi's own archive has.
stand_in() {
  mkdir -p "$1/DEBIAN" "$1/usr/lib/python3/dist-packages"
  touch "$1/usr/lib/python3/dist-packages/$3.py"
  printf 'Package: %s\nVersion: %s\nArchitecture: all\nMaintainer: nobody <nobody@localhost>\nDescription: stand-in\n' \
    "$1" "$2" > "$1/DEBIAN/control"
  dpkg-deb --root-owner-group --build "$1" "$1.deb" > /dev/null
}

if [ ! -d "$root" ]; then
  echo "== making $root"
  tools=$(mktemp -d)
  trap 'rm -rf "$tools"' EXIT
  rm -rf "$root.part"
  downloaded "$tools" debootstrap qemu-user-static
  keep_packages=yes unpacked "$root.part" "$tools" "$suite" arm64 ca-certificates python3 python3-venv python3-pip \
    systemd python3-numpy
  cp "$tools/usr/bin/qemu-aarch64-static" "$root.part/rest/qemu"
  (cd "$root.part/rest" && stand_in python3-picamera2 0.3.31 picamera2 && stand_in python3-lgpio 0.2.2 lgpio)
  mv "$root.part" "$root"
  # What debootstrap does second, by hand: its own way through the list of all packages takes longest where emulated.
  # shellcheck disable=SC2016 # for the shell in there
  emulated bash -euc '
    mount -t proc proc "$1/proc"
    exec chroot "$1" /usr/bin/env -i DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C \
      QEMU_CPU=cortex-a72 bash -c "
        dpkg --force-all --unpack --skip-same-version /var/cache/apt/archives/*.deb > /rest/unpack.log 2>&1
        dpkg --configure -a > /rest/configure.log 2>&1 && dpkg -i /rest/*.deb && rm -f /var/cache/apt/archives/*.deb"
  ' _ "$root" || { mv "$root" "$root.failed" && exit 1; }
fi

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
