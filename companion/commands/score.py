"""`companion score`: the final score of the bed in a folder's last picture."""

from __future__ import annotations

from pathlib import Path

import click
import cv2
import msgspec
import numpy as np

from companion.commands.output import print_json
from companion.commands.read_bed import bed_reader, load_picture, take_in
from companion.commands.rules import options_from_text
from companion.errors import MendableError
from companion.errors.causes import cause_of
from companion.games.this_bed_is_mine import GAME, narration
from companion.games.this_bed_is_mine.view import BedView, RegionView
from companion.games.watching import Observation
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
    "  companion score my-pictures --picture score.png --lang ko"
)
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--picture",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw the score on the last picture and write it to this file.",
)
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the game; repeatable."
)
@click.option("--json", "as_json", is_flag=True, help="Print the whole score as one JSON object.")
@click.option(
    "--lang", type=click.Choice(list(LANGUAGES)), default="en", show_default=True, help="The language."
)
def score(folder: Path, picture: Path | None, options: tuple[str, ...], *, as_json: bool, lang: str) -> None:
    """Score the bed in the last picture of FOLDER: regions, chips, toys and paw markers."""
    reader, reading = read_to_the_end(folder)
    if reading.unsure:
        raise MendableError(
            f"The last picture, {reading.image}, cannot be read for certain ({reading.why});"
            " take another of the bed, with no hand over it."
        )
    given = GAME.options_for_scene(msgspec.to_builtins(reader.scene)) | options_from_text(options)
    state = GAME.ended(GAME.options(given, from_text=True), reading.tiles or ())
    view = GAME.view(state, None)
    if as_json:
        print_json(msgspec.to_builtins(view))
    else:
        for line in (*narration.regions(view, lang), "", *narration.steps(view, lang)):
            click.echo(line)
    if picture is not None:
        assert reader.homography is not None  # a picture was read, so the bed was placed in it
        _write(picture, drawn(load_picture(folder / reading.image), reader.homography, view))


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
