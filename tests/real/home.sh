# The table in the real Home Assistant from PyPI, over the real Mosquitto: it appears by itself, and survives restarts.
. tests/real/roots.sh

version=2025.4.4
folder=$REAL_FOLDER/home
python=
for each in python3.13 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.13*/bin/python3.13; do
    "$each" -c 'import ensurepip, venv' 2>/dev/null && python=$each && break
done
[ -n "$python" ] || { say "Home Assistant needs Python 3.13 (pyenv install 3.13)"; exit 2; }
mosquitto=$(PATH=$PATH:/usr/sbin command -v mosquitto) || { say "no Mosquitto here (apt install mosquitto)"; exit 2; }

# Home Assistant's own pages and Bluetooth are left out: they are large, and the table needs neither.
if [ "$(cat "$folder/.stamp" 2>/dev/null)" != "$version" ]; then
    say "Fetching Home Assistant $version …"
    rm -rf "$folder"
    "$python" -m venv "$folder/venv"
    pip=("$folder/venv/bin/pip" install -q --disable-pip-version-check --prefer-binary)
    {
        "${pip[@]}" --no-deps "homeassistant==$version"
        "$folder/venv/bin/python" - >"$folder/needs.txt" <<'END'
from importlib.metadata import requires

for line in requires("homeassistant"):
    if not line.startswith("home-assistant-bluetooth"):
        print(line)
END
        "${pip[@]}" -r "$folder/needs.txt" paho-mqtt==2.1.0
    } >"$REAL_FOLDER/home.log" 2>&1 || fail "$REAL_FOLDER/home.log"
    echo "$version" >"$folder/.stamp"
fi
if [ ! -e "$folder/table/bin/companion" ] || ! cmp -s pyproject.toml "$folder/pyproject.toml"; then
    say "Installing the table …"
    rm -rf "$folder/table"
    "$python" -m venv "$folder/table"
    "$folder/table/bin/pip" install -q --disable-pip-version-check -e '.[mqtt]' >>"$REAL_FOLDER/home.log" 2>&1 ||
        fail "$REAL_FOLDER/home.log"
    cp pyproject.toml "$folder/pyproject.toml"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
free() { "$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
broker=$(free)
pages=$(free)
"$mosquitto" -p "$broker" >/dev/null 2>&1 &
mkdir "$work/home" "$work/table"
touch "$work/home/configuration.yaml"
COMPANION_HOME=$work/table "$folder/venv/bin/python" tests/real/home/check.py "$work/home" "$broker" "$pages" \
    "$folder/table/bin/companion" run --camera none --host 127.0.0.1 --port "$pages" \
    --broker "mqtt://127.0.0.1:$broker" --broker-table one 2>"$REAL_FOLDER/home-run.log" ||
    { tail -n 20 "$REAL_FOLDER/home-run.log" >&2; fail "$REAL_FOLDER/home-run.log"; }
