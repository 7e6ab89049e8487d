# mypy: ignore-errors

"""How far the networks are from the truth."""

import torch
from torch import Tensor
from torch.nn import functional


def detector_loss(maps: Tensor, targets: Tensor) -> Tensor:
    """Penalty-reduced focal loss on the score (as CenterNet has it), plus size, offset and value at the
    dice's middles."""
    score, weight = targets[:, 0], targets[:, 1]
    logit = maps[:, 0]
    chance = torch.sigmoid(logit).clamp(1e-4, 1 - 1e-4)
    hit = (score > 0.999).float()
    pull = -hit * (1 - chance) ** 2 * torch.log(chance)
    push = -(1 - hit) * (1 - score) ** 4 * chance**2 * torch.log(1 - chance) * weight
    mask = targets[:, 6]
    middles = mask.sum() + 1
    flat = functional.smooth_l1_loss(maps[:, 1:4], targets[:, 2:5], reduction="none").sum(1)
    values = functional.cross_entropy(
        maps[:, 4:], targets[:, 5].long(), reduction="none", label_smoothing=0.02
    )
    return (pull + push).sum() / (hit.sum() + 1) + ((flat * 1.0 + values * 0.5) * mask).sum() / middles


def classifier_loss(outs: Tensor, targets: Tensor) -> Tensor:
    """Cross entropies of value and colour plus the measures' distances."""
    value = functional.cross_entropy(outs[:, :8], targets[:, 0].long(), ignore_index=-1, label_smoothing=0.01)
    known = targets[:, 1] >= 0
    colour = functional.cross_entropy(
        outs[:, 8:16], targets[:, 1].long(), ignore_index=-1, reduction="sum"
    ) / (known.sum() + 1)
    counts = targets[:, 7]
    flat = functional.smooth_l1_loss(outs[:, 16:21], targets[:, 2:7], reduction="none", beta=0.05).sum(1)
    return value + 0.15 * colour + (flat * counts).sum() / (counts.sum() + 1)
