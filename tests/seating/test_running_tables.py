"""Running tables: a late arrival joins, a leaver goes, a substitute sits in, a table ends."""

import pytest
from django.urls import reverse

from league.errors import Refused
from league.members.actions import revise_ruleset
from league.members.models import AuditEntry, Member
from league.play.models import Game
from league.seating.actions import (
    call_organiser,
    depart,
    end_table,
    join,
    replace_code,
    settle_call,
    substitute,
)
from league.seating.models import Seat
from league.seating.queries import live_tables, waiting
from league.sessions.attendance import arrive
from tests.builders import TEST, a_user
from tests.seating.nights import AT, a_game, a_night, published, table_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("short_search")]


def a_room(count):
    night, _members = a_night(count)
    published(night)
    return night


def a_newcomer(night, name="Vera"):
    member = Member.objects.create(club=night.club, name=name)
    arrive(night, member, by=TEST, at=AT)
    return member


def seated_at(table):
    return list(Seat.objects.filter(table=table, seated=True).order_by("position"))


def test_a_late_arrival_joins_the_table_of_three_before_it_begins():
    night = a_room(11)
    three = table_of(night, 3)
    late = a_newcomer(night)
    seat = join(three, late, by=TEST)
    three.refresh_from_db()
    assert (seat.position, three.players, three.ruleset.players) == (3, 4, 4)
    assert not waiting(night).exists()


def test_a_late_arrival_waits_once_the_table_of_three_has_begun():
    night = a_room(11)
    three = table_of(night, 3)
    a_game(three, state="playing", hands=1)
    with pytest.raises(Refused) as refused:
        join(three, a_newcomer(night), by=TEST)
    assert refused.value.code == "hands-entered"


def test_a_game_a_phone_has_only_opened_does_not_keep_anybody_out():
    night = a_room(11)
    three = table_of(night, 3)
    a_game(three, state="playing")
    join(three, a_newcomer(night), by=TEST)
    assert not three.games.exists()


def test_nobody_joins_a_full_table():
    night = a_room(8)
    with pytest.raises(Refused) as refused:
        join(table_of(night, 4), a_newcomer(night), by=TEST)
    assert refused.value.code == "table-full"


def test_somebody_who_sits_already_does_not_join_another_table():
    night = a_room(11)
    three = table_of(night, 3)
    other = seated_at(table_of(night, 4))[0].member
    with pytest.raises(Refused) as refused:
        join(three, other, by=TEST)
    assert refused.value.code == "not-waiting"


def test_a_table_that_has_not_begun_closes_up_when_somebody_leaves():
    night = a_room(8)
    table = table_of(night, 4)
    leaver = seated_at(table)[1].member
    depart(night, leaver, by=TEST, at=AT)
    table.refresh_from_db()
    assert (table.players, table.ruleset.players) == (3, 3)
    assert [seat.position for seat in seated_at(table)] == [0, 1, 2]
    assert not Seat.objects.filter(member=leaver, seated=True).exists()


def test_somebody_checked_in_by_mistake_did_not_come():
    night = a_room(8)
    mistaken = a_newcomer(night)
    depart(night, mistaken, by=TEST, at=AT)
    assert not night.attendances.filter(member=mistaken).exists()


def test_of_two_at_a_table_the_one_left_over_waits():
    night = a_room(6)
    two = table_of(night, 2)
    stays, leaver = (seat.member for seat in seated_at(two))
    depart(night, leaver, by=TEST, at=AT)
    assert list(waiting(night)) == [stays]
    assert two.pk not in [table.pk for table in live_tables(night)]


def test_the_chair_of_a_leaver_at_a_table_in_play_waits_for_a_substitute():
    night = a_room(8)
    table = table_of(night, 4)
    a_game(table, state="playing", hands=2)
    leaver = seated_at(table)[2].member
    depart(night, leaver, by=TEST, at=AT)
    table.refresh_from_db()
    assert table.players == 4
    assert Seat.objects.filter(member=leaver, seated=True).exists()


