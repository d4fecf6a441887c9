#!/usr/bin/env bash
# Stands in for the real installer on a machine that is no Pi: it takes several steps, each of which is seen if it is done
# twice, and a service that has nothing to do. The real one is cut off at many points in tests/test_card_first_start.py.
set -euo pipefail
home=/opt/referee here=/opt/referee/slots/a
say() { printf '%s\n' "$*"; }
say Machine
say "Packages of Raspberry Pi OS"
sleep 1
say Program
mkdir -p "$here/venv/bin" "$here/models"
for number in 1 2 3 4 5 6; do
  echo "$number" > "$here/models/$number"
  sleep 0.5
done
touch "$here/venv/bin/python"
sync -f "$here"
echo 1 > "$here/installed"
sync "$here/installed"
ln -sfn slots/a "$home/current"
say Settings
say Service
[[ " $* " =~ " --hold "([0-9]+)" " ]] && read -r -t 60 -u "${BASH_REMATCH[1]}" # until the first start leaves the pins
cat > /etc/systemd/system/referee.service.new << 'UNIT'
[Service]
ExecStart=/bin/sleep infinity
[Install]
WantedBy=multi-user.target
UNIT
mv /etc/systemd/system/referee.service.new /etc/systemd/system/referee.service
systemctl daemon-reload
systemctl enable referee.service
systemctl start referee.service
