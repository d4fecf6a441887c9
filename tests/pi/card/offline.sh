#!/usr/bin/env bash
# offline.sh ROOT CARD: the first start in an emulated arm64 Debian (installer_root.sh, lite) without a network, cut off in
# the middle once, and the program that it has installed. To be run by emulated.py. The last line says what was found.
set -euo pipefail
lite=$1 card=$2
release=$(basename "$card")
project=$(cd "$(dirname "$0")/../../.." && pwd)
memory=$(mktemp -d)
mount -t tmpfs -o size=6g,mode=755 tmpfs "$memory"
root=$memory/root
mkdir "$root"
tar -C "$lite" --exclude='./dev/*' -c . | tar -C "$root" -x
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --rbind /sys "$root/sys"
mount --bind "$project/tests/pi/arm/cpuinfo" "$root/proc/cpuinfo"
mkdir -p "$root/boot/firmware"
cp -r "$card"/. "$root/boot/firmware"
echo raspberrypi > "$root/etc/hostname"
sh "$root/boot/firmware/referee-card/begin.sh" "$root"

# No systemd runs in a folder: the service counts as ready once it is to be started with the machine.
mkdir "$memory/programs"
cat > "$memory/programs/systemctl" << PROGRAM
#!/bin/sh
[ "\$1" = show ] && [ -L "$root/etc/systemd/system/multi-user.target.wants/referee.service" ] && echo ActiveState=active
true
PROGRAM
chmod 755 "$memory/programs/systemctl"
PATH=$memory/programs:$PATH
program=("$(command -v python3)" -P -B "$root/boot/firmware/referee-card/first-start.pyz" --root "$root")

network=$(ip -o link 2> /dev/null | grep -vc ' lo:' || true)
# The power fails while pip unpacks the wheels: everything that was started ends with its first process.
started=$SECONDS
unshare --pid --fork --kill-child "${program[@]}" > "$memory/first" 2>&1 &
until grep -q 'require-hashes' "$memory/first"; do
  kill -0 $! 2> /dev/null || { cat "$memory/first"; exit 1; }
  sleep 0.2
done
before=$((SECONDS - started)) # until pip begins; what the second start does again counts twice
sleep 5
kill -9 $!
wait $! 2> /dev/null || true
halfway=no
[ -e "$root/opt/referee/current" ] || halfway=yes
started=$SECONDS
"${program[@]}" >&2
took=$((before + SECONDS - started))
started=$SECONDS
# The same wheels once more, with pip alone.
tar -xf "$card/referee-card/referee.bundle" -C "$memory" wheels
mv "$memory/wheels" "$root/rest"
cp "$project/systemd/locks/$release.txt" "$root/rest"
chroot "$root" python3 -m venv --system-site-packages /rest/venv
chroot "$root" /rest/venv/bin/python -m pip install --quiet --disable-pip-version-check --no-index --find-links /rest/wheels \
  --require-hashes --no-deps --requirement "/rest/$release.txt" >&2
pip=$((SECONDS - started))
rules=$(chroot "$root" /usr/local/bin/referee rules | wc -l)
# shellcheck disable=SC2016 # dpkg-query expands this, not the shell
numpy=$(chroot "$root" dpkg-query -W -f '${db:Status-Status}' python3-numpy)
# Tests of numpy, which nobody runs on a Pi, and a module that the referee loads; numpy 2 has it in two places.
compiled_tests=$(find "$root/usr/lib/python3/dist-packages/numpy/tests" -name '*.pyc' | wc -l)
compiled=$(find "$root/usr/lib/python3/dist-packages/numpy" -path '*core/__pycache__/multiarray.*.pyc' | wc -l)
left=$(find "$root/boot/firmware" -path '*referee-card/*' | wc -l)
printf '{"network": %s, "halfway": "%s", "rules": %s, "numpy": "%s", "compiled": %s, "compiled_tests": %s, "left": %s, "first_start_s": %s, "pip_s": %s, "report": "%s"}\n' \
  "$network" "$halfway" "$rules" "$numpy" "$compiled" "$compiled_tests" "$left" "$took" "$pip" "$(head -n 1 "$root/boot/firmware/referee-card.txt" | tr -d '\r')"
