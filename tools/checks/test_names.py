#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the names and labels of the tests that ctest knows.

usage: test_names.py CTEST BUILD

A test is called room.name, where the room is its folder in tests/, and the room is one of its labels.
"""
import json
import re
import subprocess
import sys


def labels_of(test):
    return [label for entry in test["properties"] if entry["name"] == "LABELS"
            for label in entry["value"]]


def problem(test):
    match = re.fullmatch(r"([a-z0-9_]+)\.[a-z0-9_]+", test["name"])
    if not match:
        return "is not called room.name"
    if match[1] not in labels_of(test):
        return f"has no label {match[1]}: its folder in tests/ has another name"
    return None


def main():
    ctest, build = sys.argv[1:]
    listing = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"],
                             capture_output=True, text=True, check=True).stdout
    tests = json.loads(listing)["tests"]
    bad = [f"{test['name']}: {what}" for test in tests if (what := problem(test))]
    print("\n".join(bad))
    if bad or not tests:
        sys.exit(f"{len(bad)} of {len(tests)} tests")


if __name__ == "__main__":
    main()
