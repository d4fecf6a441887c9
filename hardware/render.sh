#!/usr/bin/env bash
# Render the pictures of mount.scad and box.scad anew. Needs openscad, and xvfb-run where there is no screen.
set -euo pipefail
cd "$(dirname "$0")"

openscad=(openscad)
[[ ${DISPLAY:-} ]] || openscad=(xvfb-run --auto-servernum openscad)

# picture NAME FILE SIZE CAMERA [MORE ...]; the camera is turned by x,y,z degrees and stands as far off as is needed
picture() {
  local name=$1 file=$2 size=$3 camera=$4
  shift 4
  echo "pictures/$name.png"
  "${openscad[@]}" --quiet --colorscheme=Tomorrow --imgsize="$size" --camera="$camera" "$@" -o "pictures/$name.png" "$file"
}

picture mount mount.scad 640,900 -150,0,425,74,0,28,3050
picture mount-camera mount.scad 800,480 -380,0,935,55,0,-20,620
picture mount-parts mount.scad 900,560 -15,45,10,42,0,14,620 -D 'part="layout"' --render
picture box box.scad 800,520 0,0,20,40,0,12,480
picture box-parts box.scad 900,620 20,0,10,38,0,14,640 -D 'part="layout"' --render
picture box-pi box.scad 800,620 0,0,50,58,0,150,640 -D pi_inside=true
