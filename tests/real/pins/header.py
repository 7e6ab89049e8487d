"""The simulated header: what is soldered to it is pulled here, and what it shows is read here."""

import sys
import time
from collections.abc import Callable
from pathlib import Path

from gpiozero.pins.lgpio import LGPIOFactory

CHIP = next(Path("/sys/devices/platform").glob("gpio-sim.*/gpiochip*"))


class Factory(LGPIOFactory):
    """gpiozero on lgpio, as on a Pi 4: which board it is cannot be read from this machine."""

    def _get_revision(self) -> int:
        return 0xB03115


def factory() -> Factory:
    """gpiozero's own way to the simulated header."""
    return Factory(chip=int(CHIP.name.removeprefix("gpiochip")))


def pull(pin: int, *, up: bool) -> None:
    """Let what is soldered to a pin pull it up or down."""
    (CHIP / f"sim_gpio{pin}/pull").write_text("pull-up" if up else "pull-down")


def level(pin: int) -> int:
    """The level of a pin."""
    return int((CHIP / f"sim_gpio{pin}/value").read_text())


def share(pin: int, looks: int = 600) -> float:
    """How much of the time a pin is high."""
    return sum(level(pin) for _ in range(looks)) / looks


def press(pin: int, *, bounces: int = 6) -> None:
    """A contact to ground that bounces as contacts do, for 2 ms each."""
    for _ in range(bounces):
        pull(pin, up=False)
        time.sleep(0.002)
        pull(pin, up=True)
        time.sleep(0.002)
    pull(pin, up=False)


def release(pin: int, *, bounces: int = 4) -> None:
    """The contact opens, and bounces."""
    for _ in range(bounces):
        pull(pin, up=True)
        time.sleep(0.002)
        pull(pin, up=False)
        time.sleep(0.002)
    pull(pin, up=True)


def check(what: str, ok: bool, *told: object) -> None:
    """Say that something holds; end where it does not."""
    if not ok:
        sys.stdout.write(f"FAILED: {what} {told}\n")
        sys.exit(1)
    sys.stdout.write(f"  ok: {what}\n")
    sys.stdout.flush()


def until(done: Callable[[], bool], within_s: float = 10.0) -> bool:
    """Whether it is so in time."""
    ends = time.monotonic() + within_s
    while not done() and time.monotonic() < ends:
        time.sleep(0.01)
    return done()
