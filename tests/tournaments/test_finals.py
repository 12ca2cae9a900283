"""Finals: the best of a season, a session or a tournament go into a bracket in one press."""

import pytest
from django.db.models import Q
from django.urls import reverse

from league.seasons.models import Season
from league.sessions.attendance import checked_in_elsewhere
from league.sessions.models import Session
from league.tournaments import actions
from league.tournaments.draws.swaps import layout_of
from league.tournaments.models import Tournament
from league.tournaments.text import explanation
from tests.builders import EIGHT, TEST, a_user
from tests.tournaments.playing import (
    a_swiss_then_a_final,
    a_tournament,
    drawn,
    of_pairs,
    play_round,
    published,
    state_of,
)
from tests.tournaments.test_given_matches import win

pytestmark = pytest.mark.django_db


def presses(client, cup, source, count, on=None, **more):
    """The final on the session of a tournament that is over, from the form's one button."""
    client.force_login(cup.club.roles.first().user)
    data = {"name": "Final", "source": source, "count": count, "partners": "folded", "games": 3}
    url = reverse("tournament_final", args=[cup.club.slug, (on or cup.session).public_id])
    return client.post(url, data | more)


def test_the_best_of_a_season_are_folded_into_pairs_and_seeded(client):
    cup = a_tournament(9)
    a_user(club=cup.club)
    season = Season.objects.create(club=cup.club, name="Winter", starts_on=EIGHT.date())
    cup.session.season = season
    cup.session.save()
    published(cup)
    play_round(cup)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    source = f"season-{season.public_id}"
    answer = presses(client, cup, source, 9)
    assert "Choose an even number of players." in answer.content.decode()
    cup.club.members.filter(pk=cup.entries.first().member_id).update(retired_at=EIGHT)
    assert presses(client, cup, source, 8).status_code == 302
    final = Tournament.objects.get(name="Final")
    best = [member.pk for (member,) in actions.best_of(season, 8, at=EIGHT)]
    assert [(one.member_id, one.partner_id) for one in final.entries.order_by("seed")] == [
        (best[place], best[7 - place]) for place in range(4)
    ]
    sentences = explanation("knockout", state_of(final).options)
    assert not any("seeding round" in sentence for sentence in sentences)
    drawn(final)
    assert layout_of(state_of(final)).faults() == set()


def test_the_best_pairs_of_a_tournament_stay_pairs(client):
    cup = of_pairs(5, "swiss")
    a_user(club=cup.club)
    for seed in (1, 2):
        published(cup, seed)
        play_round(cup, seed)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    source = f"tournament-{cup.public_id}"
    assert "has only 5" in presses(client, cup, source, 8).content.decode()
    assert not Tournament.objects.filter(name="Final").exists()
    assert presses(client, cup, source, 4, partners="drawn").status_code == 302
    final = Tournament.objects.get(name="Final")
    pairs = [tuple(one.people) for one in final.entries.order_by("seed")]
    assert pairs == actions.best_of(cup, 4, at=EIGHT)
    assert all(len(pair) == 2 for pair in pairs)


def test_a_final_in_a_session_of_its_own_takes_people_who_are_still_at_the_first(client):
    cup = a_tournament(8)
    a_user(club=cup.club)
    published(cup)
    play_round(cup)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    second = Session.objects.create(club=cup.club, name="Finals", held_on=cup.session.held_on)
    answer = presses(client, cup, f"tournament-{cup.public_id}", 8, on=second)
    assert answer.status_code == 302
    final = Tournament.objects.get(name="Final")
    assert second.attendances.filter(left_at=None).count() == 8
    ann, bob = cup.session.attendances.values_list("member", flat=True)[:2]
    assert checked_in_elsewhere(second).keys() >= {ann, bob}
    pair = final.entries.get(Q(member=ann) | Q(partner=ann))
    actions.drop_entry(pair, by=TEST)
    actions.enter(final, pair.member, partner=pair.partner, by=TEST, at=EIGHT)


@pytest.mark.parametrize(("pairs", "suggested"), [(3, 2), (5, 4), (8, 8)])
def test_a_final_suggests_no_more_pairs_than_its_tournament_has(client, pairs, suggested):
    """It suggested 8 after a round robin of 5, and refused them."""
    cup = of_pairs(pairs, "round_robin")
    client.force_login(a_user(club=cup.club))
    url = reverse("tournament_final", args=[cup.club.slug, cup.session.public_id])
    page = client.get(url, {"source": f"tournament-{cup.public_id}"})
    assert page.context["form"]["count"].value() == suggested


def test_the_form_for_a_final_says_that_pairs_stay_pairs(client):
    cup = of_pairs(4, "swiss")
    client.force_login(a_user(club=cup.club))
    url = reverse("tournament_final", args=[cup.club.slug, cup.session.public_id])
    assert "Only where they played alone: pairs stay pairs." in client.get(url).text


@pytest.mark.parametrize(("format", "may_follow"), [("swiss", True), ("knockout", False)])
def test_the_page_of_a_tournament_played_out_says_that_a_final_can_follow(
    client, format, may_follow
):
    """Nothing said so before it was closed."""
    cup = of_pairs(2, format, rounds=1)
    published(cup)
    play_round(cup)
    client.force_login(a_user(club=cup.club))
    page = client.get(reverse("tournament", args=[cup.club.slug, cup.public_id])).text
    assert "All rounds are played" in page
    assert ("close it. After that you can play a final." in page) == may_follow


