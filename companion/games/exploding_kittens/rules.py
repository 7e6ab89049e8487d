"""What happens on the table: which move may be made, and what it does.

Rulebook: "Your turn", "How to play", the guide to the cards, "Special combos".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import NoReturn

from msgspec.structs import replace

from companion.errors import IllegalMove, InvalidMove
from companion.games.exploding_kittens.cards import ACTIONS, DEFUSE, KITTEN, NOPE, is_cat
from companion.games.exploding_kittens.known import before_effect, counted, known
from companion.games.exploding_kittens.moves import (
    Answer,
    Defuse,
    Draw,
    DrawKitten,
    Explode,
    Nope,
    OpenMove,
    Pair,
    Play,
    Three,
)
from companion.games.exploding_kittens.state import SLUG, Action, Answered, KittensState, Seat, Standing
from companion.odds import Knowledge, number_held

RULES = (
    "kitten-first",
    "no-kitten-drawn",
    "deck-empty",
    "only-kittens",
    "no-such-card",
    "none-left",
    "cannot-hold",
    "hand-too-small",
    "defuse-needs-kitten",
    "nope-on-a-card",
    "cat-alone",
    "nothing-to-nope",
    "nope-not-that",
    "out-of-the-game",
    "no-such-seat",
    "not-oneself",
    "empty-hand",
    "cats-only",
    "no-threes",
    "no-kitten-in-hands",
    "answer-first",
    "nothing-asked",
    "cannot-give",
    "surely-held",
    "nothing-to-tell",
    "wrong-number",
    "no-such-place",
    "cannot-be",
)


def play(state: KittensState, move: OpenMove) -> KittensState:
    """The state after a move made in the open. Raises `MoveError`."""
    if state.phase == "over":
        refuse("match-over")
    if isinstance(move, Nope):
        return nope(state, move)
    if isinstance(move, Answer):
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
    """A card that was no kitten; one owed turn is over."""
    _check_deck(state)
    if state.standing.deck == state.kittens:
        refuse("only-kittens", deck=state.standing.deck)
    seat = state.standing.turn
    drawn = replace(state.standing.with_hand(seat, 1), deck=state.standing.deck - 1)
    return _done(state, Action("draw", seat), replace(state, standing=drawn.turn_done()))


def draw_kitten(state: KittensState) -> KittensState:
    """A kitten, shown at once; the turn waits for what becomes of it."""
    _check_deck(state)
    drawn = replace(state.standing, deck=state.standing.deck - 1)
    return _done(state, Action("kitten", state.standing.turn), replace(state, standing=drawn))


def _check_deck(state: KittensState) -> None:
    if not state.standing.deck:
        refuse("deck-empty")


def defuse(state: KittensState) -> KittensState:
    """The kitten goes back into the deck, and one owed turn is over."""
    _check_kitten(state)
    seat = state.standing.turn
    check_hand(state, seat, DEFUSE, 1)
    back = replace(state.standing.with_hand(seat, -1), deck=state.standing.deck + 1)
    return _done(state, Action("defuse", seat), replace(state, standing=back.turn_done()))


def explode(state: KittensState) -> KittensState:
    """The player is out, with the hand and the turns owed."""
    _check_kitten(state)
    gone = replace(state, standing=state.standing.explode())
    return _done(state, Action("explode", state.standing.turn), gone)


def _check_kitten(state: KittensState) -> None:
    if state.phase != "kitten":
        refuse("no-kitten-drawn", seat=state.standing.turn)


def play_card(state: KittensState, move: Play) -> KittensState:
    """An attack, a skip, a shuffle, or See the Future."""
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
    """Two or three alike, on another player."""
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


def answer(state: KittensState, move: Answer) -> KittensState:
    """Whether the player who was asked had the named card."""
    last = state.last
    if last is None or state.phase != "asked":
        refuse("nothing-asked")
    counts = numbers(state, last.target, last.named)
    if move.given and len(counts) == 1:
        refuse("cannot-give", target=last.target, card=last.named)
    if not move.given and not counts[0]:
        refuse("surely-held", target=last.target, card=last.named)
    answered = replace(last, given=move.given)
    return _settled(state, answered, state.before)


def nope(state: KittensState, move: Nope) -> KittensState:
    """The last card or combo is stopped, or goes on after all."""
    check_lives(state, move.seat)
    last = state.last
    if last is None or last.what == "draw":
        refuse("nothing-to-nope")
    if not last.can_be_noped:
        refuse("nope-not-that", card=DEFUSE if last.what == "defuse" else KITTEN)
    check_count(state, state.before, move.seat, NOPE, 1)
    if move.seat not in nopers(state):
        refuse("cannot-hold", seat=move.seat, card=NOPE, needed=1)
    # A named card is asked for again when it comes to that: the nope may have been that very card.
    answered = last.answered
    if last.given is not None and state.options.seen_before_nope == "known":
        answered = (*answered, Answered(last.given, len(last.nopes)))
    stopped = replace(last, nopes=(*last.nopes, move.seat), given=None, answered=answered)
    before = state.before.with_hand(move.seat, -1)
    return _settled(state, stopped, before)


def _laid(state: KittensState, action: Action) -> KittensState:
    """A card or combo is on the table, and takes effect."""
    laid = state.standing.with_hand(action.seat, -action.laid)
    return _settled(replace(state, record=(*state.record, action)), action, laid)


def _settled(state: KittensState, action: Action, before: Standing) -> KittensState:
    """The last action is this one, and takes effect unless it is noped."""
    after = before.effect(action, state.options.box.attack_turns) if action.works else before
    return replace(state, record=(*state.record[:-1], action), before=before, standing=after)


def _done(state: KittensState, action: Action, after: KittensState) -> KittensState:
    """What cannot be noped is done."""
    return replace(after, record=(*state.record, action), before=after.standing)


def check_card(state: KittensState, card: str, *more: str) -> None:
    """Refuse what is no kind of card that can be in a hand."""
    if card not in (*state.options.box.in_hands, *more):
        raise InvalidMove(SLUG, "no-such-card", card=card)


def check_lives(state: KittensState, seat: str) -> None:
    """Refuse a seat that is not there, or is out."""
    if seat not in state.seats:
        raise InvalidMove(SLUG, "no-such-seat", seat=seat)
    if not state.standing.lives(seat):
        refuse("out-of-the-game", seat=seat)


def check_hand(state: KittensState, seat: str, card: str, count: int) -> None:
    """Refuse cards that a hand cannot have, from what all saw."""
    check_count(state, state.standing, seat, card, count)
    if most_held(state, seat, card) < count:
        refuse("cannot-hold", seat=seat, card=card, needed=count)


def check_count(state: KittensState, standing: Standing, seat: str, card: str, count: int) -> None:
    """Refuse more cards than a hand has, or than there are of a kind."""
    if standing.hand_size(seat) < count:
        refuse("hand-too-small", seat=seat, count=standing.hand_size(seat), needed=count)
    total, seen = state.options.box.cards[card], discarded(state).get(card, 0)
    if seen + count > total:
        refuse("none-left", card=card, total=total, seen=seen)


def nopers(state: KittensState) -> tuple[Seat, ...]:
    """Who may hold a nope for the last card, which waits for it to take effect."""
    return tuple(seat for seat in state.standing.living if may_nope(state, seat))


def may_nope(state: KittensState, seat: str) -> bool:
    """Whether a seat that lives may hold a nope for the last card, from what all saw."""
    last = state.last
    if last is None or not last.can_be_noped or state.phase == "over" or not state.before.hand_size(seat):
        return False
    return len(_numbers(before_effect(state), seat, NOPE)) > 1


def discarded(state: KittensState) -> dict[str, int]:
    """The cards that lie face up, by kind; the kittens of those who exploded too."""
    counts: dict[str, int] = {}
    for action in state.record:
        laid = (
            {DEFUSE: 1}
            if action.what == "defuse"
            else {KITTEN: 1}
            if action.what == "explode"
            else {action.card: action.laid}
        )
        for card, count in ({**laid, NOPE: laid.get(NOPE, 0) + len(action.nopes)}).items():
            counts[card] = counts.get(card, 0) + count
    return {card: count for card, count in counts.items() if count}


def most_held(state: KittensState, seat: str, card: str) -> int:
    """How many cards of a kind a seat holds at most, from what all saw."""
    return len(numbers(state, seat, card)) - 1


def all_in_hand(state: KittensState, seat: str) -> dict[str, int]:
    """How many cards of each kind a seat holds at most, from what all saw."""
    return {card: most_held(state, seat, card) for card in state.options.box.in_hands}


def targets(state: KittensState) -> tuple[Seat, ...]:
    """Whom two or three alike can be played on: the others that live and hold cards."""
    others = (seat for seat in state.standing.living if seat != state.standing.turn)
    return tuple(seat for seat in others if state.standing.hand_size(seat))


def answers(state: KittensState) -> tuple[bool, ...]:
    """What can be answered to a named card, from what all saw: given, has none."""
    last = state.record[-1]
    counts = numbers(state, last.target, last.named)
    return tuple(given for given in (True, False) if (len(counts) > 1 if given else counts[0]))


def numbers(state: KittensState, seat: str, card: str) -> tuple[Fraction, ...]:
    """How likely a seat holds 0, 1, 2, … of a kind, as the table knows it; the last is not 0."""
    return _numbers(known(state, None).knowledge, seat, card)


def _numbers(knowledge: Knowledge, seat: str, card: str) -> tuple[Fraction, ...]:
    return counted(lambda deck: number_held(deck, seat, card), knowledge)


def legal_moves(state: KittensState) -> Iterator[OpenMove]:
    """Every move that can be made in the open now."""
    if state.phase == "over":
        return
    yield from map(Nope, nopers(state))
    if state.phase == "asked":
        yield from (Answer(given) for given in answers(state))
    elif state.phase == "kitten":
        if most_held(state, state.standing.turn, DEFUSE):
            yield Defuse()
        yield Explode()
    else:
        yield from in_a_turn(state, all_in_hand(state, state.standing.turn))


def in_a_turn(state: KittensState, in_hand: Mapping[str, int]) -> Iterator[OpenMove]:
    """The draw, and every card and combo that a player can play with so many cards of each kind."""
    if state.standing.deck > state.kittens:
        yield Draw()
    if state.kittens:
        yield DrawKitten()
    yield from (Play(card) for card in ACTIONS if in_hand[card])
    for target in targets(state):
        yield from (Pair(card, target) for card in alike(state, in_hand, 2))
        for card in alike(state, in_hand, 3):
            yield from (Three(card, target, named) for named in state.options.box.in_hands)


def alike(state: KittensState, in_hand: Mapping[str, int], count: int) -> tuple[str, ...]:
    """The kinds of which so many alike may be played, by the most cards of each that a hand holds."""
    may = state.options.may_combine
    return tuple(card for card, most in in_hand.items() if most >= count and may(card, count))


def refuse(rule: str, **facts: str | int) -> NoReturn:
    """Raise `IllegalMove` with that rule's name."""
    raise IllegalMove(SLUG, rule, **facts)
