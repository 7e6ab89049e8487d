"""The materials of drawn dice: bodies, pips, corners, shine."""

from dataclasses import replace

import numpy as np
from numpy.random import Generator

from hardware.arrays import Float32, float32
from lab.dice.drawing.noise import BODIES, any_colour, colour
from lab.dice.drawing.solid import Look

VIVID = ("red", "blue", "green", "yellow", "orange", "purple")
LEAST_CONTRAST = 0.2
"""The least difference between pips and body, in the channel that differs most, 0–1."""
NO_BALL = 2.0
"""The radius of a ball, in edges, that takes nothing off a cube's corners."""
PLAINLY_DRAWN = 0.12
VIVID_PIPS = 0.2
GLAZED = 0.4
"""Shares of pictures with variety: dice plain as a program draws them, pips of one vivid colour, glazed dice
with rounded faces.
"""


def any_look(rng: Generator) -> tuple[Look, str]:
    """A die's look and the colour that a reader should name, empty if nobody could."""
    shares = np.array([share for _, share, _ in BODIES.values()])
    name = str(rng.choice(list(BODIES), p=shares / shares.sum()))
    body = colour(rng, name)
    texture = str(rng.choice(["plain", "marble", "speckle", "clear"], p=[0.58, 0.25, 0.06, 0.11]))
    second, called = body, BODIES[name][0]
    if texture == "marble":
        second = _vein(rng, body)
        called = "" if np.abs(second - body).max() > 0.3 else called
    elif texture == "speckle":
        second = any_colour(rng)
    elif texture == "clear":
        second = np.asarray(np.clip(body * rng.uniform(0.3, 0.8) + rng.uniform(0, 0.25), 0, 1), np.float32)
    pip = _pip_colour(rng, body, second if texture in ("marble", "clear") else body)
    lone = colour(rng, "red") if called == "white" and rng.random() < 0.25 else pip
    casino = rng.random() < 0.12
    look = Look(
        body=body,
        second=second,
        texture=texture,  # type: ignore[arg-type]
        pip=pip,
        lone_pip=lone,
        pip_radius=float(rng.uniform(0.065, 0.125)),
        pip_spacing=float(rng.uniform(0.2, 0.285)),
        pip_depth=float(rng.uniform(0, 0.7)),
        ones=float(rng.uniform(1.3, 2.2)) if rng.random() < 0.2 else 1.0,
        corner=0.02 if casino else float(rng.uniform(0.05, 0.22)),
        ball=NO_BALL if casino or rng.random() < 0.45 else float(rng.uniform(0.66, 0.84)),
        gloss=float(rng.choice([0.0, rng.uniform(0.1, 1.4)], p=[0.25, 0.75])),
        sharpness=float(np.exp(rng.uniform(2.3, 6.3))),
        seed=int(rng.integers(1 << 30)),
    )
    return look, called


def _vein(rng: Generator, body: Float32) -> Float32:
    draw = rng.random()
    if draw < 0.4:
        return any_colour(rng)
    if draw < 0.65:
        return colour(rng, "black")
    return np.asarray(np.clip(body * rng.uniform(0.35, 1.6), 0, 1), np.float32)


def varied(rng: Generator, looks: list[Look]) -> list[Look]:
    """The dice of a picture in one rarer make: with bright rims around the pips, streaks for swirls, more
    gloss, dull pips, vivid pips, or plain as a program draws them."""
    rim = float(rng.uniform(0.15, 0.9)) if rng.random() < 0.2 else 0.0
    veins = float(rng.uniform(0.05, 0.2)) if rng.random() < 0.4 else 0.0
    gloss = float(rng.uniform(1, 2.5)) if rng.random() < 0.4 else 1.0
    dull = float(rng.uniform(0.25, 0.7)) if rng.random() < 0.2 else 0.0
    made = []
    for look in looks:
        pip, lone = (float32(ink + (look.body - ink) * dull) for ink in (look.pip, look.lone_pip))
        made.append(replace(look, rim=rim, veins=veins, gloss=look.gloss * gloss, pip=pip, lone_pip=lone))
    kind = rng.random()
    if kind < PLAINLY_DRAWN:
        corner = float(rng.uniform(0.02, 0.08))
        flat = [replace(look, gloss=0.0, pip_depth=0.0, rim=0.0, veins=0.0) for look in made]
        return [replace(look, texture="plain", corner=corner, ball=NO_BALL) for look in flat]
    if kind < PLAINLY_DRAWN + VIVID_PIPS:
        ink = colour(rng, "red" if rng.random() < 0.5 else str(rng.choice(VIVID)))
        return [_with_pips(look, ink) for look in made]
    if kind < PLAINLY_DRAWN + VIVID_PIPS + GLAZED:
        bulge = float(rng.uniform(0.02, 0.3))
        return [_glazed(rng, look, bulge) for look in made]
    return made


def _glazed(rng: Generator, look: Look, bulge: float) -> Look:
    glazed = replace(
        look,
        bulge=bulge,
        gloss=float(rng.uniform(0.4, 1.6)),
        ball=float(rng.uniform(0.64, 0.8)) if rng.random() < 0.6 else look.ball,
        pip_depth=float(rng.uniform(0.1, 0.9)),
    )
    if look.texture == "plain" and rng.random() < 0.6:
        swirled = rng.random() < 0.7
        second = _vein(rng, look.body)
        veins = float(rng.uniform(0.05, 0.3)) if rng.random() < 0.4 else 0.0
        glazed = replace(glazed, texture="marble" if swirled else "clear", second=second, veins=veins)
    if rng.random() < 0.4:
        return _with_pips(glazed, colour(rng, str(rng.choice(VIVID))))
    return glazed


def _with_pips(look: Look, ink: Float32) -> Look:
    off = min(float(np.abs(ink - body).max()) for body in (look.body, look.second))
    return replace(look, pip=ink, lone_pip=ink) if off > LEAST_CONTRAST else look


def _pip_colour(rng: Generator, body: Float32, second: Float32) -> Float32:
    bright = float((body + second) @ float32([0.11, 0.59, 0.3])) / 2
    for _ in range(30):
        if rng.random() < 0.35:
            pip = colour(rng, str(rng.choice(VIVID)))
            if min(np.abs(pip - body).max(), np.abs(pip - second).max()) > LEAST_CONTRAST:
                return pip
        draw = rng.random()
        if draw < 0.4:
            pip = colour(rng, "black" if bright > 0.45 else "white")
        elif draw < 0.65:
            pip = colour(rng, "white" if bright < 0.7 else "black")
        elif draw < 0.75:
            pip = colour(rng, "black")
        elif draw < 0.85:
            pip = np.asarray(np.clip(body + rng.choice([-0.3, 0, 0.3], 3), 0, 1), np.float32)
        else:
            pip = any_colour(rng)
        if min(np.abs(pip - body).max(), np.abs(pip - second).max() + 0.06) > LEAST_CONTRAST:
            return pip
    return colour(rng, "black" if bright > 0.45 else "white")
