#!/bin/bash
# SPDX-License-Identifier: MIT
# A stream does not depend on how many pictures are in flight: two slots, so that each picture
# replaces one that the picture before still reads.
#
# usage: in_flight.sh BYTES COUNTS FRAMES REELPIPE_ENCODE...
#   BYTES    a file whose first bytes do for frames
#   COUNTS   how many pictures are in flight, with spaces between
#   FRAMES   how many there are
set -euo pipefail

bytes=$1
counts=$2
frames=$3
encode=("${@:4}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Frames of 64x1024, each twice: half of the pictures move, half stand still. Tall ones: a
# picture starts about 128 rows behind its reference.
for i in $(seq 0 $((frames - 1))); do
    tail -c +$((1 + i / 2 * 98304)) "$bytes" | head -c 98304 || true
done >"$work/in.nv12"

stream()
{
    timeout 600 "${encode[@]}" --device Reelpipe -i "$work/in.nv12" --size 64x1024 --gop $((frames * 3 / 4)) "${@:2}" -o "$1"
}

all=("--quality 0" "--quality 4 --cavlc" "--quality 2 --refs 3" "--quality 2 --cbr 600"
    "--quality 2 --b-frames 3")
if [[ $("${encode[@]}" --list) == *'encodes AV1'* ]]; then
    all+=("--codec av1" "--codec av1 --quality 3 --refs 2 --tiles 1x4")
fi
for options in "${all[@]}"; do
    stream "$work/one" $options --in-flight 1
    [ "$(stat -c %s "$work/one")" -gt 4000 ]
    for count in $counts; do
        stream "$work/many" $options --in-flight $count
        cmp "$work/one" "$work/many" || {
            echo "$options: the stream differs with $count pictures in flight" >&2
            exit 1
        }
    done
done
