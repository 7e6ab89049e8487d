"""Drawn photographs of a finished board of 20 × 20 squares: four colours, 21 see-through pieces each.

    python -m tests.polyomino.photographs FOLDER [--seeds 1 12]

Pieces of one colour touch at corners alone, and each colour begins in a corner of its own. The camera is held
in a hand: tilted, turned, with a lamp's reflections, noise and JPEG. Each seed is a folder for `companion
read-bed`, with truth.jsonl beside it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.games.watching import Kind, Tile
from hardware.arrays import Picture
from hardware.vision.board.scene import Scene

SIDE = 20
SIZE = 1600, 1200
DRAWINGS = (
    "#", "##", "###", "##/#.", "####", "##/##", "###/.#.", "###/#..", "##./.##",
    "#####", "####/#...", "###/##.", "###/#.#", "##../.###", "####/.#..", "###/.#./.#.",
    "#../#../###", "##./.##/..#", "##./.#./.##", ".#./###/.#.", ".##/##./.#.",
)  # fmt: skip
COLOURS = ((60, 45, 190), (60, 150, 50), (180, 90, 30), (40, 190, 230))
"""Red, green, blue and yellow, BGR."""
CORNERS = ((0, 0), (0, SIDE - 1), (SIDE - 1, SIDE - 1), (SIDE - 1, 0))
PX = 40
HEIGHTS = (0.06, 0.12, 0.18, 0.24)
"""The heights in squares at which a piece's body is drawn, its upper face last."""

Matrix = NDArray[np.float64]


def shapes() -> dict[Kind, tuple[str, ...]]:
    """The pieces; a piece whose mirror image looks otherwise has a kind of its own for it."""
    found: dict[Kind, tuple[str, ...]] = {}
    outlines: set[frozenset[tuple[int, int]]] = set()
    for number, drawing in enumerate(DRAWINGS, 1):
        rows = drawing.split("/")
        for name, lines in ((f"p{number}", rows), (f"p{number}m", [line[::-1] for line in rows])):
            outline = turned_outlines(lines)
            if outline.isdisjoint(outlines):
                found[name] = tuple(lines)
                outlines |= outline
    return found


def turned_outlines(lines: list[str]) -> set[frozenset[tuple[int, int]]]:
    """The squares of a shape, turned each way."""
    grid = np.array([[mark == "#" for mark in line] for line in lines])
    return {frozenset(map(tuple, np.argwhere(np.rot90(grid, turns)).tolist())) for turns in range(4)}


SCENE = Scene(SIDE, SIDE, tile_shapes=shapes())


def finished_board(random: np.random.Generator) -> list[tuple[int, Tile]]:
    """Pieces with the number of their colour, laid in turn by chance until nobody can lay."""
    laid: list[tuple[int, Tile]] = []
    taken, own, left = 0, [0] * 4, [{kind.rstrip("m") for kind in map(str, SCENE.shapes)} for _ in range(4)]
    stuck: set[int] = set()
    turn = 0
    while len(stuck) < 4:
        if turn not in stuck:
            found = chosen(random, taken, own[turn], left[turn], turn)
            if found is None:
                stuck.add(turn)
            else:
                tile, mask = found
                laid.append((turn, tile))
                taken, own[turn] = taken | mask, own[turn] | mask
                left[turn].remove(str(tile.kind).rstrip("m"))
        turn = (turn + 1) % 4
    return laid


def chosen(
    random: np.random.Generator, taken: int, own: int, left: set[str], turn: int
) -> tuple[Tile, int] | None:
    """A place by chance for one of the largest pieces that fit."""
    beside = spread(own, ((-1, 0), (1, 0), (0, -1), (0, 1)))
    corners = spread(own, ((-1, -1), (-1, 1), (1, -1), (1, 1))) or bit(*CORNERS[turn])
    for size in range(5, 0, -1):
        kinds = [
            kind
            for kind in SCENE.placements
            if str(kind).rstrip("m") in left and SCENE.placements[kind].squares.shape[1] == size
        ]
        for kind in random.permutation(np.array(kinds, dtype=object)):
            places = SCENE.placements[kind]
            fit = [n for n, m in enumerate(places.masks) if not m & (taken | beside) and m & corners]
            if fit:
                number = int(random.choice(fit))
                return places.tile("", number, SIDE), places.masks[number]
    return None


def bit(row: int, col: int) -> int:
    """A square as the bit of a mask."""
    return 1 << (row * SIDE + col)


