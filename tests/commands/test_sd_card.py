"""`companion sd-card`: the files by which a freshly written card becomes a table."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from companion.commands import sd_card
from companion.settings import SettingsFile
from tests.conftest import Companion
from tests.project import sources

PUBLIC_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIEIP0du7ZPjP2e9c1uB7ajnjLEYY4iJNCvEv5XQhKxD7 phone"
IEEE_802_11 = (
    ("IEEE", "password", "f42c6fc52df0ebef9ebb4b90b38a5f902e83fe1b135a70e23aed762e9710a12e"),
    ("ThisIsASSID", "ThisIsAPassword", "0dc0d6eb90555ed6419756b9a15ec3e3209b63df707dd508d14581f8982721af"),
)
"""The test vectors of IEEE 802.11, annex J.4.2: network, password, key."""


@pytest.fixture
def password(tmp_path: Path) -> Path:
    """A file with a Wi-Fi password."""
    file = tmp_path / "password.txt"
    file.write_text("ThisIsAPassword\r\n")
    return file


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """What `make repository` writes, for two packages."""
    folder = tmp_path / "dist"
    folder.mkdir()
    stanzas = []
    for name in ("table-companion_1_arm64.deb", "needed_2%3a1.0_all.deb", "table-companion_1_amd64.deb"):
        (folder / name).write_bytes(b"a package")
        stanzas.append(
            f"Filename: ./{name}\nSize: 9\nMD5sum: 0\nSHA256: {sha256(b'a package').hexdigest()}\n"
        )
    (folder / "Packages").write_text("\n".join(stanzas))
    for name in ("Release", "InRelease", "unrelated.whl"):
        (folder / name).write_text(name)
    (folder / sd_card.SOURCES).write_text(
        "Types: deb\nURIs: http://club.example/\nSuites: ./\nSigned-By:\n key\n"
    )
    return folder


def parsed(file: Path) -> dict[str, Any]:
    """What cloud-init reads."""
    content: dict[str, Any] = yaml.safe_load(file.read_text("utf-8"))
    return content


def test_a_table_is_on_the_clubs_broker_from_the_start(
    companion: Companion, tmp_path: Path, password: Path
) -> None:
    broker = ("--broker", "mqtt://192.168.1.10", "--broker-password-file", password)
    ran = companion("sd-card", "--name", "table-1", *broker, "-o", tmp_path / "card")
    assert ran.status == 0
    assert SettingsFile(tmp_path / "card" / sd_card.SETTINGS).load() == {
        "broker": "mqtt://192.168.1.10",
        "broker_table": "table-1",
        "broker_user": "table-1",
        "broker_password": "ThisIsAPassword",
    }
    companion("sd-card", "--name", "table-1", "-o", tmp_path / "card")
    assert not (tmp_path / "card" / sd_card.SETTINGS).exists(), "the card was written without a broker"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--broker", "http://club"), "mqtts://HOST:PORT"),
        (("--broker-password-file", "secret.txt"), "Name it with --broker"),
        (("--broker", "club", "--broker-password-file", "none.txt"), "none.txt"),
    ],
)
def test_a_broker_that_cannot_be_is_refused(
    companion: Companion, tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    ran = companion("sd-card", "--name", "table-1", *words, "-o", tmp_path / "card")
    assert ran.status == 2
    assert says in ran.err
    assert not (tmp_path / "card").exists()


def test_the_card_holds_all_that_a_pi_needs_and_no_password(
    companion: Companion, tmp_path: Path, password: Path, repository: Path
) -> None:
    (tmp_path / "id.pub").write_text(f"{PUBLIC_KEY}\n")
    card = tmp_path / "card"
    words = (
        "--wifi",
        "ThisIsASSID",
        "--wifi-password-file",
        password,
        "--country",
        "tw",
        "--packages",
        repository,
    )
    ran = companion("sd-card", "--name", "Table", *words, "--ssh-key", tmp_path / "id.pub", "-o", card)
    assert (ran.status, ran.out) == (0, "")
    assert "http://table.local/" in ran.err
    assert sorted(path.name for path in card.iterdir()) == ["network-config", "table-companion", "user-data"]
    assert (card / "user-data").read_text("utf-8").startswith("#cloud-config\n")

    data = parsed(card / "user-data")
    [user] = data["users"]
    assert (data["hostname"], data["ssh_pwauth"]) == ("table", False)
    assert (user["lock_passwd"], user["ssh_authorized_keys"]) == (True, [PUBLIC_KEY])
    assert "passwd" not in user
    [unit] = data["write_files"]
    assert (unit["path"], unit["content"]) == (sd_card.UNIT_FILE, sd_card.FIRST_START)
    assert ["systemctl", "enable", "--now", "--no-block", Path(unit["path"]).name] in data["runcmd"]

    radio = parsed(card / "network-config")["network"]["wifis"]["wlan0"]
    assert radio["regulatory-domain"] == "TW"
    assert radio["access-points"] == {"ThisIsASSID": {"password": IEEE_802_11[1][2]}}
    assert (card / "network-config").stat().st_mode & 0o077 == 0
    assert not [
        path for path in card.rglob("*") if path.is_file() and b"ThisIsAPassword" in path.read_bytes()
    ]


def test_the_page_that_does_it_by_hand_has_the_same_files() -> None:
    data, network = (
        yaml.safe_load(block)
        for block in re.findall(r"```yaml\n(.*?)```", sources.read(Path("docs/sd-card.md")), re.DOTALL)
    )
    assert data == sd_card.user_data("table", [])
    password = "the password, or 64 hex digits by wpa_passphrase"
    assert network == sd_card.network_config("Our Wi-Fi", password, "TW")


def test_without_a_key_nobody_logs_in_and_without_wifi_a_cable_is_used(
    companion: Companion, tmp_path: Path
) -> None:
    ran = companion("sd-card", "--name", "table", "-o", tmp_path / "card")
    assert "Nobody can log in" in ran.err
    data = parsed(tmp_path / "card" / "user-data")
    assert not {"ssh_authorized_keys", "sudo"} & set(data["users"][0])
    assert "ssh.service" not in str(data["runcmd"])
    assert set(parsed(tmp_path / "card" / "network-config")["network"]) == {"version", "ethernets"}
    assert companion("sd-card", "--name", "table", "-o", tmp_path / "card").status == 0, (
        "again, over the first"
    )


@pytest.mark.parametrize(("wifi", "password", "key"), IEEE_802_11)
def test_a_password_is_kept_as_the_key_that_wpa2_makes_of_it(wifi: str, password: str, key: str) -> None:
    assert sd_card.hashed_password(wifi, password) == key
    assert sd_card.hashed_password(wifi, key.upper()) == key, "who has the key already may give that"


@pytest.mark.parametrize("wifi", ["窩", "한국 Wi-Fi", "😺", 'a "b" \\c', "no: - {yes}", "NO", "12345"])
def test_any_name_of_a_network_arrives_as_it_is(wifi: str) -> None:
    text = sd_card.as_yaml(sd_card.network_config(wifi, "0" * 64, "NO"))
    radio = yaml.safe_load(text)["network"]["wifis"]["wlan0"]
    assert list(radio["access-points"]) == [wifi]
    assert radio["regulatory-domain"] == "NO", "Norway is no boolean"


def test_the_password_is_asked_for_at_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr(click.termui, "hidden_prompt_func", lambda _: "typed in secret")
    assert sd_card.wifi_password("Home", None) == "typed in secret"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        pytest.param(("--name", "my table"), "cannot be a Pi's name", id="space"),
        pytest.param(("--name", "-table"), "cannot be a Pi's name", id="hyphen"),
        pytest.param(("--name", "é" * 3), "cannot be a Pi's name", id="accent"),
        pytest.param(("--name", "a" * 64), "at most 63", id="long"),
        pytest.param(("--name", "t", "--wifi", ""), "1 to 32 bytes", id="no-network"),
        pytest.param(("--name", "t", "--wifi", "窩" * 11), "1 to 32 bytes", id="long-network"),
        pytest.param(("--name", "t", "--wifi", "a\nb"), "1 to 32 bytes", id="two-lines"),
        pytest.param(("--name", "t", "--wifi", "a", "--country", "Taiwan"), "take TW", id="country"),
        pytest.param(("--name", "t", "--wifi", "a", "--country", "uk"), "or GB", id="united-kingdom"),
        pytest.param(("--name", "t", "--country", "TW"), "Name it with --wifi", id="country-alone"),
        pytest.param(("--name", "t", "--wifi", "a"), "--wifi-password-file", id="nobody-types"),
        pytest.param(
            ("--name", "t", "--wifi", "a", "--wifi-password-file", "short"), "8 to 63 letters", id="short"
        ),
        pytest.param(("--name", "t", "--ssh-key", "private"), "private.pub", id="private-key"),
        pytest.param(("--name", "t", "--ssh-key", "short"), "no SSH public key", id="no-key"),
        pytest.param(("--name", "t", "--packages", "gone"), "gone cannot be read", id="no-packages"),
        pytest.param(("--name", "t", "--packages", "short"), "short is no repository", id="another-file"),
        pytest.param(("--name", "t", "--packages", "."), "is no repository", id="another-folder"),
    ],
)
def test_what_cannot_be_is_one_sentence(
    companion: Companion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "short").write_text("seven77\n")
    (tmp_path / "private").write_text("-----BEGIN OPENSSH PRIVATE KEY-----\n")
    ran = companion("sd-card", *words, "-o", "card")
    assert (ran.status, ran.out) == (2, "")
    assert says in ran.err
    assert len(ran.err.strip().splitlines()) == 1
    assert not (tmp_path / "card" / "user-data").exists()


def test_packages_are_copied_once_their_hashes_are_checked(
    companion: Companion, tmp_path: Path, repository: Path
) -> None:
    words = ("sd-card", "--name", "t", "--packages", repository)
    ran = companion(*words, "-o", tmp_path / "card")
    assert ran.status == 0
    assert "The packages take 0 MB" in ran.err
    folder = tmp_path / "card" / sd_card.FOLDER
    assert sorted(path.name for path in folder.iterdir()) == [
        "Packages",
        "Release",
        "needed_2%3a1.0_all.deb",
        sd_card.SOURCES,
        "table-companion_1_arm64.deb",
    ]
    assert f"URIs: file:{sd_card.BOOT}/{sd_card.FOLDER}\n" in (folder / sd_card.SOURCES).read_text()

    (repository / "needed_2%3a1.0_all.deb").write_bytes(b"bit rot")
    ran = companion(*words, "-o", tmp_path / "other")
    assert ran.status == 2
    assert "needed_2%3a1.0_all.deb in" in ran.err
    assert "damaged" in ran.err
    (repository / "needed_2%3a1.0_all.deb").unlink()
    assert "damaged" in companion(*words, "-o", tmp_path / "other").err, "a file that is gone as well"


def test_a_pi_with_a_network_gets_the_address_alone(
    companion: Companion, tmp_path: Path, repository: Path
) -> None:
    file = repository / sd_card.SOURCES
    ran = companion("sd-card", "--name", "t", "--packages", file, "-o", tmp_path / "card")
    assert "fetches packages from the internet" in ran.err
    (copied,) = (tmp_path / "card" / sd_card.FOLDER).iterdir()
    assert copied.read_text() == file.read_text()


def test_without_packages_the_pi_waits_for_them_and_it_is_said(companion: Companion, tmp_path: Path) -> None:
    ran = companion("sd-card", "--name", "t", "-o", tmp_path / "card")
    assert ran.status == 0
    assert "--packages puts it there" in ran.err
    assert not (tmp_path / "card" / sd_card.FOLDER).exists()


def test_a_folder_of_something_else_is_left_alone(
    companion: Companion, tmp_path: Path, repository: Path
) -> None:
    own = tmp_path / "table-companion" / "notes.txt"
    own.parent.mkdir()
    own.write_text("mine")
    ran = companion("sd-card", "--name", "t", "--packages", repository, "-o", tmp_path)
    assert (ran.status, own.read_text()) == (2, "mine")


def test_a_file_in_the_folders_place_is_said(companion: Companion, tmp_path: Path) -> None:
    (tmp_path / "card").write_text("mine")
    ran = companion("sd-card", "--name", "t", "-o", tmp_path / "card")
    assert ran.status == 2
    assert "cannot be written" in ran.err
    assert "name another with -o" in ran.err
    assert (tmp_path / "card").read_text() == "mine"
