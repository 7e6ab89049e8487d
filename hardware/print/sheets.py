"""Draws the sheets as PDF, in mm from a page's top left corner."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from reportlab.lib import pagesizes
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import cidfonts, pdfmetrics
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Paragraph

from companion.messages import Fact, Messages
from hardware.print.layout import (
    MARKERS,
    MODULES,
    PIECE_SQUARES,
    Bounds,
    Mat,
    Pages,
    SheetError,
    black_modules,
    cut,
)
from hardware.vision.board.scene import MARKER_GAP_SQUARES, MARKER_SQUARES

SIZES = {"a4": pagesizes.A4, "a3": pagesizes.A3, "letter": pagesizes.LETTER}
"""Paper by name: width and height upright, in points."""

FONTS = {"en": "Helvetica", "zh-Hant": "MSung-Light", "ko": "HYSMyeongJo-Medium"}
"""The font of each language. PDF readers know them by name, so that no font is embedded."""

MARGIN_MM = 12.0
"""White margin on each side, which printers need."""
OVERLAP_MM = 10.0
"""The least width of the strip on both of two neighbouring pages of the mat."""
RULER_MM = 100
LABEL_MM = 6.0
CORNER_OF_WHITE = 0.45
"""The part of the white margin under the black corner; the rest keeps the marker readable."""
STROKE_EVERY_MM = 25.0
WORDS = Messages.from_files(Path(__file__).with_name("messages.toml"))


class Sheet:
    """A PDF that is being drawn, in mm from the page's top left corner, with text in `language`."""

    def __init__(self, width_mm: float, height_mm: float, title: str, language: str) -> None:
        self.width_mm, self.height_mm = width_mm, height_mm
        self.language = language
        self._font = FONTS[language]
        if language != "en":
            # reportlab names the mainland's character set for Taiwan's font, and readers then show nothing.
            cidfonts.defaultUnicodeEncodings["MSung-Light"] = ("cht", "UniCNS-UCS2-H")
            pdfmetrics.registerFont(cidfonts.UnicodeCIDFont(self._font))
        self._out = BytesIO()
        # `invariant`: the same sheet is the same file, whenever it is made.
        self.canvas = Canvas(self._out, pagesize=(width_mm * mm, height_mm * mm), invariant=1)
        self.canvas.setTitle(self.say(title))
        self.canvas.setViewerPreference("PrintScaling", "None")

    def say(self, key: str, **facts: Fact) -> str:
        """A message of the sheets in the sheet's language."""
        return WORDS.say(f"print.{key}", self.language, **facts)

    def y(self, down_mm: float) -> float:
        """The PDF coordinate, in points from the bottom, of a line `down_mm` below the page's top edge."""
        return float((self.height_mm - down_mm) * mm)

    def line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        """Draw a line between two points."""
        self.canvas.line(x1 * mm, self.y(y1), x2 * mm, self.y(y2))

    def box(self, box: Bounds, *, fill: bool = False) -> None:
        """Draw the outline of a rectangle, or fill it."""
        left, top, right, bottom = box
        self.canvas.rect(
            left * mm, self.y(bottom), (right - left) * mm, (bottom - top) * mm, stroke=not fill, fill=fill
        )

    def text(self, x: float, y: float, said: str, *, size: float = 9, middle: bool = False) -> None:
        """Write one line with its baseline at `y`. It begins at `x`, or is centred there if `middle`."""
        self.canvas.setFont(self._font, size)
        draw = self.canvas.drawCentredString if middle else self.canvas.drawString
        draw(x * mm, self.y(y), said)

    def text_to(self, x: float, y: float, said: str, *, size: float = 9) -> None:
        """Write one line with its baseline at `y` that ends at `x`."""
        self.canvas.setFont(self._font, size)
        self.canvas.drawRightString(x * mm, self.y(y), said)

    def paragraph(self, x: float, y: float, width: float, said: str, *, size: float = 10) -> float:
        """Write text in lines of `width` mm from `y` down. Returns where it ends."""
        wrap = None if self.language == "en" else "CJK"
        style = ParagraphStyle(
            "sheet", fontName=self._font, fontSize=size, leading=size * 1.35, wordWrap=wrap
        )
        paragraph = Paragraph(said, style)
        height_mm = float(paragraph.wrap(width * mm, self.height_mm * mm)[1] / mm)
        paragraph.drawOn(self.canvas, x * mm, self.y(y + height_mm))
        return y + height_mm

    def dashed(self, grey: float) -> None:
        """Draw the next lines thin, dashed and in this gray (0 black, 1 white)."""
        self.canvas.setStrokeGray(grey)
        self.canvas.setLineWidth(0.2 * mm)
        self.canvas.setDash(1.5 * mm, 1.5 * mm)

    def solid(self, grey: float, width_mm: float = 0.2) -> None:
        """Draw the next lines solid, in this gray (0 black, 1 white) and width."""
        self.canvas.setStrokeGray(grey)
        self.canvas.setLineWidth(width_mm * mm)
        self.canvas.setDash()

    def marker(self, number: int, left: float, top: float, side: float) -> None:
        """Draw a marker upright: a black square, its white modules in one path, so that no seam shows."""
        module = side / MODULES
        self.canvas.setFillGray(0)
        self.box((left, top, left + side, top + side), fill=True)
        path = self.canvas.beginPath()
        for row, line in enumerate(black_modules(number)):
            for col, black in enumerate(line):
                if not black:
                    low = self.y(top + (row + 1) * module)
                    path.rect((left + col * module) * mm, low, module * mm, module * mm)
        self.canvas.setFillGray(1)
        self.canvas.drawPath(path, stroke=0, fill=1)
        self.canvas.setFillGray(0)

    def ruler(self) -> None:
        """Draw a ruler at the foot of the page, with a stroke for each mm and a line that explains it."""
        left, foot = MARGIN_MM, self.height_mm - MARGIN_MM - 12
        self.solid(0, 0.1)
        for tick in range(RULER_MM + 1):
            long = 4 if tick % 10 == 0 else 3 if tick % 5 == 0 else 2
            self.line(left + tick, foot, left + tick, foot - long)
            if tick % 10 == 0:
                self.text(left + tick, foot - 5, str(tick), size=7, middle=True)
        self.solid(0, 0.2)
        self.line(left, foot, left + RULER_MM, foot)
        self.paragraph(
            left, foot + 2, self.width_mm - 2 * MARGIN_MM, self.say("ruler", length=RULER_MM), size=9
        )

    def next_page(self) -> None:
        """Begin an empty page."""
        self.canvas.showPage()

    def finished(self) -> bytes:
        """The whole PDF."""
        self.canvas.save()
        return self._out.getvalue()


