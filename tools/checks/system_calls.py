#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that the driver calls the operating system in the folders of src/platform/ alone, each of
which is one system.

usage: system_calls.py REPOSITORY

Elsewhere in the driver a source includes the headers of C17 and <pthread.h>, of Vulkan, and of the
processor's instructions, and nothing else between angle brackets. What these declare beyond C17, with
_GNU_SOURCE, is not called but for locks, conditions, pthread_once(), pthread_join() and
pthread_self(), which the compilers of all systems bring along; nor is what C17 has for files, clocks
and the environment. No source, also none of src/platform/, asks the preprocessor which system it is
compiled for: the build chooses files. Prints one line per finding and exits with 1 if there is one.
"""
import pathlib
import re
import sys

import files

DRIVER = ("src/", "icd/", "codecs/", "include/")
PLATFORM = re.compile(r"src/platform/(linux|windows)/")
FOLDERS = "src/platform/linux/ or windows/"

HEADERS = re.compile(
    r"assert|complex|ctype|errno|fenv|float|inttypes|iso646|limits|locale|math|pthread|setjmp|"
    r"std(?:align|arg|atomic|bool|def|int|io|lib|noreturn)|string|tgmath|uchar|wchar|wctype|"
    r"(?:vulkan|vk_video)/\w+|arm_neon|[a-z]mmintrin")

# Function-like names, whole, that the headers above declare, themselves or by what they include.
CALLS = re.compile(
    # <stdio.h>
    r"fopen\w*|freopen\w*|fdopen|popen|pclose|fileno\w*|tmp(?:file|nam)\w*|remove|rename\w*|"
    r"get(?:line|delim)|v?dprintf|fmemopen|open_memstream|v?asprintf|fseeko\w*|ftello\w*|flockfile|"
    r"funlockfile|perror|"
    # <stdlib.h>, and <sys/types.h> from it
    r"(?:secure_)?getenv|(?:un)?setenv|putenv|clearenv|system|realpath|mk[sd]?o?temps?|qsort_r|"
    r"s?random(?:_r)?|[delmnj]rand48|p?select|FD_\w+|getloadavg|grantpt|ptsname\w*|"
    # <string.h>, and <strings.h> from it
    r"memmem|mempcpy|memrchr|rawmemchr|stpn?cpy|strchrnul|strcasestr|str(?:signal|error)\w*|strsep|"
    r"ffsl?l?|"
    # <pthread.h>, and <sched.h>, <signal.h> and <time.h> from it
    r"pthread_(?!(?:mutex|rwlock)_(?:init|destroy|lock|trylock|rdlock|wrlock|unlock)$|"
    r"cond_(?:init|destroy|wait|signal|broadcast)$|(?:once|join|self)$)\w+|"
    r"sched_\w+|CPU_(?:ALLOC|COUNT|SET|ZERO|ISSET)\w*|clone|unshare|setns|getcpu|sig[a-z]+set|"
    r"clock|clock_(?:[gs]ettime|getres|nanosleep|getcpuclockid)|nanosleep|time|timer_\w+|timespec_get|asctime\w*|ctime\w*|mktime|gmtime\w*|"
    r"localtime\w*|strf?p?time|"
    # <unistd.h>, should anything include it
    r"usleep|sleep|getpid|gettid|sysconf|syscall|fork|m(?:un)?map|mremap|madvise|mprotect|poll|ioctl|"
    r"fcntl|memfd_create|dl(?:open|sym|close|info|error|addr\w*)|dl_iterate_phdr")

SYSTEM_MACROS = re.compile(
    r"\b(?:_WIN32|_WIN64|WIN32|_MSC_VER|__MINGW\w+|__CYGWIN__|__linux(?:__)?|linux|__gnu_linux__|"
    r"__unix(?:__)?|unix|__APPLE__|__\w+BSD__|__ANDROID__|__GLIBC\w*|__BIONIC__)\b")
SYSTEM_FILES = re.compile(r'"/(?:dev|etc|proc|run|sys|tmp|usr|var)/')
VARIABLES = re.compile(r"\b(?:environ|program_invocation(?:_short)?_name)\b")


def without_comments(text):
    """The text with blanks for its comments, line by line."""
    return re.sub(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/|//[^\n]*',
                  lambda match: match[0] if match[0][0] == '"' else re.sub(r"[^\n]", " ", match[0]),
                  text, flags=re.S)


def calls_of(line):
    """The names of the functions that a line calls or names; not members of structs, as in
    `cuts->write(...)`, nor what stands between quotes."""
    code = re.sub(r'"(?:\\.|[^"\\])*"', '""', line)
    return [match[1] for match in re.finditer(r"(?<![\w.>])([A-Za-z_]\w*)\s*\(", code)]


def findings_of_line(line, is_platform):
    if re.match(r"\s*#\s*(?:el)?if", line) and (macro := SYSTEM_MACROS.search(line)):
        yield f"{macro[0]}: the build chooses files for a system, the preprocessor nothing"
    if is_platform:
        return
    include = re.match(r"\s*#\s*include\s*<(.*?)(?:\.h)?>", line)
    if include and not HEADERS.fullmatch(include[1]):
        yield f"only {FOLDERS} includes <{include[1]}.h>"
    for name in calls_of(line):
        if CALLS.fullmatch(name):
            yield f"only {FOLDERS} calls {name}()"
    if match := SYSTEM_FILES.search(line):
        yield f"only {FOLDERS} knows files of the system: {match[0]}...\""
    if match := VARIABLES.search(line):
        yield f"only {FOLDERS} knows {match[0]}"


def main():
    root = pathlib.Path(sys.argv[1])
    sources = [path for path in files.of(root)
               if path.startswith(DRIVER) and path.endswith((".c", ".h", ".inc"))]
    findings = []
    for path in sources:
        text = without_comments((root / path).read_text())
        findings += [f"{path}:{number}: {finding}" for number, line in enumerate(text.splitlines(), 1)
                     for finding in findings_of_line(line, PLATFORM.match(path) is not None)]
    print("\n".join(findings + [f"{len(sources)} files, {len(findings)} findings"]))
    return findings != [] or len(sources) < 200


if __name__ == "__main__":
    sys.exit(main())
