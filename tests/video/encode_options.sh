#!/bin/bash
# SPDX-License-Identifier: MIT
# reelpipe-encode does as its options say: neither the container of the frames nor the format of
# the images changes the stream or the reconstruction, and --fps wins over a Y4M file's rate.
#
# usage: encode_options.sh BYTES REELPIPE_ENCODE... (a file whose first bytes do for frames, a command)
set -euo pipefail

bytes=$1
encode=("${@:2}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
frame_B=$((64 * 48 * 3 / 2))

head -c $((4 * frame_B)) "$bytes" >"$work/in.i420"
{
    echo "YUV4MPEG2 W64 H48 F30:1 C420jpeg"
    for i in 0 1 2 3; do
        echo FRAME
        tail -c +$((1 + i * frame_B)) "$work/in.i420" | head -c $frame_B || true
    done
} >"$work/in.y4m"

# stream NAME OPTION...: NAME.h264 and NAME.recon
stream()
{
    timeout 120 "${encode[@]}" --device Reelpipe --recon "$work/$1.recon" -o "$work/$1.h264" "${@:2}"
}

same()
{
    cmp "$work/$1.h264" "$work/$2.h264"
    cmp "$work/$1.recon" "$work/$2.recon"
}

raw=(-i "$work/in.i420" --format i420 --size 64x48)
stream raw30 "${raw[@]}" --fps 30
[ "$(stat -c %s "$work/raw30.recon")" -eq $((4 * frame_B)) ]
stream y4m30 -i "$work/in.y4m"
same y4m30 raw30
stream raw50 "${raw[@]}" --fps 50
stream y4m50 -i "$work/in.y4m" --fps 50
same y4m50 raw50
if cmp -s "$work/raw30.h264" "$work/raw50.h264"; then
    echo "--fps does nothing" >&2
    exit 1
fi
stream planar "${raw[@]}" --fps 30 --image i420
same planar raw30
