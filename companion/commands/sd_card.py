"""`companion sd-card`: the files that make a freshly written SD card come up as a table by itself.

Raspberry Pi OS (trixie) sets itself up with cloud-init, from files on the card's boot partition. This writes
them in the form that Raspberry Pi Imager gives them, as JSON, which is YAML. They hold no password: a Pi
without an SSH key lets nobody log in, and the Wi-Fi password is kept as the hash that WPA2 makes of it. The
broker's password, where one is given, is on the card as it is until the first start. The Pi installs the
companion's Debian package from the repository that the card holds or names.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from hashlib import file_digest, pbkdf2_hmac
from pathlib import Path
from typing import Any

import click

from companion.broker.address import broker_address
from companion.errors import UserError
from companion.errors.causes import cause_of
from companion.files import read_text
from companion.settings import Value, as_toml

BOOT = "/boot/firmware"
"""Mount point of the card's boot partition in Raspberry Pi OS."""
FOLDER = "table-companion"
"""The folder of the repository on the card."""
SOURCES = "table-companion.sources"
"""The file of a repository that tells apt where it is."""
ON_CARD = f"""Types: deb
URIs: file:{BOOT}/{FOLDER}
Suites: ./
Trusted: yes
"""
"""That file for the repository on the card, whose files apt checks by their hashes. Whoever changes the card
could change a key on it as well, and the clock of a Pi that was just switched on is behind a signature."""
APT_SOURCES = f"/etc/apt/sources.list.d/{SOURCES}"
NO_WINDOWS = "python3-pyqt5- python3-opengl-"
"""What picamera2 recommends, and no table needs: apt leaves out a package whose name ends with a hyphen."""
UNIT = "table-companion-first-start.service"
UNIT_FILE = f"/etc/systemd/system/{UNIT}"
FIRST_START = f"""# Installs the companion, and tries again until it works: there may be no network yet.
[Unit]
Description=Table Companion, first start
After=network-online.target time-sync.target
Wants=network-online.target
RequiresMountsFor={BOOT}

[Service]
Type=oneshot
Environment=DEBIAN_FRONTEND=noninteractive
Environment="ITS_OWN=-o Dir::Etc::SourceList={APT_SOURCES} -o Dir::Etc::SourceParts=/dev/null"
ExecStart=/bin/cp {BOOT}/{FOLDER}/{SOURCES} {APT_SOURCES}
ExecStart=-/usr/bin/apt-get update -qq $ITS_OWN
# All of it may be on the card: then nobody waits for a network.
ExecStart=/bin/sh -c "apt-get install -qqy ${{ITS_OWN}} table-companion || \\
    {{ apt-get update -qq && apt-get install -qqy table-companion {NO_WINDOWS}; }}"
ExecStart=/usr/lib/table-companion/first-start
Restart=on-failure
RestartSec=60
StandardOutput=journal+console

[Install]
WantedBy=multi-user.target
"""
"""The service of the first start, which is gone afterwards."""
SETTINGS = "settings.toml"
"""The table's own settings on the card, until the first start takes them."""
USER = "table"
"""The Pi's user, who has the SSH keys. Without one, Raspberry Pi OS waits for somebody at a keyboard."""
GROUPS = "users,adm,dialout,audio,netdev,video,plugdev,cdrom,games,input,gpio,spi,i2c,render,sudo"
"""The groups of the user, as Raspberry Pi Imager sets them."""
WIFI_ON = "! command -v rfkill || rfkill unblock wifi"
"""Raspberry Pi OS keeps Wi-Fi off until somebody has named a country; a Debian may lack the program."""

