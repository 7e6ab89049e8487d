# Buttons and lamps on the real gpiozero, lgpio and kernel GPIO: a simulated header in a virtual machine.
. tests/real/roots.sh
. tests/real/stack.sh
. tests/real/machine.sh

machine_root
stack_root
rm -rf "$root/src"
copy_source "$root/src"
install -m 755 tests/real/pins/guest "$root/opt/guest"
# Its own /proc, /sys and /dev, not this machine's.
umount -R "$root/proc" "$root/sys" "$root/dev"
say "Starting the machine …"
boot "$root" 600 /opt/guest | tee "$REAL_FOLDER/pins-machine.log" | grep --line-buffered -E '^  ok:|^FAILED|^the ' >&2 || true
grep -q '^ended with 0$' "$REAL_FOLDER/pins-machine.log" || fail "in the machine: $REAL_FOLDER/pins-machine.log"
