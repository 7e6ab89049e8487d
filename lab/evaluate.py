"""`companion evaluate FOLDER`: compares the readers with the truth."""

from __future__ import annotations

from collections import Counter, defaultdict
from copy import deepcopy
from itertools import chain
from pathlib import Path
from statistics import median

import click
import msgspec

from companion.commands.output import part, print_json
from companion.commands.read_bed import bed_reader, readings, take_in
from companion.games.watching import IN_THE_WAY, Observation, Square, Tile
from hardware.camera.folder import read_picture
from hardware.vision.board.scene import Scene, read_picture_lines, read_scene
from lab.confidence import Case, board_case, confidence_table, tile_cases
from lab.dice_score import DiceScore, photo_truths, score_photos, truth_lines


class DieTruth(msgspec.Struct, frozen=True):
    """A die in the tray."""

    value: int
    colour: str


class Truth(msgspec.Struct, frozen=True):
    """One line of truth.jsonl: what lies in the picture."""

    image: str
    tiles: tuple[Tile, ...] = ()
    covered: tuple[Square, ...] | None = None
    """The covered squares of a board; None for a bed."""
    occluded: tuple[Square, ...] | bool | None = None
    """The squares of a board that are out of sight, which are not counted."""
    hand: bool = False
    """True while a hand is over the bed."""
    dice: tuple[DieTruth, ...] = ()
    event: str = ""


class Score(msgspec.Struct, frozen=True):
    """The counts of a folder: beds and boards by picture; dice in the tray separately.

    A picture under a hand, counted separately too, is right if the reader asks or sticks to what lay there
    before. `wrong` names the pictures read wrongly without asking. `ms` is the median of each stage.
    """

    folder: str
    pictures: int
    exact: int
    asked: int
    silently_wrong: int
    under_a_hand: int
    tiles: int
    tiles_right: int
    squares: int
    squares_right: int
    dice: int
    dice_right: int
    dice_made_up: int
    colours_right: int
    throws_silently_wrong: int
    wrong: tuple[str, ...]
    ms: dict[str, float]

    def lines(self) -> list[str]:
        """The score as text, one line per figure."""
        lines = [
            f"{self.folder}: {self.pictures} pictures, {self.under_a_hand} more under a hand",
            f"  exact           {part(self.exact, self.pictures)}",
            f"  asked           {part(self.asked, self.pictures)}",
            f"  silently wrong  {part(self.silently_wrong, self.pictures)}  {', '.join(self.wrong)}".rstrip(),
        ]
        if self.tiles:
            lines.append(f"  tiles right     {part(self.tiles_right, self.tiles)}")
        lines.append(f"  squares right   {part(self.squares_right, self.squares)}")
        if self.dice or self.dice_made_up:
            lines.append(f"  dice right      {part(self.dice_right, self.dice)}, {self.dice_made_up} made up")
            lines.append(f"  their colours   {part(self.colours_right, self.dice)}")
            lines.append(f"  throws silently wrong  {self.throws_silently_wrong}")
        stages = "  ".join(f"{stage} {value:.1f}" for stage, value in self.ms.items())
        return [*lines, f"  ms (median)     {stages}"]


COUNTED = [name for name in Score.__struct_fields__ if name not in ("folder", "wrong", "ms")]


def score_bed(folder: Path) -> Score:
    """Read the folder of a bed or a board and compare it with its truth.jsonl. Raises `VisionError`."""
    scene, truths = read_scene(folder), read_truth(folder)
    counts: Counter[str] = Counter()
    laps: defaultdict[str, list[float]] = defaultdict(list)
    wrong = []
    for reading in readings(folder):
        for stage, value in reading.ms.items():
            laps[stage].append(value)
        truth = truths.get(reading.image)
        if truth is not None and _count(scene, truth, reading, counts):
            wrong.append(reading.image)
    return Score(
        folder=folder.name,
        **{name: counts[name] for name in COUNTED},
        wrong=tuple(wrong),
        ms={stage: round(median(values), 2) for stage, values in laps.items()},
    )


