# `sudo make install` on a fresh trixie: installed, updated, brought back from a broken update, taken off.
. tests/real/roots.sh

stamp=1
python3 - <<'PYTHON' || fail "port 80 is in use on this machine, which the service would serve at"
import socket
with socket.socket() as probe:
    probe.bind(("0.0.0.0", 80))
PYTHON

# A fresh system each time; only what Raspberry Pi OS Lite has as well is put in beforehand, and kept.
make_root lite "$stamp"
if [ "$fresh" = yes ]; then
    say "What Raspberry Pi OS Lite has beforehand …"
    inside apt-get update -qq
    from_apt make python3 systemd ca-certificates libnss-myhostname
    stands "$stamp"
fi
umount -R "$root/proc" "$root/sys" "$root/dev"
rm -rf "$REAL_FOLDER/install"
cp -a --reflink=auto "$root" "$REAL_FOLDER/install"
make_root install "$stamp"
trust
mount -t tmpfs tmpfs "$root/run"
install -m 755 tests/real/stubs/* "$root/usr/local/sbin/"
copy_source "$root/src"

make_in_src() { inside make --no-print-directory -C /src "$@" >"$REAL_FOLDER/install.log" 2>&1; }
current() { inside readlink -e /opt/table-companion/current; }
asks() { inside python3 -c 'import json, sys, urllib.request as u
told = sys.argv[2].encode() if len(sys.argv) > 2 else None
request = u.Request("http://127.0.0.1" + sys.argv[1], told, {"Content-Type": "application/json"})
print(json.dumps(json.load(u.urlopen(request, timeout=10))))' "$@"; }
moves() { asks /api/match | python3 -c 'import json, sys; print(json.load(sys.stdin)["n"])'; }
owner() { inside stat -c %U "$1"; }

say "Installing …"
make_in_src install || { cat "$REAL_FOLDER/install.log" >&2; fail "the first install"; }
first=$(current)
check "it says where it is" grep -q "http://$(hostname).local/" "$REAL_FOLDER/install.log"
check "a QR code is shown" grep -q "█▄▄▄█" "$REAL_FOLDER/install.log"
check "and on the console" inside grep -q "Table Companion: http://" /run/issue.d/table-companion.issue
check "what apt does not offer here is said" grep -q "does not offer python3-picamera2" "$REAL_FOLDER/install.log"
check "it is healthy at port 80" asks /health
check "it has a user of its own" test "$(owner /var/lib/table-companion)" = table-companion
check "in the groups gpio and video" inside sh -c 'id -nG table-companion | grep -qw gpio && id -nG table-companion | grep -qw video'
check "it runs as that user" test "$(owner /proc/"$(cat "$root/run/stub-pid")")" = table-companion
check "it starts with the machine" test -L "$root/etc/systemd/system/multi-user.target.wants/table-companion.service"
check "the backup has its timer" test -L "$root/etc/systemd/system/timers.target.wants/table-companion-backup.timer"
check "the network is told" test -e "$root/etc/avahi/services/table-companion.service"
check "the system's own Python packages are seen" grep -q "include-system-site-packages = true" "$root$first/venv/pyvenv.cfg"
check "the source folder was left clean" test ! -e "$root/src/.venv" -a ! -e "$root/src/build"

say "Playing, so that there is something to lose …"
echo 'COMPANION_ARGS="--camera usb:0 --game cat-and-mouse"' >"$root/etc/default/table-companion"
inside systemctl restart table-companion.service
asks /api/moves '{"move": {"move": "throw", "dice": [3, 4]}}' >/dev/null || fail "a move is taken"
played=$(moves)
check "a move is kept" test "$played" -gt 0
check "companion doctor finds it running" sh -c "chroot '$root' companion doctor --port 80 | grep -q 'The companion is running on 80'"

say "Updating, from the folder of a card that the installed companion writes …"
inside companion sd-card --name table -o /tmp/card 2>/dev/null || fail "companion sd-card"
inside bash /tmp/card/table-companion/systemd/install >"$REAL_FOLDER/install.log" 2>&1 ||
    { cat "$REAL_FOLDER/install.log" >&2; fail "the update"; }
second=$(current)
check "another release runs" test "$second" != "$first"
check "the one before is kept" test -d "$root$first"
check "the games are there" test "$(moves)" = "$played"
check "the settings are there" grep -q usb:0 "$root/etc/default/table-companion"
check "it is healthy" asks /health

say "An update that does not work …"
cp -a "$root/src" "$root/whole"
sed -i 's/^VERSION = .*/VERSION = 99/' "$root/src/companion/play/schema.py"
cat >>"$root/src/companion/service/address.py" <<'PYTHON'


def _broken(*_: object) -> None:
    raise RuntimeError("this release is broken on purpose")


ConsoleIssue.update = _broken  # type: ignore[method-assign]
PYTHON
if make_in_src install; then fail "a broken release was taken for a healthy one"; fi
check "it says so" grep -q "did not become healthy" "$REAL_FOLDER/install.log"
check "with the reason" grep -q "broken on purpose" "$REAL_FOLDER/install.log"
check "the release before is back" test "$(current)" = "$second"
check "and healthy" asks /health
check "the games are as they were" test "$(moves)" = "$played"
check "the broken one is gone" test "$(ls "$root/opt/table-companion/releases" | wc -l)" = 2
rm -rf "$root/src"
mv "$root/whole" "$root/src"

say "Uninstalling …"
make_in_src uninstall || fail "uninstall"
check "the program is gone" test ! -e "$root/opt/table-companion" -a ! -e "$root/usr/local/bin/companion"
check "its units are gone" sh -c "! find '$root/etc/systemd' '$root/etc/avahi' -name 'table-companion*' | grep ."
check "nothing serves any more" sh -c "! chroot '$root' python3 -c 'import urllib.request as u; u.urlopen(\"http://127.0.0.1/health\")' 2>/dev/null"
check "the games stay" test -s "$root/var/lib/table-companion/journal.sqlite"
make_in_src uninstall GAMES=delete || fail "uninstall with the games"
check "told so, the games go" test ! -e "$root/var/lib/table-companion"
check "and the user" sh -c "! grep -q table-companion '$root/etc/passwd'"
