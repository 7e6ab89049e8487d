"""`companion history`, `export`, `import` and `restore`: kept matches, carried elsewhere and brought back."""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click
import msgspec

from companion import paths
from companion.commands.output import print_json, write_file
from companion.errors import MoveError, UserError
from companion.play import exports
from companion.play.backup import FOLDER, Backup, backups, bring_back
from companion.play.exports import as_bg_stats, as_csv, as_lines, in_notation
from companion.play.journal import Journal, open_journal
from companion.play.match import Match, begin_in_memory, keep_whole, summary_of
from companion.play.snapshot import UNPLAYABLE

JOURNAL = click.option(
    "--journal", "name", default="journal", show_default=True, help="The journal in COMPANION_HOME."
)

OTHER_JOURNALS = {
    "journal": "at your own table",
    "virtual": "of the demo, at the virtual table",
    "folder": "from folders of pictures",
}
"""Each journal that `companion run` keeps, and whose matches it holds."""


NEWEST = "newest"
"""The name that stands for the newest backup that is whole."""


def _match(journal: Journal, number: int | None) -> Match:
    if number is not None:
        record = journal.match(number)
        if record is None:
            raise UserError(f"No match number {number} is kept; `companion history` lists those that are.")
        return Match(journal, record)
    # Matches in which something was done come first; an empty match is the last resort.
    for record in journal.matches(with_entries=True) or journal.matches():
        return Match(journal, record)
    raise UserError(f"No match is kept in {journal.path} yet.")


@click.command(
    epilog="\b\nExamples:\n  companion history\n  companion history --json\n  companion history 12"
)
@click.argument("match", type=int, required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per match, or per move.")
@click.option("--all", "every", is_flag=True, help="Include matches in which nothing was done.")
@JOURNAL
def history(match: int | None, name: str, *, as_json: bool, every: bool) -> None:
    """List the kept matches, the newest first, or the moves of the match with number MATCH."""
    journal = open_journal(name)
    if match is not None:
        list_moves(_match(journal, match), as_json=as_json)
        return
    listed = list(rows(journal, every=every))
    # The virtual table has a journal of its own.
    for other, whose in OTHER_JOURNALS.items():
        if other != name and (paths.home() / f"{other}.sqlite").is_file():
            click.echo(f"The matches {whose}: companion history --journal {other}", err=True)
    if not listed:
        click.echo("No match is kept here yet.", err=True)
    for row in listed:
        if as_json:
            print_json(row)
        else:
            click.echo(line(row))


def rows(journal: Journal, *, every: bool = False) -> Iterator[dict[str, Any]]:
    """Each match, the newest first: all of its view but the board, or its `fault`. `every`: include matches
    in which nothing was done."""
    done = {record.id for record in journal.matches(with_entries=not every)}
    for record, summary in journal.summaries():
        if record.id in done:
            row = {"id": record.id, "game": record.game, "began": record.began, "options": record.options}
            try:
                stands, cut = summary_of(journal, record, summary)
            except UNPLAYABLE as error:
                yield row | {"fault": str(error)}
                continue
            plain: dict[str, Any] = msgspec.to_builtins(stands)
            yield row | plain | ({"fault": f"kept only in part, {cut}"} if cut else {})


def line(row: dict[str, Any]) -> str:
    """A row as text: number, day, game, players, points."""
    begun = f"{row['id']:4}  {row['began'][:16].replace('T', ' ')} UTC  {row['game']}"
    fault = f"  {row['fault']}" if "fault" in row else ""
    if "seats" not in row:
        return f"{begun}{fault}"
    names = " against ".join(row["players"].get(seat, seat) for seat in row["seats"])
    points = "not over"
    if row["outcome"]:
        points = " : ".join(str(row["outcome"]["points"].get(seat, 0)) for seat in row["seats"])
    return f"{begun}  {names}  {points}  ({row['moves']} moves){fault}"


def list_moves(match: Match, *, as_json: bool) -> None:
    """Print the open entries of a match, its moves in the game's notation."""
    _say_what_is_cut(match)
    for n, entry in enumerate(match.entries(), 1):
        written = in_notation(match.game, entry)
        if as_json:
            print_json({"n": n, "at": entry.at, "kind": entry.kind, "source": entry.source, "move": written})
        elif written:
            click.echo(f"{n:4}  {entry.at[:19].replace('T', ' ')} UTC  {written}  ({entry.source})")


@click.command(
    epilog="\b\n"
    "Examples:\n"
    "  companion export 12 -o game.jsonl\n"
    "  companion export 12 --format csv\n"
    "  companion export 12 --whole -o backup.jsonl\n"
    "  companion export --format bgstats -o play.json"
)
@click.argument("match", type=int, required=False)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["jsonl", "csv", "bgstats"]),
    default="jsonl",
    show_default=True,
    help="The format.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write instead of stdout.",
)
@click.option(
    "--whole", is_flag=True, help="Include each seat's private moves: for a backup, not for others."
)
@JOURNAL
def export(match: int | None, kind: str, output: Path | None, name: str, *, whole: bool) -> None:
    """Write a kept match: the one with number MATCH, or else the newest.

    Private moves, such as a seat's hand, are left out without --whole.
    """
    kept = _match(open_journal(name), match)
    _say_what_is_cut(kept)
    if kind == "bgstats":
        text = as_bg_stats(kept)
    else:
        text = (as_lines if kind == "jsonl" else as_csv)(kept, whole=whole)
        private = kept.n - kept.n_of(None)
        if private and not whole:
            left_out = f"Left out: what seats told in private (entries: {private}); --whole writes it."
            click.echo(left_out, err=True)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_file(output, text.encode())


