# mypy: ignore-errors

"""Training samples, many at once: crops of pictures for the detector, cut-outs for the other networks."""

from dataclasses import dataclass

import torch
from torch import Tensor

from hardware.vision.dice import classifier, pip_reader
from hardware.vision.dice.classifier import NONE, UNSURE
from hardware.vision.dice.detector import EDGE_UNIT_PX, STRIDE
from hardware.vision.dice.pip_reader import LEAST_SPREAD, WINDOW
from lab.dice.draw import COLOUR, EDGE, FACE_HEIGHT, FACE_WIDTH, GONE, MEASURED, SURE, VALUE
from lab.dice.spoil import glint, recolour, worse
from lab.dice.stock import LEAST_EDGE_PX, Stock, centres

CROP_PX = 256
INSIDE = 0.4
"""The least distance of a crop's middle from the picture's rim, in sides of the crop."""
LEAST_FOUND_EDGE_PX = 9.0
SHRUNK = 0.6
"""The scale below which a cut-out's px are means, as OpenCV's are when it shrinks a picture."""
MOST_TURN = 0.35
"""The sine of a cut-out's turn beyond which its face's width and height are not learned."""


GLINTS = {"classifier": 0.12, "pip_reader": 0.2}
"""The share of each network's samples with bright arcs from a lamp."""


@dataclass(frozen=True, slots=True)
class Turns:
    """How samples are altered: the share turned by any angle, the spread of the others' turn in degrees, the
    spread of their lean, and the share of smeared ones."""

    anyhow: float
    spread_deg: float
    lean: float
    worse: float


DRAWN = Turns(0.08, 6.0, 0.03, 0.5)
PHOTOGRAPHED = Turns(0.25, 9.0, 0.07, 0.8)


def _by_kind(photo: Tensor, name: str) -> Tensor:
    return torch.where(photo, getattr(PHOTOGRAPHED, name), getattr(DRAWN, name))


def _turns(photo: Tensor) -> Tensor:
    """Random turns, mirrorings and leans about the origin, shape `(N, 2, 2)`."""
    count, device = len(photo), photo.device
    angle = torch.randn(count, device=device) * _by_kind(photo, "spread_deg") / 57.3
    anyhow = torch.rand(count, device=device) < _by_kind(photo, "anyhow")
    angle = torch.where(anyhow, torch.rand(count, device=device) * 6.2832, angle)
    cos, sin = angle.cos(), angle.sin()
    move = torch.stack([torch.stack([cos, -sin], -1), torch.stack([sin, cos], -1)], -2)
    lean = torch.randn((count, 2, 2), device=device) * _by_kind(photo, "lean")[:, None, None]
    move = move @ (torch.eye(2, device=device) + lean)
    mirrored = torch.where(torch.rand(count, device=device) < 0.5, -1.0, 1.0)
    move[:, :, 0] *= mirrored[:, None]
    return move


def detector_samples(stock: Stock, count: int) -> tuple[Tensor, Tensor]:
    """Crops `(count, 3, CROP_PX, CROP_PX)`, 0–1, and their targets `(count, 7, CROP_PX/4, CROP_PX/4)`.

    The targets' channels: score, weight of the score, then, where a die's middle is, log size, offset x
    and y, value, mask.
    """
    device = stock.device
    picture = stock.choose(count)
    truth = stock.truth[picture]
    zoom = torch.exp(torch.rand(count, device=device) * (0.47 + 0.6) - 0.6)
    reach = CROP_PX / zoom
    anywhere = torch.rand((count, 2), device=device) * stock.sizes[picture]
    there = (truth[..., VALUE] != 0).float()
    die = torch.multinomial(there + 1e-6, 1)[:, 0]
    near = centres(truth)[torch.arange(count, device=device), die]
    near = near + (torch.rand((count, 2), device=device) - 0.5) * 0.8 * reach[:, None]
    at_die = (torch.rand(count, device=device) < 0.8) & (there.sum(1) > 0)
    middle = torch.where(at_die[:, None], near, anywhere)
    rim = torch.minimum(reach[:, None] * INSIDE, stock.sizes[picture] / 2)
    middle = middle.maximum(rim).minimum(stock.sizes[picture] - rim)
    photo = stock.photo[picture]
    move = _turns(photo) / zoom[:, None, None]
    start = middle - (move @ torch.full((2, 1), CROP_PX / 2, device=device))[..., 0]
    crops = stock.crops(picture, torch.cat([move, start[..., None]], 2), CROP_PX)
    back = torch.linalg.inv(move)
    spots = (centres(truth) - start[:, None]) @ back.transpose(1, 2)
    edges = truth[..., EDGE] * torch.linalg.det(back).abs().sqrt()[:, None]
    crops = torch.where(_smeared(photo), worse(crops, 1.0), crops)
    return recolour(crops)[0], _maps(truth, spots / STRIDE, edges)


