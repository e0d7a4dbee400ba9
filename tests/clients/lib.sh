# SPDX-License-Identifier: MIT
# Sourced by the tests of real clients: clips, strict decoding, comparing.

set -uo pipefail
repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
. "$repo/tools/lib/apt.sh"
. "$repo/tools/lib/clip.sh"
build=${REELPIPE_BUILD:-$repo/build}
manifest=$(echo "$build"/icd/reelpipe_icd.*.json)
failures=0

fail()
{
    echo "FAILED: $*"
    failures=$((failures + 1))
}

skip()
{
    echo "SKIPPED: $*"
    exit 77
}

# The first frames of the demo's clip, scaled, as Y4M:
# raw_clip WIDTHxHEIGHT FRAMES OUT.y4m [PIX_FMT]
raw_clip()
{
    ffmpeg -nostdin -y -v error -i "$(clip_download)" -vf "scale=${1/x/:}:flags=bicubic" \
        -frames:v "$2" -pix_fmt "${4:-yuv420p}" -strict -1 "$3"
}

# Decodes a stream and accepts no complaint; writes the frames when OUT is given:
# strict_decode STREAM [OUT [PIX_FMT]]
strict_decode()
{
    local stream=$1 out=${2:-} format=${3:-nv12} log
    local -a to=(-f null -)
    [ -z "$out" ] || to=(-pix_fmt "$format" -f rawvideo "$out")
    log=$(ffmpeg -nostdin -y -v warning -err_detect explode+crccheck+bitstream+buffer \
        -i "$stream" -fps_mode passthrough "${to[@]}" 2>&1) ||
        { fail "$stream does not decode: $log" && return 1; }
    [ -z "$log" ] || { fail "$stream: $log" && return 1; }
}

# The number of frames in a stream.
count_frames()
{
    ffprobe -v error -select_streams v:0 -count_frames -show_entries stream=nb_read_frames \
        -of csv=p=0 "$1" | tr -cd 0-9
}

# Average PSNR in whole dB of a stream against the Y4M file that it was made from.
psnr_dB()
{
    ffmpeg -nostdin -v info -nostats -i "$1" -i "$2" -filter_complex \
        '[0:v]settb=1/1000,setpts=N[a];[1:v]settb=1/1000,setpts=N[b];[a][b]psnr=shortest=1' \
        -f null - 2>&1 | sed -n 's/.*PSNR.* average:\(inf\|[0-9]*\).*/\1/p'
}

# Strict decoding, as many frames as the source has, the size it has, and good pictures.
check_stream()
{
    local stream=$1 source=$2 size=$3 frames=$4 min_dB=$5 found
    strict_decode "$stream" || return
    found=$(ffprobe -v error -select_streams v:0 -show_entries stream=width,height \
        -of csv=p=0:s=x "$stream")
    [ "$found" = "$size" ] || fail "$stream is $found, not $size"
    found=$(count_frames "$stream")
    [ "$found" = "$frames" ] || fail "$stream has $found frames, not $frames"
    found=$(psnr_dB "$stream" "$source")
    [ "$found" = inf ] || [ "${found:-0}" -ge "$min_dB" ] ||
        fail "$stream: PSNR $found dB, less than $min_dB"
    echo "$(basename "$stream"): $(stat -c %s "$stream") bytes, PSNR $found dB"
}

finish()
{
    [ "$failures" = 0 ] && exit 0
    echo "$failures failures"
    exit 1
}
