#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that each environment variable of ours is documented, with the same words at both places.

usage: environment.py REPOSITORY [REELPIPE_INFO]

Compares three lists: the variables that sources read (the driver with rp_environment_get() alone,
because a program with elevated privileges must not listen to its environment), the table in
tools/checks/README.md, and what `reelpipe-info --help` prints. Prints one line for each difference
and exits with 1 if there is one.
"""
import pathlib
import re
import subprocess
import sys

import files

TABLE = "tools/checks/README.md"
PRINTED = "tools/info/environment.c"
DRIVER = ("src/", "icd/", "codecs/", "include/")
ENVIRONMENT = "src/platform/windows/environment.c"
NAME = r"(REELPIPE_[A-Z0-9_]+)"
# How each language reads a variable, by the end of a file's name; scripts without one are bash or
# Python.
READS = {
    (".c", ".h", ".inc", ".cpp"): rf'\bgetenv\(\s*"{NAME}"|\brp_environment_get\(\s*"{NAME}"',
    (".in",): rf'"{NAME}": "',
    (".txt", ".cmake"): rf"\$ENV\{{{NAME}\}}|DEFINED ENV\{{{NAME}\}}",
    (".sh", ".py", ""): rf"\$\{{{NAME}[-:}}+]|\$(?={NAME})|environ(?:\.get)?[\[(]\s*[\"']{NAME}",
}


def reads(root):
    """{variable: files that read it}, and complaints about how."""
    found, complaints = {}, []
    for path in files.of(root):
        suffix = pathlib.PurePath(path).suffix
        pattern = next((READS[ends] for ends in READS if suffix in ends), None)
        if pattern is None or path.startswith("tests/fuzz/seeds/"):
            continue
        text = (root / path).read_text(errors="replace")
        for match in re.finditer(pattern, text):
            name = next(filter(None, match.groups()))
            found.setdefault(name, []).append(path)
        if path.startswith(DRIVER) and path != ENVIRONMENT:
            complaints += [f"{path}: getenv() where the driver uses rp_environment_get()"
                           for _ in re.finditer(r"\bgetenv\s*\(", text)]
    return found, complaints


def table(text):
    """{variable: (is it the driver's?, meaning)} of the rows `| `NAME` | reader | meaning |`."""
    rows = re.findall(rf"^\| `{NAME}` \| (.*?) \| (.*) \|$", text, re.M)
    return {name: (reader == "driver", meaning.replace("`", "")) for name, reader, meaning in rows}


def printed(text):
    """The same of what reelpipe-info --help prints."""
    rows, is_driver, name = {}, False, None
    for line in text.splitlines():
        if line.startswith("Environment variables of "):
            is_driver = line.startswith("Environment variables of the driver")
        elif match := re.match(rf"  {NAME} +(.*)", line):
            name = match[1]
            rows[name] = (is_driver, match[2])
        elif name and line.startswith("   "):
            rows[name] = (rows[name][0], f"{rows[name][1]} {line.strip()}")
        else:
            name = None
    return rows


def compare(found, rows, place):
    for name in sorted(set(found) | set(rows)):
        if name not in rows:
            yield f"{name}: {found[name][0]} reads it, {place} does not explain it"
        elif name not in found:
            yield f"{name}: {place} explains it, nothing reads it"
        elif rows[name][0] != any(path.startswith(DRIVER) for path in found[name]):
            yield f"{name}: {place} is wrong about who reads it ({', '.join(found[name])})"


def main():
    root = pathlib.Path(sys.argv[1])
    found, findings = reads(root)
    documented = table((root / TABLE).read_text())
    findings += compare(found, documented, TABLE)
    if sys.argv[2:] not in ([], [""]):
        text = subprocess.run([sys.argv[2], "--help"], capture_output=True, text=True,
                              check=True).stdout
        shown = printed(text)
        findings += compare(found, shown, PRINTED)
        findings += [f"{name}: {TABLE} and {PRINTED} use different words"
                     for name in sorted(set(documented) & set(shown))
                     if documented[name][1] != shown[name][1]]
    print("\n".join(findings))
    return 1 if findings or not found else 0


if __name__ == "__main__":
    sys.exit(main())