def _smeared(photo: Tensor) -> Tensor:
    return (torch.rand(len(photo), device=photo.device) < _by_kind(photo, "worse"))[:, None, None, None]


def _maps(truth: Tensor, spots: Tensor, edges: Tensor) -> Tensor:
    """The detector's targets for dice at `spots`, in cells."""
    cells = CROP_PX // STRIDE
    across = torch.arange(cells, device=truth.device) + 0.5
    sigma = (edges * 0.1 / STRIDE).clamp(min=0.65)[..., None, None]
    off_x = spots[..., 0, None, None] - across
    off_y = spots[..., 1, None, None] - across[:, None]
    bump = torch.exp(-(off_x**2 + off_y**2) / (2 * sigma**2))
    there = truth[..., VALUE] != 0
    clear = there & (truth[..., GONE] == 0) & (edges >= LEAST_FOUND_EDGE_PX)
    unclear = torch.where((there & ~clear)[..., None, None], bump, torch.zeros_like(bump)).amax(1)
    bump = torch.where(clear[..., None, None], bump, torch.zeros_like(bump))
    score, nearest = bump.max(1)
    same_cell = (off_x.abs() <= 0.5) & (off_y.abs() <= 0.5)
    beside = (off_x.abs() <= 1.5) & (off_y.abs() <= 1.5) & (sigma > 1)
    counts = ((same_cell | beside) & clear[..., None, None]).gather(1, nearest[:, None])[:, 0]
    hit = (same_cell & clear[..., None, None]).any(1)
    values = torch.where(truth[..., SURE] > 0, truth[..., VALUE] - 1, torch.full_like(edges, 6.0))
    wanted = (torch.log(edges.clamp(min=1) / EDGE_UNIT_PX), values)
    size, value = (v[..., None, None].expand_as(bump).gather(1, nearest[:, None])[:, 0] for v in wanted)
    x, y = (off.expand_as(bump).gather(1, nearest[:, None])[:, 0] for off in (off_x, off_y))
    zero = torch.zeros_like(score)
    score = torch.where(hit, torch.ones_like(score), score)
    weight = torch.where((unclear > 0.05) & ~hit, zero, zero + 1)
    mask = counts.float()
    return torch.stack([score, weight, size * mask, x * mask, y * mask, value * mask, mask], 1)


@dataclass(frozen=True, slots=True)
class Places:
    """Places in pictures to cut out: `picture` `(N,)`; x, y and edge in px `(N, 3)`; `weights` `(N,)`."""

    picture: Tensor
    at: Tensor
    weights: Tensor | None = None

    def some(self, count: int) -> "Places":
        """Some of them at random, by their weights."""
        if len(self.picture) == 0:
            return self
        chosen = torch.multinomial(self.weights, count, replacement=True)
        return Places(self.picture[chosen], self.at[chosen])


def all_dice(stock: Stock) -> Places:
    """The places of a stock's dice."""
    picture, row = stock.dice()
    truth = stock.truth[picture, row]
    places = torch.cat([centres(truth), truth[:, EDGE, None]], 1)
    return Places(picture, places, stock.place_weights(picture))


def _mixed(stock: Stock, dice: Places, taken: Places, count: int) -> Places:
    """Dice, what is taken for dice, places beside dice and places anywhere."""
    device = stock.device
    lie = dice.some(int(count * 0.45))
    beside = dice.some(int(count * 0.12))
    turn = torch.rand(len(beside.picture), device=device) * 6.2832
    far = (torch.rand(len(turn), device=device) * 1.2 + 0.4) * beside.at[:, 2]
    off = torch.stack([turn.cos() * far, turn.sin() * far], 1)
    size = beside.at[:, 2:] * torch.exp(torch.randn((len(turn), 1), device=device) * 0.25)
    looked = taken.some(int(count * 0.37))
    rest = count - len(lie.picture) - len(turn) - len(looked.picture)
    picture = stock.choose(rest)
    edge = torch.exp(torch.rand((rest, 1), device=device) * 2.1 + 2.5)
    anywhere = torch.cat([torch.rand((rest, 2), device=device) * stock.sizes[picture], edge], 1)
    return Places(
        torch.cat([lie.picture, beside.picture, looked.picture, picture]),
        torch.cat([lie.at, torch.cat([beside.at[:, :2] + off, size], 1), looked.at, anywhere]),
    )


