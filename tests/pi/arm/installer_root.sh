#!/usr/bin/env bash
# installer_root.sh bookworm|trixie ROOT [lite]: an emulated arm64 Debian in which the installer can run; made once, in 12
# minutes. With `lite` it lacks what Raspberry Pi OS Lite lacks: those packages wait in ROOT/rest/packages.
#
# What only the Pi's own archive has, python3-picamera2 and python3-lgpio, are empty packages here.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/pi/debian.sh
. "$here/../debian.sh"
suite=$1 root=$2 lite=${3:-}
mkdir -p "$(dirname "$root")"

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
    systemd python3-numpy openssh-client
  cp "$tools/usr/bin/qemu-aarch64-static" "$root.part/rest/qemu"
  (cd "$root.part/rest" && stand_in python3-picamera2 0.3.31 picamera2 && stand_in python3-lgpio 0.2.2 lgpio)
  if [ "$lite" ]; then
    mkdir "$root.part/rest/packages"
    mv "$root.part/rest/python3-picamera2.deb" "$root.part/rest/packages"
    for file in "$root.part"/var/cache/apt/archives/{python3-numpy,libblas3,liblapack3,libgfortran5}*.deb; do
      dpkg-deb --fsys-tarfile "$file" | tar -t | grep -v '/$' | (cd "$root.part" && xargs rm -f --)
      mv "$file" "$root.part/rest/packages"
    done
  fi
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
