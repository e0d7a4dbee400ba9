# SPDX-License-Identifier: MIT
# Sourced by the commands in tools/ after apt.sh: root folders of other Debian suites, made by
# debootstrap from the machine's own mirror, and commands inside them by chroot.

# Runs a command in a root with /proc and /dev mounted where that is allowed; the mounts are in a
# namespace of their own and end with the command.
in_root()
{
    local root=$1
    shift
    # shellcheck disable=SC2016
    local enter='root=$1; shift
        mount -t proc proc "$root/proc" 2>/dev/null
        mount --rbind /dev "$root/dev" 2>/dev/null
        exec chroot "$root" "$@"'
    if unshare --mount --propagation private true 2>/dev/null; then
        unshare --mount --propagation private bash -c "$enter" bash "$root" "$@"
    else
        chroot "$root" "$@"
    fi
}

# Makes the folder root, a Debian of this suite with the packages. $foreign, when set, is a second
# architecture whose packages may be named as well. Packages are kept in base/debs for the next.
root_create()
{
    local base=$1 suite=$2 root=$3 mirror keyring
    shift 3
    mirror=$(apt_mirror) || die "no mirror of this machine's release in apt's sources"
    keyring=$(apt_keyring)
    [ "$(id -u)" = 0 ] || die "making a root needs root"
    apt_install debootstrap
    say "making $root (once; some minutes)"
    mkdir -p "$base/debs"
    rm -rf "$root.new"
    quietly debootstrap --variant=minbase --cache-dir="$base/debs" \
        ${keyring:+--keyring="$keyring"} "$suite" "$root.new" "$mirror" \
        /usr/share/debootstrap/scripts/sid
    cp -f /etc/resolv.conf "$root.new/etc/resolv.conf" 2>/dev/null || true
    echo 'Acquire::Check-Valid-Until "false";' >"$root.new/etc/apt/apt.conf.d/99snapshot"
    [ -z "${foreign:-}" ] || in_root "$root.new" dpkg --add-architecture "$foreign"
    cp -lf "$base"/debs/*.deb "$root.new/var/cache/apt/archives/"
    quietly in_root "$root.new" apt-get "${apt_options[@]}" update
    quietly in_root "$root.new" apt-get "${apt_options[@]}" install --no-install-recommends "$@"
    cp -lf "$root.new"/var/cache/apt/archives/*.deb "$base/debs/"
    rm -f "$root.new"/var/cache/apt/archives/*.deb
    mv "$root.new" "$root"
}