def cut_outs(stock: Stock, places: Places, side: int, across: float, move: Tensor) -> Tensor:
    """Cut-outs `(N, 3, side, side)`, 0–1, of `across` edges around places, turned by `move` `(N, 2, 2)`."""
    scale = side / (places.at[:, 2] * across)
    move = move / scale[:, None, None]
    start = places.at[:, :2] - (move @ torch.full((2, 1), side / 2, device=stock.device))[..., 0]
    whole = torch.cat([move, start[..., None]], 2)
    cuts = stock.crops(places.picture, whole, side)
    small = (scale < SHRUNK).nonzero()[:, 0]
    if len(small):
        cuts[small] = stock.crops(places.picture[small], whole[small], side, 3)
    return cuts


def judge_samples(stock: Stock, dice: Places, taken: Places, count: int, name: str) -> tuple[Tensor, Tensor]:
    """Cut-outs as the network of that name sees them (classifier, pip_reader), and their
    targets `(N, 8)`: value (−1: none to learn), colour (−1 not known), five measures, whether those count."""
    close = name != "classifier"
    device = stock.device
    places = _mixed(stock, dice, taken, count)
    number = len(places.picture)
    spread = torch.where(torch.rand(number, device=device) < 0.7, 0.05, 0.15)[:, None]
    spread = spread * 0.7 if close else spread
    edge = places.at[:, 2:]
    off = torch.randn((number, 2), device=device) * spread * edge
    resized = torch.exp(torch.randn((number, 1), device=device) * spread * 1.8)
    places = Places(places.picture, torch.cat([places.at[:, :2] + off, edge * resized], 1))
    photo = stock.photo[places.picture]
    move = _turns(photo)
    seen_by = pip_reader if close else classifier
    cuts = glint(cut_outs(stock, places, seen_by.SIDE_PX, seen_by.EDGES_ACROSS, move), GLINTS[name])
    seen, natural = recolour(torch.where(_smeared(photo), worse(cuts), cuts))
    targets = _judged(stock.truth[places.picture], places.at, torch.linalg.inv(move))
    targets[:, 1] = torch.where(natural, targets[:, 1], torch.full_like(targets[:, 1], -1))
    return three_ways(seen) if close else seen, targets


def _judged(truth: Tensor, places: Tensor, back: Tensor) -> Tensor:
    """The targets at places; the value is −1 where the truth is unclear."""
    apart = centres(truth) - places[:, None, :2]
    far = apart.norm(dim=-1) / truth[..., EDGE].clamp(min=1)
    far = torch.where(truth[..., VALUE] != 0, far, torch.full_like(far, 99.0))
    distance, nearest = far.min(1)
    rows = torch.arange(len(places), device=places.device)
    die, off = truth[rows, nearest], apart[rows, nearest]
    edge = places[:, 2].clamp(min=1)
    grown = torch.linalg.det(back).abs().log() / 2
    ratio = torch.log(die[:, EDGE].clamp(min=1) / edge)
    none = (distance > 0.42) | (ratio.abs() > 0.75)
    unclear = (die[:, GONE] > 0) | (distance > 0.33) | (ratio.abs() > 0.55) | (edge < LEAST_EDGE_PX)
    value = torch.where(die[:, SURE] > 0, die[:, VALUE], torch.full_like(edge, float(UNSURE)))
    value = torch.where(unclear, torch.full_like(value, -1.0), value)
    value = torch.where(none, torch.full_like(value, float(NONE)), value)
    off = (back @ off[..., None])[..., 0] / edge[:, None]
    colour = torch.where(value > 0, die[:, COLOUR], torch.full_like(edge, -1.0))
    flat = [torch.log(die[:, n].clamp(min=1) / die[:, EDGE].clamp(min=1)) for n in (FACE_WIDTH, FACE_HEIGHT)]
    upright = back[:, 0, 1].abs() < MOST_TURN
    counts = ((value > 0) & (die[:, MEASURED] > 0) & upright).float()
    return torch.stack([value, colour, off[:, 0], off[:, 1], ratio + grown, *flat, counts], 1)


def three_ways(cuts: Tensor) -> Tensor:
    """Views of cut-outs for the pip reader, many at once `(N, 3, side, side)`."""
    window = torch.from_numpy(WINDOW).to(cuts.device)
    flat = cuts.flatten(2).transpose(1, 2)
    apart = flat - (window @ flat)[:, None]
    scatter = (apart * window[:, None]).transpose(1, 2) @ apart
    spread, axes = torch.linalg.eigh(scatter)
    spread = spread.flip(-1).clamp(min=0)[:, None]
    turned = apart @ axes.flip(-1)
    turned = turned * torch.where(window @ turned**3 < 0, -1.0, 1.0)[:, None]
    largest = torch.sqrt(spread[..., :1] + LEAST_SPREAD)
    ways = [turned / largest, apart / largest, turned / torch.sqrt(spread + LEAST_SPREAD)]
    seen = torch.cat(ways, 2).clamp(-4, 4) / 2
    return seen.transpose(1, 2).reshape(len(cuts), -1, *cuts.shape[2:])
