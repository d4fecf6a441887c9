#!/usr/bin/env bash
# Install the referee on a Raspberry Pi, or uninstall it. Each step is printed; run again, it does only what is missing.
set -Eeuo pipefail
umask 022 # the service must be able to read what is installed, whatever umask sudo has

usage="usage: install.sh [--dry-run] [--root DIR] [--extras oled,voice,club,hall,heic] [--no-table] [--hostname NAME]
                  [--signers FILE] [--hotspot] [--as-before] [--hold FD] [--uninstall]

  --dry-run        print what would be done, and change nothing
  --root DIR       install into the system below DIR (a mounted SD card) instead of this one
  --extras NAMES   also install what an OLED display (oled), speech (voice), a broker (club), the hall of a club (hall)
                   or pictures from iPhones (heic) need; automatic if the settings use them
  --no-table       install no service for a table, on a machine that is only the hall
  --hostname NAME  set the machine's name; the house then finds its page at http://NAME.local/
  --signers FILE   take updates that are signed with one of these public keys (the form of ssh-keygen's allowed signers)
  --hotspot        if no known Wi-Fi is in reach, Debian's comitup opens one on which to choose that of the house
  --as-before      install the same extras and services as the version in use has; updates do so
  --hold FD        before services are started, wait for a line from this file descriptor, for at most a minute: whoever
                   shows on the referee's pins how far this is leaves them first
  --uninstall      remove everything but the settings, the data and the machine's name"

packages=(python3-venv python3-picamera2 python3-numpy python3-lgpio)
# Older versions lack calls that the referee uses.
declare -A least=([python3-picamera2]=0.3.22)
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# The names by which the manual page and the shells' completion are found; they lead to the version in use.
declare -A found_as=(
  [referee.1]=/usr/local/share/man/man1/referee.1
  [referee.bash]=/usr/local/share/bash-completion/completions/referee
  [_referee]=/usr/local/share/zsh/site-functions/_referee
  [referee.fish]=/usr/local/share/fish/vendor_completions.d/referee.fish
)
stick_rules=/etc/udev/rules.d/90-referee-stick.rules
settings=/etc/referee/referee.toml hall_settings=/etc/referee/hall.toml
watchdog=/etc/systemd/system.conf.d/referee.conf
rights=/etc/polkit-1/rules.d/referee.rules
not_compiled=/usr/share/python3/bcep/referee
root='' dry='' verb=install changed='' pending='' signers='' as_before='' oled='' voice='' club='' hall='' heic='' hotspot='' hold='' table=yes hostname='' codename=''
# Raspberry Pi OS configures an extra index for pip, and the caller may have configured others: all are ignored.
clean_pip=(env -u PIP_EXTRA_INDEX_URL -u PIP_FIND_LINKS -u PIP_CONSTRAINT PIP_CONFIG_FILE=/dev/null)
# Nobody is there to answer a question: a file of settings that somebody has changed stays as it is.
quiet_dpkg=(env DEBIAN_FRONTEND=noninteractive dpkg --force-confdef --force-confold)
# What is installed is compiled afterwards, on all cores of the processor at once, which pip cannot do.
quiet_pip=(install --quiet --disable-pip-version-check --no-warn-script-location --no-compile)
# Parts that the referee never loads, more than half of all that would be compiled.
never_run='/(flatbuffers|google|markdown_it|onnxruntime/(quantization|tools|transformers)|packaging|pydantic/(v1|experimental|mypy)|pygments|referee/train|setuptools)[/.]'

say() { printf '%s\n' "$*"; }
fail() { printf 'install.sh: %s\n' "$*" >&2; exit 2; }

# Stop on a machine that this cannot be installed on. A dry run goes on, because it can be run anywhere.
unfit() { [[ $dry ]] || fail "$*"; say "  not here: $*"; }

trap 'printf "install.sh: stopped. Once that is mended run it again: it goes on from here.\n" >&2' ERR

# Run a command that only inspects the target system.
ask() { if [[ $root ]]; then chroot "$root" "$@"; else "$@"; fi; }

# Print a command that changes the target system, and run it unless this is a dry run.
run() {
  say "  + $*"
  changed=yes
  [[ $dry ]] || ask "$@"
}

# Install a file unless it is there already: put MODE FROM TO.
put() {
  cmp -s "$2" "$root$3" && return
  say "  + write $3"
  changed=yes
  [[ ! $dry ]] || return 0
  # Under another name first: after a power cut the file is the old one or the complete new one. The name is hidden, so
  # that no program that reads all files of the folder reads half a file.
  local unfinished=$root${3%/*}/.${3##*/}.new
  install -D -m "$1" "$2" "$unfinished"
  sync "$unfinished"
  mv -f -- "$unfinished" "$root$3"
}

# Let a link lead elsewhere, without a moment at which it leads nowhere: put_link TARGET LINK.
put_link() {
  [[ $(readlink "$root$2" 2> /dev/null) != "$1" ]] || return 0
  say "  + link $2 to $1"
  changed=yes
  [[ ! $dry ]] || return 0
  mkdir -p "$(dirname "$root$2")"
  ln -sfn -- "$1" "$root$2.new"
  mv -fT -- "$root$2.new" "$root$2"
}

# Remove a file or folder, if it is there.
drop() {
  [[ -e $root$1 || -L $root$1 ]] || return 0
  say "  + remove $1"
  changed=yes
  [[ $dry ]] || rm -rf -- "$root${1:?}"
}

check_machine() {
  say "Machine"
  local model='another machine' bits
  if [[ -e $root/proc/device-tree/model ]]; then
    model=$(tr -d '\0' < "$root/proc/device-tree/model")
  elif [[ $root ]]; then
    model='a Raspberry Pi (nobody can tell which: this is its card)'
  fi
  [[ $model == *"Raspberry Pi"* ]] || unfit "expected a Raspberry Pi, found: $model"
  bits=$(ask dpkg --print-architecture 2> /dev/null) || bits=nothing
  [[ $bits == arm64 ]] || unfit "expected a 64-bit Raspberry Pi OS (arm64), found: $bits. Write the 64-bit image to the card."
  codename=$(sed -n 's/^VERSION_CODENAME=//p' "$root/etc/os-release" 2> /dev/null) || true
  case $codename in
    bookworm | trixie) ;;
    *) unfit "expected Raspberry Pi OS Bookworm or Trixie, found: ${codename:-something else}" ;;
  esac
  # With overlayroot everything that is installed is in memory only, and gone after the next start of the machine.
  ! grep -qs '^overlayroot / ' "$root/proc/mounts" ||
    unfit "expected a system that keeps what is installed, found overlayroot: sudo raspi-config nonint disable_overlayfs, and restart"
  say "  $model, $bits, $codename"
  case $model in
    *"Pi Zero 2"*)
      say "  note: too slow and too small: a look takes 6 to 9 seconds, and memory runs out. Take a Pi 4 or 5." ;;
    *"nobody can tell"* | *"Pi 4"* | *"Pi 5"* | *"Compute Module 4"* | *"Compute Module 5"*) ;;
    *) say "  note: made for a Pi 4 or 5; on this one verdicts take longer" ;;
  esac
}

