"""The wiring sheet: every wire of the file is on it, in true mm, and no two of them cross."""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import combinations, pairwise
from pathlib import Path
from unicodedata import normalize

import numpy as np
import pytest
from click.testing import CliRunner

from companion.commands.print_sheets import print_sheets
from companion.messages import LANGUAGES
from hardware.panel.wiring import GROUND_PINS, WiringError, read_wiring
from tests.print.test_sheets import NEAR_MM, PX_A_MM, longest_line_mm, needs_pdftoppm, rendered

pytest.importorskip("reportlab", reason="the sheets are drawn by reportlab")
from hardware.print import panel, sheets

WHOLE = {"beside": {"undo": 22, "buzzer": 25, "status": 4}}
COLOURS = """
[lamps]
active = "low"
[buttons]
pull = "none"
[[seat]]
button = 17
lamp = { red = 16, green = 20, blue = 21 }
[[seat]]
button = 23
lamp = { red = 5, green = 6, blue = 13 }
"""

MM, A4_WIDTH = 72 / 25.4, 595.28
"""A mm and the width of A4, in points of a PDF."""
BOX = r'xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">(.*?)<'
"""A word as `pdftotext -bbox` writes it."""
ROUNDING = 0.1
"""By how many points words may share room that only touch."""
Word = tuple[float, float, float, float, str]
"""A word's left, top, right and bottom edge in points, and the word."""


def words(pdf: bytes) -> str:
    """All words of a PDF, as they stand in it."""
    done = subprocess.run(["pdftotext", "-layout", "-", "-"], input=pdf, capture_output=True, check=True)
    # The sign for ohm is one of two that look alike.
    return normalize("NFKC", done.stdout.decode())


def lines(pdf: bytes) -> list[list[str]]:
    """The lines of the sheet's list, split at gaps."""
    return [line.split() for line in words(pdf).splitlines()]


def placed_words(pdf: bytes) -> list[list[Word]]:
    """The words of each page with their places."""
    done = subprocess.run(["pdftotext", "-bbox", "-", "-"], input=pdf, capture_output=True, check=True)
    pages = done.stdout.decode().split("<page ")[1:]
    return [
        [(*map(float, word[:4]), word[4]) for word in re.findall(BOX, page)]  # type: ignore[misc]
        for page in pages
    ]


def overlap(one: Word, other: Word) -> bool:
    """Whether two words share some room."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return across > ROUNDING and down > ROUNDING


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="reading needs pdftotext (poppler-utils)")
class TestWords:
    """What the sheet says."""

    def test_every_wire_is_listed_with_its_gpio_its_pin_and_its_resistor(self) -> None:
        wiring = read_wiring(seats=5, **WHOLE)
        said = lines(panel.panel_sheet(wiring, "a4", "en"))
        for n, seat in enumerate(wiring.places, 1):
            assert ["Seat", f"{n}:", "button", str(seat.button)] in [line[:4] for line in said]
        assert ["Seat", "1:", "lamp", "27", "13", "ground", "330", "Ω"] in said
        assert ["Undo", "button", "22", "15", "ground", "-"] in said
        assert ["Buzzer", "25", "22", "ground", "-"] in said
        assert ["Status", "lamp", "4", "7", "ground", "330", "Ω"] in said

    def test_colours_levels_and_pulls_of_ones_own_are_drawn_as_told(self, tmp_path: Path) -> None:
        own = tmp_path / "own.toml"
        own.write_text(COLOURS, "utf-8")
        said = lines(panel.panel_sheet(read_wiring(own), "letter", "en"))
        assert ["Seat", "1:", "lamp,", "red", "leg", "16", "36", "3.3", "V", "330", "Ω"] in said
        assert ["Seat", "2:", "lamp,", "blue", "leg", "13", "33", "3.3", "V", "100", "Ω"] in said
        assert "Seat 1: button, 10 kΩ, from the wire to 3.3 V" in words(
            panel.panel_sheet(read_wiring(own), "letter", "en")
        )

    def test_it_says_what_current_all_of_it_takes_and_how_to_mend_too_much(self, tmp_path: Path) -> None:
        few = words(panel.panel_sheet(read_wiring(seats=5), "a4", "en"))
        assert "takes 20 mA" in few
        assert "TOO MUCH" not in few
        own = tmp_path / "own.toml"
        own.write_text(COLOURS + "[beside]\nbuzzer = 25\nbuzzer_ma = 16\nstatus = 4\n", "utf-8")
        some = read_wiring(own, lamps={"ohm": 100, "ohm_3_volt": 47})
        many = " ".join(words(panel.panel_sheet(some, "a4", "en")).split())
        assert "takes 81 mA" in many
        assert "use 220 Ω and 100 Ω instead" in many

    def test_each_pin_of_the_header_is_named(self) -> None:
        said = words(panel.panel_sheet(read_wiring(), "a4", "en"))
        assert all(f"GPIO{n}" in said for n in range(28))
        assert len(re.findall(r"5 ?V$", said, re.MULTILINE)) == 4

    def test_the_wire_to_ground_is_called_so_on_both_sides(self) -> None:
        first, _ = placed_words(panel.panel_sheet(read_wiring(seats=5, **WHOLE), "a4", "en"))
        grounds = [left for left, _, right, _, word in first if word == "ground" and right - left > 20]
        assert len(grounds) == 2
        assert grounds[0] < A4_WIDTH / 2 - 40 * MM < A4_WIDTH / 2 + 40 * MM < grounds[1] + 1

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_no_word_is_printed_over_another(self, language: str) -> None:
        for page in placed_words(panel.panel_sheet(read_wiring(seats=5, **WHOLE), "a4", language)):
            assert len(page) > 50
            for one, other in combinations(page, 2):
                assert not overlap(one, other), (one, other)

    @pytest.mark.parametrize("language", LANGUAGES)
    @pytest.mark.parametrize("size", sheets.SIZES)
    def test_it_has_two_pages_in_each_language_on_each_paper(self, language: str, size: str) -> None:
        pdf = panel.panel_sheet(read_wiring(seats=5, **WHOLE), size, language)
        assert words(pdf).count("\f") == 2


@needs_pdftoppm
def test_the_leaf_fits_the_header_in_true_mm(tmp_path: Path) -> None:
    _, page = rendered(panel.panel_sheet(read_wiring(), "a4", "en"), tmp_path)
    odd_mm = sheets.MARGIN_MM + panel.LEAF_SIDE_MM + panel.PIN_MM / 2
    matches = [hole_rows_mm(page, odd_mm + off) for off in (0.0, panel.PIN_MM)]
    for rows in matches:
        assert len(rows) == 20
        steps = [b - a for a, b in pairwise(rows)]
        assert steps == pytest.approx([2.54] * 19, abs=2 * NEAR_MM)
        assert rows[-1] - rows[0] == pytest.approx(19 * 2.54, abs=NEAR_MM)
    assert matches[0] == pytest.approx(matches[1], abs=NEAR_MM)


def hole_rows_mm(page: np.ndarray, x_mm: float) -> list[float]:
    """The middles of the leaf's holes along one row of pins: each is a dark rim, white, a dark rim."""
    column = page[:, round(x_mm * PX_A_MM)] < 160
    edges = np.flatnonzero(np.diff(np.concatenate([[0], column.astype(np.int8), [0]])))
    rims = [(a + b) / 2 / PX_A_MM for a, b in zip(edges[::2], edges[1::2], strict=True)]
    holes = [(a + b) / 2 for a, b in pairwise(rims) if 0.7 < b - a < 1.3]
    # Letters of the lines above may look like a hole, but not every 2.54 mm.
    return [y for y in holes if any(abs(abs(y - other) - 2.54) < 0.2 for other in holes)]


