# SPDX-License-Identifier: MIT
"""The repository's files, for the checks of this folder."""
import subprocess

FOLDERS = (".ci", "codecs", "icd", "include", "src", "tests", "tools")


def of(root):
    """The paths of all files that git does not ignore; where git does not answer, those of our folders."""
    listing = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"],
                             capture_output=True, text=True)
    paths = listing.stdout.splitlines() if listing.returncode == 0 else \
        ["README.md", *(str(path.relative_to(root)) for folder in FOLDERS
                        for path in (root / folder).rglob("*"))]
    return sorted(path for path in paths if (root / path).is_file())
