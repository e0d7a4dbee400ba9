#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the README is a page that one reads to the end, and that the texts name files that exist.

usage: readme.py REPOSITORY

In each .md file of the repository: links lead to files, and what stands between backquotes and begins
with one of our folders is a file or a folder (<x>, X and * stand for any name).
"""
import pathlib
import re
import sys

import files

SIZE_B = 10000  # of the README at most
FOLDERS = r"(?:\.ci|codecs|icd|include|src|tests|tools)/"


def exists(root, path):
    path = re.sub(r"<\w+>|\bX\b|\bx\b(?=\.)", "*", path.rstrip("/"))
    return any(root.glob(path)) if "*" in path else (root / path).exists()


def problems(root, name):
    text = (root / name).read_text()
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        if not (root / name).parent.joinpath(target).exists():
            yield f"{name}: no file {target}"
    prose = re.sub(r"^```.*?^```", "", text, flags=re.M | re.S)
    for quoted in re.findall(r"`([^`\n]+)`", prose):
        path = quoted.split()[0] if quoted.split() else ""
        if re.match(FOLDERS, path) and not exists(root, path):
            yield f"{name}: no file {path}"


def main():
    root = pathlib.Path(sys.argv[1])
    findings = [finding for name in files.of(root) if name.endswith(".md")
                for finding in problems(root, name)]
    size_B = len((root / "README.md").read_bytes())
    if size_B > SIZE_B:
        findings.append(f"README.md: {size_B} bytes, of {SIZE_B} at most: other texts have the details")
    print("\n".join(findings))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
