"""`companion score`: the final score of the bed in a folder's last picture, or in photos by hand."""

from __future__ import annotations

from pathlib import Path

import click
import cv2
import msgspec
import numpy as np

from companion.commands.output import print_json
from companion.commands.read_bed import bed_reader, load_picture, take_in
from companion.commands.rules import options_from_text
from companion.commands.score_photos import question, score_photos
from companion.errors import MendableError
from companion.errors.causes import cause_of
from companion.games.this_bed_is_mine import GAME, narration
from companion.games.this_bed_is_mine.view import BedView, RegionView
from companion.games.watching import Observation, Tile
from companion.messages import LANGUAGES
from hardware.arrays import Picture
from hardware.vision.board import overlay
from hardware.vision.board.scene import read_picture_lines
from hardware.vision.board.tile_reader import TileReader
from hardware.vision.errors import SceneError
from hardware.vision.register.homography import Homography

BGR = {"cat": (40, 140, 255), "dog": (255, 140, 40), None: (170, 170, 170)}
"""Each owner's colour on the picture, BGR: cat orange, dog blue, nobody grey."""

TINT = 0.35
"""The opacity of a region's colour on the picture."""


@click.command(
    epilog="\b\n"
    "Examples:\n"
    "  companion score my-pictures\n"
    "  companion score my-pictures --picture score.png --lang ko\n"
    "  companion score bed.jpg --board a\n"
    "  companion score left.jpg above.jpg --board b --owner C4=cat --owner H9=dog\n"
    '  companion score bed.jpg --board a --corners "412,80 1180,95 1240,1110 350,1090"'
)
@click.argument("what", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FOLDER|PHOTO...")
@click.option(
    "--board",
    help="The bed in the photos: a, b, a file of your own, or a folder with its scene.json. Without it, the"
    " folder of the photos.",
)
@click.option(
    "--corners",
    multiple=True,
    metavar='"X,Y X,Y X,Y X,Y"',
    help="The bed's corners in a photo, in px, its top left first, then clockwise; once for each photo, - for"
    " those to look for.",
)
@click.option(
    "--owner",
    "owners",
    multiple=True,
    metavar="SQUARE=SIDE",
    help="Whose the tile on a square is, where no coats were shown: C4=cat; repeatable.",
)
@click.option(
    "--real-table", is_flag=True, help="Read the photos even if they look as if taken off a screen."
)
@click.option(
    "--picture",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw the score on the last picture, or the first photo, and write it to this file.",
)
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game; repeatable."
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the whole score as one JSON object; of photos, their reading as read-bed prints it, with the"
    " score.",
)
@click.option(
    "--lang", type=click.Choice(list(LANGUAGES)), default="en", show_default=True, help="The language."
)
def score(
    what: tuple[Path, ...],
    board: str | None,
    corners: tuple[str, ...],
    owners: tuple[str, ...],
    picture: Path | None,
    options: tuple[str, ...],
    *,
    real_table: bool,
    as_json: bool,
    lang: str,
) -> None:
    """Score a finished bed: regions, chips, toys and paw markers.

    FOLDER holds pictures as for read-bed; its last one is scored. PHOTO... are one to three photos of the
    same bed by hand, read together.
    """
    if len(what) == 1 and what[0].is_dir():
        if board or corners or owners or real_table:
            raise MendableError(
                f"{what[0]} is a folder: --board, --corners, --owner and --real-table belong to photos."
            )
        _score_folder(what[0], picture, options, as_json=as_json, lang=lang)
        return
    scored = score_photos(what, board, corners, owners, options_from_text(options), real_table=real_table)
    asked = question(scored.read)
    if as_json:
        view = None if asked else _view(scored.bed.options, scored.read.reading.tiles or ())
        print_json({**scored.plain(), "score": None if view is None else msgspec.to_builtins(view)})
    elif asked:
        raise MendableError(asked)
    else:
        view = _view(scored.bed.options, scored.read.reading.tiles or ())
        _say(view, lang)
    if picture is not None and view is not None:
        _write(picture, drawn(*scored.clearest(), view))


