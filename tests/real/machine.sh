# A virtual machine with simulated pins, for the parts pins and service: Debian's kernel in qemu, a root of ours as its
# disk. Sourced after roots.sh.

machine_stamp=2
kernel_series=6.12

# machine_root: the root that builds and runs the machine: its kernel, the modules for simulated pins, an initrd.
machine_root() {
    make_root machine "$machine_stamp"
    [ "$fresh" = yes ] || return 0
    say "Kernel, simulated pins and qemu, into a root of their own: some minutes, once …"
    inside apt-get update -qq
    from_apt linux-image-amd64 linux-headers-amd64 "linux-source-$kernel_series" gcc make xz-utils kmod \
        qemu-system-x86 busybox-static cpio
    build_pins
    stands "$machine_stamp"
}

# Debian's kernel comes without gpio-sim; it is built from Debian's own source of the same kernel.
build_pins() {
    local release source="linux-source-$kernel_series"
    release=$(basename "$(ls -d "$root"/lib/modules/*)")
    mkdir -p "$root/opt/pins"
    inside tar -xf "/usr/src/$source.tar.xz" -C /opt/pins --strip-components=3 \
        "$source/drivers/gpio/gpio-sim.c" "$source/drivers/gpio/dev-sync-probe.c" 2>/dev/null ||
        inside tar -xf "/usr/src/$source.tar.xz" -C /opt/pins --strip-components=3 "$source/drivers/gpio/gpio-sim.c"
    inside tar -xf "/usr/src/$source.tar.xz" -C /opt/pins --strip-components=3 "$source/kernel/irq/irq_sim.c"
    cp tests/real/machine/Makefile "$root/opt/pins/"
    mv "$root/opt/pins/gpio-sim.c" "$root/opt/pins/gpio-sim-core.c"
    # Built as a module of its own it may call only what the kernel offers to modules.
    sed -i 's/handle_simple_irq(irq_to_desc([^)]*))/generic_handle_irq(XX)/' "$root/opt/pins/irq_sim.c"
    echo 'MODULE_LICENSE("GPL");' >>"$root/opt/pins/irq_sim.c"
    inside make -C "/usr/src/linux-headers-$release" M=/opt/pins modules >"$REAL_FOLDER/pins.log" 2>&1 ||
        fail "the modules do not build: $REAL_FOLDER/pins.log"
    initrd "$release"
}
