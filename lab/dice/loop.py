# mypy: ignore-errors

"""Trains the three networks side by side: the others learn on what the detector takes for dice."""

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
from lab.dice.nets import Classifier, Detector, PipReader
from lab.dice.samples import Places, all_dice, cut_outs, detector_samples, judge_samples
from lab.dice.stock import Stock

MEMORY = 0.9985
"""The share of the mean weights that stays at each step."""
RISE_STEPS = 300
REPORT_S = 15.0
LOOK_S = 30.0
"""The seconds between two searches for what the networks take for dice."""
LOOKED_AT = 3000
MOST_TAKEN = 24
TAKEN_FROM = 0.2
"""Pictures searched, the most places learned from in each, and the least score of a place."""


def detector_loss(maps: Tensor, targets: Tensor) -> Tensor:
    """CenterNet's focal loss on the score, plus size, offset and value at the dice's middles."""
    score, weight = targets[:, 0], targets[:, 1]
    logit = maps[:, 0]
    chance = torch.sigmoid(logit).clamp(1e-4, 1 - 1e-4)
    hit = (score > 0.999).float()
    pull = -hit * (1 - chance) ** 2 * torch.log(chance)
    push = -(1 - hit) * (1 - score) ** 4 * chance**2 * torch.log(1 - chance) * weight
    mask = targets[:, 6]
    middles = mask.sum() + 1
    flat = functional.smooth_l1_loss(maps[:, 1:4], targets[:, 2:5], reduction="none").sum(1)
    kinds = targets[:, 5].long()
    values = functional.cross_entropy(maps[:, 4:], kinds, reduction="none", label_smoothing=0.02)
    return (pull + push).sum() / (hit.sum() + 1) + ((flat * 1.0 + values * 0.5) * mask).sum() / middles


def classifier_loss(outs: Tensor, targets: Tensor) -> Tensor:
    """Cross entropies of value and colour plus the measures' distances."""
    value = functional.cross_entropy(outs[:, :8], targets[:, 0].long(), ignore_index=-1, label_smoothing=0.01)
    known = targets[:, 1] >= 0
    colour = functional.cross_entropy(outs[:, 8:16], targets[:, 1].long(), ignore_index=-1, reduction="sum")
    colour = colour / (known.sum() + 1)
    counts = targets[:, 7]
    flat = functional.smooth_l1_loss(outs[:, 16:21], targets[:, 2:7], reduction="none", beta=0.05).sum(1)
    return value + 0.15 * colour + (flat * counts).sum() / (counts.sum() + 1)


class Learner:
    """A network in training, and the mean of its last weights."""

    def __init__(self, net: nn.Module, device: torch.device, rate: float) -> None:
        self.net = net.to(device, memory_format=torch.channels_last)
        keep = get_ema_multi_avg_fn(MEMORY)
        self.mean = AveragedModel(self.net, device, multi_avg_fn=keep, use_buffers=True)
        self.rate, self.device, self.loss = rate, device, torch.zeros((), device=device)
        fused = device.type == "cuda"
        self.best = torch.optim.AdamW(self.net.parameters(), rate, weight_decay=2e-3, fused=fused)

    def run(self, net: nn.Module, inputs: Tensor) -> Tensor:
        """Run a network on `inputs`, summed in bfloat16."""
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
    """Detector, classifier and pip reader in training."""

    def __init__(self, device: torch.device, rate: float) -> None:
        self.device = device
        self.detector = Learner(Detector(), device, rate)
        self.classifier = Learner(Classifier(classifier.SIDE_PX), device, rate)
        self.pip_reader = Learner(PipReader(pip_reader.SIDE_PX), device, rate)

    def learners(self) -> dict[str, Learner]:
        """The three by name."""
        return {name: getattr(self, name) for name in ("detector", "classifier", "pip_reader")}

    def save(self, target: Path) -> None:
        """Keep the means of the weights."""
        torch.save({name: one.mean.module.state_dict() for name, one in self.learners().items()}, target)

    def load(self, target: Path) -> None:
        """Go on from the kept states; a network without one starts afresh."""
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
        self.look_over(stock)
        while (now_s := time.monotonic()) - begun < minutes * 60:
            step, done = step + 1, (now_s - begun) / 60 / minutes
            if now_s - looked > LOOK_S:
                more()
                self.look_over(stock)
                looked = time.monotonic()
            self._step(stock, batches, step, done)
            if now_s - reported > REPORT_S:
                reported = now_s
                losses = " ".join(f"{name} {float(one.loss):.3f}" for name, one in self.learners().items())
                click.echo(f"{kept.stem} step {step} {100 * done:.0f} % pictures {stock.count} loss {losses}")
                self.save(kept)
        self.save(kept)

    def _step(self, stock: Stock, batches: tuple[int, int], step: int, done: float) -> None:
        self.detector.learn(*detector_samples(stock, batches[0]), detector_loss, step, done)
        for name in ("classifier", "pip_reader"):
            taken = self.taken if name == "classifier" else self.refined
            some = judge_samples(stock, self.dice, taken, batches[1], name)
            self.learners()[name].learn(*some, classifier_loss, step, done)

    @torch.no_grad()
    def look_over(self, stock: Stock) -> None:
        """Find the detector's present dice, and those that the classifier keeps."""
        for learner in self.learners().values():
            learner.mean.eval()
        self.dice = all_dice(stock)
        self.taken = self._taken(stock)
        self.refined = self._refined(stock, self.taken)

    def _taken(self, stock: Stock) -> Places:
        some = min(LOOKED_AT, int((stock.weights > 0).sum()))
        numbers = torch.multinomial(stock.weights[: stock.count], some)
        found_in, spots = [torch.zeros(0, dtype=torch.long, device=self.device)], []
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
            spots.append(here[there])
        picture, spots = torch.cat(found_in), torch.cat([torch.zeros((0, 3), device=self.device), *spots])
        return Places(picture, spots, stock.place_weights(picture))

    def _refined(self, stock: Stock, taken: Places) -> Places:
        pictures, places = [], []
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
            places.append(right[keep])
        if not pictures:
            return taken
        picture = torch.cat(pictures)
        return Places(picture, torch.cat(places), stock.place_weights(picture))