@needs_pdftoppm
def test_the_ruler_is_as_long_as_it_says(tmp_path: Path) -> None:
    for page in rendered(panel.panel_sheet(read_wiring(), "a4", "en"), tmp_path):
        foot = page[int(250 * PX_A_MM) :]
        assert longest_line_mm(foot) == pytest.approx(sheets.RULER_MM, abs=2 * NEAR_MM)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_no_two_wires_cross_and_each_side_has_its_ground(seats: int) -> None:
    wiring = read_wiring(seats=seats, **WHOLE)
    drawn = []
    for odd in (True, False):
        rows = panel.rows_of(wiring, odd=odd)
        heights = panel._heights(rows, 0.0)
        pins = [panel._pin_y(row.pin, 0.0) for row in rows]
        # Both ends of every wire stand in one order: straight wires between them cannot meet.
        assert pins == sorted(set(pins))
        assert heights == sorted(set(heights))
        assert heights[0] > 0
        assert heights[-1] < panel.ROWS * panel.STEP_MM
        assert [row.pin in GROUND_PINS for row in rows if row.wire is None] == [True]
        drawn += [row.wire for row in rows if row.wire]
    assert sorted(drawn, key=lambda wire: wire.gpio) == sorted(wiring.wires(), key=lambda wire: wire.gpio)


def test_the_same_wiring_is_the_same_file() -> None:
    assert panel.panel_sheet(read_wiring(), "a4", "ko") == panel.panel_sheet(read_wiring(), "a4", "ko")


def test_the_command_writes_it_and_takes_a_file_and_seats(tmp_path: Path) -> None:
    own, output = tmp_path / "own.toml", tmp_path / "panel.pdf"
    own.write_text(COLOURS, "utf-8")
    print_sheets.main(["panel", "--panel", str(own), "-o", str(output)], standalone_mode=False)
    first = output.read_bytes()
    assert first.startswith(b"%PDF")
    print_sheets.main(["panel", "--seats", "5", "-o", str(output)], standalone_mode=False)
    assert output.read_bytes() != first


def test_a_file_that_tells_no_wiring_is_said(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("seats = 9", "utf-8")
    reply = CliRunner().invoke(print_sheets, ["panel", "--panel", str(own), "-o", str(tmp_path / "p.pdf")])
    assert isinstance(reply.exception, WiringError)
    assert not (tmp_path / "p.pdf").exists()
