"""`companion doctor`: checks every part that a table needs, and says how to mend it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from companion import paths
from companion.commands.output import LANGUAGE, print_json
from companion.commands.run import DEFAULT_PORT, PANEL_FILE
from companion.doctor import bundle as bundles
from companion.doctor import checks
from companion.doctor.checks import Finding, words
from companion.doctor.looking import CameraCheck, health, look_through, look_with
from hardware.camera.sources import default_source


@click.command(
    epilog="\b\n"
    "Examples:\n"
    "  companion doctor\n"
    "  companion doctor --camera usb:0 --lang ko\n"
    "  companion doctor --bundle report.zip"
)
@click.option("--camera", "source", metavar="SOURCE", help="The camera, as for `companion run`.")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help="The companion's port.  [the running companion's, else 8000]",
)
@click.option(
    "--bundle", type=click.Path(path_type=Path, dir_okay=False), help="Also write a .zip for a bug report."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per check.")
@LANGUAGE
def doctor(source: str | None, port: int | None, bundle: Path | None, *, as_json: bool, lang: str) -> None:
    """Check camera, markers, light, pins, disk, games, clock, port and power.

    Each line says ok, or how to mend it.

    A running companion hands over its picture and is not disturbed. The bundle also holds the last picture
    that could not be read. It holds no secrets.
    """
    port = port or paths.running_port() or DEFAULT_PORT
    look = look_through(port) if source is None and health(port) else look_with(source or default_source())
    findings = []
    for finding in examine(look, port, paths.home()):
        findings.append(finding)
        if as_json:
            print_json(msgspec.to_builtins(finding) | {"says": finding.says(lang)})
        else:
            click.echo(finding.line(lang))
    if bundle is not None:
        bundles.write(bundle, findings, look, paths.home())
        click.echo(words().say("bundle.written", lang, file=str(bundle)), err=True)


def examine(look: CameraCheck, port: int, home: Path) -> Iterator[Finding]:
    """Run each check in turn."""
    yield checks.camera(look)
    yield checks.markers(look)
    yield checks.light(look)
    yield checks.pins(home / PANEL_FILE)
    yield checks.disk(home)
    yield checks.games(home)
    yield checks.clock(home)
    yield checks.port(port)
    yield checks.power()
