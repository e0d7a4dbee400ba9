#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the layers (layers.py) by the symbols of a build: an include goes downwards easily where a
function is declared low and defined high; its symbol does not.

usage: symbols.py REPOSITORY BUILD_FOLDER

Prints each symbol that is used upwards, each circle of more than MAX_CIRCLE source files that use
each other, each symbol that lacks the prefix of its folder, and each that the interpreter's handlers
have of what profiles count with. Exits with 1 if there is one that
the lists below do not have, or if the lists have one that is no longer there: they may only shrink.
"""
import collections
import json
import pathlib
import re
import shlex
import subprocess
import sys

import layers

# Symbols that are used upwards: name, the room that uses it, the room that defines it.
UPWARDS = set()

# Circles: the rooms that they run through, and how many files each has.
CIRCLES = {
}
MAX_CIRCLE = 3

# What names may begin with beside rp_: the parts of the compiler use theirs in each line,
# core_*.c and motion_vectors.c define what x264's and kvazaar's own files define, the linker knows
# wrappers of libaom's functions by theirs, and the loader asks for vk_icd* and vkNegotiate*.
PREFIXES = {
    "src/compute/ir/": "ir_",
    "src/compute/machine/": "machine_",
    "src/compute/spirv/": "spv_",
    "codecs/aom/": "__wrap_",
    "codecs/kvazaar/": "kvz",  # kvz_, and kvz10_ of 10 bits
    "codecs/x264/": "x264_",
    "icd/layer/": "vkNegotiate",
    "icd/": "vk_icd",
}

# Handlers, which are compiled for each instruction set, do not know of profiles: whoever wants none
# runs the same code. table.c names all handlers, and so those of probes.
HANDLER = re.compile(r"_(c|v2|v3|v4|neon|v82)\.c\.")
COUNTING = {f"src/compute/exec/{name}.c" for name in ("count", "probe", "record", "record_image")}

FORWARDERS = "icd/rp_forward.c"        # generated: old commands and aliases
STRUCT_COPY = "src/util/rp_struct_copy.c"  # generated: pNext chains
GENERATED = {"rp_forward.c": FORWARDERS, "rp_struct_copy.c": STRUCT_COPY}


def source_of(path, root, build):
    """The source in the repository that a compiled file stands for, or None."""
    if path.is_relative_to(build):
        if path.name in GENERATED:
            return GENERATED[path.name]
        # src/compute/exec compiles each of its files once for each instruction set.
        path = root / path.relative_to(build).with_name(re.sub(r"_[a-z0-9]+\.c$", ".c", path.name))
    name = str(path.relative_to(root)) if path.is_relative_to(root) else ""
    return name if name.startswith(("src/", "icd/", "codecs/")) else None


def objects_of(root, build):
    """Maps the driver's objects to their sources."""
    objects = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = shlex.split(entry["command"])
        output = words[words.index("-o") + 1]
        source = source_of(pathlib.Path(entry["file"]), root, build)
        if source and not output.startswith(("tools/benchmark", "tools/info", "tests/")):
            objects[output] = source
    return {output: source for output, source in objects.items() if (build / output).exists()}


def read_symbols(objects, build):
    """Who defines each symbol, and which symbols each source uses."""
    defines, uses = {}, collections.defaultdict(set)
    listing = subprocess.run(["nm", "-A", "-P", "-g", *objects], cwd=build, text=True, check=True,
                             capture_output=True).stdout
    for line in listing.splitlines():
        output, name, kind = re.match(r"(.*?):\s+(\S+) (\S)", line).groups()
        if kind in "Uw":
            uses[objects[output]].add(name)
        else:
            defines[name] = objects[output]
    return defines, uses


def handlers_that_count(objects, build, defines):
    """Handlers' objects with a symbol of what counts for profiles."""
    handlers = [output for output, source in objects.items()
                if source.startswith("src/compute/exec/") and HANDLER.search(output)
                and source != "src/compute/exec/table.c"]
    _, uses = read_symbols({output: output for output in handlers}, build)
    return [f"{name} of {defines[name]} is used by {output}" for output in handlers
            for name in sorted(uses[output]) if defines.get(name) in COUNTING
            ] + ([] if handlers else ["no objects of handlers are known"])


def prefix_of(file):
    return ("rp_", *(PREFIXES[folder] for folder in PREFIXES if file.startswith(folder)))


def find_circles(edges):
    """The strongly connected sets of files (Tarjan's algorithm)."""
    index, low, stack, circles = {}, {}, [], []

    def visit(file):
        index[file] = low[file] = len(index)
        stack.append(file)
        for other in edges[file]:
            if other not in index:
                visit(other)
            if other in stack:
                low[file] = min(low[file], low[other])
        if low[file] == index[file]:
            circle = stack[stack.index(file):]
            del stack[-len(circle):]
            circles.append(sorted(circle))

    for file in sorted(edges):
        if file not in index:
            visit(file)
    return circles


def main():
    root, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    objects = objects_of(root, build)
    defines, uses = read_symbols(objects, build)
    edges, upwards, circles = {}, collections.defaultdict(set), collections.defaultdict(list)
    for file in set(objects.values()):
        edges[file] = sorted({defines[name] for name in uses[file] if name in defines} - {file})
        for name in uses[file]:
            if name in defines and layers.goes_up(file, defines[name]):
                upwards[name, layers.room_of(file), layers.room_of(defines[name])].add(file)
    for circle in find_circles(edges):
        if len(circle) > MAX_CIRCLE:
            circles[" ".join(sorted({layers.room_of(file) for file in circle}))].append(circle)

    findings = []
    is_whole = not any(file.endswith("/stubs.c") for file in edges)
    for key in sorted(upwards.keys() - UPWARDS):
        users = ", ".join(sorted(upwards[key]))
        findings.append(f"{key[0]} of {key[2]} is used upwards by {users}")
    for key in sorted(UPWARDS - upwards.keys()) if is_whole else ():
        findings.append(f"{key} is not used upwards any more: take it out of UPWARDS")
    for name, file in sorted(defines.items()):
        if not name.startswith(prefix_of(file)):
            findings.append(f"{name} of {file} does not begin with "
                            f"{' or '.join(prefix_of(file))}")
    findings += handlers_that_count(objects, build, defines)
    for rooms in sorted(circles.keys() | CIRCLES.keys()):
        found, listed = sorted(map(len, circles[rooms])), CIRCLES.get(rooms, [])
        if found != listed if is_whole else sum(found) > sum(listed):
            findings.append(f"circles of files in {rooms}: {found}, listed are {listed}"
                            + "".join(f"\n    {' '.join(circle)}" for circle in circles[rooms]))
    print("\n".join(findings + [f"{len(edges)} files, {len(findings)} findings"]))
    return findings != [] or len(edges) < 200


if __name__ == "__main__":
    sys.exit(main())
