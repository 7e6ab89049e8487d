"""The companion's player of Exploding Kittens: it knows what its seat knows, and plays by the rules."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from companion.games.chance import Chance, Stream, key_of
from companion.games.exploding_kittens import GAME
from companion.games.exploding_kittens.cards import DEFUSE, KITTEN
from companion.games.exploding_kittens.known import known
from companion.games.exploding_kittens.player.chooser import Guesses
from companion.games.exploding_kittens.player.dealer import KittensDealer
from companion.games.exploding_kittens.player.playout import Box, DealtMatch
from companion.games.exploding_kittens.player.policies import Careful, Plain
from companion.games.exploding_kittens.state import (
    Defuse,
    Draw,
    DrawKitten,
    Hid,
    KittensState,
    Nope,
    Pair,
    Play,
)
from companion.games.exploding_kittens.tests.playing import began, play
from companion.games.players import Budget, Choice, player_of, seen
from companion.messages import LANGUAGES, messages_of_game
from companion.odds import card_at, number_held

PLAYER = player_of(GAME.slug)
OPTIONS = GAME.options({})
HAND = "hand first defuse attack skip nope cat-a cat-a"


def chosen(state: KittensState, seat: str, level: str = "top", nodes: int = 300) -> Choice:
    """What a level plays for a seat."""
    return PLAYER.choose(seen(GAME, state, seat), level, Budget(nodes), seed=4)


def test_it_chooses_the_same_whatever_the_others_hold() -> None:
    """Two matches that differ in what the second seat noted alone are one to the first."""
    begun = play(began(3), HAND)
    for level in ("beginner", "top"):
        choices = [
            chosen(play(begun, f"hand second {cards}"), "first", level, 60)
            for cards in ("defuse defuse nope nope nope skip", "defuse cat-a cat-b cat-c cat-d future")
        ]
        assert choices[0] == choices[1]


def test_its_nope_is_the_same_whatever_the_others_hold() -> None:
    """The third seat's notes say nothing to the second, which weighs a nope on an attack."""
    hand = "hand second defuse nope nope skip cat-a cat-b"
    choices = [
        chosen(play(began(3), hand, f"hand third {cards}", "attack"), "second", nodes=60)
        for cards in ("defuse nope nope skip skip future", "defuse cat-a cat-b cat-c cat-d future")
    ]
    assert choices[0] == choices[1]


def test_it_plays_only_cards_of_its_hand() -> None:
    legal = seen(GAME, play(began(3), HAND), "first").legal
    assert {move.card for move in legal if isinstance(move, Play)} == {"attack", "skip"}
    assert Draw() in legal
    assert DrawKitten() not in legal