NAME = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")
"""A name in a network, by RFC 1123."""
COUNTRY = re.compile(r"(?!uk)[a-z]{2}", re.IGNORECASE)
"""A country by ISO 3166. People write UK, but the code is GB."""
PASSWORD = re.compile(r"[ -~]{8,63}")
"""A password of WPA2: printable ASCII."""
HASHED_PASSWORD = re.compile(r"[0-9A-Fa-f]{64}")
"""The key that WPA2 makes of a password, in hex digits."""
LONGEST_NETWORK_BYTES = 32
PUBLIC_KEY = re.compile(r"(ssh-|ecdsa-sha2-|sk-ssh-|sk-ecdsa-)\S+ [A-Za-z0-9+/=]{60,}( .*)?")
"""A line of an SSH public key: its kind, the key in base64, and a comment."""


@click.command(
    "sd-card",
    epilog="\b\n"
    "Examples:\n"
    "  companion sd-card --name table --wifi 'Our Wi-Fi' --country DE -o card\n"
    "  companion sd-card --name table --wifi Home --wifi-password-file password.txt -o /media/bootfs\n"
    "  companion sd-card --name table --packages dist --ssh-key ~/.ssh/id_ed25519.pub -o card\n"
    "  companion sd-card --name table-1 --broker mqtt://192.168.1.10 --broker-password-file p.txt -o card",
)
@click.option("--name", required=True, help="The Pi's name: its pages are at http://NAME.local/.")
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The folder to write.")
@click.option("--wifi", help="The name of your Wi-Fi network.  [a network cable]")
@click.option(
    "--wifi-password-file",
    "password_file",
    type=click.Path(path_type=Path),
    help="A file with the network's password in its first line.  [asked for]",
)
@click.option("--country", help="The country you are in, as two letters: Wi-Fi's channels depend on it.")
@click.option(
    "--ssh-key",
    "key_file",
    type=click.Path(path_type=Path),
    help=f"Your SSH public key, to log in with `ssh {USER}@NAME.local`.  [nobody can log in]",
)
@click.option(
    "--packages",
    type=click.Path(path_type=Path),
    help=f"The folder of `make repository`, which goes onto the card, or its {SOURCES} alone: the Pi fetches"
    " the packages then.  [put them there later]",
)
@click.option("--broker", help="The club's broker, for a table that is on it from the start.  [none]")
@click.option(
    "--broker-password-file",
    type=click.Path(path_type=Path),
    help="A file with the password of the broker's user, who has the Pi's name.  [no user]",
)
def sd_card(
    name: str,
    output: Path,
    wifi: str | None,
    password_file: Path | None,
    country: str | None,
    key_file: Path | None,
    packages: Path | None,
    broker: str | None,
    broker_password_file: Path | None,
) -> None:
    """Write the files that make an SD card with Raspberry Pi OS Lite come up as a table by itself.

    They go onto the card's boot partition: user-data, network-config and the folder table-companion.
    """
    name = _checked_name(name)
    keys = [] if key_file is None else _public_keys(key_file)
    if wifi is None and (password_file is not None or country is not None):
        raise UserError("Which Wi-Fi network? Name it with --wifi; a network cable needs none.")
    settings = broker_settings(name, broker, broker_password_file)
    network = network_config(None, "", None)
    if wifi is not None:
        _check_network(wifi, country)
        network = network_config(wifi, hashed_password(wifi, wifi_password(wifi, password_file)), country)
    size = None
    try:
        output.mkdir(parents=True, exist_ok=True)
        if packages is not None:
            size = put_repository(packages, output / FOLDER)
        _write(output / "user-data", "#cloud-config\n" + as_yaml(user_data(name, keys)))
        _write(output / "network-config", as_yaml(network))
        (output / SETTINGS).unlink(missing_ok=True)
        if settings:
            _write(output / SETTINGS, as_toml(settings))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{output} cannot be written ({cause_of(error)}); name another with -o.") from error
    _say_what_now(name, output, size=size, keys=keys, no_country=wifi is not None and country is None)


