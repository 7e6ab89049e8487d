"""Asks the kernel about the Pi's 40-pin header: its chip, the pins in use and their users.

No pin is opened, so that asking disturbs no other program.
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

# The structs and numbers below are those of linux/gpio.h.
_CHIP = struct.Struct("=32s32sI")
"""struct gpiochip_info: name, label, number of lines."""
_LINE = struct.Struct("=32s32sIIQ176x")
"""struct gpio_v2_line_info: name, consumer, offset, number of attributes, flags; the rest is left out."""
_GET_CHIP = 0x8044B401
"""GPIO_GET_CHIPINFO_IOCTL."""
_GET_LINE = 0xC100B405
"""GPIO_V2_GET_LINEINFO_IOCTL."""
_USED = 1
"""GPIO_V2_LINE_FLAG_USED."""


class Header(msgspec.Struct, frozen=True):
    """The header and the pins of it that are in use."""

    device: Path
    """The chip's device file."""
    label: str
    used: dict[int, str]
    """The user of each pin in use, by GPIO number."""


def find(dev: Path = Path("/dev"), ask: Callable[[int, int, bytes], bytes] = ioctl) -> Header | None:
    """The header of this machine, if it has one. Raises `PermissionError` that names the device.

    `dev` is the folder of device files, `ask` the ioctl call.
    """
    for device in sorted(dev.glob("gpiochip*")):
        with _opened(device) as chip:
            _, label, count = _CHIP.unpack(ask(chip, _GET_CHIP, bytes(_CHIP.size)))
            if _text(label) in HEADERS:
                pins = HEADER_PINS[:count]
                return Header(device, _text(label), dict(_used(chip, pins, ask)))
    return None


def _used(chip: int, pins: range, ask: Callable[[int, int, bytes], bytes]) -> Iterator[tuple[int, str]]:
    for pin in pins:
        info = ask(chip, _GET_LINE, _LINE.pack(b"", b"", pin, 0, 0))
        _, user, _, _, flags = _LINE.unpack(info)
        if flags & _USED:
            yield pin, _text(user) or "?"


@contextmanager
def _opened(device: Path) -> Iterator[int]:
    with device.open("rb", buffering=0) as chip:
        yield chip.fileno()


def _text(padded: bytes) -> str:
    return padded.partition(b"\0")[0].decode("utf-8", "replace")
