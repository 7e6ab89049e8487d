"""The game as the rest of the companion meets it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from msgspec.structs import replace

from companion.errors import InvalidMove
from companion.games import data_files
from companion.games.drawing import Drawing, Drawn
from companion.games.exploding_kittens import cards, people, private_notes, rules, sighting
from companion.games.exploding_kittens import luck as lucks
from companion.games.exploding_kittens import view as views
from companion.games.exploding_kittens.drawing import drawing
from companion.games.exploding_kittens.moves import OPEN, PRIVATE, Draw, DrawKitten, Explode, KittensMove
from companion.games.exploding_kittens.narrate import narrate
from companion.games.exploding_kittens.notation import FORMS
from companion.games.exploding_kittens.state import SLUG, KittensOptions, KittensState, began
from companion.games.exploding_kittens.view import KittensView
from companion.games.game import Decided, Game, Luck, LuckRemark, Outcome, luck_of
from companion.games.narrated import Narrated
from companion.games.watching import Autoplay, Observation, SeesCards, Sighting
from companion.messages import Phrase


class ExplodingKittens(Game[KittensState, KittensMove, KittensOptions], SeesCards, Autoplay, Drawn, Narrated):
    """Two to four players, one hidden deck; who draws a kitten and has no defuse is out."""

    slug = SLUG
    names: ClassVar = {"en": "Exploding Kittens", "zh-Hant": "爆炸貓", "ko": "폭발하는 고양이"}
    seat_counts = (2, 3, 4)
    minutes = (10, 20)
    luck_kind = "kittens"
    editable: ClassVar = {"deck": cards.COUNTABLE}
    trend: ClassVar = {"boom.short-kitten": "odds.kinds.0.within.0.exact"}
    options_type = KittensOptions
    options_before: ClassVar = {"seen_before_nope": "forgotten"}
    state_type = KittensState
    move_types = (*OPEN, *PRIVATE)
    forms = FORMS
    rules = rules.RULES
    folder = Path(__file__).parent

    @property
    def card_kinds(self) -> tuple[str, ...]:
        """The kinds of the deck."""
        return tuple(cards.deck(cards.TRAVEL).cards)

    def options(self, given: Mapping[str, object], *, from_text: bool = False) -> KittensOptions:
        """Options from plain values. A player's own deck, given by its path, goes into the match whole.

        Raises `InvalidMove` with rule `not-an-option`, `MendableError` for a file that cannot be used.
        """
        options = super().options(given, from_text=from_text)
        return replace(options, deck=data_files.kept(options.deck, "deck", cards.Deck))

    def kept_options(self, kept: Mapping[str, object]) -> KittensOptions:
        """As `Game.kept_options`: without the special combos, cats were once played in threes as well."""
        if "seen_before_nope" not in kept and kept.get("special_combos") == "off":
            kept = {**kept, "special_combos": "cats"}
        return super().kept_options(kept)

    def start(self, options: KittensOptions, seats: int) -> KittensState:
        """Hands dealt; the first seat begins. Raises `InvalidMove` for seats that do not fit."""
        if seats not in self.seat_counts:
            raise InvalidMove(self.slug, "not-an-option", fault=f"{seats} seats; it is for 2 to 4")
        return began(options, seats)

    def seat_names(self, state: KittensState) -> tuple[str, ...]:
        """The seats clockwise, from the one that begins."""
        return state.seats

    def turn(self, state: KittensState) -> str | None:
        """Whose turn it is, a drawn kitten and an open question included."""
        return None if state.phase == "over" else state.standing.turn

    def legal_moves(self, state: KittensState) -> Iterable[KittensMove]:
        """What can happen on the table now, and the private notes that seats may make of the last action.

        Hands and late or repeated notes correct the record: they are left out.
        """
        yield from rules.legal_moves(state)
        yield from private_notes.legal_notes(state)

    def likely_move(self, state: KittensState, below: Callable[[int], int]) -> KittensMove:
        """What people at a table that plays by itself may do: `people` says how."""
        return people.likely_move(state, below)

    def play(self, state: KittensState, move: KittensMove) -> KittensState:
        """The state after a move. Raises `MoveError`."""
        return private_notes.add_note(state, move) if isinstance(move, PRIVATE) else rules.play(state, move)

    def outcome(self, state: KittensState) -> Outcome | None:
        """The last one alive wins."""
        return Outcome("last-alive", state.standing.living) if state.phase == "over" else None

    def decided(
        self, course: Sequence[tuple[KittensState, KittensMove]], state: KittensState
    ) -> Decided | None:
        """Who exploded last, and how many cards were left in the deck."""
        last = next((before for before, move in reversed(course) if isinstance(move, Explode)), None)
        if last is None:
            return None
        return Decided("kitten", {"loser": last.standing.turn, "deck": state.standing.deck})

    def luck(self, course: Iterable[tuple[KittensState, KittensMove]]) -> dict[str, Luck]:
        """The kittens drawn, each draw by the share of kittens in the deck, wherever they were put back."""
        return luck_of(
            (state.standing.turn, isinstance(move, DrawKitten), share, share * (1 - share))
            for state, move in course
            if isinstance(move, (Draw, DrawKitten))
            for share in [state.kittens / state.standing.deck]
        )

    def luck_remarks(
        self, course: Sequence[tuple[KittensState, KittensMove]], state: KittensState
    ) -> tuple[LuckRemark, ...]:
        """The kittens that came beside those to be expected, and the draws that were let go by."""
        return lucks.luck_remarks(course, state)

    def hide(self, state: KittensState, seat: str | None) -> KittensState:
        """The state with the notes of that seat alone."""
        return replace(state, notes=tuple(note for note in state.notes if note.seat == seat))

    def private_to(self, move: KittensMove) -> str | None:
        """The seat that makes a private note."""
        return move.seat if isinstance(move, PRIVATE) else None

    def pressed(self, state: KittensState, seat: str) -> KittensMove | None:
        """The button of the seat whose turn it is: it drew a card, and nothing exploded."""
        can = state.phase == "turn" and state.standing.deck > state.kittens
        return Draw() if can and seat == state.standing.turn else None

    def sighting(self, state: KittensState, observation: Observation) -> Sighting:
        """What a card that came to rest on the discard pile means."""
        return sighting.sighting(state, observation)

    def view(self, state: KittensState, seat: str | None) -> KittensView:
        """What all see and can count, and for a seat what its own notes add."""
        return views.view(self.hide(state, seat), seat)

    def narrate(self, before: KittensState, after: KittensState) -> tuple[Phrase, ...]:
        """What an open move did, in the page's words."""
        return narrate(before, after)

    def drawing(self, view: KittensView, name: Callable[[str], str]) -> Drawing:
        """The deck, and how many cards each player has."""
        return drawing(view, name)

    def drawn_values(self) -> dict[str, object]:
        """How many cards are seen, and how many turns an attack brings."""
        box = cards.deck(cards.TRAVEL)
        return {"seen": box.seen, "attack_turns": box.attack_turns}


GAME = ExplodingKittens()
