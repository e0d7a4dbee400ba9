# SPDX-License-Identifier: MIT
# Sourced by the scripts make_streams of tests. What an encoder makes is the same for every build of
# ours, so a folder that the same script has filled with the same encoders is taken as it is
# (tools/test copies it from one build folder to the next).

# What the script itself and the encoders are, in one line.
streams_source()
{
    { cat "$0" && ffmpeg -version && ffmpeg -hide_banner -encoders; command -v aomenc || true; } \
        2>/dev/null | cksum
}

# streams_are_made FOLDER
streams_are_made()
{
    [ "$(cat "$1/.$(basename "$(dirname "$0")")" 2>/dev/null)" = "$(streams_source)" ]
}

# streams_made FOLDER: the last line of such a script.
streams_made()
{
    streams_source >"$1/.$(basename "$(dirname "$0")")"
}
