# A virtual machine with simulated pins, for the parts pins and service: Debian's kernel in qemu, with a root of ours as
# its disk. Sourced after roots.sh.

kernel_series=6.12
machine_stamp="4 linux $kernel_series"
modules=(virtio_pci 9pnet_virtio 9p configfs)

# machine_root: `machine` is the root that holds the machine: its kernel, modules for simulated pins, qemu.
machine_root() {
    make_root machine "$machine_stamp"
    machine=$root
    [ "$fresh" = yes ] || return 0
    say "A kernel, simulated pins and qemu, into a root of their own: some minutes, once …"
    inside apt-get update -qq
    # The machine has an initrd of ours.
    INITRD=No from_apt linux-image-amd64 linux-headers-amd64 "linux-source-$kernel_series" gcc make xz-utils kmod \
        qemu-system-x86 busybox-static cpio
    build_pins
    stands "$machine_stamp"
}

# Debian's kernel comes without gpio-sim: it is built from Debian's own source of the same kernel.
build_pins() {
    local release source=linux-source-$kernel_series
    release=$(basename "$(ls -d "$root"/lib/modules/*)")
    mkdir -p "$root/opt/pins"
    inside tar -xf "/usr/src/$source.tar.xz" -C /opt/pins --transform 's,.*/,,' \
        "$source/drivers/gpio/gpio-sim.c" "$source/kernel/irq/irq_sim.c"
    cp tests/real/machine/Makefile "$root/opt/pins/"
    # What belongs into the kernel itself becomes a module: it says under which licence, and calls only what is open
    # to modules.
    sed -i 's/handle_simple_irq(irq_to_desc(irqnum))/generic_handle_irq(irqnum)/' "$root/opt/pins/irq_sim.c"
    echo 'MODULE_LICENSE("GPL");' >>"$root/opt/pins/irq_sim.c"
    inside make -C "/lib/modules/$release/build" M=/opt/pins modules >"$REAL_FOLDER/pins.log" 2>&1 ||
        fail "the simulated pins do not build: $REAL_FOLDER/pins.log"
    # Plain modules in the order in which they need each other.
    mkdir -p "$root/opt/initrd/modules" "$root/opt/initrd/bin"
    local each file n=10
    for each in "${modules[@]}"; do
        inside modprobe -S "$release" --show-depends "$each"
    done | sed -n 's/^insmod \(\S*\).*/\1/p' | awk '!seen[$0]++' | while read -r file; do
        inside sh -c "xz -dc $file >/opt/initrd/modules/$n-\$(basename $file .xz)"
        n=$((n + 1))
    done
    cp "$root/opt/pins/irq_sim_module.ko" "$root/opt/initrd/modules/80-irq-sim.ko"
    cp "$root/opt/pins/gpio-sim.ko" "$root/opt/initrd/modules/81-gpio-sim.ko"
    cp "$root/bin/busybox" "$root/opt/initrd/bin/"
    install -m 755 tests/real/machine/init "$root/opt/initrd/init"
    inside sh -c 'cd /opt/initrd && find . | cpio --quiet -o -H newc >/opt/initrd.cpio'
}

# boot GUEST_ROOT SECONDS PROGRAM: start the machine on that root, run PROGRAM there as its first process, and give what
# it wrote to the serial line. The last line says with which status it ended.
boot() {
    mkdir -p "$machine/guest"
    mount --rbind "$1" "$machine/guest"
    root=$machine inside timeout "$2" qemu-system-x86_64 -accel tcg -cpu max -smp 2 -m 1024 -nographic -no-reboot -nic none \
        -kernel "/$(cd "$machine" && ls boot/vmlinuz-* | tail -n 1)" -initrd /opt/initrd.cpio \
        -append "console=ttyS0 quiet panic=-1 systemd.show_status=0 program=$3" \
        -virtfs local,path=/guest,mount_tag=guest,security_model=passthrough,multidevs=remap </dev/null 2>&1 |
        tr -d '\r' || true
}
