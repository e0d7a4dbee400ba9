# SPDX-License-Identifier: MIT
"""Writes what a Debian package needs beside the files: changelog.gz, copyright and the lintian
overrides, from CHANGELOG.md and LICENSE.

usage: debian.py SOURCE_FOLDER OUTPUT_FOLDER MAINTAINER [CONTAINED...] (x264, kvazaar, libaom)"""
import datetime
import email.utils
import gzip
import pathlib
import re
import sys
import textwrap

OVERRIDES = """# A plugin: the Vulkan loader opens it by the path in its manifest, nothing links it.
reelpipe: sharedobject-in-library-directory-missing-soname *
# The project has no mail host of its own; whoever makes the package sets DEBEMAIL.
reelpipe: bogus-mail-host *
reelpipe: bogus-mail-host-in-debian-changelog *
# The driver does without; reelpipe-report alone is a script, and python3 is recommended.
reelpipe: python3-script-but-no-python3-dep *
"""

DISCLAIMER = """ THIS SOFTWARE IS PROVIDED BY THE COPYRIGHT HOLDERS AND CONTRIBUTORS "AS IS" AND ANY EXPRESS OR
 IMPLIED WARRANTIES, INCLUDING, BUT NOT LIMITED TO, THE IMPLIED WARRANTIES OF MERCHANTABILITY AND
 FITNESS FOR A PARTICULAR PURPOSE ARE DISCLAIMED. IN NO EVENT SHALL THE COPYRIGHT OWNER OR
 CONTRIBUTORS BE LIABLE FOR ANY DIRECT, INDIRECT, INCIDENTAL, SPECIAL, EXEMPLARY, OR CONSEQUENTIAL
 DAMAGES (INCLUDING, BUT NOT LIMITED TO, PROCUREMENT OF SUBSTITUTE GOODS OR SERVICES; LOSS OF USE,
 DATA, OR PROFITS; OR BUSINESS INTERRUPTION) HOWEVER CAUSED AND ON ANY THEORY OF LIABILITY, WHETHER
 IN CONTRACT, STRICT LIABILITY, OR TORT (INCLUDING NEGLIGENCE OR OTHERWISE) ARISING IN ANY WAY OUT OF
 THE USE OF THIS SOFTWARE, EVEN IF ADVISED OF THE POSSIBILITY OF SUCH DAMAGE.
"""

BSD_3 = """License: BSD-3-Clause
 Redistribution and use in source and binary forms, with or without modification, are permitted
 provided that the following conditions are met:
 .
 * Redistributions of source code must retain the above copyright notice, this list of conditions
   and the following disclaimer.
 .
 * Redistributions in binary form must reproduce the above copyright notice, this list of conditions
   and the following disclaimer in the documentation and/or other materials provided with the
   distribution.
 .
 * Neither the name of the Tampere University or ITU/ISO/IEC nor the names of its contributors may be
   used to endorse or promote products derived from this software without specific prior written
   permission.
 .
"""

BSD_2 = """License: BSD-2-Clause
 Redistribution and use in source and binary forms, with or without modification, are permitted
 provided that the following conditions are met:
 .
 1. Redistributions of source code must retain the above copyright notice, this list of conditions
    and the following disclaimer.
 .
 2. Redistributions in binary form must reproduce the above copyright notice, this list of
    conditions and the following disclaimer in the documentation and/or other materials provided
    with the distribution.
 .
"""


def debian_version(version):
    return version.replace("-rc", "~rc")


def changelog(text, maintainer):
    """Each "## VERSION (DATE)" of CHANGELOG.md with its points, as dpkg reads them."""
    entries = []
    for version, date, body in re.findall(
            r"^## (\S+) \((\d{4}-\d\d-\d\d)\)\n(.*?)(?=^## |\Z)", text, re.M | re.S):
        points = "\n".join(textwrap.fill(" ".join(point.split()), 78, initial_indent="  * ",
                                         subsequent_indent="    ", break_on_hyphens=False)
                           for point in re.split(r"^- ", body, flags=re.M)[1:])
        day = datetime.datetime.fromisoformat(date).replace(tzinfo=datetime.timezone.utc)
        entries.append(f"reelpipe ({debian_version(version)}) unstable; urgency=medium\n\n{points}\n\n"
                       f" -- {maintainer}  {email.utils.format_datetime(day)}\n")
    if not entries:
        sys.exit("CHANGELOG.md has no version")
    return "\n".join(entries)


def license_text(text):
    """In the form of machine-readable copyright files: one space before each line, "." for none."""
    return "".join(f" {line}".rstrip() + "\n" if line.strip() else " .\n"
                   for line in text.strip().splitlines())


def copyright_file(licence, contained):
    mit = re.search(r"^(Permission is hereby granted.*?)^=====", licence, re.M | re.S).group(1)
    owner = re.search(r"^Copyright (?:\(c\) )?(.*)$", licence, re.M).group(1)
    paragraphs = ["Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
                  "Upstream-Name: Reelpipe\n",
                  "Files: *\nComment: loads the machine's own libavcodec and libdav1d when they are asked"
                  " for;\n Debian's libavcodec is built under the GPL\n"
                  f"Copyright: {owner}\nLicense: MIT\n"]
    if "x264" in contained:
        paragraphs.append("Files: codecs/x264/*\nComment: and x264 itself, which the driver contains\n"
                          f"Copyright: 2003-2022 x264 project\n {owner}\n"
                          "License: GPL-2.0-or-later\n")
    if "kvazaar" in contained:
        paragraphs.append("Files: kvazaar/*\nComment: contained in the driver\n"
                          "Copyright: 2021, Tampere University, ITU/ISO/IEC, project contributors\n"
                          "License: BSD-3-Clause\n")
    if "libaom" in contained:
        patents = re.search(r"^Alliance for Open Media Patent License 1.0$.*?(?=^=====)", licence,
                            re.M | re.S).group(0)
        paragraphs.append("Files: libaom/*\nComment: contained in the driver\n .\n"
                          + license_text(patents)
                          + "Copyright: 2016, Alliance for Open Media\nLicense: BSD-2-Clause\n")
    paragraphs.append("License: MIT\n" + license_text(mit))
    if "x264" in contained:
        paragraphs.append("License: GPL-2.0-or-later\n On Debian systems the text is in "
                          "/usr/share/common-licenses/GPL-2. The driver as a whole, which\n"
                          " contains x264, is distributed under these terms.\n")
    if "libaom" in contained:
        paragraphs.append(BSD_2 + DISCLAIMER)
    if "kvazaar" in contained:
        paragraphs.append(BSD_3 + DISCLAIMER)
    return "\n".join(paragraphs)


def main():
    source, output = map(pathlib.Path, sys.argv[1:3])
    text = changelog((source / "tools/package/CHANGELOG.md").read_text(), sys.argv[3])
    output.mkdir(parents=True, exist_ok=True)
    (output / "changelog.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    (output / "copyright").write_text(
        copyright_file((source / "LICENSE").read_text(), sys.argv[4:]))
    (output / "lintian-overrides").write_text(OVERRIDES)


main()
