#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The README's summary of what is supported, from what the device says of itself.

usage: support.py INFO.json README.md [--check]
  INFO.json  of reelpipe-info --json
  --check    changes nothing; exits with 1 when the README says something else

The table stands between the lines <!-- support --> and <!-- /support -->. `reelpipe-info` prints
everything: each profile, the extensions, the features and, with --formats, the formats.
"""
import json
import re
import sys
import textwrap

PROFILES = ["Constrained Baseline", "Main", "High"]


class Side:
    """One direction of H.264: what its profiles have in common, and where they differ."""

    def __init__(self, video, direction):
        self.profiles = {name: video[f"H.264 {name} {direction}"] for name in PROFILES
                         if f"H.264 {name} {direction}" in video}

    def of(self, key):
        """The value of all profiles; an error when they differ, because the table has one column."""
        values = [profile[key] for profile in self.profiles.values()]
        if any(value != values[0] for value in values):
            sys.exit(f"profiles differ in {key}: the README needs a row for it")
        return values[0]

    def words(self, key):
        return ", ".join(self.of(key))

    def names(self, key):
        """The profiles where key is not 0."""
        return ", ".join(name for name, profile in self.profiles.items() if profile[key])


def families(info, what):
    return ", ".join(f"{family['queues']} queues of family {family['family']}"
                     for family in info["queue families"] if what in family["can"])


def size(side):
    return f"{side.of('smallest')} to {side.of('largest')}"


def references(side):
    return f"{side.of('dpb_slots')} slots, {side.of('active_references')} active references"


def b_pictures(side):
    best = side.profiles[PROFILES[-1]]
    return (f"{best['b_l0_references']} references in list 0, {best['l1_references']} in list 1 "
            f"({side.names('b_l0_references')})")


def rates(side):
    return (f"{side.words('rate_control')}; up to {side.of('max_bitrate') // 1000000} Mbit/s, "
            f"{side.of('rate_control_layers')} layers")


def table(info):
    encode, decode = (Side(info["video"], name) for name in ("encode", "decode"))
    rows = [
        ("H.264", "encode", "decode"),
        ("---",) * 3,
        ("queues", families(info, "video encode"), families(info, "video decode")),
        ("profiles", *(", ".join(side.profiles) for side in (encode, decode))),
        ("level, size", *(f"{side.of('level')}, {size(side)}" for side in (encode, decode))),
        ("DPB", references(encode), references(decode)),
        ("B pictures", b_pictures(encode), ""),
        ("rate control", rates(encode), ""),
        ("quality levels, slices", f"{encode.of('quality_levels')}, {encode.of('slices')}", ""),
        ("maps", ", ".join(word for word in encode.of("encode_flags") if "maps" in word), ""),
        ("pictures", encode.words("input_formats"), decode.words("output_formats")),
        ("images", encode.words("flags"),
         "; ".join((decode.words("flags"), decode.words("decode_flags")))),
    ]
    lines = [f"| {' | '.join(row)} |".replace("|  |", "| |") for row in rows]
    return "\n".join(lines + decoders(info["video"]))


# Codecs without a column: what is said of them, the names of their profiles in the device's list,
# and the words for these.
DECODERS = [
    ("H.265", ["H.265 Main decode", "H.265 Main 10 decode"], ["Main", "Main 10"]),
    ("AV1", ["AV1 Main decode", "AV1 Main 10 bit decode"], ["Main, film grain", "10 bits"]),
    ("VP9", ["VP9 profile 0 decode", "VP9 profile 2 10 bit decode"], ["profile 0", "2 (10 bits)"]),
]


def decoders(video):
    """A sentence for each, as all of its profiles have the same limits; nothing where there is none."""
    sentences = []
    formats = []
    for codec, names, words in DECODERS:
        side = Side({}, "decode")
        side.profiles = {word: video[name] for word, name in zip(words, names) if name in video}
        if not side.profiles:
            continue
        sentences.append(f"{codec}: {', '.join(side.profiles)}; level {side.of('level')}, "
                         f"{size(side)}; {references(side)}.")
        found = ", ".join(name for profile in side.profiles.values()
                          for name in profile["output_formats"])
        if found not in formats:
            formats.append(found)
    if not sentences:
        return []
    if len(formats) != 1:
        sys.exit("decoders differ in output_formats: the README needs a sentence for each")
    text = f"Decoded, too ({formats[0]}): {' '.join(sentences)}"
    return ["", textwrap.fill(text, 100)]


def main():
    info_path, readme_path, *rest = sys.argv[1:]
    with open(info_path) as file:
        text = table(json.load(file))
    with open(readme_path) as file:
        before = file.read()
    after, count = re.subn(r"(<!-- support -->\n).*?(<!-- /support -->)",
                           lambda match: f"{match[1]}\n{text}\n\n{match[2]}", before, flags=re.S)
    if count != 1:
        sys.exit(f"{readme_path}: no lines <!-- support --> and <!-- /support -->")
    if rest == ["--check"]:
        sys.exit(0 if after == before else f"{readme_path}: run tools/report/support.py")
    with open(readme_path, "w") as file:
        file.write(after)


if __name__ == "__main__":
    main()
