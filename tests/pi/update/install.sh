#!/usr/bin/env bash
# Stands in for the real installer on a machine that is no Pi: it takes several steps, and leaves a version as the real one
# does, which it then asks for. The real one is cut off at many points in tests/test_install.py.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
python3 -P -B "$source/systemd/unpack.py" "$source/program.tar.xz" trixie "$source"
home=/opt/referee slot=a
[[ $(readlink $home/current) != slots/a ]] || slot=b
here=$home/slots/$slot
rm -f "$here/installed"
sync -f "$home"
rm -rf "$here"
mkdir -p "$here/venv/bin" "$here/units" "$here/libraries"
for number in 1 2 3 4 5 6 7 8; do # what takes the time
  head -c 2000000 /dev/zero > "$here/libraries/$number"
  sleep 0.5
done
# A version for which there is no room on the card.
[[ $(cat "$source/manner") != "too large" ]] || head -c 4000000000 /dev/zero > "$here/libraries/large"
install -m 755 "$source/referee" "$here/venv/bin/referee"
cp "$source/made.json" "$here"
cp "$source/referee.service" "$here/units/referee.service"
cp "$source/version" "$here/version"
sync -f "$here"
echo "$(cat "$source/version") tested" > "$here/installed.new"
sync "$here/installed.new"
mv "$here/installed.new" "$here/installed"
sync -f "$here"
PYTHONPATH=$home/updater python3 -P -B -m updater request "$slot"
systemctl restart referee-slots.service
