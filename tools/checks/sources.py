#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What every file of ours keeps to; README.md beside this file has the rules.

usage: sources.py REPOSITORY

Prints one line per finding and exits with 1 if there is one.
"""
import os
import pathlib
import re
import sys

import files
import layers

DRIVER = ("src/", "icd/", "codecs/", "include/")
HEAP = re.compile(r"src/platform/\w+/heap\.c")
ALLOCATOR = "src/util/alloc.c"
COMPILER = "src/util/compiler.h"  # macros for attributes: part of the language, of no layer

# Places of one machine, and hosts of package mirrors: the build takes them from apt.
MACHINE_PATHS = re.compile(r"(?<![\w.$}])/(?:work|root|home|tmp/(?!XXX))/?\w|\b(?:deb|ftp\.\w+|"
                           r"security|snapshot)\.debian\.org|\barchive\.ubuntu\.com")
MACHINE_PATHS_ALLOWED = {"tests/clients/package", "tools/checks/sources.py",
                         "tools/package/Containerfile"}

SUFFIXES = (".c", ".h", ".inc", ".cpp", ".comp", ".glsl", ".spvasm", ".py", ".sh", ".cmake")


def included_path(root, name, path):
    """Where an #include of ours leads to in the repository; None: to a generated header."""
    if name.startswith("reelpipe/"):
        return "include/" + name
    for place in (os.path.dirname(path), layers.room_of(path) or "", "src", ""):
        found = os.path.normpath(os.path.join(place, name))
        if (root / found).is_file():
            return found
    return None


def check_layers(root, path, text):
    if path.startswith(DRIVER) and not layers.has_place(path):
        yield "1: layers.py gives it no place among the layers"
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        other = included_path(root, match[1], path) if match else None
        if other in (None, COMPILER):
            continue
        if layers.goes_up(path, other):
            yield (f"{number}: includes go downwards only: {os.path.dirname(path)} must not "
                   f"include {match[1]}")


def check_guard(path, text):
    if not path.endswith(".h"):
        return
    inner = re.sub(r"^(src|include)/", "", path)
    inner = re.sub(r"^reelpipe/", "", inner)
    guard = "RP_" + re.sub(r"\W", "_", inner).upper()
    found = re.search(r"^#ifndef (\w+)\n#define (\w+)$", text, re.M)
    if not found or found[1] != found[2]:
        yield "1: no include guard"
    elif path.startswith(("tests/", "tools/")):
        # Those may leave out folders in front.
        if not guard.endswith(found[1].removeprefix("RP")):
            yield f"1: guard is {found[1]}, not {guard} or shorter"
    elif found[1] not in (guard, guard.replace("RP_", "REELPIPE_", 1)):
        yield f"1: guard is {found[1]}, not {guard}"


def check_length(path, text):
    count = text.count("\n")
    if path.endswith((".c", ".h")) and count > 1000 and "_tables." not in path:
        yield f"{count}: more than 1,000 lines: split it, or call it *_tables"


# REUSE-IgnoreStart
def check_spdx(path, text):
    head = "\n".join(text.splitlines()[:3])
    licence = "GPL-2.0-or-later" if path.startswith("codecs/x264/") else "MIT"
    if f"SPDX-License-Identifier: {licence}" not in head:
        yield f"1: no line SPDX-License-Identifier: {licence}"
# REUSE-IgnoreEnd


def check_words(path, text):
    for number, line in enumerate(text.splitlines(), 1):
        if MACHINE_PATHS.search(line) and path not in MACHINE_PATHS_ALLOWED:
            yield f"{number}: a path or host of one machine"
        if line.endswith((" ", "\t")):
            yield f"{number}: white space at the end"


def check_allocations(path, text):
    if not path.startswith(DRIVER) or HEAP.fullmatch(path):
        return
    knows_heap = path == ALLOCATOR or path.startswith("src/platform/")
    for number, line in enumerate(text.splitlines(), 1):
        is_comment = re.match(r"\s*(?:\*|/\*)", line)
        if is_comment:
            continue
        if re.search(r"\b(?:malloc|calloc|realloc|aligned_alloc|posix_memalign)\s*\(", line):
            yield f"{number}: only src/platform/*/heap.c allocates from the C library"
        if re.search(r"\brp_heap_z?alloc\s*\(", line) and not knows_heap:
            yield f"{number}: above src/platform only {ALLOCATOR} allocates from the heap"


def is_source(path):
    """Whether a file has a place for its licence."""
    name = pathlib.PurePath(path).name
    return path.endswith(SUFFIXES) or name == "CMakeLists.txt" or \
        (name.endswith(".md") and path != "README.md") or \
        (path.startswith((".ci/", "tests/", "tools/")) and "." not in name and "/seeds/" not in path)


def main():
    root = pathlib.Path(sys.argv[1])
    findings = 0
    for name in layers.gone(root):
        print(f"tools/checks/layers.py: there is no {name}")
        findings += 1
    for path in filter(is_source, files.of(root)):
        text = (root / path).read_text()
        checks = [check_spdx(path, text), check_words(path, text)]
        if path.endswith((".c", ".h", ".inc")):
            checks += [check_layers(root, path, text), check_guard(path, text),
                       check_length(path, text), check_allocations(path, text)]
        for check in checks:
            for finding in check:
                print(f"{path}:{finding}")
                findings += 1
    print(f"{findings} findings")
    return findings != 0


if __name__ == "__main__":
    sys.exit(main())
