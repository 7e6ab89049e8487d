"""What can be wrong with a broker: one clear sentence each, and the table plays on."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.broker import connection, service
from companion.broker.address import BrokerError, broker_address
from companion.broker.publisher import try_connection
from companion.messages import LANGUAGES
from tests.broker.conftest import Mosquitto, OnBroker, check_there, free_port, on_broker, until
from tests.conftest import BED, OPENING

EXPIRED = ("20200101000000Z", "20200102000000Z")
VALID = ("20200101000000Z", "20990101000000Z")


def run(folder: Path, *words: str) -> None:
    """Run a command in a folder; it must succeed."""
    subprocess.run(words, cwd=folder, check=True, capture_output=True)


def certificate(folder: Path, name: str, host: str, times: tuple[str, str]) -> None:
    """`name.pem` and `name.key`, signed by itself, for `host`, valid between two times."""
    (folder / f"{name}.txt").write_text("", "utf-8")
    (folder / f"{name}.cnf").write_text(
        f"[ca]\ndefault_ca=it\n[it]\ndatabase={name}.txt\nnew_certs_dir=.\nrand_serial=yes\ndefault_md=sha256\n"
        f"policy=any\nx509_extensions=more\n[any]\ncommonName=supplied\n"
        f"[more]\nsubjectAltName={host}\nbasicConstraints=CA:true\n",
        "utf-8",
    )
    new = ("openssl", "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    run(folder, *new, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", "/CN=it")
    sign = ("openssl", "ca", "-batch", "-selfsign", "-notext", "-config", f"{name}.cnf")
    begin, end = ("-startdate", times[0]), ("-enddate", times[1])
    files = ("-keyfile", f"{name}.key", "-in", f"{name}.csr", "-out", f"{name}.pem")
    run(folder, *sign, *begin, *end, *files)
    (folder / f"{name}.key").chmod(0o644)


class Guarded:
    """A broker with a password at one port, and a certificate of its own at each of the others."""

    def __init__(self, folder: Path) -> None:
        check_there("mosquitto", "mosquitto_passwd", "openssl")
        self.folder = folder
        self.ports = {name: free_port() for name in ("good", "expired", "other")}
        certificate(folder, "good", "IP:127.0.0.1", VALID)
        certificate(folder, "expired", "IP:127.0.0.1", EXPIRED)
        certificate(folder, "other", "DNS:elsewhere.example", VALID)
        (folder / "users").write_text("", "utf-8")
        run(folder, "mosquitto_passwd", "-b", "users", "mei", "right")
        (folder / "users").chmod(0o644)
        folder.chmod(0o755)
        lines = [f"password_file {folder}/users"]
        for name, port in self.ports.items():
            lines += [
                f"listener {port} 127.0.0.1",
                f"certfile {folder}/{name}.pem",
                f"keyfile {folder}/{name}.key",
            ]
        self.broker = Mosquitto(folder, "user root", *lines)

    def trusting(self, name: str) -> Path:
        """A folder of a table that believes this certificate."""
        folder = self.folder / f"trust-{name}"
        folder.mkdir(exist_ok=True)
        (folder / "ca.pem").write_bytes((self.folder / f"{name}.pem").read_bytes())
        return folder


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    """That broker, running."""
    made = Guarded(tmp_path_factory.mktemp("guarded"))
    made.broker.start()
    yield made
    made.broker.kill()


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that waits for an answer only a little."""
    monkeypatch.setattr(connection, "ANSWER_S", 0.3)


@pytest.fixture
def silent() -> Iterator[int]:
    """The port of something that accepts and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield listening.getsockname()[1]


def fault(url: str, user: str = "mei", password: str = "right", certificates: Path | None = None) -> str:
    """What is wrong with the broker at `url`; its sentence is there in every language."""
    address = broker_address(url, user=user, password=password, table="one", certificates=certificates)
    assert address is not None
    with pytest.raises(BrokerError) as caught:
        try_connection(address)
    assert all(caught.value.says(language) for language in LANGUAGES)
    assert "right" not in repr(address)
    return caught.value.fault


def test_a_user_and_a_certificate_that_are_right(guarded: Guarded) -> None:
    url = f"mqtts://127.0.0.1:{guarded.ports['good']}"
    address = broker_address(
        url, user="mei", password="right", table="one", certificates=guarded.trusting("good")
    )
    assert address is not None
    try_connection(address)


def test_a_wrong_password(guarded: Guarded) -> None:
    assert fault(f"mqtt://127.0.0.1:{guarded.broker.port}", password="wrong") == "wrong-password"


@pytest.mark.parametrize(
    ("name", "wrong"), [("expired", "expired"), ("other", "other-host")], ids=["expired", "another host's"]
)
def test_a_certificate_that_is_wrong(guarded: Guarded, name: str, wrong: str) -> None:
    url = f"mqtts://127.0.0.1:{guarded.ports[name]}"
    assert fault(url, certificates=guarded.trusting(name)) == wrong


def test_a_certificate_that_nobody_known_has_signed(guarded: Guarded, tmp_path: Path) -> None:
    assert fault(f"mqtts://127.0.0.1:{guarded.ports['good']}", certificates=tmp_path) == "unknown-signer"


def test_a_folder_with_certificates_that_are_none(guarded: Guarded, tmp_path: Path) -> None:
    (tmp_path / "ca.pem").write_text("not a certificate", "utf-8")
    assert fault(f"mqtts://127.0.0.1:{guarded.ports['good']}", certificates=tmp_path) == "bad-certificates"


def test_the_wrong_kind_of_port(guarded: Guarded, soon: None) -> None:
    assert (
        fault(f"mqtts://127.0.0.1:{guarded.broker.port}", certificates=guarded.trusting("good")) == "not-tls"
    )
    assert fault(f"mqtt://127.0.0.1:{guarded.ports['good']}") in ("hung-up", "silent")


def test_nobody_listens() -> None:
    assert fault(f"mqtt://127.0.0.1:{free_port()}") == "refused"
    assert fault("mqtt://no-such-host.invalid") == "unknown-host"


@pytest.mark.parametrize("scheme", ["mqtt", "mqtts"])
def test_something_that_accepts_and_never_answers(
    scheme: str, silent: int, soon: None, tmp_path: Path
) -> None:
    assert fault(f"{scheme}://127.0.0.1:{silent}", certificates=tmp_path) == "silent"


def test_the_table_plays_on_whatever_the_broker_does(
    silent: int, soon: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "COUNT_S", 0.0)
    with on_broker(tmp_path, BED, f"mqtt://127.0.0.1:{silent}") as one:
        for move in OPENING:
            one.table.play(move, "phone")
        until(lambda: one.broker.fault, "a fault")
        assert str(one.broker.fault).startswith("127.0.0.1 does not answer at port")
        assert one.broker.state == "connecting"
        assert len(one.table.match.moves) == len(OPENING)
        until(lambda: one.broker.unsent() == len(OPENING), "the count of what the broker lacks")


def test_two_tables_of_one_name_say_so(mosquitto: Mosquitto, tmp_path: Path) -> None:
    url = f"mqtt://127.0.0.1:{mosquitto.port}"

    def one_says_so(*tables: OnBroker) -> bool:
        return any(
            str(each.broker.fault or "").endswith("give each its own in the settings.") for each in tables
        )

    (tmp_path / "other").mkdir()
    with (
        on_broker(tmp_path, BED, url, "twin") as one,
        on_broker(tmp_path / "other", BED, url, "twin") as other,
    ):
        until(lambda: one_says_so(one, other), "the fault")
