# A card by `companion sd-card`: read by the real cloud-init under the real systemd, on a trixie without a network, twice.
. tests/real/roots.sh
. tests/real/cloud.sh
. tests/real/container.sh

maker_stamp=1
unmount_all() { umount -R "$root/proc" "$root/sys" "$root/dev"; }

make_root maker "$maker_stamp"
if [ "$fresh" = yes ]; then
    say "A computer that makes cards …"
    inside apt-get update -qq
    from_apt python3-venv ca-certificates
    trust
    inside python3 -m venv /opt/venv
    stands "$maker_stamp"
fi
rm -rf "$root/src" "$root/card" "$root/bundle"
copy_source "$root/src"
pip() { inside /opt/venv/bin/pip install -q --disable-pip-version-check "$@" >>"$REAL_FOLDER/pip.log" 2>&1 || fail "pip: $REAL_FOLDER/pip.log"; }
pip --require-hashes -r /src/systemd/requirements.lock
pip --no-deps --no-build-isolation --force-reinstall /src

say "Making a bundle for this machine, and a card with it …"
inside env -C /src /opt/venv/bin/python .ci/bundle.py /bundle "$(uname -m)" 3.13 >>"$REAL_FOLDER/pip.log" 2>&1 ||
    fail "the bundle: $REAL_FOLDER/pip.log"
echo "correct horse battery" >"$root/password"
echo "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEIP0du7ZPjP2e9c1uB7ajnjLEYY4iJNCvEv5XQhKxD7 phone" >"$root/key.pub"
inside /opt/venv/bin/companion sd-card --name Reading-Room --wifi "Our Wi-Fi 窩" --wifi-password-file /password \
    --country TW --ssh-key /key.pub --bundle /bundle -o /card 2>/dev/null || fail "companion sd-card"
card=$root/card
check "the bundle has wheels for this machine" sh -c "ls '$card'/table-companion/wheels | grep -q numpy.*x86_64"
unmount_all

cloud_root
unmount_all
rm -rf "$REAL_FOLDER/sdcard"
cp -a --reflink=auto "$root" "$REAL_FOLDER/sdcard"
root=$REAL_FOLDER/sdcard
rm "$root/usr/sbin/policy-rc.d"
mkdir -p "$root/boot/firmware"
printf 'dsmode: local\ninstance_id: rpios-image\n' >"$root/boot/firmware/meta-data"
cp -r "$card/." "$root/boot/firmware/"
check "cloud-init knows every line of user-data" inside cloud-init schema --config-file /boot/firmware/user-data
check "and of network-config" inside cloud-init schema --config-file /boot/firmware/network-config --schema-type network-config
install -m 755 tests/real/sdcard/check "$root/opt/check"
install -m 644 tests/real/sdcard/check.service "$root/etc/systemd/system/"
inside systemctl enable check.service >/dev/null 2>&1
truncate -s 0 "$root/etc/machine-id"

for time in first second; do
    say "The $time start …"
    rm -f "$root/check.log"
    status=0
    in_container "$root" 900 >"$REAL_FOLDER/sdcard-console.log" 2>&1 || status=$?
    cat "$root/check.log" >&2
    [ "$status" = 0 ] || fail "in the container ($status): journalctl -D $root/var/log/journal"
done
