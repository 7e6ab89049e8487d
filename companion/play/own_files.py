"""Boards, decks and sets of cards that people make themselves, kept as files.

Each is one file, `own/<game>/<option>/<name>.toml` beside the journal, which the command line takes too. The
game's own parser judges it before it is kept.
"""

from __future__ import annotations

import re
from base64 import b64encode
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from companion import files
from companion.errors import MoveError, OwnFileError
from companion.errors.causes import cause_of
from companion.files import TomlText
from companion.games import data_files
from companion.games.data_files import DataFile
from companion.games.registry import AnyGame

FOLDER = "own"

NAME = re.compile(r"\w[\w '’()-]{0,38}[\w')’]|\w")
"""The names that a file may have: no path, and nothing that a file system may refuse."""

MOST_OF_AN_OPTION = 50
"""The most files for one option: a page lists them all."""


PICTURES = "pictures"
"""The folder of the pictures that files name, beside those of the games."""

MOST_PICTURES = 500
"""Enough for two pictures of every card of four large sets."""


class OwnFiles:
    """The files in `folder`. With None, nothing can be kept."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    @classmethod
    def beside(cls, journal: Path) -> OwnFiles:
        """The files beside the journal at that path (`:memory:` keeps nothing)."""
        return cls(None if journal.name == ":memory:" else journal.parent / FOLDER)

    def names(self, game: AnyGame, option: str) -> tuple[str, ...]:
        """The names of the files kept for an option."""
        folder = self._of(game, option)
        return () if folder is None else tuple(sorted(path.stem for path in folder.glob("*.toml")))

    def text(self, game: AnyGame, option: str, name: str) -> str | None:
        """The text of the file of that name, as the command line takes it; None without one."""
        folder = self._of(game, option)
        if folder is None or name not in self.names(game, option):
            return None
        return TomlText.from_file(folder / f"{name}.toml").text

    def value(self, game: AnyGame, option: str, name: str) -> str:
        """The file of that name as the option's value: its text, which names it. Raises `UserError`."""
        kind = game.about.editable[option].kind
        file = data_file(self.text(game, option, name) or "", name)
        return file.kept_text(kind)

    def check(self, game: AnyGame, option: str, name: str, text: str) -> None:
        """Refuse a text that the game does not take, or with which no match could begin. All other options
        have their defaults. Raises `UserError` or `MoveError`."""
        kind = game.about.editable[option].kind
        file = data_file(text, name)
        game.about.editable[option].contents(file)
        kept = file.kept_text(kind)
        options = game.options({option: kept})
        *others, last = game.seat_counts
        for seats in others:
            with suppress(MoveError):
                game.start(options, seats)
                return
        game.start(options, last)

    def keep(self, game: AnyGame, option: str, name: str, text: str) -> None:
        """Keep a text under a name, in place of an older one. Raises `UserError` if it cannot be kept."""
        folder = self._of(game, option)
        if folder is None:
            raise OwnFileError("no-folder")
        there = self.names(game, option)
        if name not in there and len(there) >= MOST_OF_AN_OPTION:
            raise OwnFileError("too-many", most=MOST_OF_AN_OPTION)
        try:
            files.write(folder / f"{name}.toml", text.encode())
        except OSError as error:
            raise OwnFileError("not-kept", cause=cause_of(error)) from error

    def shared_text(self, game: AnyGame, option: str, name: str) -> str | None:
        """The text of the file of that name with the pictures that it names; None without one."""
        text = self.text(game, option, name)
        named = dict.fromkeys(data_files.PICTURE.findall(text or ""))
        pictures = {picture: jpeg for picture in named if (jpeg := self.picture(picture)) is not None}
        if text is None or not pictures:
            return text
        lines = (f'{picture} = "{b64encode(jpeg).decode()}"\n' for picture, jpeg in pictures.items())
        return f"{text}{data_files.PICTURES}{''.join(lines)}"

    def keep_picture(self, jpeg: bytes) -> str:
        """Keep a picture and return its name. Raises `UserError` if it cannot be kept."""
        if self._folder is None:
            raise OwnFileError("no-folder")
        name = blake2b(jpeg, digest_size=8).hexdigest()
        there = list((self._folder / PICTURES).glob("*.jpg"))
        if len(there) >= MOST_PICTURES:
            raise OwnFileError("too-many-pictures", most=MOST_PICTURES, folder=str(there[0].parent))
        try:
            files.write(self._folder / PICTURES / f"{name}.jpg", jpeg)
        except OSError as error:
            raise OwnFileError("not-kept", cause=cause_of(error)) from error
        return name

    def picture(self, name: str) -> bytes | None:
        """The picture of that name as JPEG; None without one."""
        if self._folder is None or not re.fullmatch("[0-9a-f]{16}", name):
            return None
        try:
            return (self._folder / PICTURES / f"{name}.jpg").read_bytes()
        except OSError:
            return None

    def remove(self, game: AnyGame, option: str, name: str) -> bool:
        """Remove the file of that name; False without one. Matches begun with it keep its text."""
        folder = self._of(game, option)
        if folder is None or name not in self.names(game, option):
            return False
        (folder / f"{name}.toml").unlink(missing_ok=True)
        return True

    def _of(self, game: AnyGame, option: str) -> Path | None:
        return None if self._folder is None else self._folder / game.slug / option


def is_name(name: str) -> bool:
    """True if a file may have this name."""
    return NAME.fullmatch(name) is not None


def data_file(text: str, name: str) -> DataFile:
    """A text as the file of that name."""
    return DataFile(TomlText(text, name), name)
