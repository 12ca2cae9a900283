"""Entering: once each, alone or as a pair; two rows of one person; partners picked and parted."""

import pytest

from league.members.actions import merge_members
from league.tournaments import actions
from tests.builders import EIGHT, TEST, a_user, members_of
from tests.tournaments.playing import a_tournament, of_pairs, picture, published
from tests.tournaments.test_pages import address
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db


def test_nobody_enters_twice_alone_or_as_a_partner():
    cup = a_tournament(4, "swiss", entered=False)
    one, other, third, _fourth = members_of(cup.club, 8)[4:]
    actions.enter(cup, one, partner=other, by=TEST, at=EIGHT)
    assert refusal(actions.enter, cup, other, by=TEST, at=EIGHT) == "entered_already"
    order = {"partner": one, "by": TEST, "at": EIGHT}
    assert refusal(actions.enter, cup, third, **order) == "entered_already"


def test_who_enters_is_here_even_if_they_rested():
    cup = a_tournament(4, entered=False)
    attendance = cup.session.attendances.first()
    attendance.resting = True
    attendance.save()
    actions.enter(cup, attendance.member, by=TEST, at=EIGHT)
    attendance.refresh_from_db()
    assert not attendance.resting


def test_pairs_are_parted_and_joined_by_lot_before_play_and_not_after():
    cup = of_pairs(3, "swiss")
    entry = next(iter(picture(cup).entries.values()))
    actions.part_partners(entry, by=TEST)
    assert len(picture(cup).entries) == 4
    actions.draw_partners(cup, seed=2, by=TEST)
    assert len(picture(cup).entries) == 3
    published(cup)
    assert refusal(actions.draw_partners, cup, seed=3, by=TEST) == "already_drawn"
    again = next(iter(picture(cup).entries.values()))
    assert refusal(actions.drop_entry, again, by=TEST) == "already_drawn"


def test_two_rows_of_one_person_become_one_unless_both_entered():
    cup = a_tournament(4)
    one, other = (entry.member for entry in list(picture(cup).entries.values())[:2])
    (spare,) = members_of(cup.club, 5)[4:]
    told = {"by": TEST, "at": EIGHT}
    assert refusal(merge_members, other, into=one, **told) == "entered_together"
    merge_members(one, into=spare, **told)
    assert spare.entries.get().tournament == cup


def test_a_bracket_takes_nobody_in_once_it_is_drawn():
    cup = of_pairs(4, "knockout")
    published(cup)
    late = members_of(cup.club, 9)[8]
    assert refusal(actions.enter, cup, late, by=TEST, at=EIGHT) == "bracket_drawn"


def test_seeds_and_partners_are_set_on_the_page(client):
    cup = of_pairs(3, "knockout")
    client.force_login(a_user(club=cup.club))
    entry = next(iter(picture(cup).entries.values()))
    order = {"order": "seed", "entry": entry.pk, "seed": "2"}
    assert client.post(address("tournament_entry", cup), order).status_code == 302
    assert picture(cup).entries[entry.pk].seed == 2
    answer = client.post(address("tournament_entry", cup), order | {"seed": "x"}, follow=True)
    assert "A seed is a number from 1." in answer.content.decode()
    url = address("tournament_enter", cup)
    answer = client.post(url, {"member": "nobody"})
    assert answer.status_code == 422