def user_data(name: str, keys: list[str]) -> dict[str, Any]:
    """Instructions to cloud-init for the first start: the name, a user without a password, the companion.
    `keys` are SSH public keys; without any, SSH stays off."""
    user: dict[str, Any] = {
        "name": USER,
        "gecos": "Table Companion",
        "groups": GROUPS,
        "shell": "/bin/bash",
        "lock_passwd": True,
    }
    commands = [
        ["systemctl", "enable", "--now", "--no-block", UNIT],
    ]
    if keys:
        user |= {"ssh_authorized_keys": keys, "sudo": "ALL=(ALL) NOPASSWD:ALL"}
        commands.insert(0, ["systemctl", "enable", "--now", "--no-block", "ssh.service"])
    return {
        "hostname": name,
        "manage_etc_hosts": True,
        "ssh_pwauth": False,
        "users": [user],
        # The clock of a Pi that has just been switched on is behind what apt fetches.
        "apt": {"conf": 'Acquire { Check-Date "false"; };\n'},
        "bootcmd": [["cloud-init-per", "instance", "wifi-on", "sh", "-c", WIFI_ON]],
        "write_files": [{"path": UNIT_FILE, "content": FIRST_START}],
        "runcmd": commands,
    }


def network_config(wifi: str | None, password_hash: str, country: str | None) -> dict[str, Any]:
    """The Pi's networks, as netplan reads them: a cable and, if it is named, Wi-Fi."""
    network: dict[str, Any] = {"version": 2, "ethernets": {"eth0": {"dhcp4": True, "optional": True}}}
    if wifi is not None:
        radio: dict[str, Any] = {"dhcp4": True, "optional": True}
        if country is not None:
            radio["regulatory-domain"] = country.upper()
        network["wifis"] = {"wlan0": radio | {"access-points": {wifi: {"password": password_hash}}}}
    return {"network": network}


def broker_settings(name: str, broker: str | None, password_file: Path | None) -> dict[str, Value]:
    """The settings of the table `name` on a broker; empty without a broker. Raises `UserError`."""
    if broker is None:
        if password_file is not None:
            raise UserError("Which broker is the password for? Name it with --broker.")
        return {}
    broker_address(broker)
    settings: dict[str, Value] = {"broker": broker, "broker_table": name}
    if password_file is not None:
        settings |= {"broker_user": name, "broker_password": _first_line(password_file)}
    return settings


def hashed_password(wifi: str, password: str) -> str:
    """The key that WPA2 makes of a network's name and password, as 64 hex digits (IEEE 802.11, J.4.1). 64 hex
    digits are that key already. Raises `UserError` if no network has such a password."""
    if HASHED_PASSWORD.fullmatch(password):
        return password.lower()
    if not PASSWORD.fullmatch(password):
        raise UserError(
            "The password of a Wi-Fi network has 8 to 63 letters, digits and signs of a plain keyboard; "
            "type it as your router has it."
        )
    return pbkdf2_hmac("sha1", password.encode(), wifi.encode(), 4096, 32).hex()


def _checked_name(name: str) -> str:
    name = name.lower().removesuffix(".local")
    if not NAME.fullmatch(name):
        raise UserError(
            f"“{name}” cannot be a Pi's name; take letters a to z, digits and hyphens, at most 63."
        )
    return name


def _check_network(wifi: str, country: str | None) -> None:
    if not wifi.isprintable() or not 1 <= len(wifi.encode()) <= LONGEST_NETWORK_BYTES:
        raise UserError(
            f"The name of a Wi-Fi network has 1 to {LONGEST_NETWORK_BYTES} bytes; --wifi takes yours."
        )
    if country is not None and not COUNTRY.fullmatch(country):
        raise UserError(f"“{country}” is no country's two letters; take TW, KR or GB.")


def wifi_password(wifi: str, file: Path | None) -> str:
    """The network's password: the first line of a file, or what somebody types at the terminal, unseen."""
    if file is not None:
        return _first_line(file)
    if not sys.stdin.isatty():
        raise UserError("Nobody can type the Wi-Fi password here; give --wifi-password-file a file with it.")
    password: str = click.prompt(f"Password of the Wi-Fi network {wifi}", hide_input=True, err=True)
    return password


def _first_line(file: Path) -> str:
    return _read(file).partition("\n")[0].removesuffix("\r")


