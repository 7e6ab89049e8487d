"""Faces of dice that tests paint themselves."""

from __future__ import annotations

import cv2
import numpy as np

from hardware.arrays import Picture

SIDE_PX = 200
EDGE_PX = 120
LAYOUTS = {
    1: ["   ", " o ", "   "],
    2: ["o  ", "   ", "  o"],
    3: ["o  ", " o ", "  o"],
    4: ["o o", "   ", "o o"],
    5: ["o o", " o ", "o o"],
    6: ["o o", "o o", "o o"],
}
"""As one draws them on paper."""


def painted(
    value: int,
    *,
    body: tuple[int, int, int] = (60, 60, 60),
    pip: tuple[int, int, int] = (220, 220, 220),
    stripes: tuple[int, int, int] | None = None,
    turn_deg: float = 0,
    foreshortening: float = 1.0,
) -> Picture:
    """A face of `EDGE_PX` in the middle of a green picture, BGR; `stripes` are swirls of a second colour."""
    face = np.zeros((EDGE_PX, EDGE_PX, 3), np.uint8)
    face[:] = body
    if stripes:
        for at in range(-EDGE_PX, EDGE_PX, 34):
            cv2.line(face, (at, 0), (at + EDGE_PX, EDGE_PX), stripes, 11)
    for row, line in enumerate(LAYOUTS[value]):
        for col, mark in enumerate(line):
            if mark == "o":
                spot = (EDGE_PX // 2 + (col - 1) * 29, EDGE_PX // 2 + (row - 1) * 29)
                cv2.circle(face, spot, 12, pip, -1, cv2.LINE_AA)
    middle = SIDE_PX / 2 - 0.5
    move = cv2.getRotationMatrix2D((EDGE_PX / 2 - 0.5, EDGE_PX / 2 - 0.5), turn_deg, 1)
    move[:, 2] += middle - (EDGE_PX / 2 - 0.5)
    move[1] = move[1] * foreshortening + [0, 0, middle * (1 - foreshortening)]
    seen = cv2.warpAffine(face, move, (SIDE_PX, SIDE_PX), flags=cv2.INTER_AREA, borderValue=(40, 110, 30))
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), 2), np.uint8)
