# The installed service under the real systemd, as process 1 of a machine, with everything that shuts it in.
. tests/real/roots.sh
. tests/real/machine.sh

machine_root
umount -R "$machine/proc" "$machine/sys" "$machine/dev"
make_root lite 1
[ "$fresh" = no ] || fail "the part install comes first: it makes the root that is booted here"
umount -R "$root/proc" "$root/sys" "$root/dev"
rm -rf "$REAL_FOLDER/service"
cp -a --reflink=auto "$root" "$REAL_FOLDER/service"
make_root service 1
trust

say "Installing …"
from_apt systemd-sysv
copy_source "$root/src"
# Started is what it will be by systemd itself, in the machine: here only the answer to "is it healthy" is stood in for.
install -m 755 tests/real/stubs/* "$root/usr/local/sbin/"
mount -t tmpfs tmpfs "$root/run"
inside make --no-print-directory -C /src install >"$REAL_FOLDER/install.log" 2>&1 || fail "sudo make install"
inside systemctl stop table-companion.service
umount "$root/run"
rm "$root/usr/local/sbin/systemctl" "$root/usr/local/sbin/journalctl"
install -m 755 tests/real/service/check "$root/opt/check"
install -m 644 tests/real/service/check.service "$root/etc/systemd/system/"
inside systemctl enable check.service >/dev/null 2>&1
inside systemctl set-default multi-user.target >/dev/null 2>&1
umount -R "$root/proc" "$root/sys" "$root/dev"

say "Starting the machine …"
mount -t proc proc "$machine/proc"
mount --rbind /dev "$machine/dev"
boot "$root" 900 /lib/systemd/systemd | tee "$REAL_FOLDER/service-machine.log" |
    grep --line-buffered -E '^  ok:|^FAILED' >&2 || true
grep -q '^ended with 0' "$REAL_FOLDER/service-machine.log" || fail "in the machine: $REAL_FOLDER/service-machine.log"
