# The installed service under the real systemd, as process 1 of a machine, with everything that shuts it in.
. tests/real/roots.sh
. tests/real/machine.sh

machine_root
umount -R "$machine/proc" "$machine/sys" "$machine/dev"
package=$(built_package)
rm -rf "$REAL_FOLDER/service"
make_root service again

say "Installing …"
inside apt-get update -qq
cp "$package" "$root/opt/"
from_apt systemd-sysv dbus "/opt/${package##*/}"
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
