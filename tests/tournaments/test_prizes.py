"""The special prizes of a tournament of individuals, and what its page offers once it is closed."""

from dataclasses import replace

import pytest

from league.tournaments import actions
from league.tournaments.standing import standing_of
from league.tournaments.tables import prizes
from tests.builders import EIGHT, TEST, a_user
from tests.tournaments.playing import a_tournament, play_round, published, state_of
from tests.tournaments.test_pages import address

pytestmark = pytest.mark.django_db


def test_a_best_game_that_several_won_at_the_target_is_no_prize():
    cup = a_tournament(8, "rotation", rounds=1)
    published(cup)
    play_round(cup)
    state = state_of(cup)
    standing = standing_of(state)
    target = state.matches[0].games[0].target
    names = [name.title for name in prizes(state, standing, str)]
    assert "First" in names
    lower = [line.who for line in standing.lines if line.rank > 3]
    standing.best_game.update(dict.fromkeys(standing.best_game, 0))
    standing.best_game.update(dict.fromkeys(lower[:2], target))
    assert "Best single game" not in [one.title for one in prizes(state, standing, str)]
    standing.best_game.update(dict.fromkeys(lower[:2], target + 2))
    assert "Best single game" in [one.title for one in prizes(state, standing, str)]
    standing.best_game[lower[0]] = target
    standing.best_game[lower[1]] = 0
    assert "Best single game" in [one.title for one in prizes(state, standing, str)]


@pytest.mark.parametrize(("format", "has_booby"), [("rotation", False), ("progressive", True)])
def test_only_progressive_euchre_has_a_booby_prize(format, has_booby):
    cup = a_tournament(8, format, rounds=1)
    published(cup)
    play_round(cup)
    state = state_of(cup)
    standing = standing_of(state)
    last = replace(standing.lines[-1], rank=8, shared=False)
    standing.lines[-1] = last
    standing.best_game.clear()
    titles = [prize.title for prize in prizes(state, standing, str)]
    assert ("Booby prize" in titles) == has_booby


def test_a_closed_seeding_round_is_not_closed_again_to_play_on_as_pairs(client):
    cup = a_tournament(8, "rotation", rounds=1)
    client.force_login(a_user(club=cup.club))
    published(cup)
    play_round(cup)
    assert "Close it and play on as pairs" in client.get(address("tournament", cup)).text
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    page = client.get(address("tournament", cup)).text
    assert "Was this a seeding round? Play on as pairs" in page