@pytest.mark.parametrize(
    ("name", "query"),
    [("tournament_new", ""), ("tournament_new", "?format=swiss"), ("tournament_final", "")],
)
def test_a_session_with_a_tournament_says_so_before_the_form_is_filled_in(client, name, query):
    cup = of_pairs(2, "swiss", rounds=1)
    client.force_login(a_user(club=cup.club))
    url = reverse(name, args=[cup.club.slug, cup.session.public_id]) + query
    text = "This session already has a tournament. Close it first."
    assert text in client.get(url).text
    assert reverse("tournament", args=[cup.club.slug, cup.public_id]) in client.get(url).text
    published(cup)
    play_round(cup)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    assert text not in client.get(url).text


def test_a_final_is_preset_to_the_tournament_just_played_in_its_session(client):
    """It was preset to the season."""
    cup, final = a_swiss_then_a_final()
    club = cup.club
    Season.objects.create(club=club, name="Winter", starts_on=EIGHT.date())
    play_round(final)
    actions.finish_tournament(final, by=TEST, at=EIGHT)
    client.force_login(a_user(club=club))
    url = reverse("tournament_final", args=[club.slug, cup.session.public_id])
    form = client.get(url).context["form"]
    assert (form["source"].value(), form["count"].value()) == (f"tournament-{cup.public_id}", 4)


def test_a_final_does_not_offer_to_enter_the_others_who_are_checked_in(client):
    cup = of_pairs(4, "swiss", rounds=1)
    published(cup)
    play_round(cup)
    a_user(club=cup.club)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    presses(client, cup, f"tournament-{cup.public_id}", 2)
    final = Tournament.objects.get(name="Final")
    page = client.get(reverse("tournament_entries", args=[final.club.slug, final.public_id]))
    assert page.context["here_now"] == 4
    assert (
        reverse("tournament_enter_present", args=[final.club.slug, final.public_id])
        not in page.text
    )


def test_a_tournament_and_its_final_name_each_other_and_who_won_the_final(client):
    """Its page went on naming the winners of the rounds, and offered the final again."""
    cup = of_pairs(4, "swiss", rounds=1)
    published(cup)
    play_round(cup)
    organiser = a_user(club=cup.club)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    url = reverse("tournament", args=[cup.club.slug, cup.public_id])
    client.force_login(organiser)
    assert "Play a final" in client.get(url).text
    presses(client, cup, f"tournament-{cup.public_id}", 2, games=1)
    final = Tournament.objects.get(name="Final")
    final_url = reverse("tournament", args=[cup.club.slug, final.public_id])
    page = client.get(url).text
    assert (final_url in page, "Followed by: Final" in page) == (True, True)
    assert "Play a final" not in page
    assert f"The final of {cup.name}" in client.get(final_url).text
    published(final)
    play_round(final)
    state = state_of(final)
    (champions,) = (state.entries[m.sides[m.first]] for m in state.last.matches)
    names = " &amp; ".join(member.name for member in champions.people)
    for way in (url, reverse("tournament_standings", args=[cup.club.slug, cup.public_id])):
        assert f"The final: {names} won" in client.get(way).text
    for member, own_place in ((champions.member, False), (others_of(cup, final), True)):
        member.user = a_user(member.name, club=cup.club, rank="member")
        member.save()
        client.force_login(member.user)
        assert ("You finished" in client.get(url).text) == own_place


def others_of(cup, final):
    """A player of the tournament who is not in its final."""
    finalists = final.entries.values_list("member", flat=True)
    return cup.entries.exclude(member__in=finalists).first().member


def test_a_final_after_a_tournament_of_pairs_asks_nothing_of_partners_and_leads_back(client):
    cup = of_pairs(4, "swiss")
    client.force_login(a_user(club=cup.club))
    url = reverse("tournament_final", args=[cup.club.slug, cup.session.public_id])
    page = client.get(url, {"source": f"tournament-{cup.public_id}"})
    assert "Turn players into pairs" not in page.text
    back = reverse("tournament", args=[cup.club.slug, cup.public_id])
    assert f'href="{back}">Cancel' in page.text
    assert "Turn players into pairs" in client.get(url).text


def a_circle_of_three():
    """A round robin of three pairs, each of which beat one by as much as it lost to the other."""
    cup = of_pairs(3, "round_robin")
    a_user(club=cup.club)
    beats = dict(zip([1, 2, 3], [2, 3, 1], strict=True))
    number = {key: place for place, key in enumerate(sorted(state_of(cup).entries), 1)}
    for seed in (1, 2, 3):
        published(cup, seed)
        (match,) = state_of(cup).last.matches
        one, other = match.entries
        win(match, one if beats[number[one]] == number[other] else other)
    actions.finish_tournament(cup, by=TEST, at=EIGHT)
    return cup


def test_who_of_those_level_for_the_last_places_is_in_a_final_is_chosen_and_named(client):
    cup = a_circle_of_three()
    source = f"tournament-{cup.public_id}"
    page = presses(client, cup, source, 2).text
    assert "3 are level for 2 places: take 3, or choose who plays." in page
    entries = list(cup.entries.all())
    names = [" &amp; ".join(member.name for member in entry.people) for entry in entries]
    assert all(name in page for name in names)
    assert not Tournament.objects.filter(name="Final").exists()
    first_players = [entry.member_id for entry in entries]
    assert presses(client, cup, source, 2, chosen=first_players[:1]).status_code == 422
    assert presses(client, cup, source, 2, chosen=first_players[1:]).status_code == 302
    final = Tournament.objects.get(name="Final")
    hub = client.get(reverse("tournament", args=[cup.club.slug, final.public_id])).text
    assert [f"<li>{name}</li>" in hub for name in names] == [False, True, True]
    actions.cancel_tournament(final, by=TEST, at=EIGHT)
    assert presses(client, cup, source, 3).status_code == 302
