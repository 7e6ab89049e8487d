"""Pictures of the virtual table for libcamera to play: one that stays, and some with a hand that moves."""

import sys
from pathlib import Path

import cv2

from companion.simulator.sources import virtual_camera

folder = Path(sys.argv[1])
camera = virtual_camera("virtual?teach=0", sleep=lambda _: None)
camera.open()
pictures = [camera.read_frame().picture for _ in range(24)]
cv2.imwrite(str(folder / "still" / "000.jpg"), pictures[0], [cv2.IMWRITE_JPEG_QUALITY, 95])
for n, picture in enumerate(pictures[8:24:2]):
    cv2.imwrite(str(folder / "moving" / f"{n:03}.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 95])
