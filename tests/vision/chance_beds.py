"""Beds by chance that nobody has looked at: drawn folders with a truth file, to measure the reader on.

    python -m tests.vision.chance_beds OUT [--kind careless] [--beds 8] [--seed 1]
    python -m lab.measure_perturbed OUT/* --plain

Each folder is as for `companion evaluate`: the empty bed, the tiles shown once, then two finished boards (of
kind `hand` three pictures of one, of kind `game` a picture after each tile). The cover, coats, lamp, camera
and noise are drawn from the seed; coats may be alike, or near the bed's own colour. On half of the beds
prints turn with their tiles, on the others they keep to the board's axes.

Of the kinds `stranger-…` nothing is shown. Their boards are finished by the rules, their beds may be printed
or have hardly any lines, and a glare or a shadow may lie on everything.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any
from unittest import mock

import cv2
import msgspec
import numpy as np

from companion.games import registry
from companion.games.watching import Kind, Tile
from companion.simulator import backdrop, draw, looks, pieces
from companion.simulator.backdrop import FRAME_SQUARES
from companion.simulator.coats import DENSITY, PATTERNS, Coat, Colour, paint_coat
from companion.simulator.draw import TAIL_Z, TILE_Z, Painter
from companion.simulator.table_scene import TableScene, board_of, scene_of_match
from companion.simulator.view import Floats, View
from hardware.arrays import Mask, Picture
from hardware.vision.board.search import mask_of

OWNERS = ("cat", "dog")
MOST_OFF = 1 / 8
"""The most that a careless tile lies off its squares, in squares."""
MOST_ASKEW = 3.0
"""The most that it is turned, in degrees."""
ROOM = 1
"""The squares around a tile's drawing into which it may be turned."""
TILES = (11, 14)
"""The fewest tiles of a finished board, and the most."""
LESSONS = ((1, 2, 3, 4, 5, 6), (7, 8, 9))
"""The kinds that are shown together, at most six in two rows."""


@dataclass(frozen=True)
class Manner:
    """How beds are laid and photographed.

    `noise`: the range of the sensor's noise, in gray levels. `tilt`: that of the camera, in degrees.
    `by_hand`: every picture is taken from another place. `stranger`: nothing is shown before.
    """

    noise: tuple[float, float]
    tilt: tuple[float, float] = (4, 30)
    careless: bool = True
    by_hand: bool = False
    in_turn: bool = False
    stranger: bool = False


KINDS = {
    "tidy": Manner((1.5, 3), careless=False),
    "careless": Manner((4, 10)),
    "hand": Manner((3, 8), (0, 45), by_hand=True),
    "game": Manner((4, 10), in_turn=True),
    "stranger-tidy": Manner((1.5, 3), careless=False, stranger=True),
    "stranger-careless": Manner((4, 10), stranger=True),
    "stranger-photo": Manner((3, 8), (0, 45), by_hand=True, stranger=True),
}
"""The kinds of folders."""
PICTURES_BY_HAND = 3
"""The pictures of a board that is photographed by hand."""
BOARDS = 2
"""The finished boards that one camera sees."""


class Laid(msgspec.Struct, frozen=True):
    """A tile, and how far it lies off its squares: right and down in squares, and turned in degrees."""

    tile: Tile
    off: tuple[float, float] = (0.0, 0.0)
    askew: float = 0.0


@dataclass(frozen=True)
class AnyView(View):
    """A camera that may look from any side: `azimuth`, in degrees, is the side from which it looks."""

    azimuth: float = 0.0

    @cached_property
    def _pose(self) -> tuple[Floats, Floats]:
        rotation, _ = View(tilt=self.tilt, roll=self.roll)._pose
        side = np.radians(self.azimuth)
        cos, sin = np.cos(side), np.sin(side)
        rotation = rotation @ np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
        return rotation, np.array([*self.middle, 0.0]) - rotation[2] * self.distance


