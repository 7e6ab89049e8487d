"""Who may do what on the real Mosquitto, by the certificates and the ACL file that docs/broker.md gives."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.broker.address import BrokerError, broker_address
from companion.broker.publisher import try_connection
from companion.hall.hall import Hall
from companion.hall.link import Link
from companion.hall.payloads import Plan
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from tests.broker.conftest import Listener, Mosquitto, OnBroker, check_there, free_port, until
from tests.broker.test_faults import run
from tests.conftest import BED, OPENING
from tests.project import sources

PAGE = sources.read(Path("docs/broker.md"))
BLOCKS = re.findall(r"```[a-z]*\n(.*?)```", PAGE, re.DOTALL)
(ACL,) = (each for each in BLOCKS if "pattern write" in each)
(SIGNING,) = (each for each in BLOCKS if "openssl" in each)
(OPEN,) = (each for each in BLOCKS if "password_file" in each)
(LISTENER,) = (each for each in BLOCKS if "require_certificate" in each)
USERS = ("table-1", "table-2", "hall", "home", "screen")
PASSWORD = "sesame"


class Club:
    """A broker with the docs' ACL file, and a second port that asks for the docs' certificates."""

    def __init__(self, folder: Path) -> None:
        check_there("mosquitto", "mosquitto_passwd", "openssl")
        folder.chmod(0o755)
        run(folder, "sh", "-ec", SIGNING.replace("192.168.1.10", "127.0.0.1"))
        (folder / "tables.acl").write_text(ACL, "utf-8")
        for user in USERS:
            made = ("-c",) if user == USERS[0] else ()
            run(folder, "mosquitto_passwd", *made, "-b", "tables.users", user, PASSWORD)
        for each in folder.iterdir():
            each.chmod(0o700 if each.name == "tables.acl" else 0o644)
        self.folder, self.tls_port = folder, free_port()
        opened = OPEN.replace("/etc/mosquitto", str(folder)).replace("listener 1883\n", "")
        secured = LISTENER.replace("/etc/mosquitto/certs", str(folder))
        self.broker = Mosquitto(
            folder,
            *("user root", *opened.splitlines()),
            *secured.replace("listener 8883", f"listener {self.tls_port} 127.0.0.1").splitlines(),
        )

    @property
    def url(self) -> str:
        """The port that asks for a password."""
        return f"mqtt://127.0.0.1:{self.broker.port}"

    @property
    def secured(self) -> str:
        """The port that asks for a certificate."""
        return f"mqtts://127.0.0.1:{self.tls_port}"

    def certificates(self, name: str, *files: str) -> Path:
        """A table's folder with some of the files that were signed."""
        folder = self.folder / f"of-{name}"
        folder.mkdir()
        for file in files:
            shutil.copy(self.folder / file, folder)
        return folder


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Club]:
    """That broker, running."""
    made = Club(tmp_path_factory.mktemp("club"))
    made.broker.start()
    yield made
    made.broker.kill()


@contextmanager
def table_of(folder: Path, club: Club, name: str, user: str) -> Iterator[OnBroker]:
    """A table of This Bed Is Mine on that broker."""
    journal = Journal(folder / f"{name}-{user}.sqlite")
    table = Table(journal, Match.begin(journal, BED, {}))
    one = OnBroker(journal, table, name, club.url, user=user, password=PASSWORD)
    try:
        yield one
    finally:
        one.stop()


def fault(url: str, name: str, user: str = "", certificates: Path | None = None) -> str:
    """What "Test connection" says; empty if all is well."""
    password = PASSWORD if user else ""
    address = broker_address(url, user=user, password=password, table=name, certificates=certificates)
    assert address is not None
    try:
        try_connection(address)
    except BrokerError as error:
        return str(error)
    return ""


def test_a_table_publishes_all_of_its_topics_and_takes_commands(club: Club, tmp_path: Path) -> None:
    screen = Listener(club.broker.port, "screen", PASSWORD)
    with table_of(tmp_path, club, "table-1", "table-1") as one:
        one.table.play(OPENING[0], "phone")
        until(lambda: screen.entries(), "the move")
        heard = lambda: {topic.rpartition("/")[2] for topic, _ in screen.heard}  # noqa: E731
        until(lambda: heard() >= {"status", "state", "moves", "health"}, "what a table publishes")
        for user in ("hall", "home"):
            asker = Listener(club.broker.port, user, PASSWORD)
            assert asker.command("table-1", "call")["ok"]
            asker.close()
        assert "homeassistant/device/table-companion-table-1/config" in dict(asker.heard)
        assert one.broker.state == "connected"
    screen.close()


