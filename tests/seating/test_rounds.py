"""A round from draft to the room, and back."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from league.errors import Refused
from league.members.models import AuditEntry
from league.seating.actions import (
    discard_draft,
    draft_round,
    lock_seat,
    publish,
    redraw,
    substitute,
    swap,
    take_back,
)
from league.seating.models import Round, Seat
from league.seating.queries import live_tables, seating_of, waiting
from league.sessions.actions import start_clock
from league.sessions.attendance import arrive, leave, rest
from league.sessions.models import Session
from league.sessions.queries import clock_at
from tests.builders import TEST, a_club, a_user, members_of
from tests.seating.nights import (
    AT,
    a_game,
    a_night,
    draft,
    names_at,
    published,
    sizes,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("short_search")]


def test_no_fewer_rounds_can_be_planned_than_have_begun(client):
    night, _members = a_night(4)
    a_game(published(night).tables.get())
    published(night)
    client.force_login(a_user(club=night.club))
    page = reverse("session_edit", args=[night.club.slug, night.public_id])
    sent = {"name": night.name, "held_on": night.held_on}
    answer = client.post(page, sent | {"rounds_planned": "1"})
    assert answer.status_code == 422
    assert answer.context["form"].errors == {
        "rounds_planned": ["Round 2 has begun: plan at least that many."]
    }
    assert client.post(page, sent | {"rounds_planned": "2"}).status_code == 302
    Session.objects.update(rounds_planned=1)  # other settings can still be saved
    assert client.post(page, sent | {"rounds_planned": "1", "places": "9"}).status_code == 302


def test_eleven_people_are_drafted_as_four_four_three():
    night, members = a_night(11)
    drawn = draft(night)
    assert sizes(drawn) == [4, 4, 3]
    seated = [name for table in names_at(drawn) for name in table]
    assert sorted(seated) == sorted(member.name for member in members)


@pytest.mark.parametrize(("count", "code"), [(0, "nobody-present"), (1, "one-player")])
def test_fewer_than_two_people_cannot_be_seated(count, code):
    night, _ = a_night(count)
    with pytest.raises(Refused) as refused:
        draft(night)
    assert refused.value.code == code


def test_the_same_seed_draws_the_same_seats():
    night, _ = a_night(11)
    first = names_at(draft(night, seed=7))
    assert names_at(draft(night, seed=7)) == first
    assert names_at(draft(night, seed=8)) != first


def test_whoever_rests_or_has_gone_is_not_drafted():
    night, members = a_night(9)
    leave(night, members[0], by=TEST, at=AT)
    assert sizes(draft(night)) == [4, 4]


def test_other_sizes_than_the_rule_are_drafted_when_chosen():
    night, _ = a_night(9)
    assert sizes(draft(night, sizes=[3, 3, 3])) == [3, 3, 3]


def test_sizes_for_more_people_than_are_here_are_refused():
    night, _ = a_night(9)
    with pytest.raises(Refused) as refused:
        draft(night, sizes=[4, 4, 4])
    assert refused.value.code == "sizes-do-not-fit"


def test_people_over_the_chosen_sizes_sit_out():
    night, _ = a_night(9)
    drawn = draft(night, sizes=[4, 4])
    assert drawn.sits_out.count() == 1


def test_two_people_change_places():
    night, members = a_night(8)
    drawn = draft(night)
    before = {seat.member_id: (seat.table_id, seat.position) for seat in Seat.objects.all()}
    one, other = members[0], members[5]
    swap(drawn, one, other, by=TEST)
    after = {seat.member_id: (seat.table_id, seat.position) for seat in Seat.objects.all()}
    assert after[one.pk] == before[other.pk]
    assert after[other.pk] == before[one.pk]


def test_somebody_on_the_bench_takes_a_chair():
    night, _ = a_night(9)
    drawn = draft(night, sizes=[4, 4])
    bench = drawn.sits_out.get()
    sitting = Seat.objects.first().member
    swap(drawn, sitting, bench, by=TEST)
    assert drawn.sits_out.get() == sitting
    assert Seat.objects.filter(member=bench).count() == 1


def test_somebody_who_is_not_in_the_draft_cannot_be_swapped_in():
    night, members = a_night(8)
    drawn = draft(night)
    stranger = members_of(a_club(slug="other"), 1)[0]
    with pytest.raises(Refused) as refused:
        swap(drawn, members[0], stranger, by=TEST)
    assert refused.value.code == "cannot-swap"


def test_a_locked_chair_keeps_its_person_when_drawn_anew():
    night, _ = a_night(11)
    drawn = draft(night)
    seat = Seat.objects.get(table__round=drawn, table__number=2, position=1)
    lock_seat(seat, by=TEST, locked=True)
    for seed in range(5):
        redraw(drawn, by=TEST, seed=seed)
        kept = Seat.objects.get(table__round=drawn, table__number=2, position=1)
        assert kept.member_id == seat.member_id
        assert kept.locked


def test_publishing_seats_everybody_once():
    night, _members = a_night(11)
    published(night)
    assert Seat.objects.filter(seated=True).count() == 11
    assert not waiting(night).exists()
    assert [table.number for table in live_tables(night)] == [1, 2, 3]


def test_a_published_round_cannot_be_published_again():
    night, _ = a_night(8)
    drawn = draft(night)
    publish(drawn, by=TEST, at=AT)
    with pytest.raises(Refused) as refused:
        publish(drawn, by=TEST, at=AT)
    assert refused.value.code == "already-published"


def test_a_draft_that_has_changed_since_it_was_seen_is_not_published():
    night, members = a_night(8)
    drawn = draft(night)
    swap(drawn, members[0], members[1], by=TEST)
    with pytest.raises(Refused) as refused:
        publish(drawn, by=TEST, at=AT, version=drawn.version)
    assert refused.value.code == "draft-changed"


def test_a_draft_with_somebody_who_has_left_is_not_published():
    night, members = a_night(8)
    drawn = draft(night)
    leave(night, members[3], by=TEST, at=AT)
    with pytest.raises(Refused) as refused:
        publish(drawn, by=TEST, at=AT)
    assert refused.value.code == "not-free"
    assert not Seat.objects.filter(seated=True).exists()


def test_a_refused_draft_names_everyone_who_is_not_free_and_says_why():
    night, _members = a_night(12)
    published(night)
    for table in live_tables(night):
        a_game(table)
    drawn = draft(night)
    seats = Seat.objects.filter(table__round=drawn).select_related("member")
    one, other, tired, elsewhere = [seat.member for seat in seats.order_by("pk")[:4]]
    for member in (one, other):
        leave(night, member, by=TEST, at=AT)
    rest(night, tired, by=TEST)
    drawn.releases.remove(*drawn.releases.filter(seats__member=elsewhere))
    with pytest.raises(Refused) as refused:
        publish(drawn, by=TEST, at=AT)
    said = str(refused.value.message)
    assert f"{one.name} & {other.name} have left." in said
    assert f"{tired.name} sits out." in said
    assert re.search(rf"{elsewhere.name}.* (has another seat|have other seats) now\.", said)
    assert said.endswith("Redraw the tables.")


def test_whoever_came_after_the_draft_waits():
    night, _members = a_night(8)
    drawn = draft(night)
    late = members_of(night.club, 13)[12]
    arrive(night, late, by=TEST, at=AT)
    done = publish(drawn, by=TEST, at=AT)
    assert list(done.sits_out.all()) == [late]
    assert list(waiting(night)) == [late]


def test_nobody_is_free_while_every_table_plays():
    night, _ = a_night(8)
    published(night)
    for table in live_tables(night):
        a_game(table, state="playing")
    with pytest.raises(Refused) as refused:
        draft(night)
    assert refused.value.code == "nobody-present"


def test_reseating_two_finished_tables_leaves_the_third_alone():
    night, _ = a_night(12)
    first = published(night)
    one, two, three = live_tables(night)
    a_game(one)
    a_game(three)
    untouched = names_at(first)[1]
    again = publish(draft(night, seed=5), by=TEST, at=AT)
    assert [table.number for table in seating_of(again)] == [1, 3]
    now = {
        table.number: [s.member.name for s in table.current_seats] for table in live_tables(night)
    }
    assert sorted(now) == [1, 2, 3]
    assert now[2] == untouched
    assert two.pk in [table.pk for table in live_tables(night)]
    assert Seat.objects.filter(seated=True).count() == 12


def test_a_table_in_play_is_not_reseated():
    night, _ = a_night(8)
    published(night)
    table = live_tables(night)[0]
    game = a_game(table, state="playing")
    game.totals = [3, 2]
    game.save()
    with pytest.raises(Refused) as refused:
        draft_round(night, by=TEST, seed=3, tables=[table])
    assert refused.value.code == "table-in-play"
    assert refused.value.details["tables"] == [table.number]


def test_a_publishing_is_taken_back_to_the_same_draft():
    night, _ = a_night(11)
    done = published(night)
    seats = names_at(done)
    again = take_back(done, by=TEST, at=AT)
    assert again.state == Round.State.DRAFT
    assert again.number == done.number
    assert names_at(again) == seats
    assert not Seat.objects.filter(seated=True).exists()
    publish(again, by=TEST, at=AT)
    assert Seat.objects.filter(seated=True).count() == 11


def test_who_stood_in_since_the_publishing_does_not_sit_out_too_when_it_is_taken_back():
    night, _ = a_night(9)
    done = published(night, sizes=(4, 4))
    stands_in = done.sits_out.get()
    seat = Seat.objects.filter(session=night, position=0).select_related("member")[0]
    substitute(seat.table, 0, stands_in, by=TEST)
    again = take_back(done, by=TEST, at=AT)
    assert any(stands_in.name in names for names in names_at(again))
    assert list(again.sits_out.all()) == [seat.member]


def test_taking_back_a_reseating_gives_the_tables_their_people_again():
    night, _ = a_night(8)
    published(night)
    for table in live_tables(night):
        a_game(table)
    before = {table.pk: [s.member_id for s in table.current_seats] for table in live_tables(night)}
    second = published(night, seed=9)
    take_back(second, by=TEST, at=AT)
    after = {table.pk: [s.member_id for s in table.current_seats] for table in live_tables(night)}
    assert after == before


def test_a_publishing_stands_once_a_hand_is_entered():
    night, _ = a_night(8)
    done = published(night)
    game = a_game(live_tables(night)[0], state="playing")
    game.hands.create(number=1, client_id="a", record={}, points=[], entered_as="phone")
    with pytest.raises(Refused) as refused:
        take_back(done, by=TEST, at=AT)
    assert refused.value.code == "hands-entered"


def test_a_draft_is_thrown_away():
    night, _ = a_night(8)
    discard_draft(draft(night), by=TEST)
    assert not Round.objects.exists()


def test_a_closed_session_is_not_drafted():
    night, _ = a_night(8)
    night.state = night.State.CLOSED
    night.save()
    with pytest.raises(Refused) as refused:
        draft(night)
    assert refused.value.code == "session-not-open"


def a_second_round_with_a_clock(left, plays_on=False):
    """A first round of two tables whose clock has so many minutes left as the next is published."""
    night, _ = a_night(8)
    published(night)
    start_clock(night, by=TEST, at=AT - timedelta(minutes=20 - left), minutes=20)
    first, second = live_tables(night)
    a_game(first)
    a_game(second, state="playing" if plays_on else "confirmed", hands=1)
    return publish(draft(night, seed=2), by=TEST, at=AT).session


def test_a_round_begins_without_the_clock_that_ran_out_in_the_last_one():
    assert clock_at(a_second_round_with_a_clock(left=-1), AT) is None


def test_a_round_begins_without_the_last_ones_clock_when_all_tables_have_moved():
    assert clock_at(a_second_round_with_a_clock(left=3), AT) is None


@pytest.mark.parametrize(("left", "stays"), [(3, True), (-1, False)])
def test_while_a_table_plays_on_only_a_clock_that_ran_out_is_removed(left, stays):
    after = a_second_round_with_a_clock(left, plays_on=True)
    assert (clock_at(after, AT) is not None) == stays


def test_a_clock_started_before_the_first_round_stays():
    night, _ = a_night(8)
    start_clock(night, by=TEST, at=AT, minutes=20)
    assert clock_at(published(night).session, AT) is not None


def test_a_planned_session_is_open_once_its_tables_are_published():
    night, _members = a_night(8)
    Session.objects.update(state=Session.State.PLANNED)
    done = publish(draft(night), by=TEST, at=AT)
    night.refresh_from_db()
    assert (night.state, done.session.state) == ("open", "open")
    assert AuditEntry.objects.filter(action="open session").count() == 1
