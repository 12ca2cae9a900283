"""A player arrives late to a bracket in which everybody has an opponent."""

import re
from random import Random

import pytest
from django.db import connection
from django.urls import reverse

from league.labels import as_partners
from league.seating.actions import add_seating_request
from league.seating.models import SeatingRequest
from league.tournaments import actions, own_match
from league.tournaments.actions import drawing, redraw
from league.tournaments.draws.knockout import bracket_of
from league.tournaments.draws.late import late_plan
from league.tournaments.models import StageRound
from league.tournaments.next_step import next_action
from league.tournaments.views import rounds
from tests.builders import EIGHT, TEST, a_user
from tests.tournaments.playing import (
    of_pairs,
    play,
    play_round,
    published,
    state_of,
    tables,
)
from tests.tournaments.test_late_in_full_round import newcomers
from tests.tournaments.test_pages import address
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
        if bracket_of(state_of(cup)).over:
            return
        published(cup, seed=seed)


def test_while_nobody_has_played_all_are_drawn_into_a_larger_bracket_as_it_was_seen(client):
    cup = of_pairs(4, "double")
    published(cup)
    client.force_login(a_user(club=cup.club))
    one, other = newcomers(cup)
    data = {"member": one.public_id, "partner": other.public_id}
    page = client.post(address("tournament_enter", cup), data, follow=True)
    assert "A larger bracket, with 3 byes" in page.content.decode()
    plan = page.context["plan"]
    data |= {"seed": plan.seed, "seen": plan.seen, "way": plan.kind}
    page = client.post(address("tournament_late", cup), data, follow=True)
    assert page.resolver_match.url_name == "tournament_draw"
    now = state_of(cup)
    newest = max(now.entries)
    order = sorted(now.entries, key=lambda key: now.entries[key].number)
    assert order == [key or newest for key in plan.order]
    assert {frozenset(m.entries) for m in now.draft.matches} == {
        frozenset(key or newest for key in both) for both in plan.first
    }
    actions.publish_draw(cup, **SAY)
    plays_out(cup)
    assert bracket_of(state_of(cup)).champion
    assert not any(entry.late for entry in state_of(cup).entries.values())


@pytest.mark.parametrize("seed", [11, 12])
def test_a_late_pair_the_club_keeps_apart_from_others_is_drawn_as_it_was_seen(
    client, monkeypatch, seed
):
    monkeypatch.setattr(rounds.secrets, "randbelow", lambda _most: seed)
    cup = of_pairs(4, "knockout")
    published(cup)
    client.force_login(a_user(club=cup.club))
    one, other = newcomers(cup)
    for entry in cup.entries.select_related("member")[:3]:
        add_seating_request(cup.club, SeatingRequest.Kind.NEVER, one, entry.member, by=TEST)
    data = {"member": one.public_id, "partner": other.public_id}
    plan = client.get(address("tournament_late", cup), data).context["plan"]
    data |= {"seed": plan.seed, "seen": plan.seen, "way": plan.kind}
    client.post(address("tournament_late", cup), data)
    now = state_of(cup)
    newest = max(now.entries)
    order = sorted(now.entries, key=lambda key: now.entries[key].number)
    assert order == [key or newest for key in plan.order]


def test_once_a_match_has_begun_nobody_joins_a_full_bracket_and_the_page_says_why(client):
    cup = begun(4)
    client.force_login(a_user(club=cup.club))
    one, other = newcomers(cup)
    sent = {"member": one.public_id, "partner": other.public_id}
    page = client.post(address("tournament_enter", cup), sent, follow=True)
    assert "a match has started, so entry is closed" in page.content.decode()
    assert refusal(late_plan, state_of(cup), 1) == "no-place-left"
    assert len(state_of(cup).entries) == 4


def test_a_larger_bracket_is_not_made_where_a_match_has_begun_since_it_was_looked_at():
    cup = of_pairs(4, "knockout")
    published(cup)
    plan = late_plan(state_of(cup), 1)
    play(tables(cup).order_by("number").first(), Random(1))
    one, other = newcomers(cup)
    say = {"partner": other, "seed": 1, "seen": plan.seen, **SAY}
    assert refusal(actions.enter_larger_bracket, cup, one, **say) == "no-place-left"
    assert len(state_of(cup).entries) == 4


def test_whose_bye_a_late_pair_takes_is_said_before_anybody_agrees(client):
    cup = of_pairs(3, "knockout")
    published(cup)
    holder = state_of(cup).entries[state_of(cup).last.byes[0]]
    client.force_login(a_user(club=cup.club))
    one, other = newcomers(cup)
    data = {"member": one.public_id, "partner": other.public_id}
    page = client.post(address("tournament_enter", cup), data, follow=True).content.decode()
    assert f"Play {holder.member.name} &amp; " in page
    assert ", who had a bye" in page
    assert "then play them in match 1." in page
    assert len(state_of(cup).entries) == 3
    client.post(address("tournament_enter", cup), data | {"way": "byes"})
    assert bracket_of(state_of(cup)).matches["M1-1"].first == holder.pk
    assert len(state_of(cup).entries) == 4


