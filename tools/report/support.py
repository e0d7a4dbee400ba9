#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The README's table of what is supported, from what the device says of itself.

usage: support.py INFO.json README.md [--check]
  INFO.json  of reelpipe-info --json
  --check    changes nothing; exits with 1 when the tables in the README say something else (which
             extensions there are depends on the machine's kernel, too)

The table stands between the lines <!-- support --> and <!-- /support -->.
"""
import json
import re
import sys

PROFILES = ["Constrained Baseline", "Main", "High"]


def text_of(value):
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "-"
    return str(value)


def video_table(video, direction):
    profiles = [video[f"H.264 {name} {direction}"] for name in PROFILES]
    lines = [f"| H.264 {direction} | {' | '.join(PROFILES)} |", "|---|---|---|---|"]
    for key in profiles[-1]:
        cells = [text_of(profile.get(key, "-")) for profile in profiles]
        if len(set(cells)) == 1:
            cells = [cells[0], "same", "same"]
        lines.append(f"| {key.replace('_', ' ')} | {' | '.join(cells)} |")
    return lines


def queue_table(families):
    lines = ["| queue family | queues | can |", "|---|---|---|"]
    lines += [f"| {f['family']} | {f['queues']} | {text_of(f['can'])} |" for f in families]
    return lines


def tables(info):
    parts = [queue_table(info["queue families"]), video_table(info["video"], "encode"),
             video_table(info["video"], "decode")]
    extensions = sorted(info["api"]["extensions"])
    return ("\n\n".join("\n".join(lines) for lines in parts) +
            f"\n\n<details><summary>{len(info['formats'])} formats, {len(extensions)} device "
            "extensions</summary>\n\n" + ", ".join(f"`{name[3:]}`" for name in extensions) +
            "\n\n</details>\n")


def rows(text):
    return [line for line in text.splitlines() if line.startswith("|")]


def main():
    info_path, readme_path, *rest = sys.argv[1:]
    with open(info_path) as file:
        text = tables(json.load(file))
    with open(readme_path) as file:
        before = file.read()
    after = re.sub(r"(<!-- support -->\n).*(<!-- /support -->)",
                   lambda match: f"{match[1]}\n{text}\n{match[2]}", before, flags=re.S)
    if rest == ["--check"]:
        sys.exit(0 if rows(after) == rows(before) else f"{readme_path}: run tools/report/support.py")
    with open(readme_path, "w") as file:
        file.write(after)


if __name__ == "__main__":
    main()
