# mypy: ignore-errors

"""The training pictures on the computing device, and crops of many of them at once."""

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from hardware.arrays import Float32, Picture
from hardware.vision.dice.classifier import BORDER
from hardware.vision.dice.detector import PAD_GREY
from lab.dice.draw import EDGE, FIELDS, GONE, VALUE, X, Y

LEAST_EDGE_PX = 11.0
SIDE_PX = 640
MOST_DICE = 48


class Stock:
    """Drawn pictures and photographs with their dice; it may grow.

    `pixels` has shape `(most, height, width, 3)`, `truth` `(most, dice, FIELDS)`, `sizes` (width, height)
    `(most, 2)`, `photo` (true for a photograph) and `weights` (the share chosen) `(most,)`.
    """

    def __init__(self, most: int, device: torch.device) -> None:
        self.device = device
        # Half as many bytes to move are twice as fast there.
        self.numbers = torch.float16 if device.type == "cuda" else torch.float32
        self.pixels = torch.full((most, SIDE_PX, SIDE_PX, 3), PAD_GREY, dtype=torch.uint8, device=device)
        self.truth = torch.zeros((most, MOST_DICE, FIELDS), device=device)
        self.sizes = torch.ones((most, 2), device=device)
        self.photo = torch.zeros(most, dtype=torch.bool, device=device)
        self.weights = torch.zeros(most, device=device)
        self.sources: list[str] = []

    @property
    def count(self) -> int:
        """The number of pictures."""
        return len(self.sources)

    def add(self, image: Picture, truth: Float32, source: str = "") -> None:
        """Add a picture, a photograph if it has a `source`, unless the stock is full."""
        here, rows = self.count, min(len(truth), MOST_DICE)
        if here == len(self.pixels):
            return
        height, width = image.shape[:2]
        self.pixels[here, :height, :width] = torch.from_numpy(np.ascontiguousarray(image)).to(self.device)
        self.truth[here, :rows] = torch.from_numpy(truth[:rows]).to(self.device)
        self.sizes[here] = torch.tensor([width, height], device=self.device)
        self.photo[here] = bool(source)
        self.sources.append(source)

    def balance(self, photo_share: float, but: str = "") -> None:
        """Choose photographs for `photo_share` of the samples, each source equally often but for `but`."""
        names = np.array(self.sources)
        weights = np.where(names == "", (1 - photo_share) / max(1, (names == "").sum()), 0.0)
        known = sorted(set(self.sources) - {"", but}) if photo_share else []
        for name in known:
            weights[names == name] = photo_share / len(known) / (names == name).sum()
        self.weights[: len(weights)] = torch.from_numpy(weights).float().to(self.device)

    def choose(self, count: int) -> Tensor:
        """The numbers of `count` pictures by their weights."""
        return torch.multinomial(self.weights[: self.count], count, replacement=True)

    def place_weights(self, picture: Tensor) -> Tensor:
        """Weights of places in these pictures, so that photographs have their share."""
        weights, photo = self.weights[picture], self.photo[picture]
        share = (self.weights * self.photo).sum()
        of_photos = weights * photo / (weights * photo).sum().clamp(min=1e-9)
        of_drawn = weights * ~photo / (weights * ~photo).sum().clamp(min=1e-9)
        return share * of_photos + (1 - share) * of_drawn

    def dice(self) -> tuple[Tensor, Tensor]:
        """The dice to learn from, as picture and row: two tensors of shape `(N,)`."""
        truth = self.truth[: self.count]
        there = (truth[..., VALUE] > 0) & (truth[..., GONE] == 0) & (truth[..., EDGE] >= LEAST_EDGE_PX)
        there &= (self.weights[: self.count] > 0)[:, None]
        picture, row = there.nonzero(as_tuple=True)
        return picture, row

    def crops(self, picture: Tensor, move: Tensor, side: int, fine: int = 1) -> Tensor:
        """The `picture`s seen through `move`, shape `(N, 3, side, side)`, 0–1.

        `move`, shape `(N, 2, 3)`, takes a crop's points to the picture's, both in px from the corner of
        the first px. Each px of a crop is the mean of `fine` by `fine` points.
        """
        across = (torch.arange(side * fine, device=self.device) + 0.5) / fine
        y, x = torch.meshgrid(across, across, indexing="ij")
        flat = torch.stack([x, y, torch.ones_like(x)]).reshape(3, -1)
        places = (move @ flat - 0.5).transpose(1, 2)
        low = places.floor()
        right, down = (places - low).unbind(-1)
        corners = torch.tensor([[0, 0], [1, 0], [0, 1], [1, 1]], device=self.device)[:, None, None]
        taps = low + corners
        limit = self.sizes[picture][:, None]
        inside = ((taps >= 0) & (taps < limit)).all(-1)
        column, row = torch.minimum(taps.clamp(min=0), limit - 1).long().unbind(-1)
        colours = self.pixels.view(-1, 3)[(picture[:, None] * SIDE_PX + row) * SIDE_PX + column]
        border = torch.tensor(BORDER, device=self.device, dtype=torch.uint8)
        colours = torch.where(inside[..., None], colours, border)
        shares = torch.stack([(1 - right) * (1 - down), right * (1 - down), (1 - right) * down, right * down])
        shares = (shares / 255).to(self.numbers)
        seen = (colours.to(self.numbers) * shares[..., None]).sum(0).float().transpose(1, 2)
        seen = seen.reshape(-1, 3, side * fine, side * fine)
        return functional.avg_pool2d(seen, fine) if fine > 1 else seen


def centres(truth: Tensor) -> Tensor:
    """The dice's centres: the truth's shape, the last axis 2."""
    return truth[..., [X, Y]]
