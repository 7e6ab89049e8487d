"""The companion's player of Hide and Seek: it knows its own hand alone, and plays better than chance."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.chance import Chance, key_of
from companion.games.hide_and_seek import GAME
from companion.games.hide_and_seek.deck import noted_hand
from companion.games.hide_and_seek.state import (
    MOST_LAID,
    GoOn,
    HideState,
    Hold,
    RemoveFood,
    Seek,
    TurnUp,
)
from companion.games.hide_and_seek.tests.rival import Rival
from companion.games.players import Budget, player_of, seen
from companion.messages import LANGUAGES, messages_of_game
from companion.players.arena import Arena

PLAYER = player_of(GAME.slug)


def sought(*hands: tuple[str, ...]) -> HideState:
    """A match of two in the first round, with the hands noted.

    Sesame seeks, grey and black. Of the second player's animals Noodle is grey, and as fast.
    """
    state = GAME.start(GAME.options({}), 2)
    for animals in zip(("兩金", "Waffle", "Sesame"), ("Bean", "Noodle", "Ginger"), strict=True):
        for seat, animal in zip(state.seats, animals, strict=True):
            state = GAME.play(state, GAME.move({"move": "animal", "seat": seat, "animal": animal}))
    state = GAME.play(state, Seek("Sesame"))
    for seat, hand in zip(state.seats, hands, strict=False):
        state = GAME.play(state, Hold(seat, hand))
    return state


HAND = ("hide-grey", "rocket-fist", "hide-brown", "hide-brown", "paint-brown", "candy")


def test_it_hides_the_animal_that_would_be_caught() -> None:
    state, laid = sought(HAND, HAND), set()
    for seed in range(MOST_LAID):
        move = PLAYER.choose(seen(GAME, state, "player-2"), "top", Budget(), seed).move
        assert isinstance(move, TurnUp)
        state = GAME.play(state, move)
        laid.add((move.by, move.card, move.on))
    assert ("player-2", "hide-grey", "Noodle") in laid


def test_it_chooses_the_same_whatever_the_others_hold() -> None:
    other = ("hide-black", "hide-black", "cannonball", "cannonball", "hide-rainbow", "food")
    choices = [
        PLAYER.choose(seen(GAME, sought(hand, HAND), "player-2"), "top", Budget(), 1)
        for hand in (HAND, other)
    ]
    assert choices[0] == choices[1]


def test_it_lays_only_cards_of_its_hand_and_not_what_harms_it() -> None:
    state = sought(HAND, ("paint-grey", "paint-grey", "paint-white", "paint-white", "food", "food"))
    legal = seen(GAME, state, "player-2").legal
    assert {move.card for move in legal if isinstance(move, TurnUp)} == {"paint-grey", "paint-white", "food"}
    laid = PLAYER.choose(seen(GAME, state, "player-2"), "top", Budget(), 1).move
    assert not (isinstance(laid, TurnUp) and laid.card == "paint-grey" and state.owner(laid.on) == "player-2")


def test_each_player_chooses_what_the_candy_on_an_own_animal_removes() -> None:
    state = sought()
    for seat, animal in (("player-1", "Sesame"), ("player-2", "Noodle")):
        for card in ("food", "big-food", "candy"):
            state = GAME.play(state, TurnUp(seat, card, animal))
    state = GAME.play(state, GoOn())
    for seat, animal in (("player-1", "Sesame"), ("player-2", "Noodle")):
        legal = seen(GAME, state, seat).legal
        assert set(legal) == {RemoveFood(animal, "food"), RemoveFood(animal, "big-food")}


def test_cards_are_laid_face_down_until_all_have_laid() -> None:
    game = GAME
    state, dealer = game.start(game.options({}), 2), player_of(GAME.slug).dealer()
    dealer.begin(state, Chance(key_of(3)))
    while (move := dealer.chance(state)) or state.phase != "cards":
        if move is None:
            seat = dealer.acting(game, state)
            assert seat
            move = PLAYER.choose(seen(game, state, seat), "top", Budget(), 1).move
            if move is None:
                dealer.passes(state, seat)
                continue
        state = game.play(state, move)
    seeker, other = state.order
    noted = noted_hand(state, seeker)
    assert noted
    animal = state.free[0].animal
    assert dealer.resolve(state, TurnUp(seeker, noted.cards[0], animal)) is None
    assert dealer.seen_by(state, other) == state
    assert len(dealer.seen_by(state, seeker).lying) == 1
    dealer.passes(state, seeker)
    dealer.passes(state, other)
    assert dealer.chance(state) == TurnUp(seeker, noted.cards[0], animal)


def test_it_beats_chance() -> None:
    """One that is only as good wins all four in 6 of 100 tries."""
    with Arena(GAME, "top", "random", Budget, opening=0) as arena:
        result = list(arena.matches([{}], 2, 4, 5))[-1]
    assert result.refused == 0
    assert result.won == 4


@pytest.mark.slow
def test_it_leads_a_rival_that_weighs_one_ply(monkeypatch: pytest.MonkeyPatch) -> None:
    """It won 80 % of 400 (95 % interval 76 to 84), 3.4 points ahead on average."""
    with Arena(GAME, "top", "random", Budget, opening=0) as arena:
        monkeypatch.setattr(arena.b, "_own", Rival())
        result = list(arena.matches([{}], 2, 8, 3))[-1]
    assert result.refused == 0
    assert result.ahead is not None
    assert result.ahead > 0


def test_four_play_by_the_rules_with_the_machines_cards() -> None:
    with Arena(GAME, "random", "random", Budget, opening=0) as arena:
        assert next(iter(arena.matches([{}], 4, 1, 5))).refused == 0


def test_each_reason_is_said_in_every_language() -> None:
    words = messages_of_game(GAME.slug)
    for why in ("seeks", "helps-own", "slows-others", "catches-enemy", "most-points"):
        assert all(words.say(f"advice.{why}", language) for language in LANGUAGES)


def test_a_seat_without_a_noted_hand_lays_nothing() -> None:
    state = replace(sought(), laid={})
    assert PLAYER.choose(seen(GAME, state, "player-2"), "top", Budget(), 1).move is None


def test_the_dealer_gives_each_player_one_collectors_card() -> None:
    text = (GAME.folder / "data" / "example.toml").read_text("utf-8")
    marked = text.replace("speed = 6, points = 2", "speed = 6, points = 2, collector = true")
    state, dealer = GAME.start(GAME.options({"cards": marked}), 5), player_of(GAME.slug).dealer()
    dealer.begin(state, Chance(key_of(5)))
    while state.phase == "animals":
        state = GAME.play(state, dealer.chance(state))
    collectors = [owned.seat for owned in state.owned if owned.animal in state.set.collectors]
    assert sorted(collectors) == list(state.seats)
