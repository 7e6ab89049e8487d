"""`companion print` as a person runs it (the sheets themselves are measured in tests/print)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import Companion

pytest.importorskip("reportlab", reason="the sheets are drawn by reportlab")


@pytest.mark.parametrize("sheet", ["markers", "mat", "panel"])
@pytest.mark.parametrize("language", ["en", "zh-Hant", "ko"])
def test_each_sheet_is_a_pdf_in_each_language(
    companion: Companion, tmp_path: Path, sheet: str, language: str
) -> None:
    output = tmp_path / "sheet.pdf"
    done = companion("print", sheet, "-o", output, "--lang", language, "--size", "a3")
    assert (done.status, done.out) == (0, ""), "stdout stays empty: the PDF is the output"
    assert str(output) in done.err
    assert "100 %" in done.err
    assert output.read_bytes().startswith(b"%PDF-")


def test_smaller_squares_make_another_sheet(companion: Companion, tmp_path: Path) -> None:
    for square in (20, 12):
        companion("print", "markers", "--square", square, "-o", tmp_path / f"{square}.pdf")
    assert (tmp_path / "20.pdf").read_bytes() != (tmp_path / "12.pdf").read_bytes()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        pytest.param(
            ("poster", "-o", "x.pdf"), "'poster' is not one of 'markers', 'mat', 'panel'", id="sheet"
        ),
        pytest.param(("mat",), "--output", id="no-file"),
        pytest.param(("mat", "-o", "x.pdf", "--size", "a5"), "'a5' is not one of 'a4'", id="paper"),
        pytest.param(("mat", "-o", "x.pdf", "--square", "0"), "5.0<=x<=200.0", id="square"),
        pytest.param(("mat", "-o", "x.pdf", "--rows", "0"), "1<=x<=100", id="rows"),
        pytest.param(("mat", "-o", "x.pdf", "--cols", "many"), "not a valid integer", id="cols"),
        pytest.param(("panel", "-o", "x.pdf", "--seats", "6"), "2<=x<=5", id="seats"),
        pytest.param(("panel", "-o", "x.pdf", "--panel", "none.toml"), "none.toml", id="no-such-panel"),
        pytest.param(("mat", "-o", "x.pdf", "--lang", "xx"), "'xx' is not one of 'en'", id="language"),
    ],
)
def test_a_wrong_word_is_answered_with_what_there_is(
    companion: Companion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], says: str
) -> None:
    monkeypatch.chdir(tmp_path)
    done = companion("print", *words)
    assert (done.status, done.out) == (2, "")
    assert says in done.err
    assert list(tmp_path.iterdir()) == [], "nothing is written"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("lamps = 3", id="a-number-for-a-table"),
        pytest.param("seats = 9", id="too-many-seats"),
        pytest.param("seats = ", id="no-toml"),
    ],
)
def test_a_panels_file_that_cannot_be_used_is_one_sentence(
    companion: Companion, tmp_path: Path, text: str
) -> None:
    (tmp_path / "own.toml").write_text(text)
    done = companion("print", "panel", "--panel", tmp_path / "own.toml", "-o", tmp_path / "x.pdf")
    assert (done.status, done.out) == (2, "")
    assert "own.toml" in done.err
    assert len(done.err.strip().splitlines()) == 1


def test_a_folder_in_place_of_the_file_is_said(companion: Companion, tmp_path: Path) -> None:
    done = companion("print", "markers", "-o", tmp_path)
    assert done.status == 2
    assert "name another file with -o" in done.err
