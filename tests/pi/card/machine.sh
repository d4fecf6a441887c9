#!/usr/bin/env bash
# machine.sh FOLDER: a small x86 machine with Debian Trixie, systemd and cloud-init, which reads its settings from the boot
# partition as Raspberry Pi OS does: kernel, initrd and the file system of the root partition. As root; 3 minutes, 1 GB.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/pi/debian.sh
. "$here/../debian.sh"
out=$1
# In memory, because dpkg has every file written to the disk at once. The mount ends with this script.
[ -n "${IN_MEMORY:-}" ] || IN_MEMORY=yes exec unshare --mount bash "$0" "$@"
command -v mmdebstrap > /dev/null || unavailable "mmdebstrap is not installed"
# shellcheck disable=SC2016 # apt's own variable
mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -E '/debian/?$' | sort -u | head -n 1)
[ -n "$mirror" ] || unavailable "apt knows no mirror of Debian"
keys=/usr/share/keyrings/debian-archive-keyring.gpg
memory=$(mktemp -d)
root=$memory
mount -t tmpfs -o size=3g,mode=755 tmpfs "$root"
trap 'umount -l "$memory" && rmdir "$memory"' EXIT
mmdebstrap --quiet --variant=minbase --dpkgopt=force-unsafe-io --dpkgopt='path-exclude=/usr/share/doc/*' \
  --include=systemd-sysv,udev,dbus,cloud-init,netcat-openbsd,openssh-client,linux-image-cloud-amd64,python3,kmod,mount \
  trixie "$root/made" "deb [signed-by=$keys] $mirror trixie main" || unavailable "mmdebstrap cannot make a Trixie here"
root=$root/made
# As the package rpi-cloud-init-mods has it.
cat > "$root/etc/cloud/cloud.cfg.d/99_raspberry-pi.cfg" << 'CONFIG'
datasource_list: [NoCloud, None]
datasource:
  NoCloud:
    seedfrom: file:///boot/firmware
CONFIG
mkdir -p "$root/boot/firmware" "$root/etc/systemd/system/cloud-init-main.service.d" \
  "$root/etc/systemd/system/cloud-init-local.service.d"
for unit in main local; do
  printf '[Unit]\nRequiresMountsFor=/boot/firmware\n' > "$root/etc/systemd/system/cloud-init-$unit.service.d/boot.conf"
done
printf '/dev/vda / ext4 defaults 0 1\nLABEL=bootfs /boot/firmware vfat defaults 0 2\n' > "$root/etc/fstab"
echo raspberrypi > "$root/etc/hostname"
rm -f "$root/etc/machine-id" && touch "$root/etc/machine-id"
# Switches the machine off once the first start is done and cloud-init is, so that the test can look at the disks.
cat > "$root/etc/systemd/system/switch-off.service" << 'UNIT'
[Service]
ExecStart=/bin/sh -c 'while [ -e /boot/firmware/referee-card ] && ! [ -e /boot/firmware/referee-card.txt ]; do sleep 0.3; done; while [ -e /boot/firmware/referee-card ] && systemctl -q is-active referee-card; do sleep 0.3; done; cloud-init status --wait > /dev/null; sync; exec systemctl poweroff'
[Install]
WantedBy=multi-user.target
UNIT
ln -s ../switch-off.service "$root/etc/systemd/system/multi-user.target.wants/switch-off.service" 2> /dev/null ||
  { mkdir -p "$root/etc/systemd/system/multi-user.target.wants" &&
    ln -s ../switch-off.service "$root/etc/systemd/system/multi-user.target.wants/switch-off.service"; }
cp "$root"/boot/vmlinuz-* "$out/vmlinuz"
cp "$root"/boot/initrd.img-* "$out/initrd"
rm -rf "$root"/boot/*-amd64 "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/*
mke2fs -q -t ext4 -L rootfs -d "$root" "$out/root.img" 2500M
