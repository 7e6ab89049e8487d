"""What drawn dice are made of: bodies, pips, corners, shine."""

from dataclasses import replace

import numpy as np
from numpy.random import Generator

from hardware.arrays import Float32, float32
from hardware.vision.dice.training.drawing.noise import any_colour, colour
from hardware.vision.dice.training.drawing.solid import Look

BODIES: dict[str, tuple[str, float]] = {
    "white": ("white", 0.2),
    "ivory": ("white", 0.08),
    "grey": ("grey", 0.09),
    "black": ("black", 0.12),
    "red": ("red", 0.13),
    "blue": ("blue", 0.1),
    "green": ("green", 0.09),
    "yellow": ("yellow", 0.07),
    "orange": ("other", 0.02),
    "purple": ("other", 0.03),
    "pink": ("other", 0.02),
    "brown": ("other", 0.03),
    "turquoise": ("other", 0.02),
}
"""The colours of bodies: what a reader calls each, and how often it is drawn."""
VIVID = ("red", "blue", "green", "yellow", "orange", "purple")
"""Colours that pips have where they are neither white nor black."""
LEAST_CONTRAST = 0.2
"""How far pips stand off from their body at least, as the greatest difference of a channel, 0–1."""
NO_BALL = 2.0
"""The radius of a ball, in edges, that takes nothing off a cube's corners."""
PLAINLY_DRAWN = 0.12
"""The share of pictures with variety whose dice are plain, as a program draws them."""
VIVID_PIPS = 0.2
"""The share of pictures with variety whose dice have pips of one vivid colour."""
GLAZED = 0.4
"""The share of pictures with variety whose dice have rounded faces and a glaze, which mirror lamps."""


def any_look(rng: Generator) -> tuple[Look, str]:
    """A die's look and the colour that a reader should call it, empty where that cannot be said."""
    shares = np.array([share for _, share in BODIES.values()])
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
    """The second colour of a swirled die: any, black, or a paler or darker shade of its own."""
    draw = rng.random()
    if draw < 0.4:
        return any_colour(rng)
    if draw < 0.65:
        return colour(rng, "black")
    return np.asarray(np.clip(body * rng.uniform(0.35, 1.6), 0, 1), np.float32)


def sibling(rng: Generator, look: Look, called: str) -> tuple[Look, str]:
    """A die of the same set: the same look with other swirls."""
    return replace(look, seed=int(rng.integers(1 << 30))), called


def varied(rng: Generator, looks: list[Look]) -> list[Look]:
    """The same dice of rarer makes: with bright rims about the pips, streaks for swirls, more gloss, dull
    pips, vivid pips, or plain ones as a program draws them.

    The dice of a picture share a make, as those of a set do.
    """
    rim = float(rng.uniform(0.15, 0.9)) if rng.random() < 0.2 else 0.0
    veins = float(rng.uniform(0.05, 0.2)) if rng.random() < 0.4 else 0.0
    gloss = float(rng.uniform(1, 2.5)) if rng.random() < 0.4 else 1.0
    dull = float(rng.uniform(0.25, 0.7)) if rng.random() < 0.2 else 0.0
    made = [
        replace(
            look,
            rim=rim,
            veins=veins,
            gloss=look.gloss * gloss,
            pip=float32(look.pip + (look.body - look.pip) * dull),
            lone_pip=float32(look.lone_pip + (look.body - look.lone_pip) * dull),
        )
        for look in looks
    ]
    kind = rng.random()
    if kind < PLAINLY_DRAWN:
        corner = float(rng.uniform(0.02, 0.08))
        return [_as_programs_draw(look, corner) for look in made]
    if kind < PLAINLY_DRAWN + VIVID_PIPS:
        ink = colour(rng, "red" if rng.random() < 0.5 else str(rng.choice(VIVID)))
        return [_with_pips(look, ink) for look in made]
    if kind < PLAINLY_DRAWN + VIVID_PIPS + GLAZED:
        bulge = float(rng.uniform(0.02, 0.3))
        return [_glazed(rng, look, bulge) for look in made]
    return made


def _as_programs_draw(look: Look, corner: float) -> Look:
    """The same die of one tone, with sharp edges, flat pips and no shine."""
    return replace(
        look, texture="plain", corner=corner, ball=NO_BALL, gloss=0.0, pip_depth=0.0, rim=0.0, veins=0.0
    )


def _glazed(rng: Generator, look: Look, bulge: float) -> Look:
    """The same die with rounded faces and a glaze, most often swirled or clear, its pips vivid at times."""
    glazed = replace(
        look,
        bulge=bulge,
        gloss=float(rng.uniform(0.4, 1.6)),
        ball=float(rng.uniform(0.64, 0.8)) if rng.random() < 0.6 else look.ball,
        pip_depth=float(rng.uniform(0.1, 0.9)),
    )
    if look.texture == "plain" and rng.random() < 0.6:
        swirled = rng.random() < 0.7
        glazed = replace(
            glazed,
            texture="marble" if swirled else "clear",
            second=_vein(rng, look.body),
            veins=float(rng.uniform(0.05, 0.3)) if rng.random() < 0.4 else 0.0,
        )
    if rng.random() < 0.4:
        return _with_pips(glazed, colour(rng, str(rng.choice(VIVID))))
    return glazed


def _with_pips(look: Look, ink: Float32) -> Look:
    """The same die with pips of this colour, unless they could not be seen on it."""
    off = min(float(np.abs(ink - body).max()) for body in (look.body, look.second))
    return replace(look, pip=ink, lone_pip=ink) if off > LEAST_CONTRAST else look


def _pip_colour(rng: Generator, body: Float32, second: Float32) -> Float32:
    """White on dark, black on light, at times any colour that can be told from both of the body's."""
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
