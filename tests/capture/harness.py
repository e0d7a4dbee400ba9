# SPDX-License-Identifier: MIT
"""What the cases of check have in common: programs are captured, captures replayed and read."""
import json
import os
import pathlib
import struct
import subprocess
import sys

build = pathlib.Path(sys.argv[1])
replay = build / "tools/reelpipe-replay"
failures = []


def expect(is_good, what):
    if not is_good:
        failures.append(what)
        print("FAILED:", what)


def run(command, environment=None, **options):
    return subprocess.run([str(c) for c in command], env={**os.environ, **(environment or {})},
                          capture_output=True, text=True, errors="replace", timeout=600, **options)


def capture(folder, program, environment=None, **options):
    return run([build / "tests" / program],
               {"REELPIPE_CAPTURE": str(folder), **(environment or {})}, **options)


def captures(folder):
    """A folder for each device that the program made."""
    return sorted(folder.parent.glob(folder.name + "*"))


def check(folder, *options):
    return run([replay, "--check", *options, folder])


def lines_of(folder, name):
    return [json.loads(line) for line in (folder / name).read_text().splitlines()]


def pieces_of(folder):
    """Of each piece of blobs.bin: where its header is, how it is coded, its size, its stored size."""
    data = (folder / "blobs.bin").read_bytes()
    place, pieces = 0, []
    while place < len(data):
        magic, _, coding, _, size, _, stored = struct.unpack_from("<IBBHQQQ", data, place)
        expect(magic == 0x4c425052, f"{folder.name}: no piece at {place}")
        pieces.append((place, coding, size, stored))
        place += 32 + stored + (-stored & 7)
    return pieces


def first_run(folder):
    """The number of the first blob that a buffer is filled with."""
    return next(run_[2] for line in lines_of(folder, "submits.jsonl") if "submit" in line
                for item in line["memory"] if "buffer" in item for run_ in item["pages"])