@pytest.mark.parametrize(("pairs", "ready", "byes"), [(6, 2, 1), (5, 1, 0)])
def test_after_the_round_the_late_pairs_match_is_what_comes_next(client, pairs, ready, byes):
    """With 6 pairs a semi-final of others is ready too, and is drawn with it."""
    cup = of_pairs(pairs, "knockout")
    published(cup)
    play_round(cup)
    one, other = newcomers(cup)
    late = actions.enter(cup, one, partner=other, by=TEST, at=EIGHT)
    holder = str(late.bye_of.member.name)
    step = next_action(state_of(cup), None)
    assert step.title == "1 match of a late entry is still to be played"
    assert step.label == ("Draw 1 match" if ready == 1 else "Draw 2 matches")
    assert ("drawn too" in step.text) is (ready > 1)
    client.force_login(a_user(club=cup.club))
    page = client.get(address("tournament", cup))
    assert not any(holder in name for name in page.context["round"].byes)
    assert len(page.context["round"].byes) == byes
    published(cup, seed=2)
    assert len(state_of(cup).last.matches) == ready
    assert late.pk in state_of(cup).last.entries
    play_round(cup, seed=2)
    assert "late entry" not in next_action(state_of(cup), None).title


def late_for_a_bye(client):
    """A bracket of five, published, that a late pair has joined for a bye. The organiser reads."""
    cup = of_pairs(7, "knockout", third_place=True)
    published(cup)
    client.force_login(a_user(club=cup.club))
    one, other = newcomers(cup)
    entry = actions.enter(cup, one, partner=other, **SAY)
    return cup, entry


def test_a_late_pairs_match_starts_at_a_free_table_while_the_others_play(client):
    cup, entry = late_for_a_bye(client)
    hub = client.get(address("tournament", cup)).text
    assert "1 late entry is waiting for a table" in hub
    assert "Start 1 match" in hub
    shown = client.post(address("tournament_late_matches", cup), follow=True).text
    assert "Started at table 4." in shown
    assert "1 late entry is waiting" not in shown
    facts = state_of(cup).last
    assert len(facts.open_matches) == 4
    assert set(facts.matches[-1].entries) | set(facts.matches[0].entries) >= {entry.pk}
    assert not facts.row.seating.sits_out.exists()
    assert facts.row.label == "Quarter-finals"
    refused = refusal(actions.seat_late_matches, cup, seed=1, **SAY)
    assert refused == "no-late-match"
    plays_out(cup)
    assert bracket_of(state_of(cup)).over


def test_until_then_both_pairs_read_whom_they_play_and_the_wall_does_not_let_them_sit_out(client):
    cup, entry = late_for_a_bye(client)
    state = state_of(cup)
    host = state.entries[entry.bye_of_id]
    for player, opponent in ((entry.member, host), (host.partner, entry)):
        names = as_partners([member.name for member in opponent.people])
        assert own_match.bye_for(cup, player)[0] == f"You play {names} as soon as you have a table."
    wall = client.get(reverse("wall", args=[cup.club.slug, cup.session.public_id])).text
    assert "Sitting out" not in wall
    for name in ("seating", "board", "print_chart"):
        shown = client.get(reverse(name, args=[cup.club.slug, cup.session.public_id])).text
        assert "not playing this round" not in shown.lower()
        assert "Waiting" in shown
    assert "sits out" not in wall
    assert "Next free table" in wall


def test_a_round_with_a_late_pairs_match_can_be_unpublished_and_is_then_drawn_with_it(client):
    cup, _entry = late_for_a_bye(client)
    actions.seat_late_matches(cup, seed=1, **SAY)
    actions.take_draw_back(cup, **SAY)
    assert len(state_of(cup).draft.matches) == 3
    draft = client.get(address("tournament_draw", cup)).text
    assert "entered since this draw" in draft
    published(cup, seed=3)
    assert len(state_of(cup).last.matches) == 4
    assert len(tables(cup)) == 4


def test_two_late_pairs_have_two_matches_still_to_be_played():
    cup = of_pairs(6, "knockout")
    published(cup)
    play_round(cup)
    for _late in range(2):
        one, other = newcomers(cup)
        actions.enter(cup, one, partner=other, by=TEST, at=EIGHT)
    step = next_action(state_of(cup), None)
    assert step.title == "2 matches of late entries are still to be played"
    assert step.label == "Draw 2 matches"


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("format", "way"), [("round_robin", "redraw"), ("knockout", "larger")])
def test_a_late_pair_is_drawn_in_while_nothing_is_locked(monkeypatch, format, way):
    cup = of_pairs(4, format)
    published(cup)
    plan = late_plan(state_of(cup), 3)
    locked = []

    def watched(name, pure):
        def draws(*args, **kwargs):
            locked.append(connection.in_atomic_block)
            return pure(*args, **kwargs)

        monkeypatch.setattr(redraw, name, draws)

    watched("redraw_rounds", redraw.redraw_rounds)
    watched("larger_bracket", redraw.larger_bracket)
    monkeypatch.setattr(drawing, "_draw", lambda *a, pure=drawing._draw: noted(locked, pure, a))
    one, other = newcomers(cup)
    enters = {"redraw": actions.enter_by_redraw, "larger": actions.enter_larger_bracket}[way]
    enters(cup, one, partner=other, seed=3, seen=plan.seen, **SAY)
    assert set(locked) == {False}


def noted(locked, pure, args):
    locked.append(connection.in_atomic_block)
    return pure(*args)


def test_the_list_of_rounds_goes_by_numbers_where_not_every_round_has_a_name(client):
    """It read "1, Quarter-finals, 3, Final, 5"."""
    cup = of_pairs(4, "knockout")
    for seed in (1, 2):
        published(cup, seed)
        play_round(cup, seed)
    client.force_login(a_user(club=cup.club))
    for size, names in ((4, ["Semi-finals", "Final"]), (None, ["1", "2"])):
        StageRound.objects.filter(stage__tournament=cup, number=1).update(field_size=size)
        nav = client.get(address("tournament", cup)).text.partition('aria-label="Rounds"')[2]
        assert re.findall(r'">([^<]+)</a>', nav.partition("</nav>")[0]) == names
