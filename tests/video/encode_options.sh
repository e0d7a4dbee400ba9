#!/bin/bash
# SPDX-License-Identifier: MIT
# reelpipe-encode does as its options say: neither the container of the frames nor the format of
# the images changes the stream or the reconstruction, and --fps wins over a Y4M file's rate. What
# a codec does not have is refused.
#
# usage: encode_options.sh BYTES REELPIPE_ENCODE... (a file whose first bytes do for frames, a
#        command)
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

# stream NAME OPTION...: NAME and NAME.recon
stream()
{
    timeout 120 "${encode[@]}" --device Reelpipe --recon "$work/$1.recon" -o "$work/$1" "${@:2}"
}

same()
{
    cmp "$work/$1" "$work/$2"
    cmp "$work/$1.recon" "$work/$2.recon"
}

# refused MESSAGE OPTION...
refused()
{
    if stream refused "${@:2}" 2>"$work/message" || ! grep -q -- "$1" "$work/message"; then
        echo "${*:2}: not refused, or not for '$1': $(cat "$work/message")" >&2
        exit 1
    fi
}

raw=(-i "$work/in.i420" --format i420 --size 64x48)
stream raw30 "${raw[@]}" --fps 30
[ "$(stat -c %s "$work/raw30.recon")" -eq $((4 * frame_B)) ]
stream y4m30 -i "$work/in.y4m"
same y4m30 raw30
stream raw50 "${raw[@]}" --fps 50
stream y4m50 -i "$work/in.y4m" --fps 50
same y4m50 raw50
if cmp -s "$work/raw30" "$work/raw50"; then
    echo "--fps does nothing" >&2
    exit 1
fi
stream planar "${raw[@]}" --fps 30 --image i420
same planar raw30
refused 'not for --codec h264' "${raw[@]}" --tiles 1x1
refused 'encodes 8 bits' "${raw[@]}" --format p010
refused 'no B pictures in this profile' "${raw[@]}" --profile baseline --b-frames 1
refused 'at most 15' "${raw[@]}" --b-frames 16
refused 'a file, not a pipe' "${raw[@]}" --b-frames 1 --recon >(cat >/dev/null)
refused 'not understood' "${raw[@]}" --qp 20:21:22:23

# Frames that are left out are coded elsewhere: both runs together are the whole stream, in which
# each second IDR picture has another idr_pic_id. A pipe is read, in a file they are passed over.
stream whole "${raw[@]}" --gop 1
stream front "${raw[@]}" --gop 1 --frames 1
stream back "${raw[@]}" --gop 1 --skip 1
cat "$work/front" "$work/back" | cmp - "$work/whole"
stream back -i - --format y4m --fps 25 --gop 1 --skip 1 < <(cat "$work/in.y4m")
cat "$work/front" "$work/back" | cmp - "$work/whole"
[ "$("${encode[@]}" -i "$work/in.y4m" --count)" = 4 ]
[ "$("${encode[@]}" -i - --format y4m --count --skip 3 < <(cat "$work/in.y4m"))" = 1 ]
[ "$("${encode[@]}" "${raw[@]}" --count --skip 4)" = 0 ]
refused 'has not so many frames' "${raw[@]}" --skip 5

devices=$("${encode[@]}" --list)
if [[ $devices == *'encodes H.265'* ]]; then
    stream out.h265 "${raw[@]}" --fps 30
    [ "$(stat -c %s "$work/out.h265.recon")" -eq $((4 * frame_B)) ]
    stream planar.265 "${raw[@]}" --fps 30 --image i420
    same planar.265 out.h265
    stream named -i "$work/in.y4m" --codec h265 --slices 1
    same named out.h265
    refused 'not for --codec h265' "${raw[@]}" --codec h265 --cavlc
    refused 'not for --codec h265' "${raw[@]}" --codec h265 --container obu
    refused '2 slices of a picture are too many' "${raw[@]}" --codec h265 --slices 2
    refused 'QP: the device has 0 to 51' "${raw[@]}" --codec h265 --qp 52
fi

