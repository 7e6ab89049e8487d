"""`companion score`: the final score of the bed in a folder's last picture, or in photos by hand."""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
import cv2
import msgspec
import numpy as np
from msgspec.structs import astuple

from companion.commands.output import GAME_OPTIONS, LANGUAGE, print_json, write_file
from companion.commands.read_bed import bed_reader, printed, take_in
from companion.commands.rules import options_from_text
from companion.errors import PhotoError, UserError
from companion.errors.causes import cause_of
from companion.games.this_bed_is_mine import GAME, retrospect
from companion.games.this_bed_is_mine.state import OWNERS
from companion.games.this_bed_is_mine.view import BedView
from companion.games.watching import Observation, Tile, square_name
from companion.service.photos import reading as road
from companion.service.photos.reading import BoardRead, Photo, PlacedTile
from hardware import pictures
from hardware.arrays import Picture
from hardware.camera.folder import read_picture
from hardware.vision.board import overlay
from hardware.vision.board.board_view import Corners
from hardware.vision.board.photos import UNKNOWN_OWNER, CoatGroup, PhotosReading, named
from hardware.vision.board.scene import Scene, read_picture_lines, scene_of
from hardware.vision.board.tile_reader import TileReader
from hardware.vision.board.unshown import OTHER_BOARD
from hardware.vision.errors import SceneError, VisionError
from hardware.vision.register.homography import Homography, homography_from_corners
from hardware.vision.register.lens import Lens

BGR = {"cat": (40, 140, 255), "dog": (255, 140, 40), None: (170, 170, 170)}
"""Each owner's colour on the picture, BGR: cat orange, dog blue, nobody grey."""

PNG, JPEG = ("", ".png"), (".jpg", ".jpeg")

PIXEL = r"-?\d{1,6}(?:\.\d{1,6})?"

CORNERS = re.compile(rf"\s*{PIXEL},{PIXEL}(?:\s+{PIXEL},{PIXEL}){{3}}\s*")
"""Four corners as they are typed: x,y x,y x,y x,y."""

ANY_MARKERS = "-"
"""This stands for corners to look for in the photo."""

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
    "--picture",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Draw the score on the last picture, or the first photo, and write it to this file.",
)
@GAME_OPTIONS
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the whole score as one JSON object; of photos, their reading as read-bed prints it, with the"
    " score.",
)
@LANGUAGE
def score(
    what: tuple[Path, ...],
    board: str | None,
    corners: tuple[str, ...],
    owners: tuple[str, ...],
    picture: Path | None,
    options: tuple[str, ...],
    *,
    as_json: bool,
    lang: str,
) -> None:
    """Score a finished bed: regions, chips, toys and paw markers.

    FOLDER holds pictures as for read-bed; its last one is scored. PHOTO... are one to three photos of the
    same bed by hand, read together.
    """
    if len(what) == 1 and what[0].is_dir():
        if board or corners or owners:
            raise UserError(f"{what[0]} is a folder: --board, --corners and --owner belong to photos.")
        _score_folder(what[0], picture, options, as_json=as_json, lang=lang)
        return
    scored = read_by_hand(what, board, corners, owners, options_from_text(options))
    asked = question(scored.read)
    view = None if asked else _view(scored.bed.options, scored.read.reading.tiles or ())
    if as_json:
        print_json({**scored.plain(), "score": None if view is None else msgspec.to_builtins(view)})
    elif view is None:
        raise UserError(asked)
    else:
        _say(view, lang)
    if picture is not None and view is not None:
        _write(picture, drawn(*scored.clearest(), view))


def _score_folder(
    folder: Path, picture: Path | None, options: tuple[str, ...], *, as_json: bool, lang: str
) -> None:
    reader, reading = read_to_the_end(folder)
    if reading.unsure:
        raise UserError(
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
        _write(picture, drawn(read_picture(folder / reading.image), reader.homography, view))


def _view(options: dict[str, object], tiles: tuple[Tile, ...]) -> BedView:
    """The ended match with these tiles, as everybody sees it."""
    return GAME.view(GAME.ended(GAME.options(options, from_text=True), tiles), None)


def _say(view: BedView, lang: str) -> None:
    for line in (*retrospect.regions(view, lang), "", *retrospect.steps(view, lang)):
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
            _label(
                shown, homography, region.marker or region.squares[0], f"+{region.points}", (255, 255, 255)
            )
    return shown


def _px(points: tuple[tuple[float, float], ...]) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    return np.round(np.array(points)).astype(np.int32).reshape(-1, 2)


def _label(
    picture: Picture, homography: Homography, square: tuple[int, int], text: str, colour: tuple[int, int, int]
) -> None:
    x, y = homography.picture_points(np.array([[square[1] + 0.5, square[0] + 0.5]]))[0]
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.7, 2)
    origin = round(float(x) - width / 2), round(float(y) + height / 2)
    for ink, thickness in (((0, 0, 0), 5), (colour, 2)):
        cv2.putText(picture, text, origin, cv2.FONT_HERSHEY_SIMPLEX, 0.7, ink, thickness, cv2.LINE_AA)


