"""The taught kinds of card, kept across restarts: features and small faces in one .npz file."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion import files, paths
from companion.errors.causes import cause_of
from hardware.arrays import Picture
from hardware.vision.cards.card import TaughtCard, learn
from hardware.vision.cards.features import Features
from hardware.vision.cards.likeness import Face, Pyramid, compare, refine
from hardware.vision.cards.place import FACE
from hardware.vision.cards.reader import LEAST_CORRELATION, thumbnail
from hardware.vision.errors import BROKEN_ARCHIVE, BrokenStateError, PictureError, SavedStateError

VERSION = 1
SIGNS_SCALE = 510.0
"""The factor that turns signs into bytes; they are nearly always at most 0.5."""
TOO_LIKE = 5.0
"""The number of contradicting blocks below which the faces of two kinds are refused."""


class _Head(msgspec.Struct, frozen=True):
    version: int
    kinds: tuple[str, ...]
    features: tuple[int, ...]


class CardBook:
    """The cards taught for one game, in the order of teaching."""

    def __init__(self, cards: Iterable[TaughtCard] = ()) -> None:
        self._cards = tuple(cards)

    @property
    def cards(self) -> tuple[TaughtCard, ...]:
        """All taught faces."""
        return self._cards

    @property
    def kinds(self) -> tuple[str, ...]:
        """The taught kinds, each once."""
        return tuple(dict.fromkeys(card.kind for card in self._cards))

    def faces_of(self, kind: str) -> tuple[TaughtCard, ...]:
        """The faces of one kind."""
        return tuple(card for card in self._cards if card.kind == kind)

    def taught(self, kind: str, picture: Picture, *, another: bool = False) -> CardBook:
        """The book with one more face, learned from a picture (BGR).

        `another`: the kind may already have another face. Raises `PictureError` if the picture is not usable,
        the kind was already taught, or the card is too similar to another kind.
        """
        if self.faces_of(kind) and not another:
            raise PictureError(
                f"The kind {kind!r} is there already: forget it first, or add this as another face of it."
            )
        card = learn(kind, picture)
        book = CardBook((*self._cards, card))
        book._try_telling_apart(card)
        return book

    def without(self, kind: str) -> CardBook:
        """The book without a kind. Raises `SavedStateError` if the kind was not taught."""
        if not self.faces_of(kind):
            known = ", ".join(self.kinds) or "none yet"
            raise SavedStateError(f"The kind {kind!r} was never taught; there are: {known}.")
        return CardBook(card for card in self._cards if card.kind != kind)

    def _try_telling_apart(self, card: TaughtCard) -> None:
        """Compare a face, either way up, with all of other kinds.

        Raises `PictureError` if one is too like it. Two sharp pictures of one card cost 0 to 1.2, cards that
        differ by a small sign up to 4, other cards 14 and more.
        """
        others = [other for other in self._cards if other.kind != card.kind]
        for face in (card.face, np.ascontiguousarray(card.face[::-1, ::-1])):
            pyramid = Pyramid(face)
            for other in others:
                if float(thumbnail(face) @ thumbnail(other.face)) < LEAST_CORRELATION:
                    continue
                known = Face(other.face)
                if compare(pyramid, known, refine(pyramid, known, np.eye(3))).cost < TOO_LIKE:
                    raise PictureError(_ALIKE.format(card.kind, other.kind))


_ALIKE = (
    "The card {0!r} is too like {1!r} to be told apart from it: take both pictures again, sharp and "
    "in good light. If they differ by a small sign only, forget {1!r} too, else {0!r} is read as {1!r}."
)


def pack(book: CardBook) -> bytes:
    """A book as the bytes of an .npz file."""
    cards = book.cards
    head = _Head(VERSION, tuple(card.kind for card in cards), tuple(len(card.features) for card in cards))
    arrays: dict[str, NDArray[Any]] = {"head": np.frombuffer(msgspec.json.encode(head), np.uint8)}
    if cards:
        rows = [
            np.column_stack([card.features.points, card.features.turns, card.features.sizes])
            for card in cards
        ]
        signs = np.concatenate([card.features.signs for card in cards])
        arrays |= {
            "faces": np.array([card.face for card in cards]),
            "places": np.concatenate(rows).astype(np.float32),
            "signs": np.clip(np.round(signs * SIGNS_SCALE), 0, 255).astype(np.uint8),
        }
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    return file.getvalue()


def unpack(data: bytes) -> CardBook:
    """A book from packed bytes. Raises `SavedStateError` if they are broken or of another version."""
    try:
        with np.load(io.BytesIO(data), allow_pickle=False) as file:
            arrays = {name: file[name] for name in file.files}
        head = msgspec.json.decode(arrays["head"].tobytes(), type=_Head)
        if head.version == VERSION:
            return CardBook(_cards(head, arrays))
    except BROKEN_ARCHIVE:
        raise BrokenStateError("What was taught of cards is broken: teach the cards again.") from None
    raise SavedStateError("What was taught of cards is of another version: teach the cards again.")


def _cards(head: _Head, arrays: Mapping[str, NDArray[Any]]) -> Iterable[TaughtCard]:
    start = 0
    for number, (kind, count) in enumerate(zip(head.kinds, head.features, strict=True)):
        here = slice(start, start + count)
        places = arrays["places"][here].astype(np.float32)
        signs = arrays["signs"][here].astype(np.float32) / np.float32(SIGNS_SCALE)
        if places.shape != (count, 4) or signs.shape != (count, 128):
            raise ValueError("features are missing")
        face = np.asarray(arrays["faces"][number], np.uint8)
        if face.shape != (FACE[1], FACE[0], 3):
            raise ValueError("a face has another size")
        yield TaughtCard(kind, face, Features(places[:, :2], places[:, 2], places[:, 3], signs))
        start += count


def load(path: Path) -> CardBook:
    """The book kept at `path`, or an empty one. A damaged file is put aside. Raises `SavedStateError`, then
    too."""
    try:
        return unpack(path.read_bytes())
    except FileNotFoundError:
        return CardBook()
    except BrokenStateError as error:
        with suppress(OSError):
            raise BrokenStateError(f"{error} The damaged file is {paths.put_aside(path)}.") from None
        raise
    except OSError as error:
        raise SavedStateError(f"{path} cannot be read ({cause_of(error)}): mend its permissions.") from None


def save(book: CardBook, path: Path) -> None:
    """Keep a book at `path`, whole or not at all. Raises `SavedStateError`."""
    try:
        files.write(path, pack(book))
    except OSError as error:
        raise SavedStateError(
            f"The cards cannot be kept in {path} ({cause_of(error)}); free some space."
        ) from error
