# The root with the camera's and the pins' real libraries, for the parts camera and pins. Sourced after roots.sh.

picamera2=0.3.38
stack_stamp="3 picamera2 $picamera2"

# trixie's own libcamera (0.4) leaves some of its answers unset, on which picamera2 waits for ever: from backports.
stack_root() {
    make_root stack "$stack_stamp"
    [ "$fresh" = yes ] || return 0
    say "The real libraries, into a root of their own: some minutes, once …"
    echo "deb $mirror trixie-backports main" >"$root/etc/apt/sources.list.d/backports.list"
    inside apt-get update -qq
    from_apt -t trixie-backports python3-libcamera libcamera-tools libcamera-ipa python3-av python3-prctl
    from_apt python3-venv python3-dev swig gcc libc6-dev
    trust
    inside python3 -m venv --system-site-packages /opt/venv
    # PYPI=1: lgpio with the C library that it comes with, which Debian does not have.
    inside env PYPI=1 /opt/venv/bin/pip install -q --disable-pip-version-check \
        "picamera2==$picamera2" gpiozero lgpio numpy opencv-python-headless msgspec imagesize >>"$REAL_FOLDER/pip.log" 2>&1 ||
        fail "pip: $REAL_FOLDER/pip.log"
    cp tests/real/camera/memory.c "$root/opt/memory.c"
    inside gcc -Wall -Werror -O1 -shared -fPIC -o /opt/memory.so /opt/memory.c -ldl
    stands "$stack_stamp"
}