# In a bundle, the program is an archive beside this file: all else that is needed here is in it.
unpack_program() {
  local archive=$source/program.tar.xz
  [[ -e $archive && ! $dry ]] || return 0
  python3 -P -B "$source/systemd/unpack.py" "$archive" "$codename" "$source"
  rm -f -- "$archive"
}

check_camera() {
  say "Camera"
  local tool list
  for tool in rpicam-hello libcamera-hello; do
    ask sh -c "command -v $tool" > /dev/null 2>&1 || continue
    list=$(ask "$tool" --list-cameras 2>&1 || true) # all of it: grep would close the pipe at once
    if grep -qE '^ *0 *:' <<< "$list"; then
      say "  found one"
    else
      say "  none found. Switch off, press the ribbon cable home at both ends, switch on; camera_auto_detect=1 must stand"
      say "  in /boot/firmware/config.txt. A USB camera is not listed here. Everything else is installed all the same."
    fi
    return
  done
  say "  not looked for: rpicam-hello is missing. \`referee doctor\` will look."
}

# Whether a package is installed, in the required version or a newer one.
have() {
  local state version
  # shellcheck disable=SC2016 # dpkg-query expands this, not the shell
  read -r state version < <(ask dpkg-query -W -f '${db:Status-Status} ${Version}\n' "$1" 2> /dev/null || true) || return 1
  [[ $state == installed ]] || return 1
  [[ ! ${least[$1]:-} ]] || ask dpkg --compare-versions "$version" ge "${least[$1]}"
}

# A package of the system that this file holds in a newer version than the system, or that the system lacks.
lacks_package_of() {
  local name version state installed
  # shellcheck disable=SC2016 # dpkg-deb and dpkg-query expand these, not the shell
  read -r name version < <(dpkg-deb --show --showformat='${Package} ${Version}\n' "$1")
  # shellcheck disable=SC2016
  read -r state installed < <(ask dpkg-query -W -f '${db:Status-Status} ${Version}\n' "$name" 2> /dev/null || true) || return 0
  [[ $state != installed ]] || ! ask dpkg --compare-versions "$installed" ge "$version"
}

# Whether packages are only half installed, as after a power cut, or one that dpkg could not install.
are_packages_broken() { [[ $(ask dpkg --audit 2> /dev/null) ]]; }

# Finish what a power cut has interrupted: packages that are only unpacked, and notes of dpkg's that are not in its list
# yet. apt refuses to do anything before that. What lacks another package stays as it is.
finish_packages() {
  if are_packages_broken || compgen -G "$root/var/lib/dpkg/updates/[0-9]*" > /dev/null; then
    run "${quiet_dpkg[@]}" --configure --pending || true
  fi
}

