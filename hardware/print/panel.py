"""The panel's wiring as a sheet: the 40-pin header, a list of wires, and a paper leaf for the pins."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import msgspec
from reportlab.lib.units import mm

from hardware.panel.wiring import (
    BUTTONS,
    GPIO_OF_PIN,
    GROUND_PINS,
    MOST_MA,
    PIN_OF_GPIO,
    VOLT_3_PINS,
    Wire,
    Wiring,
    enough_ohms,
    milliamps,
    ohms,
)
from hardware.print.sheets import MARGIN_MM, SIZES, Sheet

PIN_MM = 2.54
ROWS = 20
STEP_MM = 6.6
SQUARE_MM = 4.8
FAN_MM = (21.0, 37.0)
"""Distances from the middle between which a wire slants from its pin's height to its part's."""
PART_MM = 40.0
RAIL_MM = 90.0
"""Distance from the middle of the wire that joins everything on ground."""
MOST_ROW_MM = 16.0
"""The largest distance between two wires."""
LABEL_MM = 4.2
LEAF_SIDE_MM = 24.0
VOLT_3 = "3.3 V"
VOLT_5 = "5 V"


class Row(msgspec.Struct, frozen=True):
    """A wire in the drawing: the header pin where it begins, and the wire itself; None for ground."""

    pin: int
    wire: Wire | None


def panel_sheet(wiring: Wiring, size: str, language: str) -> bytes:
    """The wiring of the panel as a PDF of two pages.

    `size` is a key of `sheets.SIZES`, `language` one of `sheets.FONTS`.
    """
    width, height = (side / mm for side in SIZES[size])
    sheet = Sheet(width, height, "panel", language)
    top = _head(sheet, "panel", 16)
    for key in ("panel-how", "panel-legs"):
        top = sheet.paragraph(MARGIN_MM, top, width - 2 * MARGIN_MM, sheet.say(key)) + 1.5
    _drawing(sheet, wiring, top + 10)
    sheet.ruler()
    sheet.next_page()
    top = _list(sheet, wiring, _head(sheet, "panel-list", 13))
    for sentence in _current_sentences(sheet, wiring):
        top = sheet.paragraph(MARGIN_MM, top + 3, width - 2 * MARGIN_MM, sentence)
    top += 6
    top = sheet.paragraph(MARGIN_MM, top, width - 2 * MARGIN_MM, sheet.say("panel-leaf")) + 4
    _leaf(sheet, wiring, top)
    sheet.ruler()
    sheet.next_page()
    return sheet.finished()


def _head(sheet: Sheet, title: str, size: float) -> float:
    wide = sheet.width_mm - 2 * MARGIN_MM
    return sheet.paragraph(MARGIN_MM, MARGIN_MM, wide, sheet.say(title), size=size) + 2


# What each wire needs.


def part_name(sheet: Sheet, wire: Wire) -> str:
    """A part in the sheet's language: `Seat 1: button`."""
    leg = f"-{wire.leg}" if wire.leg else ""
    return sheet.say(f"panel-{wire.part}{leg}", n=(wire.seat or 0) + 1, name=wire.name)


def is_button(wire: Wire) -> bool:
    """True if a wire leads to a button."""
    return wire.part in BUTTONS


def to_ground(wiring: Wiring, wire: Wire) -> bool:
    """True if a part's other leg goes to ground; else it goes to 3.3 V."""
    if is_button(wire):
        return wiring.buttons.active == "low"
    return wire.part == "buzzer" or wiring.lamps.active == "high"


def _resistor_text(sheet: Sheet, wiring: Wiring, wire: Wire) -> str:
    if is_button(wire):
        if wiring.buttons.pull != "none":
            return ""
        rests_at = VOLT_3 if wiring.buttons.active == "low" else sheet.say("panel-ground")
        return sheet.say("panel-pull", volt=rests_at)
    ohm = ohms(wiring, wire)
    return "" if ohm is None else sheet.say("panel-ohm", ohm=ohm)


def _current_sentences(sheet: Sheet, wiring: Wiring) -> list[str]:
    """Sentences on the lamps' resistors, the total current, and the remedy if that is too much."""
    lamps, taken = wiring.lamps, milliamps(wiring)
    sentences = [
        sheet.say("panel-resistors", low=lamps.ohm, high=lamps.ohm_3_volt),
        sheet.say("panel-current", ma=math.ceil(taken), most=round(MOST_MA)),
    ]
    if taken > MOST_MA:
        low, high = enough_ohms(wiring)
        sentences.append(sheet.say("panel-too-much", low=low, high=high))
    return sentences