def test_a_substitute_sits_in_from_the_next_hand_and_earlier_hands_stay():
    night = a_room(8)
    table = table_of(night, 4)
    a_game(table, state="playing", hands=2)
    before = seated_at(table)[2]
    stand_in = a_newcomer(night)
    seat = substitute(table, 2, stand_in, by=TEST)
    before.refresh_from_db()
    assert (before.from_hand, before.until_hand, before.seated) == (1, 2, False)
    assert (seat.member, seat.from_hand, seat.until_hand, seat.seated) == (stand_in, 3, None, True)


def test_a_substitute_before_the_first_hand_simply_takes_the_chair():
    night = a_room(8)
    table = table_of(night, 4)
    gone = seated_at(table)[0].member
    substitute(table, 0, a_newcomer(night), by=TEST)
    assert not Seat.objects.filter(table=table, member=gone).exists()
    assert len(seated_at(table)) == 4


def test_a_substitute_may_stand_in_from_a_hand_already_played():
    night = a_room(8)
    table = table_of(night, 4)
    a_game(table, state="playing", hands=5)
    assert substitute(table, 1, a_newcomer(night), by=TEST, from_hand=4).from_hand == 4


def test_nobody_stands_in_from_before_the_present_person_sat_down():
    night = a_room(8)
    table = table_of(night, 4)
    a_game(table, state="playing", hands=5)
    substitute(table, 1, a_newcomer(night), by=TEST, from_hand=4)
    with pytest.raises(Refused) as refused:
        substitute(table, 1, a_newcomer(night, "Will"), by=TEST, from_hand=3)
    assert refused.value.code == "hand-too-early"


def test_a_substitute_who_sits_at_another_table_is_refused():
    night = a_room(8)
    one, other = live_tables(night)
    with pytest.raises(Refused) as refused:
        substitute(one, 0, seated_at(other)[0].member, by=TEST)
    assert refused.value.code == "not-waiting"


def test_whoever_was_stood_in_for_may_come_back():
    night = a_room(8)
    table = table_of(night, 4)
    a_game(table, state="playing", hands=2)
    first = seated_at(table)[0].member
    substitute(table, 0, a_newcomer(night), by=TEST)
    Game.objects.get().hands.create(number=3, client_id="c3", record={}, points=[])
    substitute(table, 0, first, by=TEST)
    spans = Seat.objects.filter(table=table, position=0).values_list("from_hand", "until_hand")
    assert sorted(spans, key=lambda span: span[0]) == [(1, 2), (3, 3), (4, None)]


def test_a_table_in_play_is_not_ended():
    night = a_room(8)
    table = table_of(night, 4)
    a_game(table, state="playing", hands=1)
    with pytest.raises(Refused) as refused:
        end_table(table, by=TEST)
    assert refused.value.code == "table-in-play"


def test_the_people_of_an_ended_table_wait():
    night = a_room(8)
    table = table_of(night, 4)
    a_game(table)
    end_table(table, by=TEST)
    assert waiting(night).count() == 4


def test_the_activity_log_names_the_table_with_its_round():
    night, _members = a_night(4)
    published(night)
    table = live_tables(night)[0]
    call_organiser(table, by=TEST, at=AT)
    settle_call(table, by=TEST)
    replace_code(table, by=TEST)
    end_table(table, by=TEST)
    assert set(AuditEntry.objects.order_by("-pk").values_list("subject", flat=True)[:4]) == {
        "round 1, table 1"
    }


def test_a_table_with_a_newer_version_of_the_rules_says_so_when_a_late_arrival_joins_it(client):
    night = a_room(7)
    rules, table, late = table_of(night, 4).ruleset, table_of(night, 3), a_newcomer(night)
    revise_ruleset(rules, options={"target": 11}, by=TEST)
    client.force_login(a_user(club=night.club))
    join = reverse("table_join", args=[night.club.slug, night.public_id, table.public_id])
    page = client.post(join, {"member": late.public_id, "at_checkin": "1"}, follow=True).text
    assert f"now a table of 4. Rules: {rules.name}, version 2." in page
    page = client.get(reverse("seating", args=[night.club.slug, night.public_id])).text
    assert f'<p class="soft">{rules.name}</p>' in page
    assert f'<p class="soft">{rules.name}, version 2</p>' in page
