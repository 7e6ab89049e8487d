# mypy: ignore-errors

"""Writes trained networks as the ONNX files that the reader loads."""

from pathlib import Path
from tempfile import TemporaryDirectory

import click
import numpy as np
import onnx
import torch
from torch import nn

OPSET = 12
"""Read by every OpenCV from 4.10 on."""
MEANS = ("detector.onnx", "classifier.onnx")
"""Networks that become a mean of a newer and an older one."""
AVERAGE = "pip_reader.onnx"
"""The network that is the newer ones' average alone."""
SHARES = [2 / 3, 1 / 3]
"""The shares of the newer and the older network."""


def export(net: nn.Module, shape: tuple[int, int, int], target: Path, *, any_size: bool) -> None:
    """Write `net` for pictures of this shape (channels, height, width), or of any size."""
    net = net.to(memory_format=torch.contiguous_format).eval()  # type: ignore[call-overload]
    axes = {"picture": {2: "height", 3: "width"}, "out": {2: "rows", 3: "cols"}} if any_size else None
    torch.onnx.export(
        net, (torch.zeros(1, *shape),), str(target), dynamo=False, opset_version=OPSET,
        input_names=["picture"], output_names=["out"], dynamic_axes=axes,
    )  # fmt: skip
    _halve(target)


def write_average(files: list[Path], target: Path) -> None:
    """Write one network with the mean weights of those in `files`, which were trained from the same state.

    It takes the time of one, and reads about as well as the mean of their answers.
    """
    models = [onnx.load(file) for file in files]
    for same in zip(*(model.graph.initializer for model in models), strict=True):
        arrays = [onnx.numpy_helper.to_array(array) for array in same]
        if arrays[0].dtype in (np.float16, np.float32):
            mean = np.mean([array.astype(np.float32) for array in arrays], 0).astype(arrays[0].dtype)
            same[0].CopyFrom(onnx.numpy_helper.from_array(mean, same[0].name))
    onnx.save(models[0], target)


def write_mean(files: list[Path], shares: list[float], target: Path) -> None:
    """Write one network that gives the mean, by these shares, of the answers of the networks in `files`."""
    graphs = [onnx.load(file).graph for file in files]
    (picture,), (out,) = graphs[0].input, graphs[0].output
    nodes, weights, parts = [], [], []
    for number, (graph, share) in enumerate(zip(graphs, shares, strict=True)):
        for node in graph.node:
            node.name = f"{node.name}_{number}"
            for names in (node.input, node.output):
                names[:] = [name if name in ("", picture.name) else f"{name}_{number}" for name in names]
            nodes.append(node)
        for array in graph.initializer:
            array.name = f"{array.name}_{number}"
            weights.append(array)
        factor = f"share_{number}"
        weights.append(onnx.numpy_helper.from_array(np.array([share], np.float32), factor))
        parts.append(f"part_{number}")
        weighed = [f"{out.name}_{number}", factor]
        nodes.append(onnx.helper.make_node("Mul", weighed, parts[-1:], name=f"weigh_{number}"))
    nodes.append(onnx.helper.make_node("Sum", parts, [out.name], name="mean"))
    graph = onnx.helper.make_graph(nodes, "mean", [picture], [out], weights)
    first = onnx.load(files[0])
    model = onnx.helper.make_model(graph, opset_imports=first.opset_import, ir_version=first.ir_version)
    onnx.checker.check_model(model)
    onnx.save(model, target)


def _halve(target: Path) -> None:
    """Store the weights as 16-bit floats; OpenCV turns them into 32 bits when it loads the file."""
    model = onnx.load(target)
    for weights in model.graph.initializer:
        numbers = onnx.numpy_helper.to_array(weights)
        if numbers.dtype == np.float32 and numbers.size > 16:
            weights.CopyFrom(onnx.numpy_helper.from_array(numbers.astype(np.float16), weights.name))
    onnx.save(model, target)


@click.command()
@click.argument("newer", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.argument("older", type=click.Path(path_type=Path))
@click.argument("target", type=click.Path(path_type=Path))
def main(newer: tuple[Path, ...], older: Path, target: Path) -> None:
    """Write networks to TARGET: each gives the mean of the OLDER one and of the NEWER ones' average.

    The pip reader is that average alone.
    """
    with TemporaryDirectory() as folder:
        average = Path(folder) / "average.onnx"
        for name in MEANS:
            write_average([trained / name for trained in newer], average)
            write_mean([average, older / name], SHARES, target / name)
    write_average([trained / AVERAGE for trained in newer], target / AVERAGE)


if __name__ == "__main__":
    main()
