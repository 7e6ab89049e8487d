# The package for a 64-bit Raspberry Pi and all that it needs from Debian, unpacked and run under qemu: imported, asked how
# it is, and a picture read.
. tests/real/roots.sh

built_package >/dev/null
make_root build "$build_stamp"
say "Building for arm64 …"
inside make -C /src package ARCHITECTURES=arm64 >"$REAL_FOLDER/package-arm.log" 2>&1 || fail "make package: $REAL_FOLDER/package-arm.log"
package=$(ls "$root"/src/dist/table-companion_*_arm64.deb)
check "lintian has nothing to say" inside lintian --fail-on error,warning "/src/dist/${package##*/}"
say "What a card gets for a Pi without the internet …"
inside make -C /src for-card >>"$REAL_FOLDER/package-arm.log" 2>&1 || fail "make for-card: $REAL_FOLDER/package-arm.log"
# The one is in no Lite; the other may be missing, since the Lite's own packages only recommend it.
for each in python3-numpy libfribidi0; do
    check "$each is among it" sh -c "ls '$root/src/dist/$each'_*_arm64.deb"
done
check "nothing that a Lite has is" sh -c "! ls '$root'/src/dist/libc6_*"

arm_stamp=3
make_root arm "$arm_stamp"
if [ "$fresh" = yes ]; then
    say "qemu, into a root of its own …"
    inside apt-get update -qq
    from_apt qemu-user ca-certificates
    stands "$arm_stamp"
fi
say "What it needs from Debian …"
rm -rf "$root/arm" "$root/debs"
mkdir -p "$root/arm/usr/lib" "$root/debs/lists/partial" "$root/debs/archives/partial"
touch "$root/debs/status"
ln -s usr/lib "$root/arm/lib"
cp "$package" "$root/debs/"
for_arm() {
    inside apt-get -qqy -o Dir::State=/debs -o Dir::State::status=/debs/status -o Dir::Cache=/debs -o APT::Architecture=arm64 \
        -o APT::Architectures::=arm64 -o APT::Sandbox::User=root "$@" >>"$REAL_FOLDER/apt.log" 2>&1
}
for_arm update || fail "apt: $REAL_FOLDER/apt.log"
for_arm install --no-install-recommends --download-only "/debs/${package##*/}" python3-reportlab \
    python3-paho-mqtt python3-gpiozero python3-libcamera ||
    fail "apt: $REAL_FOLDER/apt.log"
# Unpacked and never set up: that would take qemu many minutes, and nothing here needs it.
for file in "$root"/debs/archives/*.deb "$root"/debs/*_arm64.deb; do
    dpkg-deb -x "$file" "$root/arm"
done
cp tests/real/arm/check.py "$root/opt/check.py"

# The processors of a Zero 2 W and of a Pi 5. Without a name qemu takes one that no Pi has, and reckons wrongly with it.
here=/arm/usr/lib
on_arm() {  # CPU WORD…
    inside env -C "$here/table-companion" qemu-aarch64 -cpu "$1" -L /arm -E OMP_NUM_THREADS=1 -E COMPANION_HOME=/tmp/home \
        -E PYTHONPATH=$here/table-companion:$here/python3/dist-packages -E PYTHONDONTWRITEBYTECODE=1 \
        -E LD_LIBRARY_PATH=$here/aarch64-linux-gnu/blas:$here/aarch64-linux-gnu/lapack /arm/usr/bin/python3 "${@:2}"
}
for processor in cortex-a53 cortex-a76; do
    say "On a $processor …"
    on_arm "$processor" /opt/check.py || fail "on a $processor"
done
check "the real libcamera is found" on_arm cortex-a76 -c 'import libcamera; libcamera.CameraManager'
on_arm cortex-a76 -m companion doctor --camera virtual >"$REAL_FOLDER/doctor-arm.log" 2>&1 || true
check "companion doctor looks at everything" grep -q "^power" "$REAL_FOLDER/doctor-arm.log"
