# Debian roots to try things in: made once, kept in REAL_FOLDER. Sourced by each part, which runs in mounts of its own.
set -euo pipefail

source_folder=$PWD
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}

say() { printf '%s\n' "$*" >&2; }
fail() { say "FAILED: $*"; exit 1; }
check() {  # WHAT COMMAND…: the command must succeed
    local what=$1
    shift
    "$@" >/dev/null || fail "$what"
    say "  ok: $what"
}

# new_root NAME: a bare trixie as $root, whole or not at all.
bare_root() {
    local bare=$REAL_FOLDER/trixie
    mkdir -p "$REAL_FOLDER"
    if [ ! -e "$bare/etc/debian_version" ]; then
        say "Fetching Debian trixie …"
        rm -rf "$bare.part"
        debootstrap --variant=minbase trixie "$bare.part" "$mirror" >"$REAL_FOLDER/debootstrap.log" 2>&1 ||
            fail "debootstrap: $REAL_FOLDER/debootstrap.log"
        mv "$bare.part" "$bare"
    fi
    echo "$bare"
}

# make_root NAME STAMP: `root` is a root of that name; `fresh` says whether it was just copied from the bare one.
# A root whose stamp is another one is made again.
make_root() {
    root=$REAL_FOLDER/$1
    fresh=no
    if [ "$(cat "$root/.stamp" 2>/dev/null)" != "$2" ]; then
        rm -rf "$root"
        cp -a --reflink=auto "$(bare_root)" "$root"
        fresh=yes
    fi
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod +x "$root/usr/sbin/policy-rc.d"
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
}

stands() { echo "$1" >"$root/.stamp"; }  # STAMP: the root is whole

inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }

from_apt() { inside apt-get install -qqy --no-install-recommends -o Dpkg::Use-Pty=0 "$@" >>"$REAL_FOLDER/apt.log" 2>&1; }

# What this machine trusts when it fetches from PyPI, a root trusts as well.
trust() { install -D -m 644 /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"; }

# copy_source FOLDER: what git knows of the project, as it stands now.
copy_source() {
    mkdir -p "$1"
    git -C "$source_folder" ls-files -z --cached --others --exclude-standard |
        (cd "$source_folder" && xargs -0 -I{} sh -c 'test -e "{}" && printf "%s\0" "{}"' | tar --null -T - -c) | tar -x -C "$1"
}

build_stamp=3  # of the root that packages are built in

# The package that the part `package` has built.
built_package() {
    local version
    version=$(sed -n 's/^__version__ = "\(.*\)"/\1/p' companion/__init__.py)
    ls "$REAL_FOLDER/build/src/dist/table-companion_${version}_amd64.deb" || fail "the part package comes first: it builds what is installed here"
}
