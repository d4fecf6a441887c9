#!/bin/sh
# For Raspberry Pi OS Bookworm, whose Imager writes a firstrun.sh of its own, with Wi-Fi, user and language. That one is
# renamed to firstrun-imager.sh, and run first. Bookworm ends this file itself: it replaces what comes after the line
# that removes firstrun.sh, and starts the machine anew (raspberrypi-sys-mods, initramfs-tools/scripts/local-bottom/imager_fixup).
here=/boot/firmware
if [ -e "$here/firstrun-imager.sh" ]; then
  # The Imager writes the paths of older releases; its last lines take the start of this file out of cmdline.txt, which
  # has to wait until everything is done.
  sed -e 's|/boot/\(firmware/\)*|/boot/firmware/|g' -e '/^rm -f .*firstrun\.sh$/,$d' "$here/firstrun-imager.sh" > /run/firstrun-imager.sh
  bash /run/firstrun-imager.sh || true
fi
sh "$here/referee-card/begin.sh" || true
rm -f "$here/firstrun-imager.sh"
rm -f /boot/firmware/firstrun.sh
sed -i 's| systemd\.[^ ]*||g' /boot/firmware/cmdline.txt
exit 0
