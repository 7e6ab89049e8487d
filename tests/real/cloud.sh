# The root of a Pi before its first start, for the parts sdcard and avahi. Sourced after roots.sh.

cloud_stamp=4

# What Raspberry Pi OS Lite has beforehand, with cloud-init, but for python3-venv: a bundle has pip.
cloud_root() {
    make_root cloud "$cloud_stamp"
    [ "$fresh" = yes ] || return 0
    say "What Raspberry Pi OS Lite has beforehand, with cloud-init …"
    inside apt-get update -qq
    from_apt systemd-sysv dbus cloud-init netplan.io python3 avahi-daemon avahi-utils sudo ca-certificates \
        libnss-myhostname openssh-server
    # As Raspberry Pi OS sets cloud-init up: from the boot partition, and nothing else.
    cat >"$root/etc/cloud/cloud.cfg.d/99_boot-partition.cfg" <<'CONFIG'
datasource_list: [NoCloud, None]
datasource: {NoCloud: {seedfrom: "file:///boot/firmware"}}
ssh_deletekeys: false
ssh_genkeytypes: []
CONFIG
    printf 'network: {version: 2, renderer: NetworkManager}\n' >"$root/lib/netplan/00-network-manager-all.yaml"
    chmod 600 "$root/lib/netplan/00-network-manager-all.yaml"
    stands "$cloud_stamp"
}
