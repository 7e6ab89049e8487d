"""`companion doctor`: checks every part that a table needs, and says how to mend it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
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
from companion.doctor.trial import panel
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
    """Check camera, markers, light, pins, panel, disk, games, clock, port and power.

    Each line says ok, or how to mend it. In a terminal, each button and lamp of the panel is tried.

    A running companion hands over its picture and is not disturbed. The bundle also holds the last picture
    that could not be read. It holds no secrets.
    """
    port = port or paths.running_port() or DEFAULT_PORT
    look = look_through(port) if source is None and health(port) else look_with(source or default_source())
    findings = []
    at_terminal = sys.stdin.isatty() and not as_json
    tell = partial(click.echo, err=True) if at_terminal else None
    for finding in examine(look, port, paths.home(), lang, tell):
        findings.append(finding)
        if as_json:
            print_json(msgspec.to_builtins(finding) | {"says": finding.says(lang)})
        else:
            click.echo(finding.line(lang))
    if bundle is not None:
        bundles.write(bundle, findings, look, paths.home())
        click.echo(words().say("bundle.written", lang, file=str(bundle)), err=True)


def examine(
    look: CameraCheck, port: int, home: Path, language: str, tell: Callable[[str], object] | None
) -> Iterator[Finding]:
    """Run each check in turn; `tell` asks a person to press buttons, if there is one."""
    yield checks.camera(look)
    yield checks.markers(look)
    yield checks.light(look)
    yield checks.pins(home / PANEL_FILE)
    served = health(port) is not None
    yield panel(home / PANEL_FILE, port, served=served, language=language, tell=tell)
    yield checks.disk(home)
    yield checks.games(home)
    yield checks.clock(home)
    yield checks.port(port)
    yield checks.power()