def _write(path: Path, picture: Picture) -> None:
    if path.suffix.lower() not in (*PNG, *JPEG):
        raise UserError(f"{path} cannot be drawn: name it .png or .jpg.")
    encode = pictures.png if path.suffix.lower() in PNG else partial(pictures.jpeg, quality=pictures.TO_READ)
    write_file(path, encode(picture), "--picture")


# Photos by hand.


class Bed(msgspec.Struct, frozen=True):
    """The bed that was photographed: its options for the rules, its layout, and what was shown of it."""

    options: dict[str, object]
    layout: Scene
    shown: TileReader | None


class ScoredPhotos(msgspec.Struct, frozen=True):
    """Photos of one bed, upright, with their reading."""

    names: tuple[str, ...]
    pictures: tuple[Picture, ...]
    bed: Bed
    read: PhotosReading

    def plain(self) -> dict[str, Any]:
        """The reading as `read-bed` prints one, with each photo's corners and the coats without an owner."""
        places = [
            {
                "image": name,
                "corners_px": placed.corners.corners_px,
                "source": placed.corners.source,
                "why": placed.why,
            }
            for name, placed in zip(self.names, self.read.photos, strict=True)
        ]
        coats = [group.tiles for group in self.read.coats]
        return {
            **printed(self.read.reading),
            "image": self.names[0],
            "photos": places,
            "doubtful": self.read.doubtful,
            "coats": coats,
        }

    def clearest(self) -> tuple[Picture, Homography]:
        """The first unobstructed photo, and where the board lies in it."""
        whys = [photo.why for photo in self.read.photos]
        number = whys.index("") if "" in whys else 0
        picture, corners = self.pictures[number], self.read.photos[number].corners.corners_px
        return picture, homography_from_corners(
            self.bed.layout, corners, Lens(picture.shape[1], picture.shape[0])
        )


def read_by_hand(
    paths: Sequence[Path],
    board: str | None,
    corners: Sequence[str],
    owners: Sequence[str],
    options: Mapping[str, object],
) -> ScoredPhotos:
    """Read photos of one bed together. Raises `UserError`."""
    bed = bed_of(paths, board, options)
    typed = corners_of(corners, paths)
    photos = [load(path, bed.layout, four) for path, four in zip(paths, typed, strict=True)]
    try:
        read = road.read(photos, bed.layout, bed.shown)
    except VisionError as error:
        raise type(error)(f"{', '.join(map(str, paths))}: {error}") from None
    read = _settled(bed, road.board_read(read), named(read, _owners_of(read, owners)))
    return ScoredPhotos(tuple(map(str, paths)), tuple(photo.picture for photo in photos), bed, read)


def _settled(bed: Bed, board: BoardRead, read: PhotosReading) -> PhotosReading:
    """The reading without the doubts on which its score does not hang, once all owners are known."""
    if read.coats or board.why:
        return read
    tiles = [PlacedTile(*tile.place) for tile in read.reading.tiles or ()]
    unsure = [number for number, tile in enumerate(board.tiles) if tile.unsure]
    options = GAME.options(bed.options, from_text=True)

    def score_of(tiles: Sequence[PlacedTile]) -> Hashable:
        return GAME.score_of(GAME.ended(options, [Tile(*astuple(tile)) for tile in tiles]))

    now = road.settled(tiles, unsure, board, score_of)
    if now.asked:
        return read
    lying = (Tile(*astuple(tile)) for tile in now.tiles)
    sure = tuple(msgspec.structs.replace(tile, cells=bed.layout.cells_of(tile)) for tile in lying)
    reading = msgspec.structs.replace(read.reading, unsure=False, why="", tiles=sure)
    return msgspec.structs.replace(read, reading=reading, doubtful=())


