"""The printed sheets, rendered at 300 dpi and measured as a ruler and the camera would."""

from __future__ import annotations

import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from companion.commands.print_sheets import print_sheets
from companion.games.this_bed_is_mine import GAME
from companion.simulator.table_scene import on_a_table
from hardware.print import layout
from hardware.vision.board.scene import MARKER_GAP_SQUARES, markers_in_cells

pytest.importorskip("reportlab", reason="the sheets are drawn by reportlab")
from hardware.print import sheets

DPI = 300
PX_A_MM = DPI / 25.4
NEAR_MM = 0.1
"""How far a measure may be off: a pixel is 0.085 mm."""

Gray = NDArray[np.uint8]

needs_pdftoppm = pytest.mark.skipif(
    shutil.which("pdftoppm") is None, reason="rendering needs pdftoppm (Debian: poppler-utils)"
)


def rendered(pdf: bytes, folder: Path) -> list[Gray]:
    """Each page of a PDF as a grey picture."""
    subprocess.run(["pdftoppm", "-r", str(DPI), "-gray", "-", str(folder / "page")], input=pdf, check=True)
    pages = [cv2.imread(str(path), cv2.IMREAD_GRAYSCALE) for path in sorted(folder.glob("page*.pgm"))]
    return [np.asarray(page, np.uint8) for page in pages if page is not None]


