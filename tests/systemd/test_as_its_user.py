"""The service's user may put links where matches are kept: root touches nothing there, and follows none."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.project import sources

AS_ITS_USER = "setpriv --reuid=table-companion --regid=table-companion --init-groups --no-new-privs"
TOUCHES = re.compile(r"\$state|/var/lib/table-companion|/run/table-companion")
HARMLESS = re.compile(r"^state=|COMPANION_HOME=|\[ (?:! )?-[ed] |^\s*echo |^export |rm -rf /run/")


@pytest.mark.parametrize(
    "script", ["debian/preinst", "debian/postinst", "debian/prerm", "debian/postrm", "companion"]
)
def test_root_touches_nothing_that_the_service_may_write(script: str) -> None:
    lines = sources.read(Path("systemd") / script).replace("\\\n", " ").splitlines()
    touching = [line for line in lines if TOUCHES.search(line) and not line.startswith("#")]
    assert [line for line in touching if AS_ITS_USER not in line and not HARMLESS.search(line)] == []


@pytest.mark.parametrize("script", ["debian/preinst", "debian/prerm", "companion"])
def test_what_reads_the_matches_runs_as_the_services_user(script: str) -> None:
    assert AS_ITS_USER in sources.read(Path("systemd") / script)


def test_only_doctor_works_as_root() -> None:
    assert '"${1:-}" != doctor' in sources.read(Path("systemd/companion"))