def rows_of(wiring: Wiring, *, odd: bool) -> list[Row]:
    """The rows on one side of the header, from pin 1 down: wires, and ground if a wire needs it."""
    rows = [Row(wire.pin, wire) for wire in wiring.wires() if wire.pin % 2 == odd]
    if any(row.wire and to_ground(wiring, row.wire) for row in rows):
        grounds = [pin for pin in GROUND_PINS if pin % 2 == odd]
        rows.append(Row(grounds[len(grounds) // 2], None))
    return sorted(rows, key=lambda row: row.pin)


# The large drawing.


def _drawing(sheet: Sheet, wiring: Wiring, top: float) -> None:
    """The header in the middle, odd pins' wires to the left, even ones' to the right."""
    middle = sheet.width_mm / 2
    sheet.text(middle, top - 5, sheet.say("panel-sd"), size=7, middle=True)
    sheet.text(middle, top + ROWS * STEP_MM + 4, sheet.say("panel-usb"), size=7, middle=True)
    used = {wire.pin for wire in wiring.wires()}
    for odd, side in ((True, -1), (False, 1)):
        rows = rows_of(wiring, odd=odd)
        used |= {row.pin for row in rows}
        _side(sheet, wiring, rows, top, side)
    for pin in range(1, 2 * ROWS + 1):
        _pin(sheet, pin, top, used=pin in used)


def _pin_y(pin: int, top: float) -> float:
    return top + ((pin - 1) // 2 + 0.5) * STEP_MM


def _pin(sheet: Sheet, pin: int, top: float, *, used: bool) -> None:
    """A pin with its number and name, dark if it has a wire."""
    side = -1 if pin % 2 else 1
    x, y, half = sheet.width_mm / 2 + side * STEP_MM / 2, _pin_y(pin, top), SQUARE_MM / 2
    box = (x - half, y - half, x + half, y + half)
    sheet.solid(0, 0.2)
    if used:
        sheet.canvas.setFillGray(0)
        sheet.box(box, fill=True)
        sheet.canvas.setFillGray(1)
    else:
        sheet.box(box)
    sheet.text(x, y + 0.9, str(pin), size=7, middle=True)
    sheet.canvas.setFillGray(0 if used else 0.35)
    sheet.text(
        sheet.width_mm / 2 + side * 12.5,
        y - 0.7 if used else y + 0.7,
        pin_name(sheet, pin),
        size=6,
        middle=True,
    )
    sheet.canvas.setFillGray(0)


def pin_name(sheet: Sheet, pin: int) -> str:
    """A pin's name: `GPIO17`, `ground`, `3.3 V`, `5 V`."""
    if pin in GPIO_OF_PIN:
        return f"GPIO{GPIO_OF_PIN[pin]}"
    if pin in GROUND_PINS:
        return sheet.say("panel-ground")
    return VOLT_3 if pin in VOLT_3_PINS else VOLT_5


def _side(sheet: Sheet, wiring: Wiring, rows: Sequence[Row], top: float, side: int) -> None:
    """One side's wires, fanned out in the pins' order, so that they do not cross."""
    middle = sheet.width_mm / 2
    grounded = []
    for row, y in zip(rows, _heights(rows, top), strict=True):
        begin = _pin_y(row.pin, top)
        sheet.solid(0, 0.35)
        points = [(4.0, begin), (FAN_MM[0], begin), (FAN_MM[1], y), (PART_MM, y)]
        for (x1, y1), (x2, y2) in pairwise(points):
            sheet.line(middle + side * x1, y1, middle + side * x2, y2)
        if row.wire is None:
            sheet.line(middle + side * PART_MM, y, middle + side * RAIL_MM, y)
            _above(sheet, y, side, sheet.say("panel-ground"))
            grounded.append(y)
            continue
        _part(sheet, wiring, row.wire, y, side)
        if to_ground(wiring, row.wire):
            grounded.append(y)
    if grounded:
        x = middle + side * RAIL_MM
        sheet.solid(0, 0.7)
        sheet.line(x, min(grounded), x, max(grounded))
        for y in grounded:
            sheet.canvas.circle(x * mm, sheet.y(y), 0.8 * mm, stroke=0, fill=1)


def _heights(rows: Sequence[Row], top: float) -> list[float]:
    """The height of each row: evenly spaced, and as near its pins as possible."""
    if not rows:
        return []
    step = min(MOST_ROW_MM, ROWS * STEP_MM / len(rows))
    block = step * len(rows)
    middle = sum(_pin_y(row.pin, top) for row in rows) / len(rows)
    begin = min(max(middle - block / 2, top), top + ROWS * STEP_MM - block)
    return [begin + (n + 0.5) * step for n in range(len(rows))]


def _above(sheet: Sheet, y: float, side: int, said: str) -> None:
    """Words over a wire, from the part's end on the right, up to it on the left."""
    x = sheet.width_mm / 2 + side * PART_MM
    if side > 0:
        sheet.text(x, y - LABEL_MM, said, size=7.5)
    else:
        sheet.text_to(x, y - LABEL_MM, said, size=7.5)


def _part(sheet: Sheet, wiring: Wiring, wire: Wire, y: float, side: int) -> None:
    """A part with its resistor between its pin's wire and its other leg."""

    def beyond(x: float) -> float:
        return sheet.width_mm / 2 + side * (PART_MM + x)

    grounded = to_ground(wiring, wire)
    resistor = _resistor_text(sheet, wiring, wire)
    _above(sheet, y, side, f"{part_name(sheet, wire)}{f', {resistor}' if resistor else ''}")
    sheet.solid(0, 0.35)
    begin = 0.0
    if ohms(wiring, wire) is not None:
        sheet.box((min(beyond(2), beyond(11)), y - 1.3, max(beyond(2), beyond(11)), y + 1.3))
        sheet.line(beyond(0), y, beyond(2), y)
        begin = 11.0
    if is_button(wire):
        _contact(sheet, beyond(8), beyond(15), y)
        sheet.line(beyond(begin), y, beyond(8), y)
    else:
        sheet.line(beyond(begin), y, beyond(17), y)
        _round(sheet, wire, beyond(20), y, side if grounded else -side)
    end = 15.0 if is_button(wire) else 23.0
    if grounded:
        sheet.line(beyond(end), y, sheet.width_mm / 2 + side * RAIL_MM, y)
    else:
        sheet.line(beyond(end), y, beyond(30), y)
        sheet.text(beyond(34), y + 1, VOLT_3, size=7.5, middle=True)


def _contact(sheet: Sheet, left: float, right: float, y: float) -> None:
    """A button: two points, and the bar that a finger lays across them."""
    for x in (left, right):
        sheet.canvas.circle(x * mm, sheet.y(y), 0.6 * mm, stroke=1, fill=1)
    sheet.line(left, y - 1.6, right, y - 1.6)
    middle = (left + right) / 2
    sheet.line(middle, y - 1.6, middle, y - 3.2)
    sheet.line(middle - 1.5, y - 3.2, middle + 1.5, y - 3.2)


def _round(sheet: Sheet, wire: Wire, x: float, y: float, towards: int) -> None:
    """A lamp, its triangle pointing from plus to minus (`towards` -1 or 1), or the buzzer with its plus."""
    sheet.canvas.circle(x * mm, sheet.y(y), 3 * mm, stroke=1, fill=0)
    if wire.part == "buzzer":
        sheet.text(x - towards * 5, y - 1, "+", size=8, middle=True)
        for reach in (1.0, 1.8):
            sheet.canvas.circle(x * mm, sheet.y(y), reach * mm, stroke=1, fill=0)
        return
    path = sheet.canvas.beginPath()
    for n, (along, across) in enumerate(((-1.6, -1.6), (-1.6, 1.6), (1.3, 0.0))):
        (path.lineTo if n else path.moveTo)((x + towards * along) * mm, sheet.y(y + across))
    path.close()
    sheet.canvas.drawPath(path, stroke=0, fill=1)
    sheet.line(x + towards * 1.5, y - 1.6, x + towards * 1.5, y + 1.6)


# The list, and the leaf.


def _list(sheet: Sheet, wiring: Wiring, top: float) -> float:
    """Every wire in words; returns the height of the end."""
    columns = (0.0, 52.0, 72.0, 98.0, 126.0)
    heads = (sheet.say("panel-part"), "GPIO", *map(sheet.say, ("panel-pin", "panel-other", "panel-resistor")))
    lines = [heads, *(_line(sheet, wiring, wire) for wire in wiring.wires())]
    step = 5.2
    for n, line in enumerate(lines):
        y = top + (n + 1) * step
        for x, said in zip(columns, line, strict=True):
            sheet.text(MARGIN_MM + x, y - 1.5, said, size=8.5)
        sheet.solid(0 if n == 0 else 0.75, 0.2)
        sheet.line(MARGIN_MM, y, sheet.width_mm - MARGIN_MM, y)
    return top + (len(lines) + 0.5) * step


def _line(sheet: Sheet, wiring: Wiring, wire: Wire) -> tuple[str, str, str, str, str]:
    other = sheet.say("panel-ground") if to_ground(wiring, wire) else VOLT_3
    resistor = _resistor_text(sheet, wiring, wire)
    return part_name(sheet, wire), str(wire.gpio), str(PIN_OF_GPIO[wire.gpio]), other, resistor or "-"


def _leaf(sheet: Sheet, wiring: Wiring, top: float) -> None:
    """A paper leaf for the header itself: a hole for each pin, and the wire's name beside it."""
    joined = {wire.pin: part_name(sheet, wire) for wire in wiring.wires()}
    middle, high = MARGIN_MM + LEAF_SIDE_MM + PIN_MM, ROWS * PIN_MM
    sheet.dashed(0.4)
    sheet.box((middle - PIN_MM - LEAF_SIDE_MM, top, middle + PIN_MM + LEAF_SIDE_MM, top + high))
    sheet.solid(0, 0.15)
    for pin in range(1, 2 * ROWS + 1):
        side = -1 if pin % 2 else 1
        x, y = middle + side * PIN_MM / 2, top + ((pin - 1) // 2 + 0.5) * PIN_MM
        sheet.canvas.circle(x * mm, sheet.y(y), 0.5 * mm, stroke=1, fill=0)
        said = joined.get(pin) or pin_name(sheet, pin)
        sheet.canvas.setFillGray(0 if pin in joined else 0.5)
        write = sheet.text if side > 0 else sheet.text_to
        write(middle + side * (PIN_MM + 0.6), y + 0.65, said, size=5)
        sheet.canvas.setFillGray(0)
