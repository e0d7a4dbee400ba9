#!/bin/bash
# SPDX-License-Identifier: MIT
# Each element that the application asks for is in the coded header, as FFmpeg's trace_headers reads
# it; or the driver says that it has overridden something. First each member of the picture's
# structure by itself, then random pictures.
#
# usage: av1_fields.sh PROGRAM
set -uo pipefail
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for seed in members 2 4 6; do
    "$program" "$seed" "$work/stream.obu" "$work/asked" || exit $?
    ffmpeg -nostdin -v trace -f obu -i "$work/stream.obu" -c copy -bsf:v trace_headers -f null - \
        2>&1 | sed -n 's/^\[trace_headers @ [^]]*\] *[0-9]* *\([a-z_0-9.]*\(\[[0-9]*\]\)\?\) .* = \(-\?[0-9]*\)$/\1 \3/p' \
        >"$work/read"
    awk -v seed="$seed" '
        FNR == NR { # what was read: frame headers that show nothing that exists
            if ($1 == "show_existing_frame") { frame += !$2; is_frame = !$2; from[frame] = 1 }
            if (is_frame && !(frame SUBSEP $1 in found)) found[frame, $1] = $2
            next
        }
        $1 == "picture" { picture++; has_overrides = $2; next }
        { count++ }
        !((picture, $2) in found) && $1 == "asked" && has_overrides { next }
        !((picture, $2) in found) { print "seed " seed ", picture " picture ": no " $2; bad++; next }
        found[picture, $2] != $3 && ($1 == "exact" || !has_overrides) {
            print "seed " seed ", picture " picture ": " $2 " is " found[picture, $2] ", not " $3
            bad++
        }
        END { print picture " pictures, " count " elements"; exit bad > 0 || count < 500 }
    ' "$work/read" "$work/asked" || exit 1
done
