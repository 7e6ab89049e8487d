"""What the kernel itself says of the Pi's 40-pin header: which chip it is, which pins are in use, by whom.

Asked without opening a pin, so that looking disturbs nobody.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fcntl import ioctl
from pathlib import Path

import msgspec

HEADERS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The labels of the chip behind the header: Pi 5, Pi 4, and those before it (Zero 2 W)."""
HEADER_PINS = range(28)
"""The GPIO numbers that lead to the header."""

# linux/gpio.h: what a chip and a line tell of themselves.
_CHIP = struct.Struct("=32s32sI")
_LINE = struct.Struct("=32s32sIIQ176x")
_GET_CHIP = 0x8044B401
_GET_LINE = 0xC100B405
_USED = 1


class Header(msgspec.Struct, frozen=True):
    """The header: its chip's device and label, and each pin (GPIO number) in use with who uses it."""

    device: Path
    label: str
    used: dict[int, str]


def find(dev: Path = Path("/dev"), ask: Callable[[int, int, bytes], bytes] = ioctl) -> Header | None:
    """The header of this machine; None where there is none. Raises `PermissionError` naming the device."""
    for device in sorted(dev.glob("gpiochip*")):
        with _opened(device) as chip:
            _, label, count = _CHIP.unpack(ask(chip, _GET_CHIP, bytes(_CHIP.size)))
            if _text(label) in HEADERS:
                pins = HEADER_PINS[:count]
                return Header(device, _text(label), dict(_used(chip, pins, ask)))
    return None


def _used(chip: int, pins: range, ask: Callable[[int, int, bytes], bytes]) -> Iterator[tuple[int, str]]:
    for pin in pins:
        told = ask(chip, _GET_LINE, _LINE.pack(b"", b"", pin, 0, 0))
        _, user, _, _, flags = _LINE.unpack(told)
        if flags & _USED:
            yield pin, _text(user) or "?"


@contextmanager
def _opened(device: Path) -> Iterator[int]:
    with device.open("rb", buffering=0) as chip:
        yield chip.fileno()


def _text(padded: bytes) -> str:
    return padded.partition(b"\0")[0].decode("utf-8", "replace")
