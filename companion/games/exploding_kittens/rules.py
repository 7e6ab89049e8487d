"""The rules: legal moves and their effects.

Rulebook: "Your turn", "How to play", the guide to the cards, "Special combos". The possible cards of hands,
which the rules need, are in `known`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import ClassVar

from msgspec.structs import replace

from companion.games.exploding_kittens import cards, people, private_notes, sighting
from companion.games.exploding_kittens import view as views
from companion.games.exploding_kittens.cards import ACTIONS, DEFUSE, KITTEN, NOPE, is_cat
from companion.games.exploding_kittens.known import (
    alike,
    all_in_hand,
    answers,
    discarded,
    most_held,
    nopers,
    numbers_possible,
    targets,
)
from companion.games.exploding_kittens.retrospect import KittensRetrospect
from companion.games.exploding_kittens.state import (
    FORMS,
    PRIVATE,
    SEATS,
    SLUG,
    Action,
    AnswerAsked,
    Answered,
    Defuse,
    Draw,
    DrawKitten,
    Explode,
    KittensMove,
    KittensOptions,
    KittensState,
    KittensTable,
    Nope,
    OpenMove,
    Pair,
    Play,
    Three,
    check_card,
    check_lives,
    refuse,
)
from companion.games.exploding_kittens.view import KittensView
from companion.games.game import About, Game, Outcome
from companion.games.watching import Autoplay, Observation, SeesCards, Sighting


def _drawn_values() -> dict[str, object]:
    box = cards.deck(cards.TRAVEL)
    return {"seen": box.seen, "attack_turns": box.attack_turns}


class ExplodingKittens(Game[KittensState, KittensMove, KittensOptions], SeesCards, Autoplay):
    """Two to four players, one hidden deck; a kitten without a defuse puts its player out."""

    slug = SLUG
    names: ClassVar = {"en": "Exploding Kittens", "zh-Hant": "爆炸貓", "ko": "폭발하는 고양이"}
    seat_counts = (2, 3, 4)
    about = About(
        minutes=(10, 20),
        files={"deck": cards.Deck},
        editable={"deck": cards.COUNTABLE},
        drawn_values=_drawn_values,
    )
    forms = FORMS
    retrospect = KittensRetrospect()

    @property
    def card_kinds(self) -> tuple[str, ...]:
        return tuple(cards.deck(cards.TRAVEL).cards)

    def set_up(self, options: KittensOptions, seats: int) -> KittensState:
        """Hands dealt, kittens in the deck (rulebook, set-up 1 to 6); the first seat begins."""
        deck = options.box
        table = KittensTable(SEATS[0], deck.left(seats), (deck.dealt + 1,) * seats, (True,) * seats)
        return KittensState(options, table, table)

    def seat_names(self, state: KittensState) -> tuple[str, ...]:
        """The seats clockwise, from the first."""
        return state.seats

    def turn(self, state: KittensState) -> str | None:
        """The seat in turn, also with a drawn kitten or an open question."""
        return None if state.phase == "over" else state.standing.turn

    def legal_moves(self, state: KittensState) -> Iterable[KittensMove]:
        """The open moves, and the private notes that seats may make of the last action.

        Hands and late or repeated notes are left out: they correct the record.
        """
        yield from open_moves(state)
        yield from private_notes.legal_notes(state)

    def likely_move(self, state: KittensState, below: Callable[[int], int]) -> KittensMove:
        return people.likely_move(state, list(open_moves(state)), play, below)

    def play(self, state: KittensState, move: KittensMove) -> KittensState:
        return private_notes.add_note(state, move) if isinstance(move, PRIVATE) else play(state, move)

    def outcome(self, state: KittensState) -> Outcome | None:
        """The last one alive wins."""
        return Outcome("last-alive", state.standing.living) if state.phase == "over" else None

    def hide(self, state: KittensState, seat: str | None) -> KittensState:
        """The state with that seat's notes alone."""
        return replace(state, notes=tuple(note for note in state.notes if note.seat == seat))

    def private_to(self, move: KittensMove) -> str | None:
        """The seat that makes a private note."""
        return move.seat if isinstance(move, PRIVATE) else None

    def pressed(self, state: KittensState, seat: str) -> KittensMove | None:
        """The button of the seat in turn: it drew a card other than a kitten."""
        can = state.phase == "turn" and state.standing.deck > state.kittens
        return Draw() if can and seat == state.standing.turn else None

    def sighting(self, state: KittensState, observation: Observation) -> Sighting:
        """The meaning of a card at rest on the discard pile."""
        return sighting.sighting(play, state, observation)

    def view(self, state: KittensState, seat: str | None) -> KittensView:
        """Everything that all can see and count, with a seat's own notes."""
        return views.view(self.hide(state, seat), seat)


