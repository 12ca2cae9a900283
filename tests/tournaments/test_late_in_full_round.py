"""A player arrives late to a full round robin or group: seen what it costs, then agreed to."""

from copy import deepcopy
from functools import partial
from itertools import combinations

import pytest

from league.members.models import AuditEntry
from league.tournaments import actions
from league.tournaments.draws import rounds_due
from league.tournaments.draws.groups import groups_of
from league.tournaments.draws.late import missed_by_byes, redraw_rounds
from league.tournaments.models import Match
from tests.builders import EIGHT, TEST, a_user, members_of
from tests.tournaments.playing import drawn, of_pairs, play_round, published, state_of
from tests.tournaments.test_pages import address
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db
SAY = {"by": TEST, "at": EIGHT}


def newcomers(cup, number=1):
    """A pair of the club that has not entered yet."""
    there = 2 * len(state_of(cup).entries)
    return members_of(cup.club, there + 2 * number)[there:]


def joined(cup, seed=5):
    """A pair joins as it was looked at."""
    one, other = newcomers(cup)
    seen = redraw_rounds(state_of(cup), seed).seen
    return actions.enter_by_redraw(cup, one, partner=other, seed=seed, seen=seen, **SAY)


def plays_on(cup):
    while len(state_of(cup).published) < rounds_due(state_of(cup)):
        published(cup, seed=2)
        play_round(cup)


def fixtures_begun():
    cup = of_pairs(4, "round_robin")
    published(cup)
    return cup


def test_who_left_before_half_of_their_matches_is_met_by_nobody_more():
    cup = of_pairs(6, "round_robin")
    published(cup)
    play_round(cup)
    gone = next(iter(state_of(cup).active_entries.values()))
    actions.withdraw_entry(gone, **SAY)
    plan = redraw_rounds(state_of(cup), 5)
    assert gone.pk not in {who for one in plan.rounds for p in one for who in (p.first, p.second)}
    assert len(plan.rounds) == 5


def test_a_full_group_is_drawn_anew_and_the_other_stays_as_it_is():
    cup = of_pairs(4, "groups", through=1)
    published(cup)
    before = groups_of(state_of(cup))
    late = joined(cup)
    assert groups_of(state_of(cup)) == ((*before[0], late.pk), before[1])
    play_round(cup)
    for seed in range(2, 4):
        published(cup, seed=seed)
        play_round(cup)
    for number, group in enumerate(groups_of(state_of(cup)), 1):
        met = {frozenset(m.entries) for m in state_of(cup).matches if m.group == number}
        assert met == set(map(frozenset, combinations(group, 2)))
    drawn(cup)
    assert state_of(cup).bracket_from == 4
    assert refusal(redraw_rounds, state_of(cup), 1) == "groups-drawn"


def test_who_comes_while_only_a_draft_is_there_is_drawn_with_everybody_else():
    cup = of_pairs(4, "round_robin")
    drawn(cup)
    assert refusal(redraw_rounds, state_of(cup), 1) == "not-begun"
    one, other = newcomers(cup)
    entry = actions.enter(cup, one, partner=other, **SAY)
    assert (entry.late, state_of(cup).draft) == (False, None)
    published(cup)
    assert len(state_of(cup).last.byes) == 1


def test_in_an_odd_field_an_organiser_chooses_between_byes_and_meeting_everybody(client):
    cup = of_pairs(5, "round_robin")
    published(cup)
    gave = state_of(cup).last.byes
    client.force_login(a_user(club=cup.club))
    one, other = newcomers(cup)
    data = {"member": one.public_id, "partner": other.public_id}
    page = client.post(address("tournament_enter", cup), data, follow=True)
    assert missed_by_byes(state_of(cup)) == list(gave)
    for member in cup.club.members.all():
        member.name = f"{member.name} B."
        member.save()
    page = client.post(address("tournament_enter", cup), data, follow=True)
    assert "B.." not in page.text  # a name before a full stop
    assert len(page.context["missed"]) == 1
    text = page.content.decode()
    assert "They won't meet this pair, whose bye has passed" in text
    assert "1 more round: 6 instead of 5" in text
    answer = client.post(address("tournament_enter", cup), data | {"way": "byes"}, follow=True)
    assert answer.resolver_match.url_name == "tournament_entries"
    assert len(state_of(cup).entries) == 6
    assert state_of(cup).stage.redrawn == []


