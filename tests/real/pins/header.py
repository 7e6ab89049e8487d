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


def press(pin: int, *, bounces: int = 6) -> float:
    """A contact to ground that bounces as contacts do, for 2 ms each."""
    return _bounce(pin, bounces, up=False)


def release(pin: int, *, bounces: int = 4) -> float:
    """The contact opens, and bounces."""
    return _bounce(pin, bounces, up=True)


def _bounce(pin: int, bounces: int, *, up: bool) -> float:
    """Gives how long the longest bounce took in the end, in seconds: a busy machine may hold one up."""
    longest_s, began_s = 0.0, time.monotonic()
    for n in range(2 * bounces + 1):
        pull(pin, up=up == (n % 2 == 0))
        now_s = time.monotonic()
        longest_s, began_s = max(longest_s, now_s - began_s), now_s
        if n < 2 * bounces:
            time.sleep(0.002)
    return longest_s


def check(what: str, ok: bool, *details: object) -> None:
    """Say that something holds; end where it does not."""
    if not ok:
        sys.stdout.write(f"FAILED: {what} {details}\n")
        sys.exit(1)
    sys.stdout.write(f"  ok: {what}\n")
    sys.stdout.flush()


def until(done: Callable[[], bool], within_s: float = 10.0) -> bool:
    """Whether it is so in time."""
    ends = time.monotonic() + within_s
    while not done() and time.monotonic() < ends:
        time.sleep(0.01)
    return done()
