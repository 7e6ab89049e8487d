# mypy: ignore-errors

"""Writes trained networks as the ONNX files that the reader loads."""

from pathlib import Path

import torch
from torch import nn

OPSET = 12
"""Read by every OpenCV from 4.10 on."""


def export(net: nn.Module, side: int, target: Path, *, any_size: bool) -> None:
    """Writes `net`, taking pictures of `side` px, or of any size where `any_size`."""
    net = net.to(memory_format=torch.contiguous_format).eval()  # type: ignore[call-overload]
    axes = {"picture": {2: "height", 3: "width"}, "out": {2: "rows", 3: "cols"}} if any_size else None
    torch.onnx.export(
        net, (torch.zeros(1, 3, side, side),), str(target), dynamo=False, opset_version=OPSET,
        input_names=["picture"], output_names=["out"], dynamic_axes=axes,
    )  # fmt: skip
