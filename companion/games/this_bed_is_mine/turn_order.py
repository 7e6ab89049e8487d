"""Whose tile comes next on the bed, as far as the tiles that lie there tell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.this_bed_is_mine.fits import Bed, places
from companion.games.this_bed_is_mine.moves import OWNERS, Owner, other
from companion.games.watching import Kind, Tile


class BedTurns:
    """The sides alternate until one of them cannot lay; then the other goes on alone.

    `placements`: each kind's ways to lie on the bare bed, as masks with the bit row * stride + col of each
    square that the tile covers.
    """

    owners: tuple[str, ...] = OWNERS

    def __init__(
        self, placements: Mapping[Kind, Sequence[int]], stride: int, first_player: Owner = OWNERS[0]
    ) -> None:
        self._placements = placements
        self._stride = stride
        self._first_player = first_player

    @classmethod
    def on(cls, bed: Bed) -> BedTurns:
        """The turns on a bed, for all tiles of its set."""
        placements: dict[Kind, list[int]] = {
            digit: [
                shape.mask << row * bed.stride + col
                for shape in shapes
                for row, col in bed.listed(places(shape, bed.open))
            ]
            for digit, shapes in bed.distinct.items()
        }
        return cls(placements, bed.stride)

    def next_owner(self, tiles: Sequence[Tile], last: str | None) -> str | None:
        """Who lays next: the other side than `last`, or where that is unknown the one with fewer tiles."""
        if last is None:
            counts = {owner: sum(tile.owner == owner for tile in tiles) for owner in OWNERS}
            level = counts["cat"] == counts["dog"]
            expected = self._first_player if level else min(OWNERS, key=lambda owner: counts[owner])
        else:
            expected = other("cat" if last == "cat" else "dog")
        return expected if self.can_lay(tiles, expected) else other(expected)

    def can_lay(self, tiles: Sequence[Tile], owner: str) -> bool:
        """Whether any tile that a side has left still has room anywhere."""
        taken = 0
        for tile in tiles:
            for row, col in tile.cells:
                taken |= 1 << row * self._stride + col
        laid = {tile.kind for tile in tiles if tile.owner == owner}
        return any(
            not mask & taken for kind, masks in self._placements.items() if kind not in laid for mask in masks
        )