def test_in_an_odd_group_nobody_is_missed_before_its_first_round_is_published():
    cup = of_pairs(6, "groups")
    drawn(cup)
    assert missed_by_byes(state_of(cup)) == []
    actions.publish_draw(cup, **SAY)
    assert len(missed_by_byes(state_of(cup))) == 1
    late = joined(cup)
    group = next(one for one in groups_of(state_of(cup)) if late.pk in one)
    assert rounds_due(state_of(cup)) is None
    for seed in range(2, 5):
        play_round(cup)
        published(cup, seed=seed)
    met = {frozenset(match.entries) for match in state_of(cup).matches}
    assert set(map(frozenset, combinations(group, 2))) <= met


@pytest.fixture(scope="class")
def begun(club_of_the_module):
    with club_of_the_module():
        yield partial(deepcopy, fixtures_begun())


class TestFixturesOfFour:
    """A round robin of four pairs, its first round published."""

    def test_everybody_who_has_not_met_meets_and_what_is_published_is_not_touched(self, begun):
        cup = begun()
        one, other = newcomers(cup)
        assert refusal(actions.enter, cup, one, partner=other, **SAY) == "fixtures-full"
        before = list(Match.objects.order_by("pk").values())
        late = joined(cup)
        assert list(Match.objects.order_by("pk").values()) == before
        play_round(cup)
        plays_on(cup)
        now = state_of(cup)
        assert len(now.published) == 5
        assert all(late.pk in {e for m in r.matches for e in m.entries} for r in now.published[1:])
        met = [frozenset(match.entries) for match in now.matches]
        assert sorted(met, key=sorted) == sorted(
            map(frozenset, combinations(now.entries, 2)), key=sorted
        )
        assert set(now.byes_had().values()) == {1}
        entry = AuditEntry.objects.get(action="reschedule for a late entry")
        assert entry.new == {"after": 1, "rounds": 4, "more": 2, "seed": 5}

    def test_another_pair_may_join_after_that_and_no_draw_before_is_taken_back(self, begun):
        cup = begun()
        joined(cup)
        assert refusal(actions.take_draw_back, cup, **SAY) == "joined-since"
        play_round(cup)
        one, other = newcomers(cup)
        assert refusal(actions.enter, cup, one, partner=other, **SAY) == "fixtures-full"
        published(cup)
        joined(cup)
        play_round(cup)
        plays_on(cup)
        met = [frozenset(match.entries) for match in state_of(cup).matches]
        assert len(met) == len(set(met)) == 15

    def test_a_draw_that_would_be_another_now_is_not_agreed_to(self, begun):
        cup = begun()
        one, other = newcomers(cup)
        seen = redraw_rounds(state_of(cup), 5).seen
        say = {"partner": other, "seed": 5, "seen": seen, **SAY}
        play_round(cup)
        published(cup, seed=2)
        assert refusal(actions.enter_by_redraw, cup, one, **say) == "plan-changed"
        assert len(state_of(cup).entries) == 4

    def test_an_organiser_sees_what_a_late_pair_costs_before_agreeing(self, client, begun):
        cup = begun()
        play_round(cup)
        drawn(cup)
        client.force_login(a_user(club=cup.club))
        one, other = newcomers(cup)
        data = {"member": one.public_id, "partner": other.public_id}
        page = client.post(address("tournament_enter", cup), data, follow=True)
        text = page.content.decode()
        assert "2 more rounds: 5 instead of 3" in text
        assert "Round 1 is published and doesn't change." in text
        assert "The unpublished draft is discarded." in text
        assert text.count("Sits out this round") == 3
        data["way"] = "redraw"
        plan, url = page.context["plan"], address("tournament_late", cup)
        again = client.post(url, data | {"seed": plan.seed, "seen": "other"}, follow=True)
        assert "Something has changed." in again.content.decode()
        assert len(state_of(cup).entries) == 4
        assert client.post(url, data | {"seed": "x"}).status_code == 302
        page = client.post(url, data | {"seed": plan.seed, "seen": plan.seen}, follow=True)
        assert [str(one)[:9] for one in page.context["messages"]][-1] == "Entered: "
        data = client.get(address("tournament", cup)).content.decode()
        assert "joined after round 1; the remaining rounds were redrawn." in data
        now = state_of(cup)
        assert (len(now.entries), now.draft, now.stage.redrawn[0]["seed"]) == (5, None, plan.seed)
        assert client.get(url).status_code == 302
