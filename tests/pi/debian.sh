# shellcheck shell=bash
# Sourced by the recipes: Debian packages unpacked into a folder, with what this machine's own apt knows.
# Nothing of the new system is run, so that it may be of another release and for another processor.

# What this machine cannot give ends the recipe with this code: the tests are skipped then, with the reason.
unavailable() {
  echo "$1" >&2
  exit 75
}

# downloaded FOLDER PACKAGE...: the packages of this machine's own release, unpacked into a folder.
downloaded() {
  local folder=$1 file
  shift
  mkdir -p "$folder"
  (
    cd "$folder" || exit
    chown _apt . 2>/dev/null || true
    apt-get download -qq "$@" 2>/dev/null || { apt-get update -qq && apt-get download -qq "$@"; } >&2 ||
      unavailable "apt gives no $*"
    for file in *.deb; do dpkg -x "$file" .; done
  )
}

# unpacked ROOT TOOLS SUITE ARCHITECTURE PACKAGE...: a minimal Debian with these packages, only unpacked. What is no
# longer needed then is taken away, unless keep_packages is set.
unpacked() {
  local root=$1 tools=$2 suite=$3 architecture=$4 mirror script file
  shift 4
  # shellcheck disable=SC2016 # apt's own variable
  mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -E '/debian/?$' | sort -u | head -n 1)
  [ -n "$mirror" ] || unavailable "apt knows no mirror of Debian"
  script=$tools/usr/share/debootstrap/scripts/$suite
  [ -e "$script" ] || script=$tools/usr/share/debootstrap/scripts/sid
  DEBOOTSTRAP_DIR=$tools/usr/share/debootstrap "$tools/usr/sbin/debootstrap" --foreign --variant=minbase \
    --arch="$architecture" --include="$(IFS=, && echo "$*")" "$suite" "$root" "$mirror" "$script"
  # First the package that makes the links of /bin, /lib and so on.
  for file in "$root"/var/cache/apt/archives/{base-files*,*}.deb; do
    dpkg-deb --fsys-tarfile "$file" | tar -x --keep-directory-symlink -C "$root"
  done
  [ ! -L "$root/proc" ] || { rm "$root/proc" && mkdir "$root/proc"; }
  mkdir -p "$root"/{proc,sys,tmp,dev,root,code,scenes,work,rest}
  [ -n "${keep_packages:-}" ] || rm -rf "$root"/{debootstrap,var/cache/apt/archives,var/lib/apt/lists} \
    "$root"/usr/share/{doc,man,locale}
}
