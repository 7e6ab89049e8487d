# What the network hears of the table: the real avahi on both ends of a cable between two network namespaces.
. tests/real/roots.sh
. tests/real/cloud.sh

rm -f "$REAL_FOLDER/avahi.log"
cloud_root
umount -R "$root/proc" "$root/sys" "$root/dev"
mount --bind "$root" "$root"
mount -t proc proc /proc
for each in null zero random urandom; do
    [ -e "$root/dev/$each" ] || touch "$root/dev/$each"
    mount --bind "/dev/$each" "$root/dev/$each"
done

# in_side PID COMMAND…: run in the namespaces that this process keeps, inside the root.
in_side() { nsenter --net --uts --mount --target "$1" chroot "$root" env LC_ALL=C.UTF-8 "${@:2}"; }

# make_side NAME: `side` is the process that keeps the namespaces of a machine of that name.
make_side() {
    unshare --net --uts --mount --propagation private sleep 600 &
    side=$!
    until [ "$(readlink /proc/$side/ns/mnt)" != "$(readlink /proc/self/ns/mnt)" ] && [ "$(cat /proc/$side/comm)" = sleep ]; do
        sleep 0.1
    done
    nsenter --uts --target "$side" hostname "$1"
    nsenter --mount --target "$side" mount -t tmpfs tmpfs "$root/run"
    nsenter --mount --target "$side" mount -t tmpfs tmpfs "$root/etc/avahi/services"
}
begin_avahi() {  # PID: the daemon, with the bus that its tools speak over
    in_side "$1" install -d -o messagebus -g messagebus /run/dbus
    in_side "$1" dbus-daemon --system --fork
    in_side "$1" avahi-daemon --daemonize --no-rlimits 2>>"$REAL_FOLDER/avahi.log"
}
until_heard() {  # TEXT COMMAND…: the phone hears it within a minute
    local text=$1 ends=$((SECONDS + 60))
    shift
    until in_side "$phone" "$@" 2>&1 | tee -a "$REAL_FOLDER/avahi.log" | grep -q "$text"; do
        [ $SECONDS -lt $ends ] || return 1
        sleep 1
    done
}
served_at() {  # PORT: tell the network, as the service does once it serves
    printf '{"pid":1,"port":%s}' "$1" >"$REAL_FOLDER/running.json"
    nsenter --mount --target "$table" sh "$source_folder/systemd/tell-network" "$REAL_FOLDER/running.json" "$root/etc/avahi/services"
}

make_side reading-room
table=$side
make_side phone
phone=$side
ip link add name table type veth peer name phone
ip link set table netns "$table"
ip link set phone netns "$phone"
for each in "$table table 10.77.0.1" "$phone phone 10.77.0.2"; do
    read -r pid link address <<<"$each"
    nsenter --net --target "$pid" ip address add "$address/24" dev "$link"
    nsenter --net --target "$pid" ip link set "$link" up
done
nsenter --mount --target "$table" cp "$source_folder/systemd/table-companion.avahi" "$root/etc/avahi/services/table-companion.service"
begin_avahi "$table"
begin_avahi "$phone"

browse=(avahi-browse --no-db-lookup --resolve --parsable --terminate _http._tcp)
check "a phone finds the name" until_heard "10.77.0.1" avahi-resolve --name -4 reading-room.local
check "and the table by its service" until_heard 'Table\\032Companion\\032on\\032reading-room;_http._tcp;local;reading-room.local;10.77.0.1;80;' "${browse[@]}"
served_at 8123
check "another port is heard of while avahi runs" until_heard "reading-room.local;10.77.0.1;8123;" "${browse[@]}"
