# A container for the part sdcard: systemd as the first process of a root, in namespaces and cgroups of its own, with no
# network. Sourced after roots.sh.

# in_container ROOT SECONDS: start systemd there and wait until it ends itself (`systemctl exit`); its status is ours.
in_container() {
    local cgroups=$REAL_FOLDER/cgroups own=$REAL_FOLDER/cgroups/table-companion-$$ status=0
    mkdir -p "$cgroups"
    mount -t cgroup2 cgroup2 "$cgroups"
    mkdir "$own"
    (
        echo "$BASHPID" >"$own/cgroup.procs"
        exec timeout --signal=KILL "$2" unshare --mount --pid --uts --ipc --net --cgroup --fork --kill-child \
            bash tests/real/sdcard/enter "$1" </dev/null
    ) || status=$?
    find "$own" -depth -type d -exec rmdir {} + 2>/dev/null || true
    umount "$cgroups"
    return "$status"
}
