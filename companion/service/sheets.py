"""The sheets that a table needs printed, for the pages."""

from __future__ import annotations

from companion.errors import MendableError
from hardware.panel.wiring import STANDARD, read_wiring

PAPER = "a4"
"""The paper of the sheets that a page gives; `companion print` has others."""


def sheet(name: str, language: str) -> bytes | None:
    """A sheet (`markers`, `mat`, `panel`) as PDF; None for any other name. Raises `MendableError`."""
    try:
        from hardware.print import layout, panel, sheets
    except ImportError as error:
        raise MendableError(
            "Sheets are drawn by reportlab, which is not installed here: pip install reportlab"
        ) from error
    if name == "panel":
        return panel.panel_sheet(read_wiring(STANDARD), PAPER, language)
    draw = {"markers": sheets.markers_sheet, "mat": sheets.mat_sheet}.get(name)
    return None if draw is None else draw(layout.read_mat(), PAPER, language)
