# What the companion needs, from the wheels that a 64-bit Raspberry Pi gets: imported and used under qemu, on trixie's own
# Python for aarch64.
. tests/real/roots.sh

arm_stamp=2
make_root arm "$arm_stamp"
if [ "$fresh" = yes ]; then
    say "Python for aarch64 and its wheels, into a root of their own: some minutes, once …"
    inside apt-get update -qq
    from_apt python3-venv qemu-user ca-certificates
    trust
    inside python3 -m venv /opt/venv
    # Unpacked and never set up: that would take qemu many minutes, and nothing here needs it.
    debootstrap --arch=arm64 --variant=minbase --foreign --include=python3,libpython3-stdlib trixie "$root/arm" "$mirror" \
        >"$REAL_FOLDER/debootstrap-arm.log" 2>&1 || fail "debootstrap: $REAL_FOLDER/debootstrap-arm.log"
    for each in "$root"/arm/var/cache/apt/archives/*.deb; do
        dpkg-deb -x "$each" "$root/arm"
    done
    stands "$arm_stamp"
fi
rm -rf "$root/src"
copy_source "$root/src"

say "The wheels that pyproject.toml asks for …"
inside python3 - >"$root/opt/needs.txt" <<'PYTHON'
import tomllib

project = tomllib.load(open("/src/pyproject.toml", "rb"))["project"]
for need in [*project["dependencies"], *project["optional-dependencies"]["print"], *project["optional-dependencies"]["pi"]]:
    print(need)
PYTHON
rm -rf "$root/opt/wheels-installed"
platforms=()
for glibc in 17 27 28 31 34 35 36 39; do platforms+=(--platform "manylinux_2_${glibc}_aarch64"); done
inside /opt/venv/bin/pip install -q --disable-pip-version-check --only-binary=:all: --python-version 3.13 \
    --implementation cp --abi cp313 --abi abi3 --abi none "${platforms[@]}" --platform manylinux2014_aarch64 --platform any \
    --target /opt/wheels-installed -r /opt/needs.txt >"$REAL_FOLDER/pip-arm.log" 2>&1 || fail "pip: $REAL_FOLDER/pip-arm.log"
check "they are aarch64's" sh -c "find '$root/opt/wheels-installed' -name '*.so' | grep -q aarch64"

# The processors of a Zero 2 W and of a Pi 5. Without a name qemu takes one that no Pi has, and reckons wrongly with it.
on_arm() {  # CPU WORD…
    inside env -C /src qemu-aarch64 -cpu "$1" -L /arm -E PYTHONPATH=/src:/opt/wheels-installed -E PYTHONDONTWRITEBYTECODE=1 \
        -E OMP_NUM_THREADS=1 -E COMPANION_HOME=/tmp/home /arm/usr/bin/python3 "${@:2}"
}
for each in cortex-a53 cortex-a76; do
    say "On a $each …"
    on_arm "$each" tests/real/arm/check.py || fail "on a $each"
done
