# SPDX-License-Identifier: MIT
# Sourced by the commands in tools/: packages through the machine's own apt, and files of other
# suites from the same mirror without touching the machine's apt state.

export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

# Snapshots of a mirror carry old dates; a lock held by another apt is waited for.
apt_options=(-q -o APT::Get::Assume-Yes=true -o Acquire::Check-Valid-Until=false -o Acquire::Retries=3
    -o DPkg::Lock::Timeout=600 -o APT::Sandbox::User=root -o Dpkg::Use-Pty=0)

say()
{
    printf '%s: %s\n' "${0##*/}" "$*" >&2
}

die()
{
    say "$*"
    exit 1
}

# Runs a command without its output, which is shown when the command fails.
quietly()
{
    local log status=0
    log=$(mktemp)
    "$@" >"$log" 2>&1 || status=$?
    [ $status = 0 ] || { say "failed: $*" && tail -n 40 "$log" >&2; }
    rm -f "$log"
    return $status
}

# Prints those of the packages that are not installed.
apt_missing()
{
    local installed
    installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "$@" 2>/dev/null |
        sed -n 's/^installed //p' || true)
    comm -23 <(printf '%s\n' "$@" | sort -u) <(sort -u <<<"$installed")
}

apt_install()
{
    local missing
    mapfile -t missing < <(apt_missing "$@")
    [ ${#missing[@]} != 0 ] || return 0
    [ "$(id -u)" = 0 ] || die "not root; please run: apt-get install ${missing[*]}"
    say "installing ${missing[*]}"
    quietly apt-get "${apt_options[@]}" update
    quietly apt-get "${apt_options[@]}" install --no-install-recommends "${missing[@]}"
}

# The base address of the mirror that this machine takes its own release from; works for
# one-line and deb822 sources alike, and before the first "apt-get update".
apt_mirror()
{
    local codename
    codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
    apt-get update --print-uris 2>/dev/null |
        sed -n "s|^'\([^']*\)/dists/$codename/\(In\)\?Release' .*|\1|p" | head -n 1 | grep .
}

# Prints the keyring that signs Debian's suites, "" when the machine's default has to do.
apt_keyring()
{
    local keyring
    for keyring in /usr/share/keyrings/debian-archive-keyring.{pgp,gpg}; do
        [ ! -e "$keyring" ] || { echo "$keyring" && return; }
    done
}

# Makes dir an apt state of its own that knows only the given suite of the machine's mirror;
# apt_suite dir get|cache ... then works with it.
apt_suite_create()
{
    local dir=$1 suite=$2 mirror keyring options=
    mirror=$(apt_mirror) || die "no mirror of this machine's release in apt's sources"
    keyring=$(apt_keyring)
    [ -z "$keyring" ] || options=" signed-by=$keyring"
    # A local mirror that the machine trusts unsigned is trusted here too.
    if grep -qsiE '^Trusted: *yes|trusted=yes' /etc/apt/sources.list /etc/apt/sources.list.d/*; then
        options+=" trusted=yes"
    fi
    mkdir -p "$dir/lists/partial" "$dir/archives/partial"
    echo "deb ${options:+[${options# }]} $mirror $suite main" >"$dir/sources.list"
    quietly apt_suite "$dir" get update
}

apt_suite()
{
    local dir=$1 command=$2
    shift 2
    "apt-$command" "${apt_options[@]}" -o Dir::Etc::sourcelist="$dir/sources.list" \
        -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$dir/lists" \
        -o Dir::Cache="$dir" "$@"
}

# Fetches address to file unless a file with that SHA-256 is there already.
apt_fetch()
{
    local address=$1 file=$2 sha256=$3
    if [ -e "$file" ] && sha256sum --status -c <<<"$sha256  $file"; then
        return
    fi
    say "fetching ${file##*/}"
    mkdir -p "${file%/*}"
    quietly /usr/lib/apt/apt-helper "${apt_options[@]}" download-file "$address" "$file.part" \
        "SHA256:$sha256" || return
    mv "$file.part" "$file"
}
