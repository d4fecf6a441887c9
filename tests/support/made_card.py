"""A made-up Raspberry Pi in a folder, for tests of the installer and the updater.

`--root` makes the installer reach every program of the system through `chroot`; here that is a stand-in which writes
down what it was asked and answers like a Raspberry Pi.
"""

import os
import subprocess
from pathlib import Path

PROJECT = Path(__file__).parent.parent.parent
SCRIPT = PROJECT / "systemd" / "install.sh"

CHROOT = """#!/usr/bin/env bash
# What a Raspberry Pi would answer. Its state lies in $root/state: installed packages, the user, the enabled service.
shopt -s extglob
root=$1
shift
state=$root/state
mkdir -p "$state"
printf '%s\\n' "$*" >> "$state/asked"
[[ ! -e $state/broken ]] || case "$*" in *"$(cat "$state/broken")"*) exit 1 ;; esac
case "$*" in
  'dpkg --print-architecture') cat "$state/bits" ;;
  'dpkg --audit') [[ ! -e $state/audit ]] || cat "$state/audit" ;;
  dpkg-query*) [[ -e $state/package-${!#} ]] && printf 'installed %s\\n' "$(cat "$state/package-${!#}")" ;;
  'dpkg --compare-versions'*) [[ $(printf '%s\\n' "$3" "$5" | sort -V | head -n 1) == "$5" ]] ;;
  *apt-get\\ install*)
    for name; do
      [[ $name =~ ^(python3-.*|espeak-ng|alsa-utils)$ ]] && cp "$state/newest" "$state/package-$name"
    done; true ;;
  'id -nG referee') cat "$state/user" ;;
  systemd-sysusers*) echo 'referee gpio video' > "$state/user" ;;
  'usermod --append --groups '*) echo "$(cat "$state/user") $4" > "$state/user" ;;
  'sh -c command -v rpicam-hello') ;;
  'sh -c ls /usr/share/python-wheels/pip-'*) [[ ! -e $state/pip ]] || cat "$state/pip" ;;
  'rpicam-hello --list-cameras') cat "$state/cameras" ;;
  'python3 -c'*) cat "$state/python" ;;
  'python3 -m venv'*)
    mkdir -p "$root${!#}/bin" "$root${!#}/lib/python3.11" && touch "$root${!#}/bin/python" ;;
  *' init --help') [[ -e $state/has-init ]] ;;
  *' init '*) echo '# settings' > "$root${!#}" ;;
  *' -m updater '*) PYTHONPATH=$root/opt/referee/updater python3 -P -B -m updater --root "$root" "${@:8}" ;;
  *is-enabled*) unit=${!#} && [[ -e $state/enabled${unit//@(referee|.service)/} ]] ;;
  *is-active*)
    [[ ! -e $state/noisy ]] || echo "Running in chroot, ignoring command 'is-active'" >&2
    unit=${!#} && [[ -e $state/running${unit//@(referee|.service)/} ]] ;;
  'systemctl show '*) if [[ -e $state/running ]]; then echo ActiveState=active; else echo ActiveState=inactive; fi ;;
  'systemctl restart referee-slots.service')
    PYTHONPATH=$root/opt/referee/updater python3 -P -B -c "$SWITCH" "$root" ;;
  'systemctl enable '* | 'systemctl disable '* | 'systemctl start '* | 'systemctl restart '* | 'systemctl stop '*)
    for unit in "${@:3}"; do
      name=${unit//@(referee|.service)/}
      case $2 in
        enable) touch "$state/enabled$name" ;;
        disable) rm -f "$state/enabled$name" ;;
        stop) rm -f "$state/running$name" ;;
        *) [[ $unit == -* ]] || touch "$state/running$name" ;;
      esac
    done ;;
esac
"""

SWITCH = """
import sys
from pathlib import Path
from updater.journal import state_folder
from updater.services import Services
from updater.slots import Slots
from updater.switching import Change
root = Path(sys.argv[1])
Change(Slots(root), Services(root), state_folder(root)).switch()
"""
"""What the service of the updater does first; on a Raspberry Pi it goes on for some minutes."""


def made_card(tmp_path: Path) -> Path:
    """The system of a Raspberry Pi 4 that has never seen the referee."""
    root = tmp_path / "card"
    (root / "state").mkdir(parents=True)
    (root / "proc" / "device-tree").mkdir(parents=True)
    (root / "proc" / "device-tree" / "model").write_bytes(b"Raspberry Pi 4 Model B Rev 1.5\0")
    (root / "etc").mkdir()
    (root / "etc" / "os-release").write_text("ID=debian\nVERSION_CODENAME=bookworm\n")
    (root / "state" / "bits").write_text("arm64\n")
    (root / "state" / "python").write_text("3.11 1.24.2\n")
    (root / "state" / "cameras").write_text("Available cameras\n-----------------\n0 : imx708 [4608x2592]\n")
    (root / "state" / "has-init").touch()
    (root / "state" / "newest").write_text("0.3.27-1\n")
    programs = tmp_path / "programs"
    programs.mkdir()
    systemctl = f'#!/bin/sh\nexec "{programs}/chroot" "{root}" systemctl "$@"\n'
    for name, text in {"chroot": CHROOT, "id": "#!/bin/sh\necho 0\n", "systemctl": systemctl}.items():
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    return root


def environ_of(card: Path) -> dict[str, str]:
    return {**os.environ, "PATH": f"{card.parent / 'programs'}:{os.environ['PATH']}", "SWITCH": SWITCH}


def install(card: Path, *options: str, script: Path = SCRIPT) -> subprocess.CompletedProcess[str]:
    environ = environ_of(card)
    return subprocess.run(  # noqa: S603
        [script, "--root", card, *options], capture_output=True, text=True, check=False, env=environ
    )
