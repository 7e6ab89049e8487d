# Our Pi camera on the real libcamera and picamera2: libcamera's own virtual camera plays pictures of the virtual table.
. tests/real/roots.sh
. tests/real/stack.sh

stack_root
rm -rf "$root/src" "$root/opt/frames"
copy_source "$root/src"
mkdir -p "$root/opt/frames/still" "$root/opt/frames/moving" "$root/usr/share/libcamera/pipeline/virtual"
cp tests/real/camera/virtual.yaml "$root/usr/share/libcamera/pipeline/virtual/virtual.yaml"

python_in_src() { inside env -C /src PYTHONPATH=/src OMP_NUM_THREADS=1 LIBCAMERA_LOG_LEVELS='*:ERROR' "$@"; }

say "Drawing what the camera is to see …"
python_in_src /opt/venv/bin/python tests/real/camera/frames.py /opt/frames
inside dpkg-query -W -f '  libcamera ${Version}\n' python3-libcamera >&2
say "  picamera2 $picamera2"
python_in_src LD_PRELOAD=/opt/memory.so /opt/venv/bin/python tests/real/camera/fenced.py tests/real/camera/check.py
