# mypy: ignore-errors

"""Trains the four networks side by side: the others learn on what the detector takes for dice."""

import math
import time
from collections.abc import Callable
from pathlib import Path

import click
import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn

from hardware.vision.dice import classifier, pip_reader
from hardware.vision.dice.classifier import NONE
from hardware.vision.dice.detector import EDGE_UNIT_PX, STRIDE
from hardware.vision.dice.reader import NO_DIE
from hardware.vision.dice.training.losses import classifier_loss, detector_loss
from hardware.vision.dice.training.nets import PIP_READER_WIDTHS, Classifier, CloseReader, Detector
from hardware.vision.dice.training.samples import (
    Places,
    all_dice,
    cut_outs,
    detector_samples,
    judge_samples,
)
from hardware.vision.dice.training.stock import Stock

MEMORY = 0.9985
"""How much of the mean of past weights, which is what is kept, stays at each step."""
RISE_STEPS = 300
"""The steps in which the rate of learning rises."""
REPORT_S = 15.0
"""The time between two reports."""
LOOK_S = 30.0
"""The time between two looks at what the networks take for dice."""
LOOKED_AT = 3000
"""The number of pictures of a stock in which to look."""
MOST_TAKEN = 24
"""The maximum number of places in a picture that are learned from."""
TAKEN_FROM = 0.2
"""The minimum score of such a place."""


class Learner:
    """A network in training, and the mean of its last weights."""

    def __init__(self, net: nn.Module, device: torch.device, rate: float) -> None:
        self.net = net.to(device, memory_format=torch.channels_last)
        self.mean = AveragedModel(
            self.net, device, multi_avg_fn=get_ema_multi_avg_fn(MEMORY), use_buffers=True
        )
        self.rate, self.device, self.loss = rate, device, torch.zeros((), device=device)
        self.best = torch.optim.AdamW(
            self.net.parameters(), rate, weight_decay=2e-3, fused=device.type == "cuda"
        )

    def run(self, net: nn.Module, inputs: Tensor) -> Tensor:
        """What a network makes of `inputs`, summed in bfloat16."""
        with torch.autocast(self.device.type, torch.bfloat16):
            return net(inputs.contiguous(memory_format=torch.channels_last)).float()

    def learn(self, inputs: Tensor, targets: Tensor, loss_of, step: int, done: float) -> None:
        """One step of training; `done` (0 to 1) is the share of the training that is over."""
        # The mean must forget the first weights, which know nothing.
        self.mean.multi_avg_fn = get_ema_multi_avg_fn(min(MEMORY, step / (step + 10)))
        share = min(1.0, step / RISE_STEPS) * (0.505 + 0.495 * math.cos(math.pi * min(1.0, done)))
        for group in self.best.param_groups:
            group["lr"] = self.rate * share
        loss = loss_of(self.run(self.net, inputs), targets)
        self.best.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 10)
        self.best.step()
        self.mean.update_parameters(self.net)
        self.loss = 0.98 * self.loss + 0.02 * loss.detach()


