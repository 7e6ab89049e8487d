"""The weights of a position of the bed, by the placements left to both sides."""

SIZES = (1, 5, 9, 15, 31)
"""The least squares of each class of regions."""

MARGINS = (1, 2, 4)
"""The least lead of each class of regions."""

TOYS_COUNTED, DIGITS = 3, 9
"""A larger lead in toys and a larger digit count as these."""

TURN = 0
LAND = 1
TOYS = LAND + len(SIZES) * len(MARGINS)
MOBILITY = TOYS + TOYS_COUNTED
ROOM = MOBILITY + 1

KNOTS = (1099, 3258, 4511, 5525, 6399, 7091, 7697, 8294)
"""The logarithms of the placements left and one more, in thousandths; between two, weights are in between."""

WEIGHTS: dict[str, tuple[int, ...]] = {
    "turn": (-39, -170, -144, 381, 503, 422, 190, 118),
    "up to 4 squares, ahead by 1": (86, 86, 87, 123, 144, 141, 105, 105),
    "up to 4 squares, ahead by 2 or 3": (66, 55, 49, 105, 111, 112, 114, 23),
    "up to 4 squares, ahead by 4 and more": (84, 47, 33, 55, 57, 61, 68, 62),
    "5 to 8, ahead by 1": (83, 50, 90, 76, 135, 134, 129, 99),
    "5 to 8, ahead by 2 or 3": (76, 64, 96, 71, 114, 112, 134, 164),
    "5 to 8, ahead by 4 and more": (80, 49, 43, 55, 70, 78, 73, 92),
    "9 to 14, ahead by 1": (68, 64, 72, 83, 60, 71, 59, 64),
    "9 to 14, ahead by 2 or 3": (48, 49, 41, 53, 60, 49, 42, 41),
    "9 to 14, ahead by 4 and more": (65, 47, 42, 49, 49, 45, 38, 35),
    "15 to 30, ahead by 1": (39, 16, 6, 1, 4, 19, -14, -7),
    "15 to 30, ahead by 2 or 3": (48, 22, 11, 10, 10, 8, 15, 14),
    "15 to 30, ahead by 4 and more": (58, 34, 15, 5, 4, 3, -3, -3),
    "31 and more, ahead by 1": (-2, -1, 2, -1, -1, -1, 1, -1),
    "31 and more, ahead by 2 or 3": (3, 5, 3, 3, 0, 0, 0, 1),
    "31 and more, ahead by 4 and more": (32, 28, 9, 4, 2, 1, 0, 1),
    "ahead by 1 toy": (373, 167, 0, 74, 131, 116, 287, 330),
    "by 2": (492, 176, -14, 40, -73, -29, 7, 6),
    "by 3 and more": (349, 230, 16, -23, 26, 12, 27, -70),
    "placements": (160, 526, 1119, 1388, 1202, 1033, 945, 843),
    "placements of the 1": (73, 162, 423, 422, 435, 389, 412, 295),
    "of the 2": (205, 232, 269, 97, 7, 3, 16, -15),
    "of the 3": (36, 89, 165, 18, -45, -25, -12, -27),
    "of the 4": (136, 214, 204, 21, -17, -26, -7, -43),
    "of the 5": (138, 150, 106, -6, -133, -107, -58, -65),
    "of the 6": (-7, -10, 56, -45, -122, -113, -85, -69),
    "of the 7": (608, 306, 465, 445, 271, 260, 234, 224),
    "of the 8": (16, 15, -34, -155, -244, -167, -105, -140),
    "of the 9": (-106, -116, -98, -94, -160, -132, -85, -94),
}
"""Hundredths of a point at each knot: for the turn; for a square in a region, by its size and who is ahead
there; for a lead in toys of a kind; for the logarithm of all placements over the other side's; and for that
of a tile's placements in hand. Fitted to how matches of the top level ended (`python -m lab.bed_weights`)."""

BY_KNOT = tuple(zip(*WEIGHTS.values(), strict=True))
