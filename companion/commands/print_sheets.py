"""`companion print`: the sheets that a table needs, as PDF in true mm."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from companion.commands.output import LANGUAGE, write_file
from companion.errors import UserError
from hardware.panel.wiring import MOST_SEATS, STANDARD, Wiring, read_wiring

PAPER = "a4"
"""The paper of the sheets on a page."""
SMALLEST_MM, LARGEST_MM = 5.0, 200.0
"""The smallest and the largest square of a bed."""
MOST_SQUARES = 100
"""The most rows, and the most columns, of a bed."""


@click.command(
    "print",
    epilog="\b\n"
    "Examples:\n"
    "  companion print markers -o markers.pdf\n"
    "  companion print markers --square 23.5 -o markers.pdf\n"
    "  companion print mat --size a3 -o mat.pdf\n"
    "  companion print panel -o panel.pdf",
)
@click.argument("sheet", type=click.Choice(["markers", "mat", "panel"]))
@click.option("-o", "--output", type=click.Path(path_type=Path), required=True, help="The PDF to write.")
@click.option(
    "--size", type=click.Choice(["a4", "letter", "a3"]), default="a4", show_default=True, help="The paper."
)
@click.option(
    "--square",
    type=click.FloatRange(SMALLEST_MM, LARGEST_MM),
    help="The side of your bed's squares, in mm.  [20]",
)
@click.option(
    "--rows", type=click.IntRange(1, MOST_SQUARES), help="Squares from the head of the bed to its foot.  [16]"
)
@click.option("--cols", type=click.IntRange(1, MOST_SQUARES), help="Squares across the bed.  [12]")
@click.option(
    "--panel",
    "wiring",
    type=click.Path(path_type=Path),
    help="The wiring file, as for `companion run --panel`.  [the standard wiring]",
)
@click.option("--seats", type=click.IntRange(2, MOST_SEATS), help="Seats on the panel.  [as in its file]")
@LANGUAGE
def print_sheets(
    sheet: str,
    output: Path,
    size: str,
    square: float | None,
    rows: int | None,
    cols: int | None,
    wiring: Path | None,
    seats: int | None,
    lang: str,
) -> None:
    """Write a sheet to print at 100 %, with a ruler to check it.

    markers: the four markers, to cut out. mat: bed, markers and dice tray together, on several pages. panel:
    which wire of the buttons and lamps goes to which pin.
    """
    if sheet == "panel":
        pdf = panel_pdf(read_wiring(wiring or STANDARD, seats=seats), size, lang)
    else:
        pdf = mat_pdf(sheet, size, lang, square_mm=square, rows=rows, cols=cols)
    write_file(output, pdf)
    click.echo(f"{output} is written. Print it at 100 % (actual size) and hold a ruler against it.", err=True)


def sheet_for_page(name: str, language: str) -> bytes | None:
    """A sheet (`markers`, `mat`, `panel`) as PDF on A4; None for any other name. Raises `UserError`."""
    if name == "panel":
        return panel_pdf(read_wiring(STANDARD), PAPER, language)
    return mat_pdf(name, PAPER, language) if name in ("markers", "mat") else None


def panel_pdf(wiring: Wiring, paper: str, language: str) -> bytes:
    """The sheet of the panel's wires. Raises `UserError`."""
    with _reportlab():
        from hardware.print import panel
    return panel.panel_sheet(wiring, paper, language)


def mat_pdf(
    name: str,
    paper: str,
    language: str,
    *,
    square_mm: float | None = None,
    rows: int | None = None,
    cols: int | None = None,
) -> bytes:
    """The sheet `markers` or `mat`. Raises `UserError`."""
    with _reportlab():
        from hardware.print import layout, sheets
    draw = {"markers": sheets.markers_sheet, "mat": sheets.mat_sheet}[name]
    return draw(layout.read_mat(square_mm=square_mm, rows=rows, cols=cols), paper, language)


@contextmanager
def _reportlab() -> Iterator[None]:
    """Say what to install where reportlab is missing."""
    try:
        yield
    except ImportError as error:
        raise UserError(
            "Sheets are drawn by reportlab, which is not installed. Run: pip install 'table-companion[print]'"
        ) from error