class Networks:
    """Detector, classifier, pip reader and close reader in training."""

    def __init__(self, device: torch.device, rate: float) -> None:
        self.device = device
        nets = (
            Detector(),
            Classifier(classifier.SIDE_PX),
            Classifier(pip_reader.SIDE_PX, PIP_READER_WIDTHS),
            CloseReader(pip_reader.SIDE_PX),
        )
        self.detector, self.classifier, self.pip_reader, self.close_reader = (
            Learner(net, device, rate) for net in nets
        )

    def learners(self) -> dict[str, Learner]:
        """The four by name."""
        return {
            "detector": self.detector,
            "classifier": self.classifier,
            "pip_reader": self.pip_reader,
            "close_reader": self.close_reader,
        }

    def save(self, target: Path) -> None:
        """Keep the means of the weights."""
        torch.save({name: one.mean.module.state_dict() for name, one in self.learners().items()}, target)

    def load(self, target: Path) -> None:
        """Go on from what was kept; a network of which nothing was kept starts afresh."""
        kept = torch.load(target, map_location=self.device)
        for name in kept:
            one = self.learners()[name]
            one.net.load_state_dict(kept[name])
            one.mean.module.load_state_dict(kept[name])

    def train(
        self, stock: Stock, more: Callable[[], None], minutes: float, batches: tuple[int, int], kept: Path
    ) -> None:
        """Train for this many minutes, calling for `more` pictures from time to time.

        `batches`: the samples of a step for the detector, and for each of the others.
        """
        begun = looked = reported = time.monotonic()
        step = 0
        self.look(stock)
        while (now := time.monotonic()) - begun < minutes * 60:
            step, done = step + 1, (now - begun) / 60 / minutes
            if now - looked > LOOK_S:
                more()
                self.look(stock)
                looked = time.monotonic()
            self._step(stock, batches, step, done)
            if now - reported > REPORT_S:
                reported = now
                losses = " ".join(f"{name} {float(one.loss):.3f}" for name, one in self.learners().items())
                click.echo(f"{kept.stem} step {step} {100 * done:.0f} % pictures {stock.count} loss {losses}")
                self.save(kept)
        self.save(kept)

    def _step(self, stock: Stock, batches: tuple[int, int], step: int, done: float) -> None:
        self.detector.learn(*detector_samples(stock, batches[0]), detector_loss, step, done)
        for name in ("classifier", "pip_reader", "close_reader"):
            taken = self.taken if name == "classifier" else self.refined
            some = judge_samples(stock, self.dice, taken, batches[1], name)
            self.learners()[name].learn(*some, classifier_loss, step, done)

    @torch.no_grad()
    def look(self, stock: Stock) -> None:
        """Find what the detector now takes for dice, and what the classifier leaves of that."""
        for learner in self.learners().values():
            learner.mean.eval()
        self.dice = all_dice(stock)
        self.taken = self._taken(stock)
        self.refined = self._refined(stock, self.taken)

    def _taken(self, stock: Stock) -> Places:
        some = min(LOOKED_AT, int((stock.weights > 0).sum()))
        numbers = torch.multinomial(stock.weights[: stock.count], some)
        found_in, at = [torch.zeros(0, dtype=torch.long, device=self.device)], []
        for some in numbers.split(48):
            pictures = stock.pixels[some].permute(0, 3, 1, 2).float() / 255
            maps = self.detector.run(self.detector.mean, pictures)
            score = torch.sigmoid(maps[:, 0])
            peak = (score == functional.max_pool2d(score, 3, 1, 1)) & (score > TAKEN_FROM)
            best, places = (score * peak).flatten(1).topk(MOST_TAKEN)
            size, x, y = maps[:, 1:4].flatten(2).gather(2, places[:, None].expand(-1, 3, -1)).unbind(1)
            col, row = places % score.shape[2], places // score.shape[2]
            edge = EDGE_UNIT_PX * torch.exp(size.clamp(-2, 4))
            here = torch.stack([(col + 0.5 + x) * STRIDE, (row + 0.5 + y) * STRIDE, edge], 2)
            there = best > 0
            found_in.append(some[:, None].expand_as(best)[there])
            at.append(here[there])
        picture = torch.cat(found_in)
        return Places(
            picture, torch.cat([torch.zeros((0, 3), device=self.device), *at]), stock.place_weights(picture)
        )

    def _refined(self, stock: Stock, taken: Places) -> Places:
        pictures, at = [], []
        straight = torch.eye(2, device=self.device)
        for start in range(0, len(taken.picture), 2048):
            some = Places(taken.picture[start : start + 2048], taken.at[start : start + 2048])
            move = straight.expand(len(some.picture), 2, 2)
            cuts = cut_outs(stock, some, classifier.SIDE_PX, classifier.EDGES_ACROSS, move)
            out = self.classifier.run(self.classifier.mean, cuts)
            keep = out[:, :8].softmax(1)[:, NONE] < NO_DIE
            x, y, size = out[:, 16:19].clamp(-1, 1).T
            edge = some.at[:, 2]
            right = torch.stack([some.at[:, 0] + x * edge, some.at[:, 1] + y * edge, edge * size.exp()], 1)
            pictures.append(some.picture[keep])
            at.append(right[keep])
        if not pictures:
            return taken
        picture = torch.cat(pictures)
        return Places(picture, torch.cat(at), stock.place_weights(picture))
