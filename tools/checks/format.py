#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that every C source is laid out as clang-format 14 does it with .clang-format.

usage: format.py REPOSITORY

Other versions lay some lines out differently: with none but those the check says that it did not
judge, and passes. "clang-format-14 -i FILE" mends what it finds.
"""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys

import files

VERSION = "14"
SUFFIXES = (".c", ".h")


def find_formatter():
    """The command that is clang-format of that version, or None."""
    for name in (f"clang-format-{VERSION}", "clang-format"):
        if shutil.which(name):
            said = subprocess.run([name, "--version"], capture_output=True, text=True).stdout
            if re.search(rf"version {VERSION}\.", said):
                return name
    return None


def check(formatter, paths):
    return subprocess.run([formatter, "--dry-run", "--Werror", "--ferror-limit=3", *paths],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def main():
    root = pathlib.Path(sys.argv[1])
    formatter = find_formatter()
    if not formatter:
        print(f"not judged: there is no clang-format {VERSION}")
        return 0
    paths = [root / path for path in files.of(root) if path.endswith(SUFFIXES)]
    count = os.cpu_count()
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        results = list(pool.map(lambda part: check(formatter, part),
                                [paths[i::count] for i in range(count)]))
    for result in results:
        print(result.stdout, end="")
    print(f"{len(paths)} files")
    return any(result.returncode for result in results) or not paths


if __name__ == "__main__":
    sys.exit(main())
