"""`companion restore`: the backups of the games kept here, and bringing one back."""

from __future__ import annotations

import os
import pwd

import click

from companion import paths
from companion.commands.output import print_json
from companion.errors import MendableError
from companion.play.backup import FOLDER
from companion.play.restore import Backup, backups, bring_back

NEWEST = "newest"
"""The name that stands for the newest backup that is whole."""


@click.command(
    epilog="\b\n"
    "Examples:\n"
    "  companion restore\n"
    "  companion restore newest\n"
    "  companion restore 2026-05-01T040000"
)
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per backup.")
def restore(name: str | None, *, as_json: bool) -> None:
    """List the backups, the newest first, or bring back the one called NAME.

    The backup is tried on a copy first. The games of now are kept in a file beside the journal. The companion
    must not be running.
    """
    listed = list(backups(paths.home() / FOLDER))
    if name is None:
        _list(listed, as_json=as_json)
        return
    chosen = next((each for each in listed if name == each.name or (name == NEWEST and not each.fault)), None)
    if chosen is None:
        raise MendableError(f"There is no backup {name!r}; `companion restore` lists those there are.")
    _refuse_a_stranger()
    with paths.only_companion():
        aside = bring_back(chosen, paths.home() / "journal.sqlite")
    kept = "" if aside is None else f" The games of before are kept in {aside.name}."
    click.echo(f"The backup {chosen.name} is back.{kept}", err=True)


def _refuse_a_stranger() -> None:
    """Raise `MendableError` for a user whose files the service could not read."""
    owner = paths.home().stat().st_uid
    if owner != os.geteuid():
        name = pwd.getpwuid(owner).pw_name
        raise MendableError(f"The games belong to {name}: run sudo -u {name} companion restore.")


def _list(listed: list[Backup], *, as_json: bool) -> None:
    if not listed:
        click.echo("There is no backup yet.", err=True)
    for each in listed:
        if as_json:
            print_json(_row(each))
        else:
            click.echo(_line(each))


def _row(backup: Backup) -> dict[str, object]:
    content = {} if backup.content is None else backup.content._asdict()
    return {"name": backup.name, "file": str(backup.file), **content, "fault": backup.fault}


def _line(backup: Backup) -> str:
    if backup.fault or backup.content is None:
        return f"{backup.name}  damaged: {backup.fault or 'it cannot be read'}"
    matches, entries, newest = backup.content
    last = f", the last one of {newest[:16].replace('T', ' ')} UTC" if newest else ""
    return f"{backup.name}  matches: {matches}, entries: {entries}{last}"
