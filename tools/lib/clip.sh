# SPDX-License-Identifier: MIT
# Sourced (after apt.sh): a real clip from a Debian package, kept outside the repository.

# Prints the path of vtest.avi: 768x576, 795 frames of a street.
clip_download()
{
    local cache=${XDG_CACHE_HOME:-$HOME/.cache}/reelpipe work
    if [ ! -e "$cache/vtest.avi" ]; then
        say "downloading the clip (opencv-doc, about 100 MB, once)"
        mkdir -p "$cache"
        work=$(mktemp -d "$cache/download.XXXXXX")
        (
            cd "$work"
            apt-get "${apt_options[@]}" download opencv-doc >/dev/null 2>&1 || {
                quietly apt-get "${apt_options[@]}" update
                quietly apt-get "${apt_options[@]}" download opencv-doc
            }
            dpkg-deb --fsys-tarfile opencv-doc_*.deb | tar -x --wildcards '*/vtest.avi*'
            find . -name vtest.avi.gz -exec gunzip {} +
            find . -name vtest.avi -exec mv {} "$cache" \;
        )
        rm -rf "$work"
        [ -e "$cache/vtest.avi" ] || die "opencv-doc has no vtest.avi: name a clip"
    fi
    echo "$cache/vtest.avi"
}