def play(state: KittensState, move: OpenMove) -> KittensState:
    """The state after an open move. Raises `MoveError`."""
    if state.phase == "over":
        refuse("match-over")
    if isinstance(move, Nope):
        return nope(state, move)
    if isinstance(move, AnswerAsked):
        return answer(state, move)
    if state.phase == "asked":
        last = state.record[-1]
        refuse("answer-first", target=last.target, card=last.named)
    if isinstance(move, Defuse | Explode):
        return defuse(state) if isinstance(move, Defuse) else explode(state)
    if state.phase == "kitten":
        refuse("kitten-first", seat=state.standing.turn)
    if isinstance(move, Draw | DrawKitten):
        return draw(state) if isinstance(move, Draw) else draw_kitten(state)
    return play_card(state, move) if isinstance(move, Play) else combo(state, move)


def draw(state: KittensState) -> KittensState:
    """Draw a card other than a kitten; one owed turn is over."""
    _check_deck(state)
    if state.standing.deck == state.kittens:
        refuse("only-kittens", deck=state.standing.deck)
    seat = state.standing.turn
    drawn = replace(state.standing.with_hand(seat, 1), deck=state.standing.deck - 1)
    return _done(state, Action("draw", seat), replace(state, standing=drawn.turn_done()))


def draw_kitten(state: KittensState) -> KittensState:
    """Draw a kitten, shown at once; the turn waits for its end."""
    _check_deck(state)
    drawn = replace(state.standing, deck=state.standing.deck - 1)
    return _done(state, Action("kitten", state.standing.turn), replace(state, standing=drawn))


def _check_deck(state: KittensState) -> None:
    if not state.standing.deck:
        refuse("deck-empty")


def defuse(state: KittensState) -> KittensState:
    """Put the kitten back into the deck; one owed turn is over."""
    _check_kitten(state)
    seat = state.standing.turn
    check_hand(state, seat, DEFUSE, 1)
    back = replace(state.standing.with_hand(seat, -1), deck=state.standing.deck + 1)
    return _done(state, Action("defuse", seat), replace(state, standing=back.turn_done()))


def explode(state: KittensState) -> KittensState:
    """Put the player out, with the hand and the turns owed."""
    _check_kitten(state)
    gone = replace(state, standing=state.standing.explode())
    return _done(state, Action("explode", state.standing.turn), gone)


def _check_kitten(state: KittensState) -> None:
    if state.phase != "kitten":
        refuse("no-kitten-drawn", seat=state.standing.turn)


def play_card(state: KittensState, move: Play) -> KittensState:
    """Play an attack, a skip, a shuffle, or See the Future."""
    check_card(state, move.card)
    if move.card not in ACTIONS:
        alone = (
            "cat-alone"
            if is_cat(move.card)
            else "nope-on-a-card"
            if move.card == NOPE
            else "defuse-needs-kitten"
        )
        refuse(alone, card=move.card)
    check_hand(state, state.standing.turn, move.card, 1)
    return _laid(state, Action("play", state.standing.turn, card=move.card))


def combo(state: KittensState, move: Pair | Three) -> KittensState:
    """Play two or three alike on another player."""
    check_card(state, move.card)
    if not state.options.may_combine(move.card, 2 if isinstance(move, Pair) else 3):
        refuse("no-threes" if is_cat(move.card) else "cats-only", card=move.card)
    seat, target = state.standing.turn, move.target
    check_lives(state, target)
    if target == seat:
        refuse("not-oneself")
    if not state.standing.hand_size(target):
        refuse("empty-hand", target=target)
    if isinstance(move, Pair):
        check_hand(state, seat, move.card, 2)
        return _laid(state, Action("pair", seat, card=move.card, target=target))
    check_card(state, move.named, KITTEN)
    if move.named == KITTEN:
        refuse("no-kitten-in-hands")
    check_hand(state, seat, move.card, 3)
    return _laid(state, Action("three", seat, card=move.card, target=target, named=move.named))


