#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that no line of a comment is longer than 100 columns; clang-format leaves comments alone.

usage: columns.py REPOSITORY [--mend]

Prints one line per finding and exits with 1 if there is one. --mend moves the words that are too far
to the right to the next line of the same comment. Comments behind code are not looked at.
"""
import pathlib
import re
import sys

import files

LIMIT = 100
C_SUFFIXES = (".c", ".h", ".inc", ".cpp", ".comp", ".glsl")
HASH_SUFFIXES = (".py", ".sh", ".cmake")
# What a line of a comment begins with, and its words; lists begin anew, and so do empty lines.
BLOCK_BEGIN = re.compile(r"(\s*/\*+ )(.*)")
BLOCK_NEXT = re.compile(r"(\s*\* |\s+)(\S.*)")
LINE = {"c": re.compile(r"(\s*// )(.*)"), "hash": re.compile(r"(\s*# )(.*)")}
NEW_PARAGRAPH = re.compile(r"[-*|]|\d+[.:)]|usage|SPDX|\w+:  ")


def kind_of(path):
    if path.endswith(C_SUFFIXES):
        return "c"
    name = pathlib.PurePath(path).name
    return "hash" if path.endswith(HASH_SUFFIXES) or name == "CMakeLists.txt" else None


def comment_lines(lines, kind):
    """(prefix, words, prefix of the next line) for each line that is all comment, else None."""
    inside = None
    for line in lines:
        begin = BLOCK_BEGIN.fullmatch(line) if kind == "c" and inside is None else None
        if begin:
            inside = re.match(r"\s*", line)[0] + " * "
            yield begin[1], begin[2], inside
        elif inside is not None:
            following = BLOCK_NEXT.fullmatch(line)
            yield (following[1], following[2], following[1]) if following else None
        else:
            match = LINE[kind].fullmatch(line)
            yield (match[1], match[2], match[1]) if match else None
        if inside is not None and ("*/" in line or line.endswith("\\")):
            inside = None


def too_long(lines, kind):
    """Numbers of lines, from 0. A word that is too long by itself, an address perhaps, may be."""
    for number, comment in enumerate(comment_lines(lines, kind)):
        if comment and len(lines[number]) > LIMIT and " " in comment[1][:LIMIT - len(comment[0])]:
            yield number


def mend(lines, kind):
    """Moves words on, line by line, until none is too far to the right."""
    while (number := next(too_long(lines, kind), None)) is not None:
        comments = list(comment_lines(lines, kind))
        prefix, words, next_prefix = comments[number]
        end = words.rindex(" ", 0, LIMIT - len(prefix) + 1)
        if words[end + 1:] == "*/":
            end = words.rindex(" ", 0, end)
        lines[number], rest = prefix + words[:end], words[end + 1:]
        after = comments[number + 1] if number + 1 < len(lines) else None
        is_open = kind != "c" or "//" in prefix or "*/" not in words
        if is_open and after and after[0] == next_prefix and not NEW_PARAGRAPH.match(after[1]):
            lines[number + 1] = next_prefix + (rest if after[1] == "*/" else f"{rest} {after[1]}")
            if after[1] == "*/":
                lines[number + 1] += " */"
        else:
            lines.insert(number + 1, next_prefix + rest)


def main():
    root = pathlib.Path(sys.argv[1])
    findings = 0
    for path in files.of(root):
        kind = kind_of(path)
        if not kind:
            continue
        lines = (root / path).read_text().split("\n")
        if "--mend" in sys.argv[2:] and any(True for _ in too_long(lines, kind)):
            mend(lines, kind)
            (root / path).write_text("\n".join(lines))
        for number in too_long(lines, kind):
            print(f"{path}:{number + 1}: a comment beyond {LIMIT} columns")
            findings += 1
    print(f"{findings} findings")
    return findings != 0


if __name__ == "__main__":
    sys.exit(main())
