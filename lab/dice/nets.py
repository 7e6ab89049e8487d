# mypy: ignore-errors

"""The networks: the detector looks over a whole photo, the others at one die cut out of it."""

import torch
from torch import Tensor, nn

from hardware.vision.dice.pip_reader import CHANNELS

FINDER_OUT = 11
"""Channels of the detector: score, log size, offset x and y, then seven values (1–6, unsure)."""
CLASSIFIER_OUT = 21
"""Outputs of the classifier: eight values (none, 1–6, unsure), eight colours, then in edges offset x and y,
log size, log width and height.
"""
DETECTOR_WIDTHS = (16, 28, 56, 96, 128)
"""The detector's channels at half, quarter, eighth, sixteenth and least size."""
CLASSIFIER_WIDTHS = (32, 48, 64)
PIP_READER_WIDTHS = (64, 96, 128)


def _block(inward: int, outward: int, stride: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inward, outward, 3, stride, 1, bias=False), nn.BatchNorm2d(outward), nn.ReLU()
    )


def _first(channels: int, width: int) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(channels, width, 5, 2, 2, bias=False), nn.BatchNorm2d(width), nn.ReLU())


class Detector(nn.Module):
    """Pictures `(N, 3, H, W)`, sides multiples of 32, to maps `(N, FINDER_OUT, H/4, W/4)`."""

    def __init__(self, widths: tuple[int, int, int, int, int] = DETECTOR_WIDTHS) -> None:
        super().__init__()
        a, b, c, d, e = widths
        self.first = _block(3, a, 2)
        self.quarter = nn.Sequential(_block(a, b, 2), _block(b, b))
        self.eighth = nn.Sequential(_block(b, c, 2), _block(c, c), _block(c, c))
        self.sixteenth = nn.Sequential(_block(c, d, 2), _block(d, d), _block(d, d))
        self.coarsest = nn.Sequential(_block(d, e, 2), _block(e, e), _block(e, e))
        self.lift_e, self.lift_d, self.lift_c = nn.Conv2d(e, d, 1), nn.Conv2d(d, c, 1), nn.Conv2d(c, b, 1)
        self.join_d, self.join_c, self.join_b = _block(d, d), _block(c, c), _block(b, b)
        self.out = nn.Conv2d(b, FINDER_OUT, 1)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        with torch.no_grad():
            assert self.out.bias is not None
            self.out.bias[0] = -4.0

    def forward(self, picture: Tensor) -> Tensor:
        """Run the network on `picture`."""
        quarter = self.quarter(self.first(picture))
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        sixteenth = self.join_d(sixteenth + self.up(self.lift_e(self.coarsest(sixteenth))))
        eighth = self.join_c(eighth + self.up(self.lift_d(sixteenth)))
        out: Tensor = self.out(self.join_b(quarter + self.up(self.lift_c(eighth))))
        return out


class _Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.one = _block(width, width)
        self.two = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, inward: Tensor) -> Tensor:
        """Run the network on `inward`."""
        return torch.relu(inward + self.two(self.one(inward)))


class _CutOuts(nn.Module):
    """Cut-outs `(N, channels, side, side)`, `side` a multiple of 8, to `(N, CLASSIFIER_OUT)`."""

    def __init__(self, side: int, width: int, *layers: nn.Module) -> None:
        super().__init__()
        self.body = nn.Sequential(*layers)
        last = nn.Linear(width * (side // 8) ** 2, CLASSIFIER_OUT)
        self.out = nn.Sequential(nn.Flatten(), nn.Dropout(0.1), last)

    def forward(self, cutouts: Tensor) -> Tensor:
        """Run the network on `cutouts`."""
        out: Tensor = self.out(self.body(cutouts))
        return out


class Classifier(_CutOuts):
    """Judges cut-outs of three channels."""

    def __init__(self, side: int, widths: tuple[int, int, int] = CLASSIFIER_WIDTHS) -> None:
        a, b, c = widths
        halved, quartered = (_Residual(a), _block(a, b, 2)), (_Residual(b), _block(b, c, 2))
        super().__init__(side, c, _first(3, a), *halved, *quartered, _block(c, c))


class PipReader(_CutOuts):
    """Judges cut-outs of `CHANNELS` channels, which show three views."""

    def __init__(self, side: int, widths: tuple[int, int, int] = PIP_READER_WIDTHS) -> None:
        a, b, c = widths
        halved = (_Residual(a), _Residual(a), _block(a, b, 2))
        quartered = (_Residual(b), _Residual(b), _block(b, c, 2))
        super().__init__(side, c, _first(CHANNELS, a), *halved, *quartered, _Residual(c))
