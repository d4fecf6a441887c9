#!/bin/sh
# begin.sh [ROOT]: has the service that installs the referee started, now and at every start of the machine until it is
# done. Run by vendor-data on Trixie and by firstrun.sh on Bookworm, as often as they like.
set -eu
root=${1:-}
units=$root/etc/systemd/system
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$units/multi-user.target.wants"
# Under another name first: after a power cut the service is there completely or not at all.
cp "$here/referee-card.service" "$units/referee-card.service.new"
chmod 644 "$units/referee-card.service.new" # a FAT file system marks every file as a program
sync "$units/referee-card.service.new"
mv -f "$units/referee-card.service.new" "$units/referee-card.service"
ln -sfn ../referee-card.service "$units/multi-user.target.wants/referee-card.service"
sync "$units"
[ -z "$root" ] || exit 0
# Not while firstrun.sh runs: the machine is started anew right after it.
case $(cat /proc/cmdline) in *systemd.run=*) exit 0 ;; esac
systemctl daemon-reload
systemctl start --no-block referee-card.service
