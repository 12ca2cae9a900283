"""A draft is edited: two swap, with what it costs said before; nobody is lost, numbers stay."""

from random import Random

import pytest
from django.urls import reverse

from league.seating.actions import add_seating_request
from league.seating.models import Seat, SeatingRequest
from league.tournaments import actions
from league.tournaments.draws.swaps import (
    AGAIN,
    APART,
    BYE,
    EARLY,
    NO_BYE,
    NO_TABLE,
    PARTNERS,
    Layout,
    layout_of,
)
from tests.builders import EIGHT, TEST, a_user
from tests.tournaments.playing import (
    a_tournament,
    drawn,
    match_of,
    of_pairs,
    play_round,
    published,
    state_of,
)
from tests.tournaments.test_progressive import refusal

FORMATS = {"knockout": {}, "groups": {"groups": 2}, "progressive": {}, "rotation": {}}


def kinds(faults):
    return {one.kind for one in faults}


def swap(cup, one, other, version=None):
    draft = state_of(cup).draft
    entries = state_of(cup).entries
    version = draft.row.seating.version if version is None else version
    return actions.swap_entries(cup, entries[one], entries[other], version=version, by=TEST)


@pytest.mark.django_db
@pytest.mark.parametrize("format", FORMATS)
def test_however_a_draft_is_edited_everybody_is_in_it_once_and_numbers_stay(format):
    if format in ("progressive", "rotation"):
        cup = a_tournament(13, format, **FORMATS[format])
    else:
        cup = of_pairs(7, format, **FORMATS[format])
    drawn(cup)
    before = state_of(cup)
    everybody = sorted(layout_of(before).seats)
    chance = Random(format)
    for _swap in range(4):
        swap(cup, *chance.sample(everybody, 2))
        now = state_of(cup)
        assert sorted(layout_of(now).seats) == everybody
        assert [m.number for m in now.draft.matches] == [m.number for m in before.draft.matches]
        assert sorted(one.number for one in now.entries.values()) == sorted(
            one.number for one in before.entries.values()
        )
        for match in now.draft.matches:
            seats = Seat.objects.filter(table=match.games[0].table).order_by("position")
            people = {m.pk for who in match.entries for m in now.entries[who].people}
            assert {seat.member_id for seat in seats} == people
            for place, who in match.sides.items():
                assert seats[place].member_id == now.entries[who].member_id
    actions.publish_draw(cup, by=TEST, at=EIGHT)
    play_round(cup)
    if format not in ("knockout", "double"):
        published(cup, seed=2)


@pytest.mark.django_db
def test_two_with_byes_swap_their_places_in_the_bracket():
    cup = of_pairs(6, "knockout")
    drawn(cup)
    one, other = state_of(cup).draft.byes
    places = layout_of(state_of(cup)).places
    swap(cup, one, other)
    now = layout_of(state_of(cup)).places
    assert (now[one], now[other]) == (places[other], places[one])
    actions.publish_draw(cup, by=TEST, at=EIGHT)


@pytest.mark.django_db
def test_a_draft_is_not_edited_by_who_has_not_seen_it_nor_where_it_follows_from_results():
    cup = of_pairs(4, "knockout")
    drawn(cup)
    one, other, *_more = layout_of(state_of(cup)).seats
    assert refusal(swap, cup, one, other, version=9) == "draft-changed"
    actions.publish_draw(cup, by=TEST, at=EIGHT)
    play_round(cup)
    drawn(cup, 2)
    one, other = layout_of(state_of(cup)).seats
    assert refusal(swap, cup, one, other) == "draw-follows"


def test_a_swap_says_whom_it_brings_together_again_and_what_it_mends():
    seats = {1: (10, 0), 2: (10, 1), 3: (11, 0), 4: (11, 1)}
    layout = Layout(seats, last_meetings={frozenset((1, 3)): 1, frozenset((1, 2)): 2})
    brings, mends = layout.cost(2, 3)
    assert kinds(brings) == {AGAIN}
    assert [one.number for one in (*brings, *mends)] == [1, 2]
    assert layout.cost(2, 4) == ([], mends)


def test_partners_again_and_a_second_bye_are_said():
    seats = {1: (10, 0), 2: (10, 1), 3: (10, 2), 4: (10, 3), 5: (NO_TABLE, 0)}
    layout = Layout(seats, last_partnerships={frozenset((1, 5)): 1}, byes={3: 1})
    brings, _mends = layout.cost(3, 5)
    assert kinds(brings) == {PARTNERS, BYE}
    assert layout.cost(4, 5)[0] == []