def spread(mask: int, steps: tuple[tuple[int, int], ...]) -> int:
    """The squares one step away from those of a mask."""
    grid = np.array([mask >> n & 1 for n in range(SIDE * SIDE)], dtype=bool).reshape(SIDE, SIDE)
    near = 0
    for row, col in np.argwhere(grid):
        for down, across in steps:
            if 0 <= row + down < SIDE and 0 <= col + across < SIDE:
                near |= bit(int(row + down), int(col + across))
    return near


def photograph(random: np.random.Generator, laid: list[tuple[int, Tile]]) -> tuple[Picture, Matrix]:
    """A picture by hand, and the grid's four corners in it, shape (4, 2)."""
    view = camera(random)
    width, height = SIZE
    table = random.uniform(40, 200, 3)
    seen = np.full((height, width, 3), table) + random.normal(0, 6, (height // 40, width // 40, 3)).repeat(
        40, axis=0
    ).repeat(40, axis=1)
    board, cover = empty_board(random)
    seen = laid_over(seen, board, cover, view @ planed(0.0))
    colours = [np.array(colour) * random.uniform(0.8, 1.15, 3) for colour in COLOURS]
    clear = random.uniform(0.65, 0.92)
    for height_squares in HEIGHTS:
        face, cover = pieces(laid, colours, top=height_squares == HEIGHTS[-1])
        strength = clear if height_squares == HEIGHTS[-1] else 0.15
        seen = laid_over(seen, face, cover * strength, view @ planed(height_squares))
    seen = lit(random, seen)
    _, written = cv2.imencode(".jpg", np.clip(seen, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 85])
    grid = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], dtype=np.float64).reshape(-1, 1, 2)
    corners = cv2.perspectiveTransform(grid, view @ planed(0.0)).reshape(4, 2)
    return np.asarray(cv2.imdecode(written, cv2.IMREAD_COLOR), np.uint8), corners + random.normal(
        0, 1.5, (4, 2)
    )


def camera(random: np.random.Generator) -> Matrix:
    """The projection from (x, y, height, 1) in squares to px, shape (3, 4), with the whole board in sight."""
    width, height = SIZE
    focal = 0.9 * width
    tilt, round_, roll = np.radians([random.uniform(0, 38), random.uniform(0, 360), random.uniform(-12, 12)])
    turn = cv2.Rodrigues(np.array([0, 0, roll]))[0]
    turn = turn @ cv2.Rodrigues(tilt * np.array([np.cos(round_), np.sin(round_), 0]))[0]
    lens = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
    middle = np.array([SIDE / 2, SIDE / 2, 0])
    for far in np.arange(24, 60, 1.0):
        shift = np.array([0, 0, far]) - turn @ middle
        # Heights point to the camera, which looks along its own third axis.
        view = lens @ np.column_stack([turn[:, 0], turn[:, 1], -turn[:, 2], shift])
        grid = np.array([[0, 0, 0, 1], [SIDE, 0, 0, 1], [SIDE, SIDE, 0, 1], [0, SIDE, 0, 1]], dtype=float).T
        px = view @ grid
        px = px[:2] / px[2]
        if (px > 25).all() and (px[0] < width - 25).all() and (px[1] < height - 25).all():
            return np.asarray(view)
    raise AssertionError("the board is never in sight")


def planed(height: float) -> Matrix:
    """The plane at a height, as (x, y, 1) to (x, y, height, 1), shape (4, 3)."""
    return np.array([[1, 0, 0], [0, 1, 0], [0, 0, height], [0, 0, 1]], dtype=np.float64)


def empty_board(random: np.random.Generator) -> tuple[Matrix, Matrix]:
    """The board with its ridges, `PX` px a square."""
    base = np.array([200.0, 200, 200]) * random.uniform(0.75, 1.15) + random.normal(0, 6, 3)
    board = np.full((SIDE * PX, SIDE * PX, 3), base)
    for line in range(SIDE + 1):
        at = slice(max(line * PX - 2, 0), line * PX + 2)
        board[at] *= 0.84
        board[:, at] *= 0.84
    return board, np.ones(board.shape[:2])