def markers_sheet(mat: Mat, size: str, language: str) -> bytes:
    """The four markers to cut out, as a PDF: upright, each with the corner that it belongs to.

    `size` is a key of `SIZES`, `language` one of `FONTS`. Raises `SheetError` when a marker is wider
    than the paper.
    """
    width, height = (side / mm for side in SIZES[size])
    sheet = Sheet(width, height, "markers", language)
    piece = PIECE_SQUARES * mat.square_mm
    step = piece + 8
    across = min(2, int((width - 2 * MARGIN_MM + 8) / step))
    top = _head(sheet, mat, "markers", ["markers-how"])
    down = min(2, int((height - MARGIN_MM - 22 - top) / (step + LABEL_MM)))
    if across < 1 or down < 1:
        raise SheetError(
            f"A marker for squares of {mat.square_mm:g} mm is {piece:.0f} mm wide with its white, too wide"
            " for this paper; take --size a3 or tell smaller squares with --square."
        )
    # As they lie around the bed: 0 and 1 above, 3 and 2 below.
    for place, number in enumerate((0, 1, 3, 2)):
        spot = place % (across * down)
        if place and not spot:
            sheet.ruler()
            sheet.next_page()
            top = _head(sheet, mat, "markers", ["markers-how"])
        _piece(sheet, mat, number, MARGIN_MM + spot % across * step, top + spot // across * (step + LABEL_MM))
    sheet.ruler()
    sheet.next_page()
    return sheet.finished()


def _head(sheet: Sheet, mat: Mat, title: str, how: list[str]) -> float:
    """Title and instructions; returns the height of the end."""
    wide = sheet.width_mm - 2 * MARGIN_MM
    below = sheet.paragraph(MARGIN_MM, MARGIN_MM, wide, sheet.say(title), size=16) + 2
    fits = sheet.say("squares", square=f"{mat.square_mm:g}", rows=mat.rows, cols=mat.cols)
    for said in (fits, *map(sheet.say, how)):
        below = sheet.paragraph(MARGIN_MM, below, wide, said) + 1.5
    return below + 4


def _piece(sheet: Sheet, mat: Mat, number: int, left: float, top: float) -> None:
    """One marker with its white, the cut line around it, its inner corner and its name."""
    side, white = PIECE_SQUARES * mat.square_mm, MARKER_GAP_SQUARES * mat.square_mm
    sheet.dashed(0.5)
    sheet.box((left, top, left + side, top + side))
    sheet.marker(number, left + white, top + white, MARKER_SQUARES * mat.square_mm)
    # The corner that touches the grid's is the one that looks at the bed's middle.
    leg = white * CORNER_OF_WHITE
    x, leg_x = (left + side, -leg) if number in (0, 3) else (left, leg)
    y, leg_y = (top + side, -leg) if number in (0, 1) else (top, leg)
    path = sheet.canvas.beginPath()
    path.moveTo(x * mm, sheet.y(y))
    path.lineTo((x + leg_x) * mm, sheet.y(y))
    path.lineTo(x * mm, sheet.y(y + leg_y))
    path.close()
    sheet.canvas.drawPath(path, stroke=0, fill=1)
    sheet.text(left, top + side + 4, sheet.say(MARKERS[number], marker=number))


def mat_sheet(mat: Mat, size: str, language: str) -> bytes:
    """The whole mat over several pages, after one page that says how to join them, as a PDF.

    `size` is a key of `SIZES`, `language` one of `FONTS`. Raises `SheetError` when a marker is wider
    than the paper.
    """
    width, height, pages = mat_pages(mat, size)
    sheet = Sheet(width, height, "mat", language)
    top = _head(sheet, mat, "mat", ["mat-how", "thick"])
    _plan(sheet, mat, pages, top)
    sheet.ruler()
    sheet.next_page()
    for row, from_y in enumerate(pages.rows):
        for col, from_x in enumerate(pages.columns):
            _mat_page(sheet, mat, pages, from_x, from_y)
            name = sheet.say("page", row=row + 1, col=col + 1)
            sheet.text(MARGIN_MM, MARGIN_MM - 4, f"{sheet.say('mat')}: {name}", size=7)
            sheet.next_page()
    return sheet.finished()


def mat_pages(mat: Mat, size: str) -> tuple[float, float, Pages]:
    """Width and height of the paper in mm, upright or lying, whichever takes fewer pages, and the pages."""
    short, long = (side / mm for side in SIZES[size])
    ways = [
        (wide, high, cut(mat, wide - 2 * MARGIN_MM, high - 2 * MARGIN_MM, OVERLAP_MM))
        for wide, high in ((short, long), (long, short))
    ]
    return min(ways, key=lambda way: way[2].count)


def _plan(sheet: Sheet, mat: Mat, pages: Pages, top: float) -> None:
    """The mat drawn small, with the seams and numbers of its pages."""
    width, height = mat.size_mm
    room = sheet.height_mm - MARGIN_MM - 26 - top
    scale = min((sheet.width_mm - 2 * MARGIN_MM) / width, room / height)
    sheet.canvas.saveState()
    sheet.canvas.translate(MARGIN_MM * mm, sheet.y(top))
    sheet.canvas.scale(scale, scale)
    sheet.canvas.translate(0, -sheet.y(0))
    _whole_mat(sheet, mat)
    sheet.solid(0.5, 0.2 / scale)
    sheet.box((0, 0, width, height))
    for x in pages.columns[1:]:
        sheet.line(x, 0, x, height)
    for y in pages.rows[1:]:
        sheet.line(0, y, width, y)
    rights, bottoms = (*pages.columns[1:], width), (*pages.rows[1:], height)
    for row, (y1, y2) in enumerate(zip(pages.rows, bottoms, strict=True)):
        for col, (x1, x2) in enumerate(zip(pages.columns, rights, strict=True)):
            name = f"{row + 1}, {col + 1}"
            sheet.text((x1 + x2) / 2, y1 + 0.6 * (y2 - y1), name, size=14 / scale, middle=True)
    sheet.canvas.restoreState()


def _mat_page(sheet: Sheet, mat: Mat, pages: Pages, from_x: float, from_y: float) -> None:
    """The part of the mat that begins at (`from_x`, `from_y`), with the seams that run over it."""
    canvas = sheet.canvas
    canvas.saveState()
    window = canvas.beginPath()
    window.rect(
        MARGIN_MM * mm, sheet.y(MARGIN_MM + pages.height_mm), pages.width_mm * mm, pages.height_mm * mm
    )
    canvas.clipPath(window, stroke=0, fill=0)
    canvas.translate((MARGIN_MM - from_x) * mm, -(MARGIN_MM - from_y) * mm)
    _whole_mat(sheet, mat)
    _seams(sheet, mat, pages)
    canvas.restoreState()


def _seams(sheet: Sheet, mat: Mat, pages: Pages) -> None:
    """The lines along which pages are cut and laid, and strokes across them that must meet."""
    width, height = mat.size_mm
    sheet.solid(0.4, 0.15)
    for x in pages.columns[1:]:
        sheet.line(x, 0, x, height)
        for n in range(1, int(height / STROKE_EVERY_MM) + 1):
            sheet.line(x - 2, n * STROKE_EVERY_MM, x + 2, n * STROKE_EVERY_MM)
    for y in pages.rows[1:]:
        sheet.line(0, y, width, y)
        for n in range(1, int(width / STROKE_EVERY_MM) + 1):
            sheet.line(n * STROKE_EVERY_MM, y - 2, n * STROKE_EVERY_MM, y + 2)


def _whole_mat(sheet: Sheet, mat: Mat) -> None:
    """Everything on the mat, from its top left corner."""
    left, top, right, bottom = mat.in_mm(mat.grid)
    sheet.solid(0.75, 0.15)
    for col in range(1, mat.cols):
        sheet.line(left + col * mat.square_mm, top, left + col * mat.square_mm, bottom)
    for row in range(1, mat.rows):
        sheet.line(left, top + row * mat.square_mm, right, top + row * mat.square_mm)
    sheet.solid(0, 0.3)
    sheet.box((left, top, right, bottom))
    tray = mat.in_mm(mat.tray)
    sheet.box(tray)
    sheet.text((tray[0] + tray[2]) / 2, tray[3] - 5, sheet.say("dice"), middle=True)
    sheet.text(left + mat.square_mm, top - 3, sheet.say("top"))
    for number in range(len(MARKERS)):
        box = mat.in_mm(mat.marker_box(number))
        sheet.marker(number, box[0], box[1], MARKER_SQUARES * mat.square_mm)
