"""The table behind a proxy that speaks https: docs/https.md, with the real nginx and openssl."""

from __future__ import annotations

import json
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPSConnection
from pathlib import Path

import pytest

from companion.play.table import Table
from tests.conftest import OPENING
from tests.running import pages_of
from web.server import Server

DOCS = Path(__file__).parents[2] / "docs/https.md"

nginx = pytest.mark.skipif(
    not (shutil.which("nginx") and shutil.which("openssl")),
    reason="no nginx or openssl here (apt install nginx-light openssl)",
)


@pytest.fixture
def served(table: Table) -> Iterator[Server]:
    """The table's pages, served on this machine."""
    server = Server(pages_of(table, None), "127.0.0.1", 0)
    server.start()
    yield server
    server.stop()


def block(language: str) -> str:
    """The one block of code of that language in the docs."""
    (code,) = re.findall(rf"```{language}\n(.*?)```", DOCS.read_text("utf-8"), re.DOTALL)
    return str(code)


@pytest.fixture
def https(served: Server, tmp_path: Path) -> Iterator[HTTPSConnection]:
    """A connection to the proxy, by one who trusts the authority alone."""
    certificates = block("sh").replace("table.local", "localhost")
    subprocess.run(["bash", "-ec", certificates], cwd=tmp_path, check=True, capture_output=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    site = block("nginx").replace("127.0.0.1:80", f"127.0.0.1:{served.port}")
    site = site.replace("listen 443", f"listen 127.0.0.1:{port}")
    site = re.sub(r"(table\.(?:crt|key))", rf"{tmp_path}/\1", site)
    kept = "".join(
        f"{what}_temp_path {tmp_path}/{what};\n"
        for what in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = tmp_path / "nginx.conf"
    config.write_text(
        f"daemon off; pid {tmp_path}/pid; error_log stderr;\n"
        f"events {{}}\nhttp {{ access_log off;\n{kept}{site}}}\n"
    )
    trusts = ssl.create_default_context(cafile=str(tmp_path / "authority.crt"))
    connection = HTTPSConnection("localhost", port, context=trusts, timeout=30)
    with (tmp_path / "log").open("wb") as log, subprocess.Popen(["nginx", "-c", config], stderr=log) as proxy:
        for _ in range(200):
            try:
                connection.connect()
                break
            except ConnectionRefusedError:
                assert proxy.poll() is None, (tmp_path / "log").read_text()
                time.sleep(0.05)
        yield connection
        connection.close()
        proxy.terminate()


def got(connection: HTTPConnection, path: str, **headers: str) -> tuple[int, str]:
    """The status and text that a path is answered with."""
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


@nginx
def test_the_pages_come_over_https_and_their_codes_lead_there(https: HTTPSConnection) -> None:
    status, page = got(https, "/seats")
    assert status == 200
    assert re.search(r"https://[^<\" ]+", page)
    assert "http://" not in page.replace('xmlns="http://www.w3.org/2000/svg"', "")


@nginx
def test_a_move_is_seen_at_once_over_https(https: HTTPSConnection, served: Server) -> None:
    https.request("GET", "/api/events")
    events = https.getresponse()
    assert events.headers["Content-Type"].startswith("text/event-stream")
    phone = HTTPConnection("127.0.0.1", served.port, timeout=30)
    phone.request("POST", "/api/moves", json.dumps(OPENING[0]), {"Content-Type": "application/json"})
    assert phone.getresponse().status == 200
    phone.close()
    seen = b""
    # A proxy that held the stream back would let this wait until it times out.
    while b'"moves":1' not in seen:
        seen += events.read1()


def test_a_proxy_on_this_machine_says_that_it_is_https(served: Server) -> None:
    plain = HTTPConnection("127.0.0.1", served.port, timeout=30)
    _, page = got(plain, "/seats", Host="table.local")
    assert "http://table.local/" in page
    _, page = got(plain, "/seats", **{"Host": "table.local", "X-Forwarded-Proto": "https"})
    assert "https://table.local/" in page
    plain.close()
