"""`companion teach cards`: learns what each kind of card looks like from one picture of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import click
import cv2
import numpy as np

from companion import files, paths
from companion.commands.output import print_json
from companion.errors import UserError
from companion.errors.causes import cause_of
from companion.games import registry
from companion.games.registry import AnyGame
from companion.games.watching import SeesCards
from companion.simulator.sources import open_camera
from hardware.arrays import Picture
from hardware.camera.folder import PICTURE_FILES
from hardware.camera.frame import BrokenPicture
from hardware.pictures import png
from hardware.vision.cards import CardReader, book
from hardware.vision.cards.book import CardBook
from hardware.vision.cards.card import TaughtCard
from hardware.vision.dice.photo import load_photo
from hardware.vision.errors import PictureError

MOST_FRAMES = 40
"""The most camera pictures to try; light and focus settle during them."""
SHOWN_TIMES = 4
"""The enlargement of a learned face that is shown for a yes."""
FIRST_FRAMES = 8
"""Pictures to skip from a live camera, whose exposure has not settled yet."""


@click.command(
    epilog="\b\n"
    "Examples:\n"
    "  companion teach cards --kind skip skip.jpg\n"
    "  companion teach cards my-deck/                 skip.jpg, nope.jpg, …: file names are kinds\n"
    "  companion teach cards --kind skip --camera usb:0\n"
    "  companion teach cards --list\n"
    "  companion teach cards --forget skip\n"
    "  companion teach cards --try table.jpg"
)
@click.argument("what", type=click.Choice(["cards"]))
@click.argument("pictures", nargs=-1, type=click.Path(path_type=Path))
@click.option("--game", "slug", help="The game; needed only if several games have cards.")
@click.option("--kind", help="The kind of card in the picture, by the game's name for it.")
@click.option("--camera", "source", metavar="SOURCE", help="Take the picture with this camera.")
@click.option("--another", is_flag=True, help="Add another face to a kind that was taught before.")
@click.option(
    "--list", "listed", is_flag=True, help="List the kinds that were taught, and those that were not."
)
@click.option("--forget", metavar="KIND", help="Forget a kind.")
@click.option("--try", "tried", is_flag=True, help="Read the cards in the pictures; learn nothing.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per line.")
def teach(
    what: str,
    pictures: tuple[Path, ...],
    *,
    slug: str | None,
    kind: str | None,
    source: str | None,
    another: bool,
    listed: bool,
    forget: str | None,
    tried: bool,
    as_json: bool,
) -> None:
    """Teach the camera what each kind of card looks like, from one picture per kind.

    The picture shows the card alone, from above, on a plain ground of another colour."""
    game = _game(slug)
    path = paths.cards() / f"{game.slug}.npz"
    known = book.load(path)
    if forget is not None:
        book.save(known.without(forget), path)
        _say({"kind": forget, "forgotten": True}, f"{forget} is forgotten.", as_json=as_json)
    elif listed:
        _list(game, known, as_json=as_json)
    elif tried:
        _try(known, pictures)
    else:
        for name, picture, from_ in _shown(kind, pictures, source):
            kinds = _kinds(game)
            if kinds and name not in kinds:
                raise UserError(f"{game.slug} has no kind {name!r}; it has: {', '.join(kinds)}.")
            try:
                latest = known.taught(name, picture, another=another)
            except PictureError as error:
                raise PictureError(f"{from_}: {error}") from error
            card = latest.faces_of(name)[-1]
            if not _agreed(card, path.with_suffix(".png"), as_json=as_json):
                click.echo(f"{name}: not learned; lay it on another ground and take the picture again.")
                continue
            known, count = latest, len(card.features)
            book.save(known, path)
            result = {"kind": name, "features": count, "picture": from_}
            _say(result, f"{name}: learned from {from_} ({count} features).", as_json=as_json)


def _agreed(card: TaughtCard, shown: Path, *, as_json: bool) -> bool:
    """True if the person at the terminal sees just the card in what was learned, or if nobody is there."""
    if as_json or not sys.stdin.isatty():
        return True
    large = cv2.resize(card.face, None, fx=SHOWN_TIMES, fy=SHOWN_TIMES, interpolation=cv2.INTER_CUBIC)
    try:
        files.write(shown, png(np.asarray(large, np.uint8)))
    except OSError as error:
        raise UserError(f"{shown} cannot be written ({cause_of(error)}); free some space.") from error
    question = f"{shown} shows what is learned as {card.kind}. Is it the whole card, and nothing else?"
    return click.confirm(question, err=True)


def _say(value: dict[str, Any], sentence: str, *, as_json: bool) -> None:
    if as_json:
        print_json(value)
    else:
        click.echo(sentence)


def _game(slug: str | None) -> AnyGame:
    """The game whose cards are taught. Raises `UserError`."""
    seen = {name: game for name, game in registry.games().items() if isinstance(game, SeesCards)}
    if slug is None and len(seen) == 1:
        return next(iter(seen.values()))
    if slug is not None and slug not in seen:
        name = registry.game(slug).slug
        raise UserError(f"The camera watches for no cards in {name}; it does in: {_names(seen)}.")
    if slug is None:
        raise UserError(f"Say whose cards they are with --game: {_names(seen)}.")
    return seen[slug]


def _names(names: Any) -> str:
    return ", ".join(names) or "no game that is installed"


def _kinds(game: AnyGame) -> tuple[str, ...]:
    return game.card_kinds if isinstance(game, SeesCards) else ()


def _shown(
    kind: str | None, pictures: tuple[Path, ...], source: str | None
) -> Iterator[tuple[str, Picture, str]]:
    """Each kind, a picture of it, and where the picture came from. Raises `UserError`."""
    if source is not None:
        if kind is None or pictures:
            raise UserError("With --camera say the kind with --kind, and name no picture.")
        yield kind, _from_camera(source), source
        return
    files = [(path, kind or path.stem.partition(".")[0]) for path in _files(pictures)]
    if not files:
        raise UserError("There is no picture to learn from: name one, or a folder, or a --camera.")
    if kind is None and not any(path.is_dir() for path in pictures):
        raise UserError("Say which kind the picture shows with --kind; only a folder's files are named so.")
    if kind is not None and len(files) > 1:
        raise UserError(f"One picture a kind: {len(files)} were named for {kind!r}.")
    for path, name in files:
        yield name, load_photo(path).upright, str(path)


def _files(pictures: tuple[Path, ...]) -> list[Path]:
    files: list[Path] = []
    for path in pictures:
        if path.is_dir():
            inside = sorted(file for file in path.iterdir() if file.suffix.lower() in PICTURE_FILES)
            if not inside:
                raise UserError(f"There is no picture in {path}: put JPEG or PNG files there.")
            files += inside
        else:
            files.append(path)
    return files


def _from_camera(source: str) -> Picture:
    """A camera picture in which a card's outline is found. Raises `UserError`."""
    camera = open_camera(source)
    fault: UserError = PictureError(f"{source} gives no picture.")
    camera.open()
    try:
        for number in range(MOST_FRAMES):
            try:
                frame = camera.read_frame()
            except BrokenPicture as error:
                fault = error
                continue
            if frame is None:
                break
            if camera.live and number < FIRST_FRAMES:
                continue
            try:
                CardBook().taught("card", frame.picture)
            except PictureError as error:
                fault = error
            else:
                return frame.picture
    finally:
        camera.close()
    raise fault


def _list(game: AnyGame, known: CardBook, *, as_json: bool) -> None:
    for kind in dict.fromkeys((*_kinds(game), *known.kinds)):
        faces = known.faces_of(kind)
        features = sum(len(face.features) for face in faces)
        many = "" if len(faces) == 1 else f", {len(faces)} faces"
        sentence = f"{kind}: {features} features{many}" if faces else f"{kind}: not taught yet"
        _say({"kind": kind, "faces": len(faces), "features": features}, sentence, as_json=as_json)
    if not (_kinds(game) or known.kinds or as_json):
        click.echo(f"No card of {game.slug} was taught yet.")


def _try(known: CardBook, pictures: tuple[Path, ...]) -> None:
    """Print what each picture shows, as JSON."""
    if not known.cards:
        raise UserError("No card was taught yet: teach some before trying.")
    reader = CardReader(known.cards)
    for path in _files(pictures):
        picture = load_photo(path).upright
        begun = perf_counter()
        reading = reader.read_cards(picture)
        spent_ms = round((perf_counter() - begun) * 1000, 1)
        shown = {"cards": reading.cards, "unsure": reading.unsure, "why": reading.why}
        print_json({"image": str(path), **shown, "ms": spent_ms})
