"""Somebody comes late to a bracket in which everybody has an opponent."""

from html import unescape

import pytest

from league.members.models import AuditEntry
from league.play.actions import game_at
from league.seating.models import Seat, Table
from league.tournaments import actions
from league.tournaments.bracket_page import bracket_shown
from league.tournaments.corrections import corrections
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.draws.late import late_plan
from league.tournaments.standing import standing_of
from league.tournaments.tables import rows_of
from tests.builders import EIGHT, TEST, a_user
from tests.tournaments.playing import (
    match_of,
    of_pairs,
    picture,
    play,
    play_round,
    published,
    tables,
)
from tests.tournaments.test_joining_full import newcomers
from tests.tournaments.test_knockout import turn_round
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


def plays_in(cup, seed=1):
    """A pair comes in by a match before the first one, as it was looked at."""
    plan = late_plan(picture(cup), seed)
    one, other = newcomers(cup)
    say = {"partner": other, "seed": seed, "seen": plan.seen, **SAY}
    return plan, actions.enter_by_play_in(cup, one, **say)


@pytest.mark.parametrize(
    ("kind", "title", "told", "whence"),
    [
        (
            {"format": "double"},
            "Losers' bracket",
            "for one place in the losers' bracket",
            "loser of match 3",
        ),
        (
            {"consolation": True},
            "Consolation",
            "if {waits} lose their first match too",
            "{waits}, if they lose match 3",
        ),
    ],
)
def test_where_a_first_loss_leads_on_those_who_lose_one_of_the_two_meet(
    client, kind, title, told, whence
):
    cup = begun(4, **kind)
    client.force_login(a_user(club=cup.club))
    one, other = newcomers(cup)
    asked = {"member": one.public_id, "partner": other.public_id}
    page = client.post(address("tournament_enter", cup), asked, follow=True)
    waits = page.context["waits"]
    assert told.format(waits=waits) in " ".join(unescape(page.content.decode()).split())
    plan, _late = plays_in(cup)
    shown = {part.title: part for part in bracket_shown(picture(cup), lambda who: who.name)}
    rounds = shown[title].rounds
    assert [one.title for one in rounds][:2] == ["Play-in", "Round 1"]
    assert rounds[0].matches[0].sides[1].name == whence.format(waits=waits)
    play_round(cup)
    actions.withdraw_entry(picture(cup).entries[plan.waits], **SAY)
    published(cup, seed=2)
    play_round(cup)
    now = bracket_of(picture(cup))
    place = next(m for m in now.matches.values() if m.round == 0)
    assert place.winner == now.matches["P1-1"].loser
    plays_out(cup)
    assert bracket_of(picture(cup)).champion
    client.get(address("tournament_print", cup))


def test_a_correction_of_a_play_in_is_followed_by_the_bracket():
    cup = begun(4, "double")
    plays_in(cup)
    play_round(cup)
    first = next(m for m in picture(cup).last.matches if m.label == "P1-1")
    published(cup, seed=2)
    play_round(cup)
    turn_round(Table.objects.get(pk=first.games[0].table))
    (found,) = corrections(picture(cup))
    assert found.entry == first.sides[1 - first.first]
    actions.follow_correction(cup, match_of(first), by=TEST)
    assert found.entry in bracket_of(picture(cup)).matches["M1-2"].sides
    plays_out(cup)
    assert bracket_of(picture(cup)).champion


def test_who_has_a_bye_and_has_not_begun_can_be_met_before_their_first_match():
    cup = of_pairs(5, "double")
    published(cup)
    first, second = picture(cup).last.matches
    assert [first.label, second.label] == ["M1-2", "M2-2"]
    play(tables(cup).get(pk=first.games[0].table), Random(1))
    one, other = newcomers(cup)
    actions.enter(cup, one, partner=other, **SAY)  # the bye of the first seed
    plan, late = plays_in(cup)
    assert (plan.match, plan.part, plan.shared) == (second.key, "losers", False)
    assert bracket_of(picture(cup)).matches["P1-1"].sides == (plan.opponent, late.pk)
    plays_out(cup)
    assert len(bracket_of(picture(cup)).places()) == 7


def test_a_play_in_that_has_begun_since_it_was_looked_at_is_not_made():
    cup = begun(4)
    plan = late_plan(picture(cup), 1)
    play_round(cup)
    one, other = newcomers(cup)
    say = {"partner": other, "seed": 1, "seen": plan.seen, **SAY}
    assert refusal(actions.enter_by_play_in, cup, one, **say) == "no_place_left"
    assert len(picture(cup).entries) == 4
