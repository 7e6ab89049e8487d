# mypy: ignore-errors

"""Writes trained networks as the ONNX files that the reader loads."""

from pathlib import Path
from shutil import copy

import click
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


def write_mean(files: list[Path], target: Path) -> None:
    """Writes one network that gives the mean of what the networks in `files` give for the same picture."""
    graphs = [onnx.load(file).graph for file in files]
    (picture,), (out,) = graphs[0].input, graphs[0].output
    nodes, weights = [], [onnx.numpy_helper.from_array(np.array([1 / len(files)], np.float32), "share")]
    for number, graph in enumerate(graphs):
        for node in graph.node:
            node.name = f"{node.name}_{number}"
            for names in (node.input, node.output):
                names[:] = [name if name in ("", picture.name) else f"{name}_{number}" for name in names]
            nodes.append(node)
        for array in graph.initializer:
            array.name = f"{array.name}_{number}"
            weights.append(array)
    outs = [f"{out.name}_{number}" for number in range(len(files))]
    nodes.append(onnx.helper.make_node("Sum", outs, ["sum"], name="add"))
    nodes.append(onnx.helper.make_node("Mul", ["sum", "share"], [out.name], name="mean"))
    graph = onnx.helper.make_graph(nodes, "mean", [picture], [out], weights)
    first = onnx.load(files[0])
    model = onnx.helper.make_model(graph, opset_imports=first.opset_import, ir_version=first.ir_version)
    onnx.checker.check_model(model)
    onnx.save(model, target)


def _halve(target: Path) -> None:
    """Keeps the weights as 16 bit floats, half the size; OpenCV makes 32 bit ones of them when it loads the
    file."""
    model = onnx.load(target)
    for weights in model.graph.initializer:
        numbers = onnx.numpy_helper.to_array(weights)
        if numbers.dtype == np.float32 and numbers.size > 16:
            weights.CopyFrom(onnx.numpy_helper.from_array(numbers.astype(np.float16), weights.name))
    onnx.save(model, target)


@click.command()
@click.argument("newer", type=click.Path(path_type=Path))
@click.argument("older", type=click.Path(path_type=Path))
@click.argument("target", type=click.Path(path_type=Path))
def main(newer: Path, older: Path, target: Path) -> None:
    """Write the NEWER weights to TARGET, classifier and pip reader as means with the OLDER ones."""
    copy(newer / "detector.onnx", target / "detector.onnx")
    for name in ("classifier.onnx", "pip_reader.onnx"):
        write_mean([newer / name, older / name], target / name)


if __name__ == "__main__":
    main()