def _public_keys(file: Path) -> list[str]:
    text = _read(file)
    if "PRIVATE KEY" in text:
        raise UserError(f"{file} is a private key, which stays with you; take {file}.pub")
    lines = [line.strip() for line in text.splitlines()]
    keys = [line for line in lines if line and not line.startswith("#")]
    if not keys or not all(PUBLIC_KEY.fullmatch(key) for key in keys):
        raise UserError(f"{file} is no SSH public key; ssh-keygen makes one, a file with .pub.")
    return keys


def _read(file: Path) -> str:
    try:
        return read_text(file)
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"{file} cannot be read ({cause_of(error)}); name another file.") from error


def as_yaml(value: dict[str, Any]) -> str:
    """A value as cloud-init reads it: JSON is YAML."""
    # No escapes for letters beyond ASCII: YAML knows no pairs of them.
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def _write(file: Path, text: str) -> None:
    # For its owner alone from the beginning: a FAT partition refuses a later change of the mode.
    file.unlink(missing_ok=True)
    file.touch(0o600)
    file.write_text(text, "utf-8", newline="\n")


def _say_what_now(name: str, output: Path, *, size: int | None, keys: list[str], no_country: bool) -> None:
    lines = [
        f"{output} holds user-data, network-config and {FOLDER}: they belong onto the card's boot partition.",
        f"Some minutes after its first start the Pi is at http://{name}.local/",
    ]
    if size is None:
        lines.insert(1, f"{FOLDER} is not among them yet, and the Pi waits for it; --packages puts it there.")
    elif size:
        lines.append(f"The packages take {size / 1_000_000:.0f} MB.")
    else:
        lines.append(f"It fetches packages from the internet then, and the companion as {SOURCES} says.")
    if not keys:
        lines.append("Nobody can log in to this Pi; --ssh-key lets you.")
    if no_country:
        lines.append("With --country the Pi may use all of Wi-Fi's channels.")
    click.echo("\n".join(lines), err=True)


def put_repository(packages: Path, folder: Path) -> int:
    """Copy the repository at `packages` to `folder` on a card, each file checked by its hash; of a `.sources`
    file its address alone. Replaces an earlier one. Returns the size in bytes.

    Raises `OSError`, and `UserError` for damaged files and for a folder of something else.
    """
    if folder.exists() and not (folder / SOURCES).is_file():
        raise UserError(f"{folder} is there already and is no repository; name another with -o.")
    if packages.resolve() in (folder.resolve(), (folder / SOURCES).resolve()):
        raise UserError(f"{packages} is the card's own; name the one that make repository wrote.")
    wanted = _checked(packages) if packages.is_dir() else []
    sources = ON_CARD if packages.is_dir() else _read(packages)
    if "URIs:" not in sources:
        raise UserError(f"{packages} is no repository; name the folder of make repository, or its {SOURCES}.")
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir()
    for path in wanted:
        shutil.copyfile(path, folder / path.name)
    _write(folder / SOURCES, sources)
    return sum(path.stat().st_size for path in wanted)


def _checked(packages: Path) -> list[Path]:
    """The files of a repository that a Pi needs. Raises `UserError` if one is not as it was written."""
    index = packages / "Packages"
    if not index.is_file():
        raise UserError(f"{packages} is no repository; name the folder of make repository.")
    listed = re.findall(
        r"^Filename: \./([^/\s]+)\n(?:.+\n)*?SHA256: (\w+)$", index.read_text("utf-8"), re.MULTILINE
    )
    wanted = [(name, checksum) for name, checksum in listed if not name.endswith("_amd64.deb")]
    for name, checksum in wanted:
        if not (packages / name).is_file() or _sha256(packages / name) != checksum:
            raise UserError(f"{name} in {packages} is damaged; make package and make repository again.")
    return [index, packages / "Release", *(packages / name for name, _ in wanted)]


def _sha256(file: Path) -> str:
    with file.open("rb") as opened:
        return file_digest(opened, "sha256").hexdigest()
