# A card by `companion sd-card`: read by the real cloud-init under the real systemd, on a trixie without a network, twice.
. tests/real/roots.sh
. tests/real/cloud.sh
. tests/real/container.sh

unmount_all() { umount -R "$root/proc" "$root/sys" "$root/dev"; }
log=$REAL_FOLDER/sdcard.log
package=$(built_package)

cloud_root
unmount_all
rm -rf "$REAL_FOLDER/sdcard" "$REAL_FOLDER/maker"
cp -a --reflink=auto "$root" "$REAL_FOLDER/sdcard"
cp -a --reflink=auto "$root" "$REAL_FOLDER/maker"
say "Making a card with all that is lacking here …"
make_root maker "$cloud_stamp"
cp "$package" "$root/opt/"
inside apt-get update -qq
inside apt-get clean
from_apt --download-only "/opt/${package##*/}"
mkdir "$root/packages"
cp "$root"/var/cache/apt/archives/*.deb "$package" "$root/packages/"
from_apt apt-utils gpg gpg-agent "/opt/${package##*/}"
inside env REPOSITORY_KEYS=/keys sh -s /packages <systemd/debian/repository >"$log" 2>&1 || fail "the repository: $log"
# The container is of this machine's kind, which no card is for.
sed -i 's/_amd64.deb/_arm64.deb/' "$root/usr/lib/table-companion/companion/commands/sd_card.py"
echo "correct horse battery" >"$root/password"
echo "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEIP0du7ZPjP2e9c1uB7ajnjLEYY4iJNCvEv5XQhKxD7 phone" >"$root/key.pub"
inside env PYTHONPATH=/usr/lib/table-companion python3 -m companion sd-card --name Reading-Room --wifi "Our Wi-Fi 窩" \
    --wifi-password-file /password --country TW --ssh-key /key.pub --packages /packages -o /card 2>"$log" || fail "companion sd-card: $log"
say "  $(grep MB "$log")"
card=$root/card
unmount_all

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
    in_container "$root" 3600 >"$REAL_FOLDER/sdcard-console.log" 2>&1 || status=$?
    cat "$root/check.log" >&2
    [ "$status" = 0 ] || fail "in the container ($status): journalctl -D $root/var/log/journal"
done
