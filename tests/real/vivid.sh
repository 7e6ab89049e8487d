# A USB camera by the kernel's own V4L2: opened, read, unplugged and back, in a virtual machine with the module vivid.
. tests/real/roots.sh
. tests/real/stack.sh
. tests/real/machine.sh

machine_root
stack_root
rm -rf "$root/src" "$root/opt/vivid"
copy_source "$root/src"
install -m 755 tests/real/vivid/guest "$root/opt/guest"
install -m 755 "$machine/bin/busybox" "$root/opt/busybox"
# vivid and what it needs, in the order in which they need each other.
mkdir "$root/opt/vivid"
release=$(basename "$(ls -d "$machine"/lib/modules/*)")
n=10
chroot "$machine" modprobe -S "$release" --show-depends vivid | sed -n 's/^insmod \(\S*\).*/\1/p' | while read -r file; do
    xz -dc "$machine/$file" >"$root/opt/vivid/$n-$(basename "$file" .xz)"
    n=$((n + 1))
done
umount -R "$root/proc" "$root/sys" "$root/dev"
say "Starting the machine …"
boot "$root" 600 /opt/guest | tee "$REAL_FOLDER/vivid-machine.log" | grep --line-buffered -E '^  ok:|^FAILED' >&2 || true
grep -q '^ended with 0$' "$REAL_FOLDER/vivid-machine.log" || fail "in the machine: $REAL_FOLDER/vivid-machine.log"