def answer(state: KittensState, move: AnswerAsked) -> KittensState:
    """Give the named card, or say that there is none."""
    last = state.last
    if last is None or state.phase != "asked":
        refuse("nothing-asked")
    counts = numbers_possible(state, last.target, last.named)
    if move.given and len(counts) == 1:
        refuse("cannot-give", target=last.target, card=last.named)
    if not move.given and not counts[0]:
        refuse("surely-held", target=last.target, card=last.named)
    answered = replace(last, given=move.given)
    return _settled(state, answered, state.before)


def nope(state: KittensState, move: Nope) -> KittensState:
    """Stop the last card or combo, or let it go on after all."""
    check_lives(state, move.seat)
    last = state.last
    if last is None or last.what == "draw":
        refuse("nothing-to-nope")
    if not last.can_be_noped:
        refuse("nope-not-that", card=DEFUSE if last.what == "defuse" else KITTEN)
    check_count(state, state.before, move.seat, NOPE, 1)
    if move.seat not in nopers(state):
        refuse("cannot-hold", seat=move.seat, card=NOPE, needed=1)
    # A named card may be asked for again: the nope may have been that very card.
    answered = last.answered
    if last.given is not None and state.options.seen_before_nope == "known":
        answered = (*answered, Answered(last.given, len(last.nopes)))
    stopped = replace(last, nopes=(*last.nopes, move.seat), given=None, answered=answered)
    before = state.before.with_hand(move.seat, -1)
    return _settled(state, stopped, before)


def _laid(state: KittensState, action: Action) -> KittensState:
    """Lay a card or combo, with its effect."""
    laid = state.standing.with_hand(action.seat, -action.laid)
    return _settled(replace(state, record=(*state.record, action)), action, laid)


def _settled(state: KittensState, action: Action, before: KittensTable) -> KittensState:
    """Settle the last action, with its effect unless it is noped."""
    after = before.effect(action, state.options.box.attack_turns) if action.works else before
    return replace(state, record=(*state.record[:-1], action), before=before, standing=after)


def _done(state: KittensState, action: Action, after: KittensState) -> KittensState:
    return replace(after, record=(*state.record, action), before=after.standing)


def check_hand(state: KittensState, seat: str, card: str, count: int) -> None:
    """Refuse cards that a hand cannot have, by what all saw."""
    check_count(state, state.standing, seat, card, count)
    if most_held(state, seat, card) < count:
        refuse("cannot-hold", seat=seat, card=card, needed=count)


def check_count(state: KittensState, standing: KittensTable, seat: str, card: str, count: int) -> None:
    """Refuse more cards than a hand has, or than there are of a kind."""
    if standing.hand_size(seat) < count:
        refuse("hand-too-small", seat=seat, count=standing.hand_size(seat), needed=count)
    total, seen = state.options.box.cards[card], discarded(state).get(card, 0)
    if seen + count > total:
        refuse("none-left", card=card, total=total, seen=seen)


def open_moves(state: KittensState) -> Iterator[OpenMove]:
    """Every open move now."""
    if state.phase == "over":
        return
    yield from map(Nope, nopers(state))
    if state.phase == "asked":
        yield from (AnswerAsked(given) for given in answers(state))
    elif state.phase == "kitten":
        if most_held(state, state.standing.turn, DEFUSE):
            yield Defuse()
        yield Explode()
    else:
        yield from in_a_turn(state, all_in_hand(state, state.standing.turn))


def in_a_turn(state: KittensState, in_hand: Mapping[str, int]) -> Iterator[OpenMove]:
    """The draw, and every card and combo from so many cards of each kind."""
    if state.standing.deck > state.kittens:
        yield Draw()
    if state.kittens:
        yield DrawKitten()
    yield from (Play(card) for card in ACTIONS if in_hand[card])
    for target in targets(state):
        yield from (Pair(card, target) for card in alike(state, in_hand, 2))
        for card in alike(state, in_hand, 3):
            yield from (Three(card, target, named) for named in state.options.box.in_hands)


GAME = ExplodingKittens()
