"""`companion print`: the sheets that a table needs, as PDF in true mm."""

from __future__ import annotations

from pathlib import Path

import click

from companion.errors import MendableError
from companion.errors.causes import cause_of
from companion.messages import LANGUAGES
from hardware.panel.wiring import MOST_SEATS, STANDARD, read_wiring

SMALLEST_MM = 5.0
"""The smallest square of a bed, in mm."""
LARGEST_MM = 200.0
"""The largest square of a bed, in mm."""
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
@click.option(
    "--lang", type=click.Choice(list(LANGUAGES)), default="en", show_default=True, help="The language."
)
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
    try:
        from hardware.print import layout, panel, sheets
    except ImportError as error:
        raise MendableError(
            "Sheets are drawn by reportlab, which is not installed here: pip install reportlab"
        ) from error
    if sheet == "panel":
        pdf = panel.panel_sheet(read_wiring(wiring or STANDARD, seats=seats), size, lang)
    else:
        draw = {"markers": sheets.markers_sheet, "mat": sheets.mat_sheet}[sheet]
        pdf = draw(layout.read_mat(square_mm=square, rows=rows, cols=cols), size, lang)
    try:
        output.write_bytes(pdf)
    except OSError as error:
        raise MendableError(
            f"{output} cannot be written ({cause_of(error)}); name another file with -o."
        ) from error
    click.echo(f"{output} is written. Print it at 100 % (actual size) and hold a ruler against it.", err=True)