def test_what_it_can_play_follows_from_its_own_cards_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the whole table knows takes far longer to work out, and adds nothing."""
    begun = play(began(3), HAND)
    noping = play(began(3), "hand second defuse nope nope skip cat-a cat-b", "attack")
    monkeypatch.setattr("companion.games.exploding_kittens.known.numbers_held", None)
    assert Play("attack") in seen(GAME, begun, "first").legal
    assert Nope("second") in seen(GAME, noping, "second").legal
    assert Nope("third") not in seen(GAME, noping, "third").legal


def test_it_does_not_draw_a_kitten_that_it_has_seen() -> None:
    state = play(
        began(2), "hand first defuse future skip nope cat-a cat-b", "future", "saw first kitten nope"
    )
    for level in ("beginner", "top"):
        choice = chosen(state, "first", level)
        assert choice.move == Play("skip")
        assert choice.facts["percent"] == 100


def test_it_draws_a_card_that_it_has_seen_to_be_safe() -> None:
    state = play(
        began(2), "hand first defuse future skip nope cat-a cat-b", "future", "saw first nope kitten"
    )
    assert chosen(state, "first").move == Draw()


def test_it_defuses_and_hides_the_kitten_where_the_other_draws_it() -> None:
    state = play(began(2), HAND, "kitten")
    assert chosen(state, "first").move == Defuse()
    assert chosen(play(state, "defuse"), "first").move == Hid("first", 0)


def test_it_stops_who_asks_for_its_defuse() -> None:
    state = play(began(2), "draw", "hand second defuse nope skip cat-a cat-b cat-c")
    state = play(state, "draw", "drew second future", "three cat-d second defuse")
    assert chosen(state, "second").move == Nope("second")
    state = play(began(2), "draw", "hand second defuse nope skip cat-a cat-b cat-c")
    state = play(state, "draw", "drew second future", "three cat-d second shuffle")
    assert chosen(state, "second").move is None


def test_it_stops_a_pair_that_would_take_one_of_its_cards_even_without_a_defuse() -> None:
    """Once a card is gone, which may have been the nope, it is too late."""
    hand = "hand second defuse future skip nope cat-a cat-b"
    state = play(began(2), "draw", hand, "kitten", "defuse", "hid second 4", "pair cat-d second")
    assert chosen(state, "second", "top").move == Nope("second")
    assert seen(GAME, play(state, "took second nope"), "second").legal == ()


@pytest.mark.parametrize(("players", "does"), [(2, "play"), (4, "draw")])
def test_it_keeps_its_way_out_of_an_even_chance_while_others_may_explode_first(
    players: int, does: str
) -> None:
    """A skip and no defuse; every second card is a kitten."""
    box = Box(OPTIONS)
    hand = [int(number == box.skip) for number in range(len(box.kinds))]
    deck = [box.kitten, box.nope] * (players - 1)
    match = DealtMatch(
        box,
        [hand.copy() for _ in range(players)],
        deck,
        [True] * players,
        0,
        1,
        False,
        [set() for _ in range(players)],
        [1] * players,
        None,
        [Careful()] * players,
        Stream(key_of(1)),
    )
    assert match.danger(0) == 0.5
    assert Careful().turn(match, 0).what == does


def test_it_stops_an_attack_only_where_the_next_card_is_dangerous() -> None:
    """The second has used its defuse, and has seen the card that the attack would make it draw."""
    hand = "hand second defuse future skip nope cat-a cat-b"
    looked = play(began(2), "draw", hand, "kitten", "defuse", "hid second 0", "kitten", "defuse", "future")
    for level in ("top",):
        for saw, nope in (("kitten nope", Nope("second")), ("nope cat-c", None)):
            asked = seen(GAME, play(looked, f"saw second {saw}", "skip", "attack"), "second")
            asked = replace(asked, legal=(Nope("second"),))
            for seed in range(4):
                assert PLAYER.choose(asked, level, Budget(300), seed).move == nope


def test_a_theft_does_not_make_it_forget_that_a_kitten_was_just_hidden() -> None:
    hand = "hand third defuse skip nope cat-a cat-a cat-b"
    state = play(began(3), hand, "draw", "kitten", "defuse", "pair cat-a first", "took third cat-d")
    assert chosen(state, "third", "top").move == Play("skip")


def test_it_steals_where_a_card_is_most_likely_a_defuse() -> None:
    """Not from the next seat, which is to draw its kittens; nor from one that has used its defuse."""
    state = play(began(3), HAND, "draw", "drew first cat-b", "draw", "draw")
    assert chosen(state, "first", "top").move == Pair("cat-a", "third")
    state = play(began(3), HAND, "draw", "drew first cat-b", "draw", "kitten", "defuse")
    assert chosen(state, "first", "top").move == Pair("cat-a", "second")


def test_the_same_seed_and_budget_give_the_same_move() -> None:
    state = play(began(4), HAND)
    assert chosen(state, "first") == chosen(state, "first")


def test_a_deal_by_lot_is_as_likely_as_the_odds_say() -> None:
    """The kitten on top, and a second defuse in the next hand: 3,000 deals, four standard deviations."""
    state = play(began(3), HAND, "draw", "kitten", "defuse", "draw")
    knowledge = known(state, "first").knowledge
    guesses, luck, box = Guesses(knowledge), Stream(key_of(5)), Box(OPTIONS)
    on_top = defuses = 0
    for _ in range(3_000):
        deck, piles = guesses.deal(luck)
        on_top += deck[0] == box.kitten
        defuses += piles[2][box.defuse] >= 2
        assert sum(map(sum, piles)) + len(deck) == sum(knowledge.totals)
    for seen_, chance in (
        (on_top, card_at(knowledge)[KITTEN]),
        (defuses, sum(number_held(knowledge, "third", DEFUSE)[2:])),
    ):
        assert seen_ / 3_000 == pytest.approx(float(chance), abs=4 * (0.25 / 3_000) ** 0.5)


def test_a_match_that_is_played_out_keeps_to_the_rules() -> None:
    """What each playout did, replayed by the rules, ends alike."""
    box, luck = Box(OPTIONS), Stream(key_of(8))
    for number in range(6):
        start = began(4)
        deck, piles = Guesses(known(start, None).knowledge).deal(luck)
        deck.reverse()
        match = DealtMatch(
            box,
            piles[:4],
            deck,
            [True] * 4,
            0,
            1,
            False,
            [set[int]() for _ in range(4)],
            [0] * 4,
            None,
            [Plain(), Careful(), Plain(), Careful()],
            Stream(key_of(number)),
            moves=[],
        )
        winner = match.run()
        state = start
        for move in match.moves or ():
            state = GAME.play(state, move)
        outcome = GAME.outcome(state)
        assert outcome
        assert outcome.winners == (state.seats[winner],)
        assert state.standing.deck == len(match.deck)
        assert state.standing.hands == tuple(map(sum, match.hands))


def test_a_shuffle_is_fair() -> None:
    """Chi-square of where each of six cards lies, 6,000 times, 25 degrees of freedom: below 52.6 in 999 of
    1,000 tries."""
    luck, lies = Stream(key_of(4)), Counter[tuple[int, int]]()
    for _ in range(6_000):
        cards = list(range(6))
        luck.shuffle(cards)
        lies.update(enumerate(cards))
    assert sum((lies[place, card] - 1_000) ** 2 / 1_000 for place in range(6) for card in range(6)) < 52.6


def test_the_machines_own_cards_make_a_match() -> None:
    """Every seat is dealt a defuse and five cards, and knows its hand to the last card until the end."""
    state, dealer, luck = GAME.start(OPTIONS, 3), KittensDealer(), Stream(key_of(6))
    dealer.begin(state, Chance(key_of(6)))
    asked = Counter[str]()
    while GAME.outcome(state) is None:
        move = dealer.chance(state)
        if move is None:
            seat = dealer.acting(GAME, state)
            assert seat
            asked[seat] += 1
            chosen_ = PLAYER.choose(seen(GAME, state, seat), "beginner", Budget(20), luck.randbelow(99)).move
            if chosen_ is None:
                dealer.passes(state, seat)
                continue
            move = dealer.resolve(state, chosen_)
        state, before = GAME.play(state, move), state
        dealer.after(before, move)
        if not isinstance(move, Draw):
            continue
        for seat in state.standing.living:
            assert len(dealer.hands[seat]) == state.standing.hand_size(seat)
        assert len(dealer.deck) == state.standing.deck
        assert dealer.deck.count(KITTEN) == state.kittens
    assert asked.keys() == {"first", "second", "third"}


def test_each_reason_is_said_in_every_language() -> None:
    words = messages_of_game(GAME.slug)
    for why in ("draws", "passes-on", "shuffles", "looks", "takes", "defuses", "hides", "nopes"):
        assert all(words.say(f"advice.{why}", language, percent=20) for language in LANGUAGES)