def markers_mm(page: Gray) -> dict[int, NDArray[np.float64]]:
    """Each marker seen on a page: its corners in mm, shape (4, 2), its own top left first, clockwise."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers(page)
    if ids is None:
        return {}
    numbers = [int(number) for number in np.ravel(ids)]
    return {
        n: (at.reshape(4, 2).astype(float) + 0.5) / PX_A_MM for n, at in zip(numbers, corners, strict=True)
    }


def longest_line_mm(page: Gray) -> float:
    """The longest unbroken dark line across the page."""
    longest = 0
    for row in page < 128:
        edges = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(np.int8), [0]])))
        if edges.size:
            longest = max(longest, int((edges[1::2] - edges[::2]).max()))
    return longest / PX_A_MM


def mat_whole(mat: layout.Mat, pages: list[Gray], size: str) -> list[dict[int, NDArray[np.float64]]]:
    """What each page of a mat shows of the markers, in mm of the mat."""
    _, _, cut = sheets.mat_pages(mat, size)
    places = [(x, y) for y in cut.rows for x in cut.columns]
    return [
        {n: at + np.array([x - sheets.MARGIN_MM, y - sheets.MARGIN_MM]) for n, at in markers_mm(page).items()}
        for page, (x, y) in zip(pages, places, strict=True)
    ]


@needs_pdftoppm
@pytest.mark.parametrize(
    ("size", "square_mm"), [("a4", 20.0), ("letter", 17.5), ("a3", 40.0)], ids=["a4", "letter", "a3, large"]
)
def test_markers_have_their_true_size_and_ids(size: str, square_mm: float, tmp_path: Path) -> None:
    mat = layout.read_mat(square_mm=square_mm)
    (page,) = rendered(sheets.markers_sheet(mat, size, "en"), tmp_path)
    seen = markers_mm(page)
    assert sorted(seen) == [0, 1, 2, 3]
    for corners in seen.values():
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        assert sides == pytest.approx(1.6 * square_mm, abs=NEAR_MM)


@needs_pdftoppm
@pytest.mark.parametrize("language", sheets.FONTS)
def test_the_ruler_is_as_long_as_it_says(language: str, tmp_path: Path) -> None:
    mat = layout.read_mat()
    (page,) = rendered(sheets.markers_sheet(mat, "a4", language), tmp_path)
    foot = page[int(250 * PX_A_MM) :]
    assert longest_line_mm(foot) == pytest.approx(sheets.RULER_MM, abs=2 * NEAR_MM)


@needs_pdftoppm
def test_the_dark_corner_of_a_piece_belongs_on_the_grids_corner(tmp_path: Path) -> None:
    mat = layout.read_mat()
    (page,) = rendered(sheets.markers_sheet(mat, "a4", "en"), tmp_path)
    off_mm = MARKER_GAP_SQUARES * mat.square_mm - 0.7
    for number, corners in markers_mm(page).items():
        dark = []
        middle = corners.mean(axis=0)
        for corner in corners:
            x, y = corner + np.sign(corner - middle) * off_mm
            dark.append(page[int(y * PX_A_MM), int(x * PX_A_MM)] < 128)
        # The grid's corner of marker 0 (top left) is at that piece's bottom right, and so on.
        assert [place for place, is_dark in enumerate(dark) if is_dark] == [(number + 2) % 4]


@needs_pdftoppm
def test_markers_too_large_for_one_page_take_several(tmp_path: Path) -> None:
    pages = rendered(sheets.markers_sheet(layout.read_mat(square_mm=60), "a4", "en"), tmp_path)
    assert len(pages) > 1
    assert sorted(number for page in pages for number in markers_mm(page)) == [0, 1, 2, 3]


@needs_pdftoppm
@pytest.mark.parametrize("size", sheets.SIZES)
def test_the_mats_pages_join_to_the_bed_that_the_camera_expects(size: str, tmp_path: Path) -> None:
    mat = layout.read_mat()
    cover, *pages = rendered(sheets.mat_sheet(mat, size, "en"), tmp_path)
    seen: dict[int, NDArray[np.float64]] = {}
    for page in mat_whole(mat, pages, size):
        for number, corners in page.items():
            # A marker on two pages (where they overlap) lies at one place.
            assert corners == pytest.approx(seen.setdefault(number, corners), abs=NEAR_MM)
    grid_left, grid_top, _, _ = mat.in_mm(mat.grid)
    for number, corners in markers_in_cells(mat.rows, mat.cols).items():
        squares = (seen[number] - (grid_left, grid_top)) / mat.square_mm
        assert squares == pytest.approx(np.array(corners), abs=NEAR_MM / mat.square_mm)
    assert longest_line_mm(cover[-int(45 * PX_A_MM) :]) == pytest.approx(sheets.RULER_MM, abs=2 * NEAR_MM)


@needs_pdftoppm
def test_neighbouring_pages_of_the_mat_show_the_same_where_they_overlap(tmp_path: Path) -> None:
    mat = layout.read_mat()
    _, first, second, *_ = rendered(sheets.mat_sheet(mat, "a4", "en"), tmp_path)
    _, _, cut = sheets.mat_pages(mat, "a4")
    step_mm = cut.columns[1] - cut.columns[0]
    wide_mm = cut.width_mm - step_mm
    assert wide_mm >= sheets.OVERLAP_MM - NEAR_MM

    def strip(page: Gray, left_mm: float) -> Gray:
        left, top = int(left_mm * PX_A_MM), int((sheets.MARGIN_MM + 1) * PX_A_MM)
        return page[top : top + int(200 * PX_A_MM), left : left + int((wide_mm - 2) * PX_A_MM)]

    one = strip(first, sheets.MARGIN_MM + step_mm + 1)
    other = strip(second, sheets.MARGIN_MM + 1)
    assert (one < 128).any()
    # Half a pixel of rounding remains: compared when blurred by two.
    blurred = [cv2.GaussianBlur(part, (0, 0), 2).astype(float) for part in (one, other)]
    assert np.abs(blurred[0] - blurred[1]).max() < 64


@pytest.mark.parametrize("square_mm", [8.0, 13.0, 20.0, 33.0, 50.0])
@pytest.mark.parametrize("size", sheets.SIZES)
def test_no_seam_runs_through_a_marker(size: str, square_mm: float) -> None:
    mat = layout.read_mat(square_mm=square_mm)
    _, _, cut = sheets.mat_pages(mat, size)
    for number in range(4):
        left, top, right, bottom = mat.in_mm(mat.marker_box(number))
        assert not any(left < seam < right for seam in cut.columns)
        assert not any(top < seam < bottom for seam in cut.rows)
        assert any(start <= left and right <= start + cut.width_mm for start in cut.columns)
        assert any(start <= top and bottom <= start + cut.height_mm for start in cut.rows)


@pytest.mark.parametrize(("rows", "cols"), [(16, 12), (14, 14), (3, 40)])
def test_the_mat_is_the_one_that_the_virtual_table_draws(rows: int, cols: int) -> None:
    mat = layout.read_mat(rows=rows, cols=cols)
    scene = on_a_table({"rows": rows, "cols": cols})
    for marker, corners in markers_in_cells(mat.rows, mat.cols).items():
        assert np.array(corners) == pytest.approx(np.array(scene["markers_in_cells"][str(marker)]))
    assert mat.tray == pytest.approx(scene["tray_in_cells_at_table_height"])


def test_the_mat_is_as_large_as_the_first_board_of_the_game() -> None:
    scene = GAME.scene(GAME.start(GAME.options({}), 2))
    mat = layout.read_mat()
    assert (mat.rows, mat.cols) == (scene["rows"], scene["cols"])


def test_the_pages_cover_the_whole_mat() -> None:
    for rows, cols in ((16, 12), (14, 14), (3, 40), (64, 64)):
        mat = layout.read_mat(rows=rows, cols=cols)
        _, _, cut = sheets.mat_pages(mat, "a4")
        for starts, page_mm, length_mm in zip(
            (cut.columns, cut.rows), (cut.width_mm, cut.height_mm), mat.size_mm, strict=True
        ):
            assert starts[0] == 0
            assert starts[-1] + page_mm >= length_mm
            assert all(b - a <= page_mm - sheets.OVERLAP_MM for a, b in pairwise(starts))


def test_the_same_sheet_is_the_same_file() -> None:
    mat = layout.read_mat()
    assert sheets.markers_sheet(mat, "a4", "ko") == sheets.markers_sheet(mat, "a4", "ko")


@pytest.mark.parametrize("sheet", ["markers", "mat"])
def test_a_marker_wider_than_the_paper_is_said(sheet: str, tmp_path: Path) -> None:
    output = tmp_path / "sheet.pdf"
    reply = CliRunner().invoke(print_sheets, [sheet, "--square", "190", "-o", str(output)])
    assert isinstance(reply.exception, layout.SheetError)
    assert "--size a3" in str(reply.exception)
    assert not output.exists()


def test_the_command_writes_a_pdf_and_says_how_to_print_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "sheet.pdf"
    print_sheets.main(["markers", "-o", str(output)], standalone_mode=False)
    said = capsys.readouterr()
    assert "100 %" in said.err
    assert not said.out
    assert output.read_bytes().startswith(b"%PDF")


def test_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    reply = CliRunner().invoke(print_sheets, ["markers", "-o", str(tmp_path / "no" / "sheet.pdf")])
    assert "name another file" in str(reply.exception)


def test_without_reportlab_one_sentence_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "hardware.print.sheets")
    monkeypatch.delattr("hardware.print.sheets")
    monkeypatch.setitem(sys.modules, "reportlab.lib", None)
    reply = CliRunner().invoke(print_sheets, ["markers", "-o", str(tmp_path / "sheet.pdf")])
    assert "pip install 'table-companion[print]'" in str(reply.exception)


def test_a_broken_mat_file_is_said_by_name(tmp_path: Path) -> None:
    broken = tmp_path / "mat.toml"
    broken.write_text("rows = 'many'", "utf-8")
    with pytest.raises(layout.SheetError, match=r"mat\.toml"):
        layout.read_mat(broken)