@click.command(epilog="\b\nExamples:\n  companion import game.jsonl")
@click.argument("file", type=click.Path(path_type=Path))
@JOURNAL
def import_(file: Path, name: str) -> None:
    """Keep the match in a file that `export` wrote: the whole match, or nothing."""
    read = exports.read_moves(file)
    if read.header is None:
        raise UserError(f"{file} does not name its game; {exports.FIRST_LINE}.")

    # Played in memory, so that a fault on a late line leaves nothing half kept; then kept at once.
    kept = keep_whole(open_journal(name), _played(file, read.header, read.lines))
    click.echo(f"Kept as match {kept.id}.", err=True)


def _played(file: Path, header: exports.Header, lines: Iterable[dict[str, Any]]) -> Match:
    match = begin_in_memory(header.game, exports.options_of(header), header.seats)
    if header.players:
        match.name_players(header.players, "import")
    for n, line in enumerate(lines, 1):
        step = exports.undo_or_redo(line)
        try:
            if step is None:
                match.play(line, "import")
            else:
                exports.follow(match, step, "import")
        except MoveError as error:
            raise UserError(f"{file}, move {n}: {error} Nothing was kept.") from error
    return match


def _say_what_is_cut(match: Match) -> None:
    if match.snapshot.cut:
        click.echo(f"Match {match.record.id} is kept only in part: {match.snapshot.cut}.", err=True)


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
        _list_backups(listed, as_json=as_json)
        return
    whole = [backup for backup in listed if not backup.fault]
    called = [backup for backup in listed if backup.name == name]
    chosen = next(iter(whole if name == NEWEST else called), None)
    if chosen is None:
        raise UserError(f"There is no backup {name!r}; `companion restore` lists those there are.")
    owner = paths.home().stat().st_uid
    if owner != os.geteuid():  # the service could not read a stranger's files
        user = pwd.getpwuid(owner).pw_name
        raise UserError(f"The games belong to {user}: run sudo -u {user} companion restore.")
    with paths.only_companion():
        aside = bring_back(chosen, paths.home() / "journal.sqlite")
    kept = "" if aside is None else f" The games of before are kept in {aside.name}."
    click.echo(f"The backup {chosen.name} is back.{kept}", err=True)


def _list_backups(listed: list[Backup], *, as_json: bool) -> None:
    if not listed:
        click.echo("There is no backup yet.", err=True)
    for backup in listed:
        if as_json:
            content = {} if backup.content is None else backup.content._asdict()
            row = {"name": backup.name, "file": str(backup.file), **content, "fault": backup.fault}
            print_json(row)
        else:
            click.echo(_backup_line(backup))


def _backup_line(backup: Backup) -> str:
    if backup.fault or backup.content is None:
        return f"{backup.name}  damaged: {backup.fault or 'it cannot be read'}"
    matches, entries, newest = backup.content
    last = f", the last one of {newest[:16].replace('T', ' ')} UTC" if newest else ""
    return f"{backup.name}  matches: {matches}, entries: {entries}{last}"
