"""The camera over the drawn table: lengths in edges of a common die, the table is the plane z = 0."""

from dataclasses import dataclass
from math import cos, radians, sin

import numpy as np

from hardware.arrays import Float32, float32


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera.

    `focal_px` holds fx and fy, which differ in a stretched picture; `turn`, shape `(3, 3)`, takes table
    directions to the camera's (x right, y down, z ahead); `place` is the camera's own point.
    """

    width: int
    height: int
    focal_px: tuple[float, float]
    turn: Float32
    place: Float32

    def project(self, points: Float32) -> Float32:
        """Project points of shape `(N, 3)` into the picture: shape `(N, 2)`, px."""
        seen = (points - self.place) @ self.turn.T
        depth = np.maximum(seen[:, 2:], 1e-3)
        flat = seen[:, :2] / depth * float32(self.focal_px)
        return np.asarray(flat + float32([self.width / 2, self.height / 2]), np.float32)

    def rays(self, x_px: Float32, y_px: Float32) -> Float32:
        """Unit directions on the table's axes through picture points: their shape + `(3,)`."""
        fx, fy = self.focal_px
        across, down = (x_px - self.width / 2) / fx, (y_px - self.height / 2) / fy
        ahead = np.stack([across, down, np.ones_like(x_px)], -1)
        world = ahead.astype(np.float32) @ self.turn
        x, y, z = world[..., 0], world[..., 1], world[..., 2]
        return np.asarray(world / np.sqrt(x * x + y * y + z * z)[..., None], np.float32)

    def ground(self, x_px: Float32, y_px: Float32) -> Float32:
        """The table's points under picture points: their shape + `(2,)`; far away above the horizon."""
        rays = self.rays(x_px, y_px)
        steps = self.place[2] / np.maximum(-rays[..., 2], 0.02)
        return np.asarray(self.place[:2] + rays[..., :2] * steps[..., None], np.float32)

    def scale_at(self, point: Float32) -> float:
        """Px that one edge length spans at a point, looked at square-on."""
        depth = float(((point - self.place) @ self.turn.T)[2])
        return float(np.sqrt(self.focal_px[0] * self.focal_px[1])) / max(depth, 1e-3)


def look_at_table(
    size: tuple[int, int], focal: float, stretch: float, edge_px: float, tilt_deg: float, roll_deg: float
) -> Camera:
    """A camera that looks at the table's origin, at `tilt_deg` 0 from straight above.

    `focal` is in picture widths; an edge spans `edge_px` at the origin.
    """
    width, height = size
    fx = focal * width
    tilt, roll = radians(tilt_deg), radians(roll_deg)
    right = float32([1, 0, 0])
    ahead = float32([0, sin(tilt), -cos(tilt)])
    down = np.cross(ahead, right)
    spun_right = cos(roll) * right + sin(roll) * down
    spun_down = -sin(roll) * right + cos(roll) * down
    turn = np.stack([spun_right, spun_down, ahead]).astype(np.float32)
    distance = fx * np.sqrt(stretch) / edge_px
    return Camera(width, height, (fx, fx * stretch), turn, np.asarray(-ahead * distance, np.float32))
