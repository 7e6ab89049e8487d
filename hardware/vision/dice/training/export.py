# mypy: ignore-errors

"""Writes trained networks as the ONNX files that the reader loads."""

from pathlib import Path

import numpy as np
import onnx
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
    _halve(target)


def _halve(target: Path) -> None:
    """Keeps the weights as 16 bit floats, half the size; OpenCV makes 32 bit ones of them when it loads the
    file."""
    model = onnx.load(target)
    for weights in model.graph.initializer:
        numbers = onnx.numpy_helper.to_array(weights)
        if numbers.dtype == np.float32 and numbers.size > 16:
            weights.CopyFrom(onnx.numpy_helper.from_array(numbers.astype(np.float16), weights.name))
    onnx.save(model, target)