def pieces(laid: list[tuple[int, Tile]], colours: list[Matrix], *, top: bool) -> tuple[Matrix, Matrix]:
    """The pieces' faces, or their bodies, and where they cover the board."""
    face, cover = np.zeros((SIDE * PX, SIDE * PX, 3)), np.zeros((SIDE * PX, SIDE * PX))
    for colour, tile in laid:
        for row, col in tile.cells:
            box = slice(row * PX + 2, (row + 1) * PX - 2), slice(col * PX + 2, (col + 1) * PX - 2)
            for down, across in ((0, 1), (1, 0)):
                if (row + down, col + across) in tile.cells:
                    joint = (
                        slice(row * PX + 2, (row + 1 + down) * PX - 2),
                        slice(col * PX + 2, (col + 1 + across) * PX - 2),
                    )
                    cover[joint] = 1
                    face[joint] = np.maximum(face[joint], colours[colour] * 0.6)
            cover[box] = 1
            face[box] = colours[colour] * (0.7 if not top else 0.82)
            if top:
                inner = slice(row * PX + 8, (row + 1) * PX - 8), slice(col * PX + 8, (col + 1) * PX - 8)
                face[inner] = colours[colour] * 1.08
                face[row * PX + 2 : row * PX + 5, col * PX + 2 : (col + 1) * PX - 2] = (
                    colours[colour] * 1.3 + 25
                )
    return face, cover


def laid_over(seen: Matrix, face: Matrix, cover: Matrix, plane: Matrix) -> Matrix:
    """A picture with a layer of the board over it."""
    to_px = plane @ np.diag([1 / PX, 1 / PX, 1.0])
    over = cv2.warpPerspective(face * cover[..., None], to_px, SIZE, flags=cv2.INTER_AREA)
    share = cv2.warpPerspective(cover, to_px, SIZE, flags=cv2.INTER_AREA)[..., None]
    return np.asarray(seen * (1 - share) + over)


def lit(random: np.random.Generator, seen: Matrix) -> Matrix:
    """A picture in a room's light: a slope, a shadow, a tint, reflections, blur and noise."""
    width, height = SIZE
    down, across = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j]
    angle, where = random.uniform(0, 2 * np.pi, 2), random.uniform(0.2, 0.8, 2)
    slope = 1 + random.uniform(0, 0.35) * (
        np.cos(angle[0]) * (across - 0.5) + np.sin(angle[0]) * (down - 0.5)
    )
    side = np.cos(angle[1]) * (across - where[0]) + np.sin(angle[1]) * (down - where[1])
    shadow = 1 - random.uniform(0, 0.3) / (1 + np.exp(-side / 0.03))
    seen = seen * (slope * shadow * random.uniform(0.7, 1.05))[..., None] * random.uniform(0.88, 1.12, 3)
    for _ in range(random.integers(0, 4)):
        x, y, wide = random.uniform(0.1, 0.9), random.uniform(0.1, 0.9), random.uniform(0.01, 0.045)
        spot = np.exp(-(((across - x) / wide) ** 2 + ((down - y) / (wide * random.uniform(0.5, 1.6))) ** 2))
        seen = seen + (random.uniform(80, 330) * spot)[..., None]
    seen = cv2.GaussianBlur(seen, (0, 0), random.uniform(0.6, 1.6))
    return seen + random.normal(0, random.uniform(2, 7), seen.shape)


def draw(folder: Path, seed: int) -> None:
    """A folder for `companion read-bed`, with its truth."""
    random = np.random.default_rng(seed)
    laid = finished_board(random)
    picture, corners = photograph(random, laid)
    folder.mkdir(parents=True)
    scene = {"rows": SIDE, "cols": SIDE, "tile_shapes": SCENE.tile_shapes, "owners": 4}
    (folder / "scene.json").write_text(json.dumps(scene))
    cv2.imwrite(str(folder / "photo.png"), picture)
    line = {"image": "photo.png", "role": "watch", "corners_px": corners.tolist()}
    (folder / "pictures.jsonl").write_text(json.dumps(line) + "\n")
    tiles = [{"digit": tile.kind, "coat": colour, "cells": tile.cells} for colour, tile in laid]
    (folder / "truth.jsonl").write_text(json.dumps({"image": "photo.png", "tiles": tiles}) + "\n")


def main() -> None:
    """Draw the folders of some seeds."""
    arguments = argparse.ArgumentParser(description="Drawn photographs of a finished board of polyominoes.")
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--seeds", nargs=2, type=int, default=(1, 12), metavar=("FROM", "TO"))
    given = arguments.parse_args()
    for seed in range(given.seeds[0], given.seeds[1] + 1):
        draw(given.folder / f"board-{seed}", seed)


if __name__ == "__main__":
    main()
