#!/usr/bin/env bash
# inside.sh ROOT [FROM:TO]... -- COMMAND...: a command in a folder that holds another system, as root.
#
# All mounts are made in a namespace of its own and vanish with it. The folder itself is not written to: /tmp and the
# home are in memory, and what the command is to leave behind it writes into a folder that is mounted FROM outside.
set -eu
root=$1
shift
binds=()
while [ "$1" != -- ]; do
  binds+=("$1")
  shift
done
shift
# shellcheck disable=SC2016 # for the shell in there
exec unshare --mount --pid --fork --kill-child bash -euc '
  root=$1 count=$2
  shift 2
  mount --bind "$root" "$root"
  mount -o remount,bind,ro "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount --rbind /sys "$root/sys"
  for folder in dev/shm tmp root; do mount -t tmpfs tmpfs "$root/$folder"; done
  for _ in $(seq "$count"); do
    mount --bind "${1%%:*}" "$root${1#*:}"
    shift
  done
  cd /
  exec /usr/bin/env -i /usr/sbin/chroot "$root" "$@"' _ "$root" "${#binds[@]}" "${binds[@]}" "$@"
