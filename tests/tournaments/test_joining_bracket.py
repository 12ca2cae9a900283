"""Somebody comes late to a bracket in which everybody has an opponent."""

import pytest

from league.members.models import AuditEntry
from league.play.actions import game_at
from league.seating.models import Seat
from league.tournaments import actions
from league.tournaments.bracket_page import bracket_shown
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.draws.late import late_plan
from league.tournaments.standing import standing_of
from league.tournaments.tables import rows_of
from tests.builders import EIGHT, TEST, a_user
from tests.tournaments.playing import of_pairs, picture, play, play_round, published, tables
from tests.tournaments.test_joining_full import newcomers
from tests.tournaments.test_pages import address
from tests.tournaments.test_play_through import Random
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db
SAY = {"by": TEST, "at": EIGHT}


def begun(count, format="knockout", **choice):
    """A bracket whose first table has played, the others not."""
    cup = of_pairs(count, format, **choice)
    published(cup)
    play(tables(cup).order_by("number").first(), Random(1))
    return cup


def plays_out(cup):
    for seed in range(2, 9):
        play_round(cup)
        if bracket_of(picture(cup)).over:
            return
        published(cup, seed=seed)


def test_while_nobody_has_played_all_are_drawn_into_a_larger_bracket_as_it_was_seen(client):
    cup = of_pairs(4, "double")
    published(cup)
    client.force_login(a_user(club=cup.club))
    one, other = newcomers(cup)
    told = {"member": one.public_id, "partner": other.public_id}
    page = client.post(address("tournament_enter", cup), told, follow=True)
    assert "A larger bracket, with 3 byes" in page.content.decode()
    plan = page.context["plan"]
    told |= {"seed": plan.seed, "seen": plan.seen, "way": plan.kind}
    page = client.post(address("tournament_late", cup), told, follow=True)
    assert page.resolver_match.url_name == "tournament_draw"
    now = picture(cup)
    newest = max(now.entries)
    order = sorted(now.entries, key=lambda key: now.entries[key].number)
    assert order == [key or newest for key in plan.order]
    assert {frozenset(m.entries) for m in now.draft.matches} == {
        frozenset(key or newest for key in both) for both in plan.first
    }
    actions.publish_draw(cup, **SAY)
    plays_out(cup)
    assert bracket_of(picture(cup)).champion
    assert not any(entry.late for entry in picture(cup).entries.values())


def test_once_matches_have_begun_they_meet_the_lowest_that_has_not_at_its_table(client):
    cup = begun(4)
    client.force_login(a_user(club=cup.club))
    game_at(tables(cup).get(games=None))  # its phone has looked at it
    before = {m.key: m for m in picture(cup).last.matches}
    one, other = newcomers(cup)
    told = {"member": one.public_id, "partner": other.public_id}
    page = client.post(address("tournament_enter", cup), told, follow=True)
    assert "A match before the first round, against" in page.content.decode()
    plan = page.context["plan"]
    waiting = [e for m in before.values() if not m.games[0].hands for e in m.entries]
    numbers = {key: picture(cup).entries[key].number for key in waiting}
    assert numbers[plan.opponent] == max(numbers.values())
    assert {plan.opponent, plan.waits} == set(waiting)
    told |= {"seed": plan.seed, "seen": plan.seen, "way": plan.kind}
    assert client.post(address("tournament_late", cup), told).status_code == 302
    now = picture(cup)
    late = max(now.entries)
    match = next(m for m in now.last.matches if m.label == "P1-1")
    assert (match.key, set(match.entries)) == (plan.match, {plan.opponent, late})
    assert now.last.byes == (plan.waits,)
    assert now.last.row.label == ""
    others = [m for m in now.last.matches if m.key != plan.match]
    assert others == [before[m.key] for m in others]
    seated = Seat.objects.filter(table__match_game__match=plan.match, seated=True)
    people = {who.pk for key in match.entries for who in now.entries[key].people}
    assert {seat.member_id for seat in seated} == people
    assert refusal(actions.take_draw_back, cup, **SAY) == "hands_entered"
    shown = bracket_shown(now, lambda who: who.name)
    assert [part.title for part in shown] == ["Before the first round", "Bracket"]
    play_round(cup)
    published(cup)
    assert {frozenset(m.entries) for m in picture(cup).last.matches} == {
        frozenset((plan.waits, bracket_of(picture(cup)).matches["P1-1"].winner))
    }
    plays_out(cup)
    rows = rows_of(picture(cup), standing_of(picture(cup)), lambda who: who.name)
    assert [row.rank for row in rows] == [1, 2, 3, 3, 5]
    assert AuditEntry.objects.filter(action="play in").count() == 1
    client.get(address("tournament_standings", cup))


def test_nobody_comes_in_when_every_first_match_has_begun():
    cup = begun(4)
    play_round(cup)
    assert refusal(late_plan, picture(cup), 1) == "no_place_left"


def test_nobody_plays_in_where_who_loses_a_first_match_plays_on():
    assert refusal(late_plan, picture(begun(4, "double")), 1) == "no_play_in"


def test_a_play_in_that_has_begun_since_it_was_looked_at_is_not_made():
    cup = begun(4)
    plan = late_plan(picture(cup), 1)
    play_round(cup)
    one, other = newcomers(cup)
    say = {"partner": other, "seed": 1, "seen": plan.seen, **SAY}
    assert refusal(actions.enter_by_play_in, cup, one, **say) == "no_place_left"
    assert len(picture(cup).entries) == 4