[[ $devices == *'encodes AV1'* ]] || exit 0
stream av1.obu "${raw[@]}" --fps 30
stream y4m.obu -i "$work/in.y4m"
same av1.obu y4m.obu
stream planar.obu "${raw[@]}" --fps 30 --image i420
same av1.obu planar.obu
stream named -i "$work/in.y4m" --codec av1 --container obu
same named av1.obu

# IVF has the same pictures, each with its size in front.
stream av1.ivf -i "$work/in.y4m"
python3 - "$work/av1.ivf" "$work/av1.obu" <<'END'
import struct, sys
ivf, obu = (open(name, "rb").read() for name in sys.argv[1:])
assert struct.unpack("<4sHH4sHHIII", ivf[:28]) == (b"DKIF", 0, 32, b"AV01", 64, 48, 30, 1, 4)
at, pictures = 32, []
while at < len(ivf):
    size, time = struct.unpack("<IQ", ivf[at:at + 12])
    assert time == len(pictures)
    pictures.append(ivf[at + 12:at + 12 + size])
    at += 12 + size
assert len(pictures) == 4 and b"".join(pictures) == obu
assert all(picture[:2] == b"\x12\0" for picture in pictures) # temporal delimiters
END

# Times are those in the whole clip.
stream back.ivf -i "$work/in.y4m" --skip 3
[ "$(od -An -t u8 -j 36 -N 8 "$work/back.ivf" | tr -d ' ')" = 3 ]

# Of four frames the last is coded second; frames 0, 1 and 2 are shown when they are coded.
stream b.ivf -i "$work/in.y4m" --b-frames 2
python3 - "$work/b.ivf" <<'END'
import struct, sys
ivf, at, units = open(sys.argv[1], "rb").read(), 32, []
while at < len(ivf):
    size, time = struct.unpack("<IQ", ivf[at:at + 12])
    assert time == len(units)
    units.append(ivf[at + 12:at + 12 + size])
    at += 12 + size
assert len(units) == 4
def types(unit):
    found, at = [], 0
    while at < len(unit):
        found.append(unit[at] >> 3 & 15)
        size, shift, at = 0, 0, at + 1
        while True:
            size |= (unit[at] & 127) << shift
            shift, at = shift + 7, at + 1
            if unit[at - 1] < 128:
                break
        at += size
    return found
assert [types(unit) for unit in units] == [[2, 1, 6], [2, 6, 6], [2, 6], [2, 3]]
END

# Ten bits: the same samples in low bits (Y4M) and in high bits (P010).
python3 - "$work/in.i420" "$work/in10.y4m" "$work/in.p010" <<'END'
import struct, sys
source, y4m, p010 = open(sys.argv[1], "rb"), open(sys.argv[2], "wb"), open(sys.argv[3], "wb")
y4m.write(b"YUV4MPEG2 W64 H48 F30:1 C420p10\n")
luma = 64 * 48
def words(values):
    return struct.pack(f"<{len(values)}H", *values)
while frame := source.read(luma * 3 // 2):
    deep = [sample * 4 + sample % 4 for sample in frame]
    y4m.write(b"FRAME\n" + words(deep))
    chroma = [s for pair in zip(deep[luma:luma * 5 // 4], deep[luma * 5 // 4:]) for s in pair]
    p010.write(words([sample << 6 for sample in deep[:luma] + chroma]))
END
stream deep.obu -i "$work/in10.y4m"
[ "$(stat -c %s "$work/deep.obu.recon")" -eq $((8 * frame_B)) ]
stream p010.obu -i "$work/in.p010" --format p010 --size 64x48 --fps 30
same deep.obu p010.obu
refused 'pictures of 10 bits are P010' -i "$work/in10.y4m" --codec av1 --image nv12
refused 'not for --codec av1' "${raw[@]}" --codec av1 --slices 2
refused 'tiles are too many' "${raw[@]}" --codec av1 --tiles 2x1
refused 'columns of tiles are too few' -i /dev/zero --codec av1 --size 8192x64 --tiles 1x1
refused 'rows of tiles are too few' -i /dev/zero --codec av1 --size 4096x4096 --tiles 1x2
refused 'Q index' "${raw[@]}" --codec av1 --qp 256