def test_the_usual_bracket_protects_its_seeds_and_a_swap_says_which_one_suffers():
    places = {1: 0, 4: 3, 5: 2, 2: 4, 3: 6, 6: 7}  # eight places; 1 and 2 have byes
    seats = {1: (NO_TABLE, 0), 2: (NO_TABLE, 1)} | {
        4: (1, 1),
        5: (1, 0),
        3: (2, 0),
        6: (2, 1),
    }
    layout = Layout(seats, places=places, seeds={1: 1, 2: 2, 3: 3, 4: 4})
    assert layout.faults() == set()
    assert kinds(layout.cost(1, 6)[0]) == {NO_BYE, EARLY}
    assert kinds(layout.cost(2, 4)[0]) == {EARLY, NO_BYE}
    assert layout.cost(5, 6) == ([], [])


@pytest.mark.django_db
@pytest.mark.parametrize("format", ["knockout", "double", "groups"])
def test_a_draw_as_it_is_made_has_no_fault_with_its_seeds(format):
    cup = of_pairs(11, format)
    for seed, entry in enumerate(list(cup.entries.all())[3:8], 1):
        actions.seed_entry(entry, seed, by=TEST)
    drawn(cup)
    assert layout_of(state_of(cup)).faults() == set()


@pytest.mark.django_db
def test_a_swiss_keeps_apart_whom_the_club_asks_to_keep_apart(client):
    cup = of_pairs(4, "swiss")
    one, *others = cup.entries.select_related("member")
    for other in others[:2]:
        add_seating_request(cup.club, SeatingRequest.Kind.NEVER, one.member, other.member, by=TEST)
    for seed in range(4):
        drawn(cup, seed)
        met = next(m.entries for m in state_of(cup).draft.matches if one.pk in m.entries)
        assert others[2].pk in met
    client.force_login(a_user(club=cup.club))
    url = reverse("tournament_draw", args=[cup.club.slug, cup.public_id])
    page = client.get(f"{url}?pick={others[2].pk}")
    assert page.content.decode().count("A seating request keeps") == 2
    swap(cup, others[2].pk, others[0].pk)
    assert [fault.split(" keeps ")[0] for fault in client.get(url).context["faults"]] == [
        "A seating request"
    ]


@pytest.mark.django_db
def test_two_taps_swap_two_entries(client):
    cup = of_pairs(4, "swiss")
    drawn(cup)
    client.force_login(a_user(club=cup.club))
    url = reverse("tournament_draw", args=[cup.club.slug, cup.public_id])
    one, other = (match.entries[0] for match in state_of(cup).draft.matches)
    assert f'value="{other}"' in client.get(f"{url}?pick={one}").content.decode()
    data = {"one": one, "other": other, "version": state_of(cup).draft.row.seating.version}
    swap_url = reverse("tournament_swap", args=[cup.club.slug, cup.public_id])
    answer = client.post(swap_url, data, follow=True)
    assert "have swapped places" in answer.content.decode()
    assert other in state_of(cup).draft.matches[0].entries
    assert "The draft has changed" in client.post(swap_url, data, follow=True).content.decode()
    assert APART not in kinds(layout_of(state_of(cup)).faults())


@pytest.mark.django_db
def test_how_a_draft_was_drawn_says_that_entries_were_swapped_by_hand(client):
    """It promised that the draw number draws the same again."""
    cup = of_pairs(4, "swiss")
    drawn(cup)
    client.force_login(a_user(club=cup.club))
    url = reverse("tournament_draw", args=[cup.club.slug, cup.public_id])
    sentence = "the same number draws the same again. Entries were then swapped by hand"
    assert sentence not in client.get(url).text
    swap(cup, *(match.entries[0] for match in state_of(cup).draft.matches))
    assert sentence in client.get(url).text
    actions.publish_draw(cup, by=TEST, at=EIGHT)
    actions.take_draw_back(cup, by=TEST, at=EIGHT)
    assert sentence in client.get(url).text
    drawn(cup)
    assert sentence not in client.get(url).text


@pytest.mark.django_db
def test_pairs_whose_match_was_a_walk_over_have_not_met():
    """The draft of a Swiss said "met in round 1" of them."""
    cup = of_pairs(4, "swiss")
    published(cup)
    facts = state_of(cup).last.matches[0]
    row = match_of(facts)
    actions.decide_match(cup, row, 0, how="walkover", reason="Ill", by=TEST, at=EIGHT)
    play_round(cup)
    drawn(cup, seed=2)
    assert frozenset(facts.entries) not in layout_of(state_of(cup)).last_meetings
    assert len(layout_of(state_of(cup)).last_meetings) == 1
