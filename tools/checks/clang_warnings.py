#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Has clang read the sources that its own build, which is sanitized, leaves out.

usage: clang_warnings.py REPOSITORY BUILD_FOLDER FOLDER...

FOLDER is one of the repository's, as tools/benchmark. Prints clang's messages and exits with 1 if a
file of these folders that BUILD_FOLDER compiles has an error or a warning; with 77 without clang.
"""
import concurrent.futures
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

import headers


def read(entry):
    command = ["clang", *headers.kept_flags(shlex.split(entry["command"])), "-Werror",
               "-Wno-unknown-warning-option", "-fsyntax-only", entry["file"]]
    return subprocess.run(command, cwd=entry["directory"], text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)


def main():
    root, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    folders = {root / folder for folder in sys.argv[3:]}
    if not shutil.which("clang"):
        print("SKIPPED: there is no clang")
        return 77
    entries = [entry for entry in json.loads((build / "compile_commands.json").read_text())
               if pathlib.Path(entry["file"]).parent in folders]
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for result in pool.map(read, entries):
            if result.returncode != 0:
                print(result.stdout)
                failures += 1
    print(f"{len(entries)} files: {failures} failures")
    return failures != 0 or not entries


if __name__ == "__main__":
    sys.exit(main())
