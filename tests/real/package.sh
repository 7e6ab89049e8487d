# The Debian package: built, put into a signed repository, installed from it in a fresh trixie, and then, under the real
# systemd: played, updated with a match in play, brought back from a broken version, removed, purged.
. tests/real/roots.sh
. tests/real/container.sh

# Lazily: the agent of gpg ends a moment after it is told.
unmount_all() { umount -Rl "$root/proc" "$root/sys" "$root/dev"; }

make_root build "$build_stamp"
if [ "$fresh" = yes ]; then
    say "What builds a package …"
    inside apt-get update -qq
    from_apt make debhelper gcc gcc-aarch64-linux-gnu python3-click python3-pip lintian apt-utils gpg gpg-agent ca-certificates
    trust
    stands "$build_stamp"
fi
rm -rf "$root/src"
copy_source "$root/src"
log=$REAL_FOLDER/package.log
version=$(sed -n 's/^__version__ = "\(.*\)"/\1/p' companion/__init__.py)
package=table-companion_${version}_amd64.deb

say "Building …"
inside make -C /src package ARCHITECTURES=amd64 >"$log" 2>&1 || { cat "$log" >&2; fail "make package"; }
check "lintian has nothing to say" inside lintian --fail-on error,warning "/src/dist/$package"
inside env TZ=Asia/Seoul sh -c "umask 077; /src/systemd/debian/package amd64 /again" >>"$log" 2>&1 || fail "building again: $log"
check "built twice it has the same bytes" cmp "$root/again/$package" "$root/src/dist/$package"

# another VERSION [LINE]: the package as another version; the line goes to the end of one of its modules.
another() {
    local folder=$root/src/build/another
    mkdir -p "$root/src/build"
    dpkg-deb -R "$root/src/dist/$package" "$folder"
    sed -i "s/^Version: .*/Version: $1/" "$folder/DEBIAN/control"
    sed -i "s/^__version__ = .*/__version__ = \"$1\"/" "$folder/usr/lib/table-companion/companion/__init__.py"
    sed -i "s/^Changes: .*/Changes: - As new as can be./" "$folder/DEBIAN/control"
    [ -z "${2:-}" ] || echo "$2" >>"$folder/usr/lib/table-companion/companion/service/address.py"
    dpkg-deb -Znone --root-owner-group -b "$folder" "$root/src/dist/table-companion_${1}_amd64.deb" >/dev/null
    rm -r "$folder"
}
another "$version.1"
another "$version.2" 'raise RuntimeError("this version is broken on purpose")'
inside env REPOSITORY_KEYS=/keys make -C /src repository ADDRESS=file:/packages >>"$log" 2>&1 || fail "make repository: $log"
dist=$root/src/dist
unmount_all

rm -rf "$REAL_FOLDER/package"
make_root package again
from_apt() { inside apt-get install -qqy -o Dpkg::Use-Pty=0 "$@" >>"$log" 2>&1; }
say "What Raspberry Pi OS Lite has beforehand …"
inside apt-get update -qq
from_apt --no-install-recommends python3 systemd-sysv dbus
before=$(inside sh -c 'dpkg-query -W -f "\${Installed-Size}\n" | paste -sd+' | tr -d '\n'); before=$((before))
say "Installing from the repository …"
cp -r "$dist" "$root/packages"
cp "$dist/table-companion.sources" "$root/etc/apt/sources.list.d/"
inside apt-get update >>"$log" 2>&1 || fail "apt takes the repository"
check "and knows its origin" sh -c "chroot '$root' apt-cache policy | grep -q 'o=Table Companion'"
sed -i 's/^Origin: /&Not /' "$root/packages/InRelease"
check "but not once somebody has changed it" sh -c "! chroot '$root' apt-get update -o APT::Update::Error-Mode=any 2>&1"
cp "$dist/InRelease" "$root/packages/"
inside apt-get update >>"$log" 2>&1 || fail "apt takes the repository again"
from_apt "table-companion=$version" python3-pyqt5- python3-opengl- || { tail -n 30 "$log" >&2; fail "apt install"; }
after=$(inside sh -c 'dpkg-query -W -f "\${Installed-Size}\n" | paste -sd+' | tr -d '\n'); after=$((after))
say "  the file: $(($(stat -c %s "$dist/$package") / 1000000)) MB; with all that it brings: $(((after - before) / 1000)) MB"
check "no name of ours is in the system's Python path" sh -c "! chroot '$root' python3 -c 'import companion' 2>/dev/null"
check "nor is OpenCV" sh -c "! chroot '$root' python3 -c 'import cv2' 2>/dev/null"
from_apt --no-install-recommends unattended-upgrades
echo 'Unattended-Upgrade::Origins-Pattern:: "origin=Table Companion";' >"$root/etc/apt/apt.conf.d/60table-companion"
check "bash completes its command" test -s "$root/usr/share/bash-completion/completions/companion"
check "it has a man page" sh -c "dpkg-deb --contents '$dist/$package' | grep -q 'man1/companion.1.gz'"
check "its command says the version" sh -c "chroot '$root' companion --version | grep -q '$version'"
install -m 755 tests/real/package/check "$root/opt/check"
install -m 644 tests/real/sdcard/check.service "$root/etc/systemd/system/"
sed -i 's/cloud-init.target/multi-user.target/' "$root/etc/systemd/system/check.service"
inside systemctl enable check.service >/dev/null 2>&1
rm "$root/usr/sbin/policy-rc.d"
echo "$version" >"$root/opt/version"
unmount_all

say "Under systemd …"
status=0
in_container "$root" 3600 >"$REAL_FOLDER/package-console.log" 2>&1 || status=$?
cat "$root/check.log" >&2
[ "$status" = 0 ] || fail "in the container ($status): journalctl -D $root/var/log/journal"