# Let apt install packages, or files: apt_install OPTION... PACKAGE...
apt_install() {
  run env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends -o DPkg::Lock::Timeout=900 \
    -o DPkg::Options::=--force-confdef -o DPkg::Options::=--force-confold "$@"
}

# The bundle of a new card brings the packages that Raspberry Pi OS Lite lacks, so that no internet is needed. Where they
# fit as they are, dpkg installs them; otherwise apt finds a way, which takes longer. If they do not fit the system,
# because it has newer ones of others already, apt is asked as everywhere else.
install_bundled_packages() {
  local folder=$source/packages/$codename file lacking=() fix=()
  [[ -d $folder && ($folder == "$root"/* || ! $root) ]] || return 0
  for file in "$folder"/*.deb ${hotspot:+"$folder"/hotspot/*.deb}; do
    [[ ! -e $file ]] || ! lacks_package_of "$file" || lacking+=("${file#"$root"}")
  done
  [[ ${lacking[*]} ]] || return 0
  if ask python3 -P -B "${source#"$root"}/systemd/fits.py" "${lacking[@]}"; then
    ! run "${quiet_dpkg[@]}" --install "${lacking[@]}" || return 0
  fi
  # What dpkg has only unpacked, apt finishes together with the others if it may.
  ! are_packages_broken || fix=(--fix-broken)
  apt_install "${fix[@]}" "${lacking[@]}" || say "  note: the packages of the bundle do not fit this system; they are fetched over the internet"
}

install_packages() {
  say "Packages of Raspberry Pi OS"
  local name missing=()
  # Debian compiles every module of a package when it is installed, one after the other, also tests and tools that
  # nobody runs on a Pi: more than half of numpy.
  put 644 "$source/systemd/referee.bcep" $not_compiled
  finish_packages
  [[ ! $hotspot ]] || packages+=(comitup)
  install_bundled_packages
  [[ ! $voice ]] || packages+=(espeak-ng alsa-utils)
  [[ ! $hall ]] || packages+=(python3-scipy) # for the best seats of a tournament; apt's build fits apt's numpy
  for name in "${packages[@]}"; do
    have "$name" || missing+=("$name")
  done
  [[ ${missing[*]} ]] || return 0
  run apt-get update
  # If something lacks a package, apt does nothing else before that is mended. It may fetch what is lacking, not remove anything.
  ! are_packages_broken || apt_install --fix-broken --no-remove || true
  apt_install "${missing[@]}"
  [[ ! $dry ]] || return 0
  for name in "${!least[@]}"; do
    have "$name" || say "  note: $name is older than ${least[$name]}: the Pi's own camera will not work. sudo apt full-upgrade"
  done
}

# Whether the referee's user exists and is in all of its groups.
have_user() {
  local group groups
  groups=" $(ask id -nG referee 2> /dev/null) " || return 1
  while read -r group; do
    [[ $groups == *" $group "* ]] || return 1
  done < <(sed -n 's/^m referee //p' "$source/systemd/referee.sysusers")
}

install_user() {
  say "User and groups"
  put 644 "$source/systemd/referee.sysusers" /usr/lib/sysusers.d/referee.conf
  # This creates the user, or adds an existing one to the groups that it is not in.
  have_user || run systemd-sysusers referee.conf
}

# What the referee may ask of the system: shut down, restart, set the clock, choose a Wi-Fi. polkit reads the folder by itself whenever it changes.
install_rights() {
  say "Rights"
  put 644 "$source/systemd/referee.rules" $rights
}

# The value of a key in a table of the settings, without quotes and comments; nothing if it is not set.
setting() {
  sed -n "/^[[:space:]]*\[$1\]/,/^[[:space:]]*\[/p" "$root$settings" 2> /dev/null |
    sed -n "s/^[[:space:]]*$2[[:space:]]*=[[:space:]]*[\"']\{0,1\}\([^\"'#[:space:]]*\).*/\1/p" | tail -n 1 || true
}

# The extras that the settings require, besides those named on the command line.
choose_extras() {
  if [[ $as_before ]]; then
    local installed
    installed=" $(cut -d' ' -f4- "$root/opt/referee/current/installed" 2> /dev/null) " || true
    [[ $installed != *" oled "* ]] || oled=yes
    [[ $installed != *" club "* ]] || club=yes
    [[ $installed != *" heic "* ]] || heic=yes
    [[ -e $root/etc/systemd/system/referee.service ]] || table=''
  fi
  [[ $(setting panel display) != oled ]] || oled=yes
  [[ $(setting voice on) != true ]] || voice=yes
  [[ $(setting club on) != true ]] || club=yes
  [[ ! -e $root$hall_settings ]] || hall=yes
  [[ ! $hall ]] || club=yes
}

# Give the service and its user an additional permission: give_right PART GROUP.
give_right() {
  put 644 "$source/systemd/$1.conf" "/etc/systemd/system/referee.service.d/$1.conf"
  [[ " $(ask id -nG referee 2> /dev/null) " == *" $2 "* ]] || run usermod --append --groups "$2" referee
}

# An OLED needs a library and access to its bus; speech needs two programs and access to the loudspeaker.
install_extras() {
  if [[ $oled ]]; then say "Display"; give_right oled i2c; fi
  if [[ $voice ]]; then say "Voice"; give_right voice audio; fi
}

# Set the machine's name, if one was given: in /etc/hosts it is in the line that Debian has for it.
install_hostname() {
  local now draft
  now=$(cat "$root/etc/hostname" 2> /dev/null) || true
  if [[ ! $hostname ]]; then hostname=${now:-raspberrypi}; return; fi
  [[ $now != "$hostname" ]] || return 0
  say "Name of the machine"
  draft=$(mktemp)
  sed "s/^127\.0\.1\.1[[:space:]].*/127.0.1.1\t$hostname/" "$root/etc/hosts" > "$draft" 2> /dev/null || true
  grep -qs '^127\.0\.1\.1' "$draft" || printf '127.0.1.1\t%s\n' "$hostname" >> "$draft"
  put 644 "$draft" /etc/hosts # first, because sudo is slow if the name cannot be resolved
  printf '%s\n' "$hostname" > "$draft"
  if [[ $root ]]; then put 644 "$draft" /etc/hostname; else run hostnamectl set-hostname "$hostname"; fi
  rm -f -- "$draft"
  [[ $root ]] || run systemctl try-restart avahi-daemon.service || true
}

# A browser that is given no port comes to port 80. systemd listens there, and sends it on to the page: install_port80 PORT.
install_port80() {
  local draft
  [[ $1 != 80 ]] || { drop_port80; return 0; }
  draft=$(mktemp)
  sed "s|referee-port80 8765$|referee-port80 $1|" "$source/systemd/referee-port80@.service" > "$draft"
  put 755 "$source/systemd/referee-port80.sh" /usr/local/lib/referee-port80
  put 644 "$draft" /etc/systemd/system/referee-port80@.service
  put 644 "$source/systemd/referee-port80.socket" /etc/systemd/system/referee-port80.socket
  rm -f -- "$draft"
  ! ask systemctl --quiet is-enabled referee-port80.socket > /dev/null 2>&1 || return 0
  run systemctl daemon-reload
  run systemctl enable referee-port80.socket
  [[ $root ]] || run systemctl start referee-port80.socket ||
    say "  note: port 80 is taken by another program; the page is found with its port only"
}

drop_port80() {
  if [[ -e $root/etc/systemd/system/referee-port80.socket ]]; then
    run systemctl stop referee-port80.socket
    run systemctl disable referee-port80.socket
  fi
  drop /etc/systemd/system/referee-port80.socket
  drop /etc/systemd/system/referee-port80@.service
  drop /usr/local/lib/referee-port80
}

# The settings of comitup; the package itself was installed with the others.
install_hotspot() {
  [[ $hotspot ]] || return 0
  say "Hotspot"
  put 644 "$source/systemd/comitup.conf" /etc/comitup.conf
  [[ $root ]] || run systemctl restart comitup.service || say "  it does not start. Why: journalctl --unit comitup --lines 20"
}

# Announce a page that is served to the house: avahi, which is part of Raspberry Pi OS, reads a file of ours.
install_announcement() {
  local announced=/etc/avahi/services/referee.service listen port draft
  listen=$(setting web listen)
  if [[ $(setting web page) != true || -z $listen || $listen == localhost || $listen == 127.* ]]; then
    drop $announced
    drop /etc/issue.d/referee.issue
    drop_port80
    return
  fi
  say "Page"
  port=$(setting web port)
  draft=$(mktemp)
  sed "s|<port>8765<|<port>${port:-8765}<|" "$source/systemd/referee-avahi.service" > "$draft"
  put 644 "$draft" $announced
  rm -f -- "$draft"
  [[ -e $root/usr/sbin/avahi-daemon ]] || say "  note: avahi-daemon is not installed; the page is found by the machine's address only"
  put 644 "$source/systemd/referee.issue" /etc/issue.d/referee.issue # for a screen that is connected to the machine
  install_port80 "${port:-8765}"
  say "  http://$hostname.local/ or http://$hostname.local:${port:-8765}/ in the house"
  [[ $hostname == referee ]] || say "  for referee.local: sudo make install HOST_NAME=referee"
}

# A checksum over everything that a version consists of: it is the same for two installations of the same checkout.
fingerprint() {
  (cd "$source" && find referee models calibration pyproject.toml setup.py tools/catalogues.py tools/manual.py systemd/libraries.py \
    systemd/locks systemd/referee.service systemd/referee-hall.service -type f \
    ! -name '*.pyc' ! -name '*.mo' ! -name '*.md' -print0 | LC_ALL=C sort -z |
    xargs -0 sha256sum | sha256sum | cut -d' ' -f1)
}

# What people are told of a version: version_name FINGERPRINT.
version_name() { printf '%s-%.7s\n' "$(sed -n 's/^__version__ = "\(.*\)"/\1/p' "$source/referee/__init__.py")" "$1"; }

# Check that the lock is for this system: check_lock "PYTHON NUMPY".
check_lock() {
  local lock=$source/systemd/locks/$codename.txt python=${1% *} numpy=${1#* }
  [[ -e $lock ]] || { unfit "expected the lock systemd/locks/$codename.txt, found none: copy the whole project"; return; }
  [[ $python != unknown ]] || return 0
  grep -qxF "# python $python" "$lock" || fail "expected the Python of $codename ($(sed -n 's/^# python //p' "$lock")), found $python"
  grep -qxF "# numpy $numpy from apt" "$lock" ||
    say "  note: the libraries were chosen beside numpy $(sed -n 's/^# numpy \(.*\) from apt/\1/p' "$lock"); this one is $numpy"
}

# Add the wheels of an extra to a lock, without those that it has already, since pip accepts each only once: add_lock EXTRA LOCK.
add_lock() {
  local more
  more=$(awk 'NR == FNR { there[$1]; next } /^[^ ]/ { known = /^[a-z0-9]/ && ($1 in there) } !known' \
    "$2" "$source/systemd/locks/$codename-$1.txt")
  printf '%s\n' "$more" >> "$2"
}

# Add the wheel of the program itself to a lock: add_built WHEEL LOCK.
add_built() {
  local name=${1##*/referee-}
  printf 'referee==%s --hash=sha256:%s\n' "${name%%-*}" "$(sha256sum < "$1" | cut -d' ' -f1)" >> "$2"
}

# The program that changes from one version to another lies outside of both. Its folder is named after its content, so
# that it changes at once, too.
install_updater() {
  local sum old
  sum=$(cat "$source"/systemd/updater/*.py | sha256sum | cut -c1-16)
  [[ $(readlink "$root/opt/referee/updater" 2> /dev/null) != "updater-$sum" ]] || return 0
  if [[ ! $dry ]]; then
    mkdir -p "$root/opt/referee/updater-$sum/updater"
    cp "$source"/systemd/updater/*.py "$root/opt/referee/updater-$sum/updater"
    sync -f "$root/opt/referee/updater-$sum"
  fi
  put_link "updater-$sum" /opt/referee/updater
  for old in "$root"/opt/referee/updater-*; do
    [[ ! -e $old || $old == *"/updater-$sum" ]] || drop "${old#"$root"}"
  done
}

update_with() { run env PYTHONPATH=/opt/referee/updater python3 -P -B -m updater "$@"; }

# An installation from before there were slots becomes a version like others: the link leads to the folder it lies in.
adopt_installation() {
  local name
  [[ -e $root/opt/referee/installed && ! -L $root/opt/referee/current ]] || return 0
  for name in referee referee-hall; do
    [[ ! -e $root/etc/systemd/system/$name.service ]] ||
      put 644 "$root/etc/systemd/system/$name.service" "/opt/referee/units/$name.service"
  done
  put_link . /opt/referee/current
}

# Build the program in the folder of a version, which nothing uses yet: build_program FOLDER FINGERPRINT PYTHON.
build_program() {
  local here=$1 new=$2 build=$root$1/source file
  # What was begun is continued only if it was this very version: nothing of another one is left in the slot.
  [[ $new == "$(cat "$root$here/installing" 2> /dev/null)" ]] || drop "$here"
  [[ -e $root$here/venv/lib/python$3 ]] || drop "$here/venv" # it was made with another Python
  if [[ ! $dry ]]; then
    mkdir -p "$root$here"
    printf '%s\n' "$new" > "$root$here/installing"
  fi
  for file in "$source"/models/*.onnx "$source"/models/*.npz "$source"/models/tiles.toml \
    "$source"/calibration/*.toml "$source"/calibration/*.svg; do
    put 644 "$file" "$here/${file#"$source/"}"
  done
  for file in referee.service referee-hall.service; do
    put 644 "$source/systemd/$file" "$here/units/$file"
  done
  # The pip of Debian's package python3-venv runs as it is; to copy it into each environment takes longer than to use it.
  local pip_wheel installer=(-m pip) without=()
  pip_wheel=$(ask sh -c 'ls /usr/share/python-wheels/pip-*.whl 2> /dev/null | tail -n 1') || true
  [[ ! $pip_wheel ]] || { installer=("$pip_wheel/pip") without=(--without-pip); }
  [[ -e $root$here/venv/bin/python ]] || run python3 -m venv --system-site-packages "${without[@]}" "$here/venv"
  say "  + copy the source to $here/source"
  if [[ ! $dry ]]; then
    # pip builds beside the source, so a copy is built: the checkout stays as it is and keeps its owner.
    rm -rf -- "$build"
    mkdir -p "$build/tools"
    cp -R "$source/referee" "$source/pyproject.toml" "$source/setup.py" "$source/README.md" "$source/LICENSE" \
      "$source/systemd/libraries.py" "$build"
    cp "$source"/tools/{__init__,catalogues,manual}.py "$build/tools" # these compile the sentences and write the manual
    find "$build" \( -name __pycache__ -o -name '*.mo' \) -prune -exec rm -rf {} +
    cp "$source/systemd/locks/$codename.txt" "$build/lock.txt"
    [[ ! $oled ]] || add_lock oled "$build/lock.txt"
    [[ ! $club ]] || add_lock club "$build/lock.txt"
    [[ ! $heic ]] || add_lock heic "$build/lock.txt"
  fi
  # Every wheel is named with its checksum, so that nothing else is installed, and root runs nothing that was downloaded.
  # apt's picamera2 was built for apt's numpy: the lock fits that numpy and does not contain one.
  local pip=("${clean_pip[@]}" "$here/venv/bin/python" "${installer[@]}" "${quiet_pip[@]}") from=()
  local built
  built=$(find "$source/wheels" -name 'referee-*-py3-none-any.whl' 2> /dev/null | head -n 1) || true
  if [[ -d $source/wheels ]]; then # in a bundle: nothing is fetched from anywhere
    from=(--no-index --find-links "$here/source/wheels")
    [[ $dry ]] || cp -R "$source/wheels" "$build" # a copy, because on a mounted card the bundle may be out of reach
  fi
  # The bundle of a new card has the program itself as a wheel, too, which need not be built then.
  [[ ! $built || $dry ]] || add_built "$built" "$build/lock.txt"
  run "${pip[@]}" "${from[@]}" --require-hashes --only-binary=:all: --no-deps --requirement "$here/source/lock.txt"
  [[ $built ]] || run "${pip[@]}" --no-index --no-deps --no-build-isolation --upgrade "$here/source"
  run "$here/venv/bin/python" -m compileall -q -j 0 -x "$never_run" "$here/venv/lib" ||
    say "  note: not all of the program could be compiled; it takes longer to start"
  # The service forbids memory that is both writable and executable; this finds out now whether a library needs it.
  run "$here/venv/bin/python" "$here/source/libraries.py"
  write_help "$here"
  drop "$here/source"
  [[ $root ]] || try_program "$here"
}

# Write the manual page and the scripts with which shells complete, for the version in a folder: write_help FOLDER.
# They are of this version alone, so that they change with it. The bundle of a new card brings them along.
write_help() {
  local here=$1 name
  if [[ -d $source/share ]]; then
    for name in "${!found_as[@]}"; do put 644 "$source/share/$name" "$here/share/$name"; done
  else
    run "$here/venv/bin/python" -P "$here/source/tools/manual.py" "$here/share/referee.1" --completion
  fi
}

# Play one match at the virtual table with what was installed, and let the doctor read a picture of it, as the user of
# the service and with the lowest priority: a match may be under way. try_program FOLDER.
try_program() {
  local here=$1 tried=/run/referee-trying
  drop $tried
  [[ $dry ]] || install -d -o referee -g referee -m 700 $tried
  local as_service=(timeout 1800 nice -n 19 setpriv --reuid=referee --regid=referee --init-groups env -C "$tried"
    "HOME=$tried" "REFEREE_MODELS=$here/models" GPIOZERO_PIN_FACTORY=mock ORT_DISABLE_TELEMETRY=1 LANG=C.UTF-8
    "$here/venv/bin/referee")
  say "  one match at the virtual table; on a Pi 4 this takes some minutes"
  run "${as_service[@]}" demo --players 2 --out $tried > /dev/null
  run "${as_service[@]}" doctor --picture $tried/table.png --config /dev/null --set "storage.state=$tried" > /dev/null
  drop $tried
}

# Install into the slot that is not in use. Until its last file is written it does not count as a version; README.md
# beside this file says when it is used.
install_program() {
  say "Program"
  local version new slot=a here
  version=$(ask python3 -c 'import sys, numpy; print("%d.%d" % sys.version_info[:2], numpy.__version__)' 2> /dev/null) ||
    version='unknown unknown' # a dry run before the packages are installed
  check_lock "$version"
  install_updater
  adopt_installation
  new="$(fingerprint) $version${oled:+ oled}${club:+ club}${heic:+ heic}"
  [[ $new != "$(cat "$root/opt/referee/current/installed" 2> /dev/null)" ]] || return 0
  [[ $(readlink "$root/opt/referee/current" 2> /dev/null) != slots/a ]] || slot=b
  here=/opt/referee/slots/$slot
  if [[ $new != "$(cat "$root$here/installed" 2> /dev/null)" ]]; then
    [[ ! -e $root/opt/referee/trial.json ]] ||
      fail "expected no version on trial, found one since the last update. Run this again in ten minutes."
    drop /opt/referee/next.json # nobody takes into use what is being built
    drop "$here/installed"
    build_program "$here" "$new" "${version% *}"
    say "  + write $here/installed"
    if [[ ! $dry ]]; then
      version_name "$new" > "$root$here/version"
      rm -f -- "$root$here/installing"
      sync -f "$root$here" # everything else is on the disk before the file that says so
      printf '%s\n' "$new" > "$root$here/installed.new"
      sync "$root$here/installed.new"
      mv -f -- "$root$here/installed.new" "$root$here/installed"
      sync -f "$root$here"
    fi
  fi
  if [[ -L $root/opt/referee/current ]]; then
    pending=$slot
  else
    update_with take "$slot"
    for version in venv models calibration source; do drop "/opt/referee/$version"; done # half of an older installation
  fi
}

# The command `referee`, its manual page and the shells' completion, all of the version in use. Also if that is there already:
# the installation may have been cut off right after it.
install_command() {
  local name
  put 755 "$source/systemd/referee.sh" /usr/local/bin/referee
  for name in referee.1 referee.bash _referee referee.fish; do
    put_link "/opt/referee/current/share/$name" "${found_as[$name]}"
  done
}

install_settings() {
  say "Settings"
  [[ ! $signers ]] || put 644 "$signers" /etc/referee/update-signers
  if [[ -e $root$settings ]]; then
    say "  $settings is yours and stays as it is"
  elif [[ $dry ]] || ask /usr/local/bin/referee init --help > /dev/null 2>&1; then
    [[ $dry ]] || mkdir -p "$root/etc/referee"
    run /usr/local/bin/referee init "$settings" || say "  none written: the defaults hold"
  fi
}

# Install a service and have it started with the machine: install_unit NAME. If another version of the program is to be
# used, its service is written when it is.
install_unit() {
  [[ $pending && -e $root/etc/systemd/system/$1.service ]] ||
    put 644 "$source/systemd/$1.service" "/etc/systemd/system/$1.service"
  [[ ! $changed ]] || run systemctl daemon-reload
  ask systemctl --quiet is-enabled "$1.service" > /dev/null 2>&1 || run systemctl enable "$1.service"
}

# Start a service that does not run: start_unit NAME.
start_unit() {
  ! ask systemctl --quiet is-active "$1.service" > /dev/null 2>&1 || return 0
  run systemctl reset-failed "$1.service" || true
  run systemctl restart "$1.service" || say "  it does not start. Why: journalctl --unit $1 --lines 20"
}

# Let the services use what is new: those that run are started anew by the updater, but not while a match is under way.
start_anew() {
  local slot
  slot=${pending:-$(readlink "$root/opt/referee/current" 2> /dev/null)} || true
  update_with request "${slot#slots/}"
  run systemctl restart referee-slots.service || true
  [[ $root ]] || say "  used as soon as no match is under way. What became of it: journalctl --unit referee-slots"
}

# Stop a service and remove it: drop_unit NAME.
drop_unit() {
  [[ -e $root/etc/systemd/system/$1.service ]] || return 0
  run systemctl stop "$1.service"
  run systemctl disable "$1.service"
  drop "/etc/systemd/system/$1.service"
}

# The hardware watchdog restarts the machine if the kernel or systemd hangs: systemd resets it at regular intervals.
install_watchdog() {
  local before=$changed
  changed=''
  put 644 "$source/systemd/referee-watchdog.conf" $watchdog
  [[ ! $changed ]] || run systemctl daemon-reexec
  changed=${changed:-$before}
}

# A path unit that starts the updater as soon as a file is there: install_path NAME.
install_path() {
  put 644 "$source/systemd/$1.path" "/etc/systemd/system/$1.path"
  ! ask systemctl --quiet is-enabled "$1.path" > /dev/null 2>&1 || return 0
  run systemctl daemon-reload
  run systemctl enable "$1.path"
  [[ $root ]] || run systemctl start "$1.path"
}

# Stop a path unit and remove it: drop_path NAME.
drop_path() {
  if [[ -e $root/etc/systemd/system/$1.path ]]; then
    run systemctl stop "$1.path"
    run systemctl disable "$1.path"
  fi
  drop "/etc/systemd/system/$1.path"
}

# Let udev read its rules again; on a mounted card it does so when it starts.
reload_udev() { [[ $root ]] || run udevadm control --reload || true; }

# USB sticks are mounted for the referee: for backups, and for updates.
install_sticks() {
  put 644 "$source/systemd/referee-stick@.service" /etc/systemd/system/referee-stick@.service
  local before=$changed
  changed=''
  put 644 "$source/systemd/referee-stick.rules" $stick_rules
  [[ ! $changed ]] || reload_udev
  changed=${changed:-$before}
}

install_services() {
  say "Service"
  [[ ! $hold ]] || read -r -t 60 -u "$hold" || true
  local name units=() running=''
  install_watchdog
  install_unit referee-slots-boot
  install_unit referee-slots
  put 644 "$source/systemd/referee-update.service" /etc/systemd/system/referee-update.service
  install_path referee-update
  install_path referee-request
  install_sticks
  if [[ $table ]]; then units+=(referee); else drop_unit referee; fi
  if [[ $hall && -e $root$hall_settings ]]; then
    units+=(referee-hall)
  elif [[ $hall ]]; then
    put 644 "$source/systemd/referee-hall.service" /etc/systemd/system/referee-hall.service
    say "  $hall_settings is missing: \`referee hall --setup FOLDER\` writes it. Then run this again."
  fi
  for name in "${units[@]}"; do
    install_unit "$name"
    ! ask systemctl --quiet is-active "$name.service" > /dev/null 2>&1 || running=yes
  done
  [[ ! $pending && ! ($changed && $running) ]] || start_anew
  # While another version is about to be used, the updater starts the services.
  [[ ! $pending ]] || return 0
  for name in "${units[@]}"; do start_unit "$name"; done
}

uninstall() {
  say "Service"
  drop_path referee-update
  drop_path referee-request
  drop /etc/systemd/system/referee-update.service
  drop_unit referee-slots
  drop_unit referee-slots-boot
  drop_unit referee
  drop_unit referee-hall
  if [[ -e $root$stick_rules ]]; then
    drop $stick_rules
    reload_udev
    [[ $root ]] || run systemctl stop 'referee-stick@*.service' # unmounts what is still in
  fi
  drop /etc/systemd/system/referee-stick@.service
  drop /etc/systemd/system/referee.service.d/oled.conf
  drop /etc/systemd/system/referee.service.d/voice.conf
  [[ $dry ]] || rmdir --ignore-fail-on-non-empty "$root/etc/systemd/system/referee.service.d" 2> /dev/null || true
  [[ ! $changed ]] || run systemctl daemon-reload
  if [[ -e $root$watchdog ]]; then
    drop $watchdog
    run systemctl daemon-reexec
  fi
  say "Program"
  drop /usr/local/bin/referee
  local name
  for name in "${found_as[@]}"; do drop "$name"; done
  drop /opt/referee
  drop /usr/lib/sysusers.d/referee.conf
  drop $rights
  drop $not_compiled
  [[ $dry ]] || rmdir --ignore-fail-on-non-empty "$root${not_compiled%/*}" 2> /dev/null || true
  drop /etc/avahi/services/referee.service
  drop /etc/issue.d/referee.issue
  drop_port80
  say "Kept: the settings in /etc/referee, the data in /var/lib/referee, their user referee, the packages of apt."
}

main() {
  while (($#)); do
    case $1 in
      --dry-run) dry=yes ;;
      --uninstall) verb=uninstall ;;
      --no-table) table='' ;;
      --root)
        [[ ${2:-} ]] || fail "expected a folder after --root"
        root=$(cd "$2" 2> /dev/null && pwd) || fail "expected a folder after --root, found: $2"
        [[ $root != / ]] || root=''
        shift
        ;;
      --extras)
        [[ ${2:-} =~ ^(oled|voice|club|hall|heic)([ ,](oled|voice|club|hall|heic))*$ ]] ||
          fail "expected oled, voice, club, hall or heic after --extras, found: ${2:-nothing}"
        [[ $2 != *oled* ]] || oled=yes
        [[ $2 != *voice* ]] || voice=yes
        [[ $2 != *club* ]] || club=yes
        [[ $2 != *hall* ]] || hall=yes
        [[ $2 != *heic* ]] || heic=yes
        shift
        ;;
      --hostname)
        [[ ${2:-} =~ ^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$ ]] ||
          fail "expected a name of small letters, digits and hyphens after --hostname, found: ${2:-nothing}"
        hostname=$2
        shift
        ;;
      --signers)
        [[ -f ${2:-} ]] || fail "expected a file of public keys after --signers, found: ${2:-nothing}"
        signers=$2
        shift
        ;;
      --hotspot) hotspot=yes ;;
      --as-before) as_before=yes ;;
      --hold)
        [[ ${2:-} =~ ^[0-9]+$ ]] || fail "expected the number of a file descriptor after --hold, found: ${2:-nothing}"
        hold=$2
        shift
        ;;
      -h | --help) say "$usage"; exit ;;
      *) fail "expected an option of --help, found: $1" ;;
    esac
    shift
  done
  # Nothing runs on a mounted card: there systemctl only enables and disables services.
  [[ ! $root ]] || export SYSTEMD_OFFLINE=1
  [[ $dry || $(id -u) == 0 ]] || fail "expected to be run by root, found: $(id -un). Put sudo before it."
  [[ ! $dry ]] || say "Dry run: nothing is changed."

  if [[ $verb == uninstall ]]; then
    uninstall
  else
    check_machine
    unpack_program
    choose_extras
    install_packages
    check_camera
    install_user
    install_rights
    install_extras
    install_program
    install_command
    install_settings
    install_hostname
    install_announcement
    install_hotspot
    install_services
  fi
  [[ $changed ]] || say "Nothing had to be changed."
}

# When a test sources this file, it only defines its functions.
[[ ${BASH_SOURCE[0]} != "$0" ]] || main "$@"
