#!/usr/bin/env bash
# setup.sh: makes a machine that plays with a first version out of one that has just started, as the real installer does:
# user, updater, units and slots are those of the project, only the program is a small one. It is run once, by systemd.run=.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
home=/opt/referee
rm -f /etc/systemd/system/multi-user.target.wants/switch-off.service # it is for the card's first start
groupadd --force --system gpio
groupadd --force --system video
mkdir -p $home/slots/a/venv/bin $home/slots/a/units /etc/referee
mkdir $home/updater
cp -r "$here/systemd/updater" $home/updater/updater
install -m 644 "$here/signers" /etc/referee/update-signers
install -m 644 "$here/systemd/referee.sysusers" /usr/lib/sysusers.d/referee.conf
systemd-sysusers referee.conf
for unit in referee.service referee-slots-boot.service referee-slots.service referee-update.path referee-update.service referee-request.path; do
  install -m 644 "$here/systemd/$unit" /etc/systemd/system/
done
cp "$here/systemd/referee.service" $home/slots/a/units/
install -m 755 "$here/referee" $home/slots/a/venv/bin/referee
echo '{"version": "0", "manner": "works", "schema": 1}' > $home/slots/a/made.json
echo 0 > $home/slots/a/version
echo "0 tested" > $home/slots/a/installed
ln -s slots/a $home/current
install -m 755 "$here/driver.py" /usr/local/bin/driver
cat > /etc/systemd/system/driver.service << 'UNIT'
[Unit]
After=referee.service
[Service]
ExecStart=/usr/local/bin/driver
StandardOutput=journal+console
[Install]
WantedBy=multi-user.target
UNIT
install -d -m 750 -o referee -g referee /var/lib/referee /var/lib/referee/updates
systemctl daemon-reload
systemctl enable referee-slots-boot referee-slots referee-update.path referee-request.path referee driver
# Nothing of this is needed, and each start would take longer.
systemctl mask apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer fstrim.timer e2scrub_all.timer getty@tty1.service
sync
