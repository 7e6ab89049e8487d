"""The weights of what a position of the bed has, by the placements left to both sides.

Fitted to how matches of the player against itself ended. A knot is the logarithm of the placements left and one more, in thousandths;
between two, the weights are in between.
"""

from __future__ import annotations

MARGINS, TOYS, DIGITS = 5, 3, 9
"""A lead in a region, a lead in toys, and a digit count as these where they are larger."""

TURN = 0
BY_MARGIN = 1
BY_TOYS = BY_MARGIN + MARGINS
MOBILITY = BY_TOYS + TOYS
ROOM = MOBILITY + 1

KNOTS = (1099, 3258, 4511, 5525, 6399, 7091, 7697, 8294)

WEIGHTS = (
    (140, 63, 74, 75, 57, 74, 456, 467, 308, 150, 42, -1971, 543, -536, 3871, -1325, 514, 17175, -1728),  # fmt: skip
    (-201, 29, 16, 26, 24, 40, 159, 266, 196, 625, 125, 126, -280, 168, -362, 45, 333, 1148, 377),  # fmt: skip
    (-301, 1, 6, 2, 4, 11, 66, 70, 50, 1406, 356, 267, 33, 102, 170, 243, 521, 13, -3),  # fmt: skip
    (636, 1, 0, 3, 2, 3, -162, -41, 44, 3604, 33, -432, -402, -406, -509, -504, -132, -683, -571),  # fmt: skip
    (312, -2, 0, -2, 0, -2, 181, 41, 40, 4015, 224, -217, -329, -293, -334, -352, -5, -341, -327),  # fmt: skip
    (533, 1, 1, 2, 1, 3, 73, 258, 41, 3121, 232, -240, -282, -261, -287, -326, 43, -259, -263),  # fmt: skip
    (409, -1, 0, -2, -1, -2, 533, -10238, -4, 38, 339, -178, -180, -182, -241, -236, 47, -257, -326),  # fmt: skip
    (332, -2, -1, 1, 1, 2, -40, 0, 146, -146, 265, -163, -131, -120, -317, -310, 80, -167, -166),  # fmt: skip
)
"""Hundredths of a point, a row a knot: for the turn; for a square in a region that is won by 1, 2, 3, 4, 5 and
more; for a kind of toy with a lead of 1, 2, 3; for the logarithm of all places over the other side's; and for that of
the places of the tile 1, 2, 3, … while it is in hand."""
