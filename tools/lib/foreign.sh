# SPDX-License-Identifier: MIT
# Sourced by the commands in tools/ after root.sh: roots of Debian for another architecture, whose
# programs run by emulation.

# The processor of Debian's architecture as qemu names it, and its number in the header of ELF.
foreign_processor()
{
    case $1 in
    arm64) printf '%s\n' 'aarch64 \xb7' ;;
    *) die "no emulator is known for $1" ;;
    esac
}

# Runs a command of this machine that may start programs of arch. The kernel is told of the emulator
# in a user namespace (Linux 6.7), so that nothing of this machine changes. $foreign_emulator, when
# set, is the path of another emulator than this machine's; it must be linked statically.
with_foreign()
{
    local arch=$1 found processor number program begin pid status=0
    shift
    found=$(foreign_processor "$arch") || exit
    read -r processor number <<<"$found"
    program=${foreign_emulator:-/usr/bin/qemu-$processor-static}
    [ -x "$program" ] || apt_install qemu-user-static
    begin=$(mktemp -u)
    mkfifo "$begin"
    # shellcheck disable=SC2016
    unshare --user --mount --propagation private bash -c '
        begin=$1 processor=$2 number=$3 program=$4
        shift 4
        read -r _ <"$begin" # until this process has its users
        zeros="\x00\x00\x00\x00\x00\x00\x00\x00"
        ones="\xff\xff\xff\xff\xff\xff\xff\xff"
        header="\x7fELF\x02\x01\x01\x00$zeros\x02\x00$number\x00" # of 64 bits, little-endian
        mask="\xff\xff\xff\xff\xff\xff\xff\x00$ones\xfe\xff\xff\xff"
        formats=/proc/sys/fs/binfmt_misc
        mount -t binfmt_misc binfmt_misc $formats || exit
        echo ":$processor:M::$header:$mask:$program:F" >$formats/register ||
            exit
        exec "$@"' bash "$begin" "$processor" "$number" "$program" "$@" <&0 &
    pid=$!
    until [ "$(readlink "/proc/$pid/ns/user")" != "$(readlink /proc/self/ns/user)" ]; do
        [ -d "/proc/$pid" ] || { rm "$begin" && die "this machine allows no user namespace"; }
        sleep 0.1
    done
    echo 0 0 65536 >"/proc/$pid/uid_map"
    echo 0 0 65536 >"/proc/$pid/gid_map"
    echo >"$begin"
    rm "$begin"
    wait $pid || status=$?
    return $status
}

# Runs a command in a root of arch.
in_foreign_root()
{
    local arch=$1 root=$2
    shift 2
    # shellcheck disable=SC2016
    with_foreign "$arch" bash -c 'mount --rbind /proc "$1/proc" && mount --rbind /dev "$1/dev" &&
        exec chroot "$@"' bash "$root" "$@"
}

# Makes the folder root, a minimal Debian of this suite. Packages are unpacked by this machine's
# dpkg; only their scripts are emulated.
foreign_root_create()
{
    local arch=$1 suite=$2 root=$3 mirror keyring options=
    mirror=$(apt_mirror) || die "no mirror of this machine's release in apt's sources"
    keyring=$(apt_keyring)
    [ "$(id -u)" = 0 ] || die "making a root needs root"
    apt_install mmdebstrap
    say "making $root (once; some minutes)"
    rm -rf "$root.new"
    [ -z "$keyring" ] || options="[signed-by=$keyring]"
    quietly with_foreign "$arch" mmdebstrap --mode=root --variant=apt --skip=check/qemu \
        --architectures="$arch" --aptopt='Acquire::Check-Valid-Until "false"' \
        "$suite" "$root.new" "deb $options $mirror $suite main"
    cp -f /etc/resolv.conf "$root.new/etc/resolv.conf" 2>/dev/null || true
    mv "$root.new" "$root"
}
