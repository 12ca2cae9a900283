"""A round robin on its page: how many matches each pair has played, and the rounds to come."""

from html import unescape

import pytest

from league.tournaments import actions
from league.tournaments.queries import entry_name
from league.tournaments.round_sheets import fixtures_to_come, round_sheet
from league.tournaments.standing import standing_of
from league.tournaments.tables import columns_of, rows_of
from tests.builders import EIGHT, TEST, a_user
from tests.tournaments.playing import drawn, of_pairs, play_round, published, state_of
from tests.tournaments.test_pages import address

pytestmark = pytest.mark.django_db


def played_column(cup):
    """The figures of the column "Played"; None without one."""
    state = state_of(cup)
    standing = standing_of(state)
    heads = [str(label.column) for label in columns_of(state, standing)]
    rows = rows_of(state, standing, str)
    return sorted(row.cells[heads.index("Played")] for row in rows) if "Played" in heads else None


def test_a_round_robin_shows_the_matches_played_while_a_bye_makes_them_differ():
    cup = of_pairs(3, "round_robin")
    columns = []
    for number in (1, 2, 3):
        published(cup, number)
        play_round(cup, number)
        columns.append(played_column(cup))
    assert columns == [["0", "1", "1"], ["1", "1", "2"], None]


@pytest.mark.parametrize(("format", "options"), [("round_robin", {}), ("groups", {"groups": 2})])
def test_the_rounds_to_come_say_who_meets_whom_as_they_are_drawn_later(client, format, options):
    cup = of_pairs(6, format, **options)
    client.force_login(a_user(club=cup.club))
    assert 'id="to-come"' not in client.get(address("tournament", cup)).text
    published(cup)
    planned = fixtures_to_come(state_of(cup), str)
    page = unescape(client.get(address("tournament", cup)).text).partition('id="to-come"')[2]
    assert all(names in page for _n, matches, _byes in planned for _group, names in matches)
    for number, matches, byes in planned:
        play_round(cup, number)
        drawn(cup, number)
        actions.publish_draw(cup, by=TEST, at=EIGHT)
        state = state_of(cup)
        sides = [[state.entries[key] for key in match.entries] for match in state.last.matches]
        assert [" – ".join(entry_name(one, str) for one in two) for two in sides] == [
            names for _group, names in matches
        ]
        assert list(round_sheet(state, state.last, str).byes) == byes
    assert fixtures_to_come(state_of(cup), str) == []


def test_a_pair_that_has_left_is_not_among_the_rounds_to_come():
    cup = of_pairs(4, "round_robin")
    published(cup)
    play_round(cup)
    entry = cup.entries.first()
    actions.withdraw_entry(entry, by=TEST, at=EIGHT)
    planned = fixtures_to_come(state_of(cup), str)
    assert not any(entry_name(entry, str) in names for _n, ms, _b in planned for _g, names in ms)
