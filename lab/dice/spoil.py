# mypy: ignore-errors

"""The marks of lamps and cameras on crops, many at once on the computing device."""

import math

import torch
from torch import Tensor
from torch.nn import functional

SMEAR_REACH = 3


def _uniform(like: Tensor, low: float, high: float, *shape: int) -> Tensor:
    return torch.rand((len(like), *(shape or (1, 1, 1))), device=like.device) * (high - low) + low


def _normal(like: Tensor, spread: float, *shape: int) -> Tensor:
    return torch.randn((len(like), *(shape or (1, 1, 1))), device=like.device) * spread


def _by_chance(like: Tensor, chance: float) -> Tensor:
    return torch.rand((len(like), 1, 1, 1), device=like.device) < chance


def recolour(crops: Tensor) -> tuple[Tensor, Tensor]:
    """The crops `(N, 3, h, w)`, 0–1, in other light, and a mask `(N,)` of those with their own colours."""
    kind = torch.rand((len(crops), 1, 1, 1), device=crops.device)
    order = torch.rand((len(crops), 3), device=crops.device).argsort(1)[..., None, None].expand_as(crops)
    seen = torch.where(kind < 0.06, crops.gather(1, order), crops)
    seen = torch.where((kind >= 0.06) & (kind < 0.1), crops.mean(1, keepdim=True), seen)
    seen = torch.where((kind >= 0.1) & (kind < 0.36), _estranged(seen), seen)
    seen = seen * torch.exp(_normal(crops, 0.22)) * torch.exp(_normal(crops, 0.07, 3, 1, 1))
    seen = seen.clamp(1e-4, 1) ** torch.exp(_normal(crops, 0.18))
    flat = _uniform(crops, 0.6, 1.15)
    seen = torch.where(_by_chance(crops, 0.3), 0.5 + (seen - 0.5) * flat + _normal(crops, 0.08), seen)
    grain = torch.where(_by_chance(crops, 0.35), _uniform(crops, 0, 0.05), torch.zeros_like(kind))
    seen = seen + torch.randn_like(seen) * grain
    return seen.clamp(0, 1), (kind >= 0.36).flatten()


def _estranged(crops: Tensor) -> Tensor:
    """Scale, invert or almost remove each channel's contrast, so that pips may differ in hue alone."""
    scale = _uniform(crops, -1, 1, 3, 1, 1)
    strong = _uniform(crops, 0.45, 1) * torch.where(_by_chance(crops, 0.5), 1.0, -1.0)
    chosen = torch.randint(3, (len(crops),), device=crops.device)
    scale = torch.where(functional.one_hot(chosen, 3).bool()[..., None, None], strong, scale)
    middle = crops.mean((2, 3), keepdim=True)
    level = (middle + _normal(crops, 0.2, 3, 1, 1)).clamp(0.1, 0.8)
    return (level + (crops - middle) * scale).clamp(0, 1)


def blurred(crops: Tensor, across: Tensor, down: Tensor) -> Tensor:
    """The crops smeared by normal distributions of these spreads in px, shape `(N, 1, 1, 1)` each."""
    steps = torch.arange(-SMEAR_REACH, SMEAR_REACH + 1, device=crops.device)
    number, channels = crops.shape[:2]
    padded = functional.pad(crops, (SMEAR_REACH,) * 4, mode="replicate")
    seen = padded.reshape(1, number * channels, *padded.shape[2:])
    for shape, spread in (((1, 1, -1), across), ((1, -1, 1), down)):
        shares = torch.exp(-(steps**2) / (2 * spread.flatten()[:, None].clamp(min=0.05) ** 2))
        shares = (shares / shares.sum(-1, keepdim=True)).repeat_interleave(channels, 0)
        seen = functional.conv2d(seen, shares.reshape(number * channels, *shape), groups=number * channels)
    return seen.reshape(crops.shape)


def worse(crops: Tensor, most: float = 1.3) -> Tensor:
    """The crops of a worse camera: smeared by up to `most` px, with smeared colours or sharp edges."""
    none = torch.zeros((len(crops), 1, 1, 1), device=crops.device)
    spread = torch.where(_by_chance(crops, 0.3), _uniform(crops, 0.3, most), none)
    along = torch.where(_by_chance(crops, 0.15), _uniform(crops, 0, most), none)
    turned = _by_chance(crops, 0.5)
    seen = blurred(crops, spread + along * turned, spread + along * ~turned)
    grey = seen.mean(1, keepdim=True)
    hues = torch.where(_by_chance(crops, 0.35), _uniform(crops, 0.5, 1.7 * most), none)
    seen = grey + blurred(seen - grey, hues, hues)
    sharper = torch.where(_by_chance(crops, 0.15), _uniform(crops, 0.3, 1.2), none)
    soft = blurred(seen, none + 1, none + 1)
    return (seen + (seen - soft) * sharper).clamp(0, 1)


def glint(crops: Tensor, chance: float) -> Tensor:
    """Bright arcs on some crops, as lamps leave them on a glossy die's rounded edges."""
    side = crops.shape[-1]
    steps = torch.arange(side, device=crops.device) - side / 2
    y, x = torch.meshgrid(steps, steps, indexing="ij")
    x, y = x - _normal(crops, side / 14), y - _normal(crops, side / 14)
    turn = _uniform(crops, 0, math.pi)
    x, y = x * turn.cos() + y * turn.sin(), y * turn.cos() - x * turn.sin()
    wide, high = _uniform(crops, side / 10, side / 3.2), _uniform(crops, side / 10, side / 3.2)
    off = (torch.sqrt((x / wide) ** 2 + (y / high) ** 2) - 1) * torch.minimum(wide, high)
    ring = torch.exp(-((off / _uniform(crops, 0.5, 1.6)) ** 2))
    angle = torch.atan2(y / high, x / wide)
    folds = torch.randint(1, 4, (len(crops), 1, 1, 1), device=crops.device)
    lit = torch.cos(angle * folds + _uniform(crops, 0, 6.28)) > _uniform(crops, -0.8, 0.6)
    share = ring * lit * _uniform(crops, 0.3, 1) * _by_chance(crops, chance)
    return crops + (1 - crops) * share
