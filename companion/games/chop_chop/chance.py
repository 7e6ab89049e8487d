"""What lies under the next slab: the exact chance of each kind, from what is left in the bag."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from companion.games.chop_chop.kitchen import SLABS, Slab
from companion.games.chop_chop.state import ChopState


class SlabChance(msgspec.Struct, frozen=True):
    """One kind of slab: how many the bag began with, how many were turned over, how many of those that still
    lie face down are of this kind, and the chance that the next one is."""

    slab: Slab
    of: int
    turned: int
    left: int
    chance: Fraction


def slab_chances(state: ChopState) -> tuple[SlabChance, ...]:
    """The chance of each kind under the next slab, in the order of `SLABS`; no slab left: 0 each.

    The slabs were laid out blindly, so each that lies face down is as likely as any other to be any of those
    left. When more of a kind were turned over than the bag file holds, the file is wrong: cheese is counted
    all the same (there are just ten), the other kinds share what is left in proportion.
    """
    standing, slabs = state.standing, state.options.slabs
    lying = len(standing.slabs)
    left = [max(0, slabs.of(slab) - turned) for slab, turned in zip(SLABS, standing.turned, strict=True)]
    cheese = left[0]
    others = sum(left[1:])
    first = Fraction(cheese, lying) if lying else Fraction(0)
    each = Fraction(lying - cheese, lying * others) if lying and others else Fraction(0)
    shares = (first, *(each * count for count in left[1:]))
    return tuple(
        SlabChance(slab, slabs.of(slab), turned, count, share)
        for slab, turned, count, share in zip(SLABS, standing.turned, left, shares, strict=True)
    )


def bag_fits(state: ChopState) -> bool:
    """Whether no more slabs of any kind were turned over than the bag file holds."""
    slabs, turned = state.options.slabs, state.standing.turned
    return all(count <= slabs.of(slab) for slab, count in zip(SLABS, turned, strict=True))
