#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles every header of ours alone, with the flags of a source file beside it.

usage: headers.py REPOSITORY BUILD_FOLDER COMPILER...

Prints the compilers' messages and exits with 1 if a header does not compile, or with a warning.
"""
import concurrent.futures
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

import files


def kept_flags(words):
    """Of a compiler's command, what another compiler wants, too (-I, -D, -std, -W)."""
    keep, take_next = [], False
    for word in words[1:]:
        if take_next or word.startswith(("-I", "-D", "-std=", "-W")) or word == "-isystem":
            keep.append(word)
            take_next = word in ("-isystem", "-I", "-D")
    return keep


def compile_flags(build):
    """Maps each folder with sources to the flags of one source in it."""
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        folder = pathlib.Path(entry["file"]).parent
        flags.setdefault(folder, kept_flags(shlex.split(entry["command"])))
    return flags


def flags_for(header, flags, fallback):
    """The flags of the nearest folder upwards that has sources."""
    for folder in header.parents:
        if folder in flags:
            return flags[folder]
    return fallback


def compile_alone(compiler, header, flags):
    command = [compiler, *flags, "-Werror", "-Wno-unknown-warning-option", "-fsyntax-only",
               "-x", "c", "-"]
    if "clang" not in compiler:
        command.remove("-Wno-unknown-warning-option")
    return subprocess.run(command, input=f'#include "{header}"\n', text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def main():
    root, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    flags = compile_flags(build)
    fallback = flags.get(root / "src" / "util", [])
    headers = [root / path for path in files.of(root) if path.endswith(".h")]
    compilers = [c for c in sys.argv[3:] if shutil.which(c)]
    jobs = [(c, h, flags_for(h, flags, fallback)) for h in headers for c in compilers]
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for job, result in zip(jobs, pool.map(lambda job: compile_alone(*job), jobs)):
            if result.returncode != 0:
                print(f"{job[0]}: {job[1].relative_to(root)}\n{result.stdout}")
                failures += 1
    print(f"{len(headers)} headers, {' and '.join(compilers)}: {failures} failures")
    return failures != 0 or not headers or not compilers


if __name__ == "__main__":
    sys.exit(main())