def test_whoever_only_looks_commands_nothing(club: Club, tmp_path: Path) -> None:
    screen = Listener(club.broker.port, "screen", PASSWORD)
    with table_of(tmp_path, club, "table-1", "table-1") as one:
        one.table.play(OPENING[0], "phone")
        until(lambda: screen.entries(), "the move")
        for topic in ("table-companion/table-1/commands/undo", "table-companion/table-1/moves"):
            screen.client.publish(topic, b"{}", qos=1).wait_for_publish(60)
        hall = Listener(club.broker.port, "hall", PASSWORD)
        assert hall.command("table-1", "pause", on=False)["command"] == "pause"
        assert [each["command"] for each in hall.payloads("answers")] == ["pause"]
        assert len(one.table.match.moves) == 1
        hall.close()
    screen.close()


def test_a_table_may_not_speak_for_another(club: Club, tmp_path: Path) -> None:
    refused = (
        "The broker does not let this user publish to table-companion/table-1/#:"
        " allow it in the broker's ACL file."
    )
    assert fault(club.url, "table-1", "table-2") == refused
    with table_of(tmp_path, club, "table-1", "table-2") as other:
        other.table.play(OPENING[0], "phone")
        until(lambda: str(other.broker.fault) == refused, "the fault on the settings page")
        assert len(other.table.match.moves) == 1
        assert other.broker.state == "connecting"


def test_a_hall_leads_an_evening_with_what_the_file_allows_it(club: Club, tmp_path: Path) -> None:
    address = broker_address(club.url, user="hall", password=PASSWORD, table="hall")
    assert address is not None
    hall = Hall("tonight", "one")
    link = Link(hall, address)
    with table_of(tmp_path, club, "table-1", "table-1"):
        link.start()
        until(lambda: "table-1" in hall.tables, "the table in the hall")
        hall.plan(Plan("Tonight", "swiss", BED))
        until(lambda: hall.evening.plan, "the plan, as the broker gives it back")
        assert link.fault == ""
    link.stop()


def test_a_hall_that_may_only_look_says_so(club: Club) -> None:
    address = broker_address(club.url, user="screen", password=PASSWORD, table="hall")
    assert address is not None
    link = Link(Hall("tonight", "two"), address)
    link.start()
    until(lambda: "does not let this user publish to table-companion/hall/tonight/#" in link.fault, "a fault")
    link.stop()


def test_a_table_with_its_own_certificate_needs_no_password(club: Club) -> None:
    own = club.certificates("table-1", "ca.pem", "client.pem", "client.key")
    assert fault(club.secured, "table-1", certificates=own) == ""
    assert "ACL file" in fault(club.secured, "table-2", certificates=own)


def test_a_broker_that_wants_a_certificate_says_which_files_are_missing(club: Club) -> None:
    nothing = club.certificates("nobody", "ca.pem")
    said = fault(club.secured, "table-1", certificates=nothing)
    assert said.endswith(
        "it may want this table's certificate, client.pem and client.key in the folder broker."
    )


def test_a_certificate_and_a_key_that_do_not_belong_together(club: Club) -> None:
    mixed = club.certificates("mixed", "ca.pem", "client.pem")
    shutil.copy(club.folder / "broker.key", mixed / "client.key")
    assert "must be PEM files without a password that belong together" in fault(
        club.secured, "table-1", certificates=mixed
    )


def test_a_certificate_that_somebody_else_signed(club: Club, tmp_path: Path) -> None:
    run(tmp_path, "sh", "-ec", SIGNING)
    foreign = club.certificates("foreign", "ca.pem")
    for file in ("client.pem", "client.key"):
        shutil.copy(tmp_path / file, foreign)
    assert "it may want this table's certificate" in fault(club.secured, "table-1", certificates=foreign)