def load(path: Path, layout: Scene, corners: Corners | None) -> Photo:
    """The photo in a file, upright, and where the board lies in it. Raises `UserError`. `corners` are those
    that were typed, in px of the stored photo."""
    try:
        data = pictures.load(path)
        if corners is None:
            return road.take(data, layout)
        picture = pictures.photo(data)
        height, width = picture.shape[:2]
        share = max(width, height) / max(pictures.stored_size(data))
        scaled = [[share * px for px in point] for point in corners]
        return Photo(picture, road.corners_by_person(scaled, width, height, layout))
    except OSError as error:
        raise UserError(f"{path} cannot be read: {cause_of(error)}.") from error
    except PhotoError as error:
        raise UserError(f"{path}: {error}") from None


def bed_of(paths: Sequence[Path], board: str | None, options: Mapping[str, object]) -> Bed:
    """The bed by its name, its own file or its folder; otherwise the folder in which the photos lie."""
    folder = paths[0].parent if board is None else Path(board)
    if (folder / "scene.json").is_file():
        reader = bed_reader(folder)
        for line in read_picture_lines(folder):
            if line.role != "watch":
                take_in(reader, folder, line)
        given = GAME.options_for_scene(msgspec.to_builtins(reader.scene)) | dict(options)
        return Bed(given, reader.scene, reader if reader.coats else None)
    if board is None:
        raise UserError(
            "Say which bed the photo shows: --board a, --board b, a file of your own, or a folder with its"
            " scene.json."
        )
    given = {"board": board, **options}
    state = GAME.start(GAME.options(given, from_text=True), 2)
    return Bed(given, scene_of(GAME.scene(state)), None)


def question(read: PhotosReading) -> str:
    """The question to answer before the bed can be scored; empty if it can be."""
    if read.reading.why == OTHER_BOARD:
        return (
            "The photo seems to show another bed: its pillows lie elsewhere. Say which with --board: a, b or"
            " a file of your own."
        )
    tiles = read.reading.tiles or ()
    unknown = [tiles[group.tiles[0]] for group in read.coats]
    if unknown:
        named_squares = ", ".join(f"{tile.kind} at {square_name(tile.cells[0])}" for tile in unknown)
        example = square_name(unknown[0].cells[0])
        return (
            f"Nobody said whose these tiles are: {named_squares}. Say it for each, such as --owner"
            f" {example}=cat."
        )
    if not read.reading.unsure:
        return ""
    doubtful = ", ".join(
        f"{tiles[number].kind} at {square_name(tiles[number].cells[0])}" for number in read.doubtful
    )
    doubts = f"; it is not sure of {doubtful}" if doubtful else ""
    return (
        f"The photos cannot be read for certain ({read.reading.why}){doubts}: take another one from above, in"
        " even light, and read them together."
    )


def corners_of(typed: Sequence[str], paths: Sequence[Path]) -> list[Corners | None]:
    """The corners that were typed for each photo, in px of the stored one. Raises `UserError`."""
    if not typed:
        return [None] * len(paths)
    if len(typed) != len(paths):
        raise UserError(
            f"--corners is needed once for each of the {len(paths)} photos; - stands for those to look for."
        )
    return [_four(text) for text in typed]


def _four(text: str) -> Corners | None:
    if text == ANY_MARKERS:
        return None
    if not CORNERS.fullmatch(text):
        raise UserError(
            f"--corners {text!r} is not four corners: write x,y x,y x,y x,y in px, the bed's top left first,"
            " then clockwise."
        )
    return [[float(number) for number in point.split(",")] for point in text.split()]


def _owners_of(read: PhotosReading, pairs: Sequence[str]) -> list[str]:
    """The owner of each coat, by `--owner SQUARE=OWNER`. Raises `UserError`."""
    tiles = read.reading.tiles or ()
    owners = [UNKNOWN_OWNER] * len(read.coats)
    for pair in pairs:
        square, _, owner = pair.partition("=")
        groups = [
            number
            for number, group in enumerate(read.coats)
            if any(square.upper() in map(square_name, tiles[tile].cells) for tile in group.tiles)
        ]
        if owner not in OWNERS or not groups:
            raise UserError(
                f"--owner {pair!r} names no tile to ask about: write a square that it covers and its side,"
                " such as C4=cat."
            )
        owners[groups[0]] = owner
    return [
        owner or _other_of_its_kind(tiles, read.coats, owners, number) for number, owner in enumerate(owners)
    ]


def _other_of_its_kind(
    tiles: Sequence[Tile], coats: Sequence[CoatGroup], owners: Sequence[str], number: int
) -> str:
    """The owner of a coat by its digit's other tile: each side has one of each."""
    kinds = {tiles[tile].kind for tile in coats[number].tiles}
    for group, owner in zip(coats, owners, strict=True):
        if owner and kinds & {tiles[tile].kind for tile in group.tiles}:
            return next(side for side in OWNERS if side != owner)
    return UNKNOWN_OWNER
