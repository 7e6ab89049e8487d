"""`companion teach cards`: learning, listing, forgetting, trying; what is wrong is one clear sentence."""

from __future__ import annotations

from pathlib import Path

import click
import cv2
import numpy as np
import pytest

from companion import paths
from hardware.vision.cards import CardBook
from hardware.vision.cards.book import load, save
from tests.conftest import Companion
from tests.vision.cards.decks import Deck
from tests.vision.cards.scenes import draw_shot, teaching_shot


def write(path: Path, picture: np.ndarray) -> Path:
    """Keep a picture in a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), picture)
    return path


@pytest.fixture
def photo(deck: Deck, tmp_path: Path) -> Path:
    """A picture to teach kind-1 from."""
    return write(tmp_path / "kind-1.png", teaching_shot(np.random.default_rng(1), deck.faces["kind-1"]))


@pytest.fixture
def kept(discard: str, book: CardBook) -> Path:
    """The file that keeps the deck's cards, all taught but kind-2."""
    path = paths.cards() / f"{discard}.npz"
    save(book.without("kind-2"), path)
    return path


def test_a_kind_is_taught_from_a_picture(companion: Companion, discard: str, photo: Path) -> None:
    ran = companion("teach", "cards", "--kind", "kind-1", photo)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith(f"kind-1: learned from {photo} (")
    assert load(paths.cards() / f"{discard}.npz").kinds == ("kind-1",)


@pytest.mark.parametrize("yes", [True, False])
def test_what_was_learned_is_shown_at_a_terminal_and_kept_only_after_a_yes(
    companion: Companion, discard: str, photo: Path, monkeypatch: pytest.MonkeyPatch, yes: bool
) -> None:
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr(click.termui, "visible_prompt_func", lambda _: "y" if yes else "n")
    ran = companion("teach", "cards", "--kind", "kind-1", photo)
    assert ran.out.startswith("kind-1: learned from" if yes else "kind-1: not learned; lay it on another")
    assert load(paths.cards() / f"{discard}.npz").kinds == (("kind-1",) if yes else ())
    assert cv2.imread(str(paths.cards() / f"{discard}.png")).shape == (512, 352, 3)


def test_a_folders_file_names_are_the_kinds(
    companion: Companion, discard: str, deck: Deck, tmp_path: Path
) -> None:
    for seed, kind in enumerate(("kind-2", "cat-1")):
        shot = teaching_shot(np.random.default_rng(seed), deck.faces[kind])
        write(tmp_path / "deck" / f"{kind}.jpg", shot)
    ran = companion("teach", "cards", "--game", discard, "--json", tmp_path / "deck")
    assert [(line["kind"], line["features"] > 20) for line in ran.lines] == [
        ("cat-1", True),
        ("kind-2", True),
    ]
    assert ran.status == 0


def test_a_kind_is_taught_from_the_camera(companion: Companion, discard: str, photo: Path) -> None:
    folder = photo.parent / "frames"
    write(folder / "1.png", np.full((480, 640, 3), 60, np.uint8))
    write(folder / "2.png", cv2.imread(str(photo)))
    ran = companion("teach", "cards", "--kind", "kind-1", "--camera", f"folder:{folder}")
    assert (ran.status, ran.err) == (0, "")
    assert load(paths.cards() / f"{discard}.npz").kinds == ("kind-1",)


def test_the_kinds_are_listed_with_those_missing(companion: Companion, discard: str, photo: Path) -> None:
    companion("teach", "cards", "--kind", "kind-1", photo)
    listed = companion("teach", "cards", "--list").out.splitlines()
    assert listed[0].startswith("kind-1: ")
    assert listed[0].endswith(" features")
    assert listed[1] == "kind-2: not taught yet"
    lines = companion("teach", "cards", "--list", "--json").lines
    assert [line["faces"] for line in lines] == [1] + [0] * 12


def test_a_kind_is_forgotten(companion: Companion, kept: Path) -> None:
    assert companion("teach", "cards", "--forget", "cat-1").out == "cat-1 is forgotten.\n"
    assert "cat-1" not in load(kept).kinds


def test_a_picture_is_tried(companion: Companion, kept: Path, deck: Deck, tmp_path: Path) -> None:
    path = write(tmp_path / "table.jpg", draw_shot(deck, "plain", 3, "cat-4").picture)
    (line,) = companion("teach", "cards", "--try", path).lines
    assert (line["image"], line["unsure"], [card["kind"] for card in line["cards"]]) == (
        str(path), False, ["cat-4"],
    )  # fmt: skip
    assert len(line["cards"][0]["corners"]) == 4
    assert line["cards"][0]["unsure"] is False


@pytest.mark.parametrize(
    ("words", "says"),
    [
        pytest.param([], "There is no picture to learn from", id="no picture"),
        pytest.param(["--kind", "kind-2", "missing.jpg"], "cannot be read", id="missing"),
        pytest.param(["{photo}"], "Say which kind the picture shows", id="no kind"),
        pytest.param(
            ["--kind", "dragon", "{photo}"], "discard has no kind 'dragon'; it has: kind-1", id="kind"
        ),
        pytest.param(["--kind", "kind-2", "{photo}", "{photo}"], "One picture a kind", id="two pictures"),
        pytest.param(["--kind", "kind-2", "{plain}"], "No card is found in the picture", id="no card"),
        pytest.param(["--kind", "kind-1", "{photo}"], "is there already", id="there already"),
        pytest.param(["--kind", "kind-2", "{photo}"], "too like 'kind-1' to be told apart", id="alike"),
        pytest.param(["--forget", "dragon"], "was never taught; there are: kind-1", id="forget"),
        pytest.param(["--camera", "folder:{frames}", "--kind", "kind-2"], "No card is found", id="camera"),
        pytest.param(["--camera", "folder:{frames}"], "say the kind with --kind", id="camera without kind"),
        pytest.param(
            ["--game", "cat-and-mouse", "--list"], "watches for no cards in cat-and-mouse", id="game"
        ),
    ],
)
def test_what_is_wrong_is_one_sentence(
    companion: Companion, kept: Path, photo: Path, tmp_path: Path, words: list[str], says: str
) -> None:
    plain = write(tmp_path / "frames" / "plain.png", np.full((480, 640, 3), 60, np.uint8))
    fill = {"photo": photo, "plain": plain, "frames": plain.parent}
    before = kept.read_bytes()
    ran = companion("teach", "cards", *(word.format(**fill) for word in words))
    assert ran.status == 2
    assert ran.out == ""
    assert says in ran.err
    assert len(ran.err.strip().splitlines()) == 1
    assert kept.read_bytes() == before


def test_trying_before_teaching_is_said(companion: Companion, discard: str, photo: Path) -> None:
    ran = companion("teach", "cards", "--try", photo)
    assert (ran.status, ran.err) == (2, "Error: No card was taught yet: teach some before trying.\n")


def test_an_empty_folder_is_said(companion: Companion, discard: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = companion("teach", "cards", tmp_path / "empty")
    assert ran.status == 2
    assert "There is no picture in" in ran.err