def _count(scene: Scene, truth: Truth, reading: Observation, counts: Counter[str]) -> bool:
    """Add one picture to the counts; returns True if it was read wrongly without asking."""
    want = {tile.squares for tile in truth.tiles}
    have = {tile.squares for tile in reading.tiles or ()}
    hidden = set(truth.occluded) if isinstance(truth.occluded, tuple) else set()
    if truth.covered is None:
        lies, seen = ({cell: tile[0] for tile in tiles for cell in tile[2]} for tiles in (want, have))
    else:
        lies, seen = (dict.fromkeys(set(cells) - hidden, "") for cells in (truth.covered, reading.covered))
    off = sum(lies.get(cell) != seen.get(cell) for cell in lies.keys() | seen.keys())
    right = want == have and (truth.covered is None or not off)
    thrown, read = Counter(die.value for die in truth.dice), Counter(reading.values)
    if truth.hand:
        counts["under_a_hand"] += 1
        counts["silently_wrong"] += (missed := not (reading.unsure or right))
        return missed
    counts["pictures"] += 1
    counts["asked" if reading.unsure else "exact" if right else "silently_wrong"] += 1
    counts["tiles"] += len(want)
    counts["tiles_right"] += len(want & have)
    counts["squares"] += scene.squares - len(hidden)
    counts["squares_right"] += scene.squares - len(hidden) - off
    counts["throws_silently_wrong"] += thrown != read and reading.why != "dice" and not reading.unsure
    counts["dice"] += thrown.total()
    counts["dice_right"] += (thrown & read).total()
    counts["dice_made_up"] += (read - thrown).total()
    painted, seen_as = (
        Counter((die.value, die.colour) for die in dice) for dice in (truth.dice, reading.dice or ())
    )
    counts["colours_right"] += (painted & seen_as).total()
    return not (reading.unsure or right)


def confidence_cases(folder: Path) -> tuple[list[Case], list[Case]]:
    """The cases of ways to lay a tile, and of boards, in a folder's bed, each picture read as a first one.

    Pictures with a hand or something else in the way are left out. Raises `VisionError`.
    """
    truths, reader = read_truth(folder), bed_reader(folder)
    tiles: list[Case] = []
    boards: list[Case] = []
    for line in read_picture_lines(folder):
        if line.role != "watch":
            take_in(reader, folder, line)
            continue
        truth = truths.get(line.image)
        if truth is None or truth.hand:
            continue
        reading = deepcopy(reader).read_board(read_picture(folder / line.image), line.corners_px)
        if reading.why not in IN_THE_WAY:
            lies = {tile.squares for tile in truth.tiles}
            tiles += tile_cases(folder.name, reading, lies)
            boards.append(board_case(folder.name, reading, lies))
    return tiles, boards


def read_truth(folder: Path) -> dict[str, Truth]:
    """The lines of truth.jsonl by picture. Raises `SceneError`."""
    return {truth.image: truth for truth in truth_lines(folder, Truth)}


@click.command(
    epilog="\b\nExamples:\n"
    "  companion evaluate photos/bed/game-1\n"
    "  companion evaluate photos/bed/* --json\n"
    "  companion evaluate photos/bed/* --confidence"
)
@click.argument("folders", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FOLDER...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per folder.")
@click.option("--confidence", is_flag=True, help="Print instead how often each stated confidence was right.")
def evaluate(folders: tuple[Path, ...], *, as_json: bool, confidence: bool) -> None:
    """Read FOLDER as live pictures, or as dice photographs, and compare the readings with its truth.jsonl.

    Counts the pictures that were exact, asked about and silently wrong, and the tiles, squares and dice that
    were right. Also prints the time of each stage.
    """
    if confidence:
        tiles, boards = zip(*map(confidence_cases, folders), strict=True)
        table = confidence_table(list(chain(*tiles)), list(chain(*boards)))
        if as_json:
            print_json(table)
        else:
            click.echo("\n".join(table.lines()))
        return
    for folder in folders:
        photos = photo_truths(folder)
        scores: list[DiceScore] | list[Score]
        scores = [score_bed(folder)] if photos is None else score_photos(folder, photos)
        for score in scores:
            if as_json:
                print_json(score)
            else:
                click.echo("\n".join(score.lines()))