class ChanceBed:
    """One bed: its cover, its coats, its lamp, and the camera over it, all from a seed."""

    def __init__(self, manner: Manner, seed: int) -> None:
        self.manner = manner
        self._random = np.random.default_rng(seed)
        self._strange = np.random.default_rng((seed, 1))
        game = registry.game("this-bed-is-mine")
        self.side = str(self._random.choice(["a", "b"]))
        options = game.options({"board": self.side})
        self.scene_json = scene_of_match(game, options)
        self.scene: TableScene = board_of(self.scene_json)
        self._upright_prints = bool(self._random.random() < 0.5)
        self._cover = self._chance_cover()
        self._coats = self._chance_coats()
        self._noise = float(self._random.uniform(*manner.noise))
        self._blur = float(self._random.uniform(0.5, 0.9))
        self._lamp = self._random.uniform(-1, 1, 4)
        self._shadow = tuple(float(each) for each in self._random.uniform(-0.8, 0.8, 2))
        self._gloss = self._random.uniform(0, 1, 7)
        self._view = self._chance_view()

    def picture(self, laid: Sequence[Laid] = (), *, moved: bool = False) -> Picture:
        """The bed with these tiles; `moved`: from another place."""
        if moved:
            self._view = self._chance_view()
        with (
            mock.patch.object(draw, "SHADOW_SHIFT", self._shadow),
            mock.patch.dict(looks.LOOKS, self._looks()),
        ):
            # Its own painter each time, because the drawings of coats are kept by name.
            pieces.tile_tail.cache_clear()
            looks.look_of.cache_clear()
            painter = _ChancePainter(self.scene, self._view, self)
            clean = painter.laid(laid)
        looks.look_of.cache_clear()
        pieces.tile_tail.cache_clear()
        return self._seen(self._under_light(clean) if self.manner.stranger else clean)

    def body(self, tile: Tile) -> Picture:
        """A tile without its tail, BGR and alpha, `DENSITY` px a square."""
        shape = self.scene.tile_shapes[tile.kind]
        wide = max(map(len, shape))
        alpha = np.zeros((len(shape), wide), np.uint8)
        for row, line in enumerate(shape):
            alpha[row, [col for col, sign in enumerate(line) if sign == "#"]] = 255
        alpha = np.kron(alpha, np.ones((DENSITY, DENSITY), np.uint8))
        side = max(alpha.shape)
        coat = paint_coat(self._coats[tile.owner, tile.kind], side, side, DENSITY)
        if self._upright_prints:
            alpha = np.rot90(alpha, -tile.turns)
            coat = coat[: alpha.shape[0], : alpha.shape[1]]
        else:
            coat = np.rot90(coat[: alpha.shape[0], : alpha.shape[1]], -tile.turns)
            alpha = np.rot90(alpha, -tile.turns)
        return np.ascontiguousarray(np.dstack([coat, alpha]))

    def on_cover(self, whole: Picture, view: View) -> None:
        """Put on the drawn empty bed what its glossy cover mirrors: a lamp, or a wall in one plain colour."""
        at, size, strength, wall = self._gloss[:2], self._gloss[2], self._gloss[3], self._gloss[4]
        corners = np.array([(0, 0, 0), (12, 0, 0), (12, 16, 0), (0, 16, 0)], dtype=np.float64)
        grid = np.zeros(whole.shape[:2], np.uint8)
        cv2.fillPoly(grid, [view.project(corners).astype(np.int32)], 255)
        spot = np.zeros(whole.shape[:2], np.uint8)
        if wall > 0.8 and self.manner.by_hand:
            edge = np.array([(12 * at[0], -1), (13, -1), (13, 17), (12 * at[1] + 6, 17)])
            mirrored = view.project(np.column_stack([edge, np.zeros(4)]))
            cv2.fillPoly(spot, [mirrored.astype(np.int32)], 200)
            colour: Colour = (105, 108, 112)
        else:
            middle = view.project(np.array([[12 * at[0], 16 * at[1], 0]]))[0]
            radius = 15 + 60 * size
            cv2.ellipse(spot, (middle, (2 * radius, radius), 180 * size), 255 * min(1.2 * strength, 1), -1)
            spot = cv2.GaussianBlur(spot, (0, 0), 4)
            colour = (250, 252, 252)
        weight = (spot.astype(np.float32) * (grid > 0) / 255)[..., None]
        whole[:] = (whole + weight * (np.array(colour, np.float32) - whole)).astype(np.uint8)

    def recoloured(self, sheet: Picture) -> Picture:
        """The board's face with this bed's cover: other colours, and markers as they are."""
        hue, strong, light = self._cover
        hsv = cv2.cvtColor(sheet, cv2.COLOR_BGR2HSV).astype(np.float32)
        hsv[..., 0] = (hsv[..., 0] + hue) % 180
        hsv[..., 1] = np.clip(hsv[..., 1] * strong, 0, 255)
        is_paper = (hsv[..., 1] < 12) & (hsv[..., 2] > 235)
        hsv[..., 2] = np.where(is_paper, hsv[..., 2], hsv[..., 2] * light)
        colours = np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR), np.uint8)
        if self.manner.stranger and len(sheet) > 1:
            self._print_on(colours, round(FRAME_SQUARES * len(sheet) / (self.scene.rows + 2 * FRAME_SQUARES)))
        return colours

    def _print_on(self, face: Picture, frame: int) -> None:
        """Print a pattern on the grid, or on each of its squares, and let its lines fade."""
        random = self._strange
        sheet = face[frame:-frame, frame:-frame]
        height, width = sheet.shape[:2]
        faded = float(random.choice([0.0, 0.0, 0.5, 0.85]))
        plain = cv2.medianBlur(sheet, 2 * (height // self.scene.rows // 6) + 1)
        mixed = faded * plain.astype(np.float32) + (1 - faded) * sheet
        pattern = random.choice(["", "", "squares", *sorted(PATTERNS)])
        strength = float(random.uniform(0.1, 0.5))
        ink = np.clip(mixed.mean(axis=(0, 1)) + random.uniform(-90, 90, 3), 10, 245)
        if pattern == "squares":
            coarse = random.random((self.scene.rows, self.scene.cols)).astype(np.float32)
            weight = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_NEAREST)
        elif pattern:
            seed = np.random.default_rng(int(random.integers(1 << 30)))
            weight = PATTERNS[str(pattern)](seed, height, width, int(random.integers(30, 160)))[0]
        else:
            weight = np.zeros((height, width), np.float32)
        mixed += strength * weight[..., None] * (ink - mixed)
        sheet[:] = np.clip(mixed, 0, 255).astype(np.uint8)

    def _under_light(self, clean: Picture) -> Picture:
        """The drawn picture with a glare, or somebody's shadow, over a part."""
        random = self._strange
        height, width = clean.shape[:2]
        lit = clean.astype(np.float32)
        for white, chance in ((True, 0.35), (False, 0.35)):
            if random.random() > chance:
                continue
            part = np.zeros((height, width), np.uint8)
            middle = random.uniform(0.2, 0.8, 2) * (width, height)
            if white:
                size = random.uniform(0.03, 0.12, 2) * width
                cv2.ellipse(part, (middle, size, random.uniform(0, 180)), 255, -1)
            else:
                around = middle + random.uniform(-0.4, 0.4, (5, 2)) * width
                cv2.fillPoly(part, [cv2.convexHull(around.astype(np.int32))], 255)
            soft = cv2.GaussianBlur(part, (0, 0), random.uniform(4, 20))[..., None] / np.float32(255)
            aim = 250.0 if white else 0.0
            lit += soft * random.uniform(0.2, 0.75 if white else 0.5) * (aim - lit)
        return np.clip(lit, 0, 255).astype(np.uint8)

    def _chance_cover(self) -> tuple[float, float, float]:
        random = self._random
        return (
            float(random.uniform(0, 180)),
            float(random.uniform(0.4, 1.6)),
            float(random.uniform(0.55, 1.0)),
        )

    def _chance_coats(self) -> dict[tuple[str, Kind], Coat]:
        """Eighteen coats: each side has its own colour, some kinds the same pattern in the same colours."""
        sheet = self.recoloured(np.array([backdrop.SHEET_INKS[:1]], np.uint8))[0, 0]
        like_bed = self._random.random() < 0.3
        coats: dict[tuple[str, Kind], Coat] = {}
        for number, owner in enumerate(OWNERS):
            base = self._fur()
            if like_bed and number:
                base = sheet + self._random.normal(0, 8, 3)
            mark = np.clip(base + self._random.choice([-1, 1]) * self._random.uniform(25, 90), 20, 245)
            patterns = [str(each) for each in self._random.choice(sorted(PATTERNS), 3, replace=False)]
            for kind in self.scene.tile_shapes:
                near = self._random.normal(0, 6, 3)
                inks = (_ink(base + near), _ink(mark + near), _ink((base + mark) / 2))
                seed = int(self._random.integers(1 << 30))
                coats[owner, kind] = Coat(*inks, str(self._random.choice(patterns)), seed)
        return coats

    def _fur(self) -> Any:
        """A colour of any hue, but none as strong as fur never is, BGR."""
        hsv = [self._random.integers(180), self._random.integers(10, 120), self._random.integers(50, 235)]
        return cv2.cvtColor(np.array([[hsv]], np.uint8), cv2.COLOR_HSV2BGR)[0, 0].astype(float)

    def _looks(self) -> dict[str, looks.Look]:
        return {
            owner: replace(
                looks.LOOKS[owner],
                coats={int(kind): self._coats[owner, kind] for kind in self.scene.tile_shapes},
                face=None,
            )
            for owner in OWNERS
        }

    def _chance_view(self) -> View:
        random = self._random
        by_hand = self.manner.by_hand
        middle = float(random.uniform(5, 7)), float(random.uniform(7, 9))
        return AnyView(
            width=1600 if by_hand else 1280,
            height=1200 if by_hand else 960,
            middle=middle,
            distance=float(random.uniform(26, 31)),
            tilt=float(random.uniform(*self.manner.tilt)),
            roll=float(random.uniform(-17, 17)),
            bend=float(random.uniform(0, 0.07)),
            azimuth=float(random.uniform(-180, 180)) if by_hand else float(random.uniform(-40, 40)),
        )

    def _seen(self, clean: Picture) -> Picture:
        """The picture as the sensor has it: lamp, blur, noise, JPEG."""
        height, width = clean.shape[:2]
        down, across = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
        x, y, steep, bright = self._lamp
        far = (across - x) ** 2 + (down - y) ** 2
        light = (0.8 + 0.15 * bright + self._random.normal(0, 0.01)) * (1 - (0.06 + 0.05 * steep) * far)
        lit = cv2.GaussianBlur(clean, (0, 0), self._blur).astype(np.float32) * light[..., None]
        lit += self._random.normal(0, self._noise, lit.shape)
        written = cv2.imencode(".jpg", np.clip(lit, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 92])
        return np.asarray(cv2.imdecode(written[1], cv2.IMREAD_COLOR), np.uint8)

    # -- what lies there ----------------------------------------------------------------------------------

    def lessons(self) -> list[tuple[Laid, ...]]:
        """The tiles as they are shown: of each side first 1 to 6, then 7 to 9, with room between them."""
        shown = []
        for owner in OWNERS:
            for kinds in LESSONS:
                tiles = [
                    self._on_board(Tile(owner, kind, 0, (2, 8)[number // 3], 4 * (number % 3)))
                    for number, kind in enumerate(kinds)
                ]
                shown.append(self.laid(tiles))
        return shown

    def board(self) -> list[Tile]:
        """A finished board: the sides take turns as long as there is room, at most 14 tiles."""
        return self._finished() if self.manner.stranger else self._filled()

    def _finished(self) -> list[Tile]:
        """A board that was finished by the rules."""
        game = registry.game("this-bed-is-mine")
        random = self._strange
        options = game.options(game.options_for_scene(self.scene_json))
        while True:
            state = game.start(options, 2)
            while game.outcome(state) is None:
                moves = game.legal_moves(state)
                digit = random.choice(sorted({move.digit for move in moves}))
                some = [move for move in moves if move.digit == digit]
                lays = [some[int(random.integers(len(some)))] for _ in range(int(random.integers(1, 12)))]
                state = game.play(state, max(lays, key=lambda lay: self._beside(state.tiles, lay)))
            if len(state.tiles) >= TILES[0]:
                break
        return [
            self._on_board(Tile(tile.owner, tile.digit, tile.turns, tile.row, tile.col))
            for tile in state.tiles
        ]

    def _beside(self, tiles: Sequence[Any], lay: Any) -> int:
        """The number of edges that a tile would share with others and the board's sides."""
        taken = {
            cell
            for tile in tiles
            for cell in self.scene.cells_of(Tile(tile.owner, tile.digit, tile.turns, tile.row, tile.col))
        }
        taken |= {(row, side) for row in range(self.scene.rows) for side in (-1, self.scene.cols)}
        taken |= {(side, col) for col in range(self.scene.cols) for side in (-1, self.scene.rows)}
        cells = self.scene.cells_of(Tile(lay.owner, lay.digit, lay.turns, lay.row, lay.col))
        steps = ((0, 1), (1, 0), (0, -1), (-1, 0))
        return sum((row + down, col + right) in taken for row, col in cells for down, right in steps)

    def _filled(self) -> list[Tile]:
        while True:
            tiles: list[Tile] = []
            taken = mask_of(itertools.chain(*self.scene.blocked), self.scene.cols)
            kinds: dict[str, list[Kind]] = {
                owner: self._random.permutation(list(self.scene.tile_shapes)).tolist() for owner in OWNERS
            }
            for owner, _ in zip(itertools.cycle(OWNERS), range(TILES[1]), strict=False):
                tile = self._free(owner, kinds[owner], taken)
                if tile is None:
                    break
                tiles.append(tile)
                taken |= mask_of(tile.cells, self.scene.cols)
                kinds[owner].remove(tile.kind)
            if len(tiles) >= TILES[0]:
                return tiles

    def _free(self, owner: str, kinds: Sequence[Kind], taken: int) -> Tile | None:
        """The first of these kinds that has room beside the squares `taken`, somewhere; None without."""
        for kind in kinds:
            places = self.scene.placements[kind]
            free = [place for place, mask in enumerate(places.masks) if not mask & taken]
            if free:
                return places.tile(owner, int(self._random.choice(free)), self.scene.cols)
        return None

    def laid(self, tiles: Sequence[Tile]) -> tuple[Laid, ...]:
        """The tiles as they are laid: carelessly if so, but none over another."""
        taken = np.zeros(self._around, dtype=bool)
        laid = []
        for number, tile in enumerate(tiles):
            others = taken.copy()
            for later in tiles[number + 1 :]:
                others |= self.covers(Laid(later))
            each = Laid(tile)
            share = 1.0
            while self.manner.careless and share > 0.05:
                x, y, turn = share * self._random.uniform(-1, 1, 3)
                each = Laid(tile, (float(MOST_OFF * x), float(MOST_OFF * y)), float(MOST_ASKEW * turn))
                if not (self.covers(each) & others).any():
                    break
                each, share = Laid(tile), 0.85 * share
            laid.append(each)
            taken |= self.covers(each)
        return tuple(laid)

    def covers(self, laid: Laid) -> Mask:
        """What a tile covers, `DENSITY` px a square, with 2 ROOM around the board."""
        drawing = laid_askew(self.body(laid.tile), laid.askew)[..., 3]
        whole = np.zeros(self._around, np.uint8)
        across = round((laid.tile.col + laid.off[0] + ROOM) * DENSITY)
        down = round((laid.tile.row + laid.off[1] + ROOM) * DENSITY)
        whole[down : down + drawing.shape[0], across : across + drawing.shape[1]] = drawing
        # Two px of edge may touch.
        return np.asarray(cv2.erode(whole, np.ones((3, 3), np.uint8)) > 127, dtype=bool)

    @property
    def _around(self) -> tuple[int, int]:
        return (self.scene.rows + 4 * ROOM) * DENSITY, (self.scene.cols + 4 * ROOM) * DENSITY

    def _on_board(self, tile: Tile) -> Tile:
        return msgspec.structs.replace(tile, cells=self.scene.cells_of(tile))


def laid_askew(drawing: Picture, degrees: float) -> Picture:
    """A drawing turned clockwise about its middle, with `ROOM` squares around it."""
    room = ROOM * DENSITY
    wider = cv2.copyMakeBorder(drawing, room, room, room, room, cv2.BORDER_REPLICATE)
    wider[:room, :, 3] = wider[-room:, :, 3] = 0
    wider[:, :room, 3] = wider[:, -room:, 3] = 0
    high, wide = wider.shape[:2]
    turn = cv2.getRotationMatrix2D(((wide - 1) / 2, (high - 1) / 2), -degrees, 1)
    return np.asarray(cv2.warpAffine(wider, turn, (wide, high), flags=cv2.INTER_LINEAR), np.uint8)


class _ChancePainter(Painter):
    """Draws tiles askew, in a bed's own coats."""

    def __init__(self, scene: TableScene, view: View, bed: ChanceBed) -> None:
        paint_face = backdrop.paint_face
        with mock.patch.object(backdrop, "paint_face", lambda of: bed.recoloured(paint_face(of))):
            super().__init__(scene, view)
        self._bed = bed
        bed.on_cover(self._empty, view)

    def laid(self, tiles: Sequence[Laid]) -> Picture:
        """The bed with these tiles, in no light yet."""
        picture = self._empty.copy()
        for each in tiles:
            drawing = laid_askew(self._bed.body(each.tile), each.askew)
            x, y = each.tile.col + each.off[0], each.tile.row + each.off[1]
            self._draw_flat(picture, drawing, x - ROOM, y - ROOM, TILE_Z)
        for each in tiles:
            x, y = each.tile.col + each.off[0], each.tile.row + each.off[1]
            drawn = pieces.tile_tail(each.tile.owner, each.tile.kind, self._shape(each.tile), each.tile.turns)
            if drawn is not None:
                tail, (right, down) = drawn
                self._draw_flat(picture, tail, x + right, y + down, TAIL_Z, rim=False)
        return picture


def _ink(colour: Any) -> Colour:
    blue, green, red = (int(part) for part in np.clip(np.rint(colour), 0, 255))
    return blue, green, red


def write(folder: Path, manner: Manner, seed: int) -> None:
    """Write one bed's folder: scene.json, pictures.jsonl, truth.jsonl and the pictures."""
    folder.mkdir(parents=True)
    bed = ChanceBed(manner, seed)
    pictures: list[dict[str, Any]] = []
    truths: list[dict[str, Any]] = []

    def add(role: str, event: str, laid: Sequence[Laid], *, moved: bool = False) -> None:
        image = f"{len(pictures):02}.jpg"
        tiles = [_as_truth(each.tile) for each in laid]
        cv2.imwrite(str(folder / image), bed.picture(laid, moved=moved), [cv2.IMWRITE_JPEG_QUALITY, 98])
        pictures.append({"image": image, "role": role, **({"tiles": tiles} if role == "teach" else {})})
        truths.append({"image": image, "event": event, "hand": False, "tiles": tiles, "dice": []})

    if not manner.stranger:
        add("empty", "empty", ())
        for lesson in bed.lessons():
            add("teach", "teach", lesson, moved=manner.by_hand)
    boards = [bed.laid(bed.board()) for _ in range(1 if manner.by_hand or manner.in_turn else BOARDS)]
    for laid in boards * (PICTURES_BY_HAND if manner.by_hand else 1):
        for count in range(1 if manner.in_turn else len(laid), len(laid) + 1):
            add("watch", "tile" if manner.in_turn else "final", laid[:count], moved=manner.by_hand)
    # A folder says how many owners there are, the virtual table who.
    scene = {**bed.scene_json, "owners": len(OWNERS), "first_player": OWNERS[0], "side": bed.side}
    (folder / "scene.json").write_text(json.dumps(scene))
    for name, lines in (("pictures.jsonl", pictures), ("truth.jsonl", truths)):
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))


def _as_truth(tile: Tile) -> dict[str, Any]:
    cells = [list(cell) for cell in tile.cells]
    at = {"turns": tile.turns, "row": tile.row, "col": tile.col, "cells": cells}
    return {"owner": tile.owner, "digit": tile.kind, **at}


def main() -> None:
    """Write folders of beds by chance."""
    arguments = argparse.ArgumentParser(description="Draws labelled beds by chance.")
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--kind", choices=KINDS, default="careless")
    arguments.add_argument("--beds", type=int, default=8)
    arguments.add_argument("--seed", type=int, default=1)
    given = arguments.parse_args()
    for number in range(given.beds):
        seed = given.seed + number
        write(given.out / f"{given.kind}-{seed}", KINDS[given.kind], seed)


if __name__ == "__main__":
    main()