def _score_folder(
    folder: Path, picture: Path | None, options: tuple[str, ...], *, as_json: bool, lang: str
) -> None:
    reader, reading = read_to_the_end(folder)
    if reading.unsure:
        raise MendableError(
            f"The last picture, {reading.image}, cannot be read for certain ({reading.why});"
            " take another of the bed, with no hand over it."
        )
    given = GAME.options_for_scene(msgspec.to_builtins(reader.scene)) | options_from_text(options)
    view = _view(given, reading.tiles or ())
    if as_json:
        print_json(msgspec.to_builtins(view))
    else:
        _say(view, lang)
    if picture is not None:
        assert reader.homography is not None  # a picture was read, so the bed was placed in it
        _write(picture, drawn(load_picture(folder / reading.image), reader.homography, view))


def _view(options: dict[str, object], tiles: tuple[Tile, ...]) -> BedView:
    """The ended match with these tiles, as everybody sees it."""
    return GAME.view(GAME.ended(GAME.options(options, from_text=True), tiles), None)


def _say(view: BedView, lang: str) -> None:
    for line in (*narration.regions(view, lang), "", *narration.steps(view, lang)):
        click.echo(line)


def read_to_the_end(folder: Path) -> tuple[TileReader, Observation]:
    """The reader after all pictures of a folder, and its last reading. Raises `VisionError`."""
    reader, last = bed_reader(folder), None
    for line in read_picture_lines(folder):
        last = take_in(reader, folder, line) or last
    if last is None:
        raise SceneError(
            f"{folder / 'pictures.jsonl'} has no picture of role watch: there is nothing to score."
        )
    return reader, last


def drawn(picture: Picture, homography: Homography, view: BedView) -> Picture:
    """The picture with regions tinted in their owners' colours, their points, and each tile's digit."""
    shown = picture.copy()
    for region in view.regions:
        for square in region.squares:
            cv2.fillPoly(shown, [_px(overlay.outline([square], homography))], BGR[region.owner])
    shown = np.asarray(cv2.addWeighted(shown, TINT, picture, 1 - TINT, 0), dtype=np.uint8)
    for tile in view.tiles:
        cv2.polylines(
            shown,
            [_px(overlay.outline(tile.cells, homography))],
            isClosed=True,
            color=BGR[tile.owner],
            thickness=2,
        )
        _label(shown, homography, tile.cells[len(tile.cells) // 2], str(tile.digit), BGR[tile.owner])
    for region in view.regions:
        if region.owner:
            _label(shown, homography, _where(region), f"+{region.points}", (255, 255, 255))
    return shown


def _where(region: RegionView) -> tuple[int, int]:
    return region.marker or region.squares[0]


def _px(points: tuple[tuple[float, float], ...]) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    return np.round(np.array(points)).astype(np.int32).reshape(-1, 2)


def _label(
    picture: Picture, homography: Homography, square: tuple[int, int], text: str, colour: tuple[int, int, int]
) -> None:
    x, y = homography.picture_points(np.array([[square[1] + 0.5, square[0] + 0.5]]))[0]
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.7, 2)
    at = round(float(x) - width / 2), round(float(y) + height / 2)
    for ink, thickness in (((0, 0, 0), 5), (colour, 2)):
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.7, ink, thickness, cv2.LINE_AA)


def _write(path: Path, picture: Picture) -> None:
    done, data = (
        cv2.imencode(path.suffix or ".png", picture) if _known(path) else (False, np.empty(0, np.uint8))
    )
    if not done:
        raise MendableError(f"{path} cannot be drawn: name it .png or .jpg.")
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise MendableError(
            f"{path} cannot be written ({cause_of(error)}); name another with --picture."
        ) from error


def _known(path: Path) -> bool:
    return path.suffix.lower() in ("", ".png", ".jpg", ".jpeg")
