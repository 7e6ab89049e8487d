"""Measures how fast kept matches are listed, on the page and by `companion history`."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from companion.commands.keeping import line, rows
from companion.commands.print_sheets import sheet_for_page
from companion.games.registry import games
from companion.play.journal import Journal
from companion.play.match import Match
from companion.play.table import Table
from companion.service.running_table import running_table
from companion.service.table_settings import TableSettings
from companion.settings import SettingsFile
from hardware.camera.sources import NO_CAMERA
from lab.bench.measure import Measure, measure
from web.app import create_app

MATCHES = 200
"""Matches in the measured journal, of all games in turn."""

MOVES = 20
LIMIT_MS = 50.0


def keep_matches(journal: Journal) -> None:
    """Fill a journal with matches, the same in every run; each move is the middle one of all open moves."""
    played = [_played(journal, slug) for slug in games()]
    for number in range(len(played), MATCHES):
        match = played[number % len(played)]
        record = match.record
        copy = journal.begin(record.game, record.options, record.seats)
        journal.append_all(copy.id, match.entries(), match.snapshot.summary())


def _played(journal: Journal, slug: str) -> Match:
    match = Match.begin(journal, slug, {})
    for _ in range(MOVES):
        moves = [move for move in match.game.legal_moves(match.state) if match.game.private_to(move) is None]
        if not moves:
            break
        match.play(moves[len(moves) // 2], "bench")
    return match


def measures() -> list[Measure]:
    """The figures for `companion bench`."""
    with TemporaryDirectory() as folder, closing(Journal(Path(folder) / "journal.sqlite")) as journal:
        keep_matches(journal)
        table = Table.open(journal, None)
        settings = TableSettings(SettingsFile(Path(folder) / "settings.toml"), {})
        running = running_table(table, None, NO_CAMERA, None, settings, sheet_for_page)
        browser = create_app(running).test_client()
        note = f"{MATCHES} matches of {len(games())} games"

        def listed() -> int:
            return sum(len(line(row)) + len(msgspec.json.encode(row)) for row in rows(journal))

        return [
            measure("history: the page", lambda: browser.get("/history").data, limit_ms=LIMIT_MS, note=note),
            measure("history: the command's rows", listed, limit_ms=LIMIT_MS, note=note),
        ]
