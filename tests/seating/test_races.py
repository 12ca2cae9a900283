"""Two people press at once: exactly one succeeds, and the room is whole."""

import threading

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction

from league.errors import Refused
from league.members.models import Member
from league.seating.actions import draft as drafting
from league.seating.actions import join, publish, redraw, substitute, swap
from league.seating.models import Round, Seat
from league.seating.queries import live_tables
from league.sessions.attendance import arrive, arrive_names
from tests.builders import TEST, a_table
from tests.play.hands import write
from tests.seating.nights import AT, a_night, draft, published, table_of

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*orders):
    """Run the orders in threads that start together; what each answered or refused."""
    start = threading.Barrier(len(orders))
    answers = [None] * len(orders)

    def run(place, order):
        start.wait()
        try:
            answers[place] = order()
        except Refused as refused:
            answers[place] = refused.code
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(orders)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


def test_of_two_organisers_who_publish_at_once_one_succeeds():
    night, _members = a_night(11)
    drawn = draft(night)

    def order():
        return publish(Round.objects.get(pk=drawn.pk), by=TEST, at=AT)

    answers = at_once(*[order] * 4)
    assert answers.count("already-published") == 3
    assert Seat.objects.filter(session=night, seated=True).count() == 11
    assert night.audit.filter(action="publish round").count() == 1


def test_two_who_draft_at_once_leave_one_whole_draft():
    night, _members = a_night(9)
    at_once(*[lambda seed=seed: draft(night, seed) for seed in range(4)])
    only = night.rounds.get(state="draft")
    assert Seat.objects.filter(session=night).count() == 9
    assert Seat.objects.filter(table__round=only).values("member").distinct().count() == 9


def test_swaps_at_once_lose_nobody():
    night, members = a_night(8)
    drawn = draft(night)
    pairs = [(members[i], members[(i + 3) % 8]) for i in range(6)]
    at_once(*[lambda a=a, b=b: swap(drawn, a, b, by=TEST) and "done" for a, b in pairs])
    seated = Seat.objects.filter(table__round=drawn).values_list("member", flat=True)
    assert sorted(seated) == sorted(member.pk for member in members)


def test_one_who_waits_gets_one_chair_however_many_offer_one():
    night, _members = a_night(11)
    published(night)
    late = Member.objects.create(club=night.club, name="Vera")
    arrive(night, late, by=TEST, at=AT)
    three, four = table_of(night, 3), table_of(night, 4)
    answers = at_once(
        lambda: join(three, late, by=TEST), lambda: substitute(four, 0, late, by=TEST)
    )
    assert sum(isinstance(answer, Seat) for answer in answers) == 1
    assert Seat.objects.filter(member=late, seated=True).count() == 1


def test_the_database_itself_lets_nobody_sit_at_two_tables():
    night, _members = a_night(8)
    published(night)
    one, other = live_tables(night)
    sitting = one.current_seats[0]
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.create(
            session=night, table=other, position=7, member=sitting.member, seated=True
        )


@pytest.fixture
def while_planning(monkeypatch):
    """Runs an order in another thread, which waits for no lock, in the middle of each plan."""
    plan, orders, answers = drafting.plan_round, [], []

    def planning(*room, **chosen):
        if orders:
            answers.extend(at_once(impatient(orders.pop(0))))
        return plan(*room, **chosen)

    monkeypatch.setattr(drafting, "plan_round", planning)
    return lambda *new: orders.extend(new) or answers


def impatient(order):
    def run():
        with connection.cursor() as cursor:
            if connection.vendor == "sqlite":
                cursor.execute("PRAGMA busy_timeout=0")
            else:
                cursor.execute("SET lock_timeout='100ms'")
        try:
            return order()
        except OperationalError as error:
            return error

    return run


@pytest.mark.parametrize("redrawn", [False, True])
def test_a_hand_is_saved_while_a_plan_is_being_made(while_planning, redrawn):
    night, members = a_night(11)
    table = a_table(night, members[:4], night.club.rulesets.get(players=4))
    drawn = draft(night) if redrawn else None
    answers = while_planning(lambda: write(table, (2, 5)))
    redraw(drawn, by=TEST, seed=2) if redrawn else draft(night)
    assert [[hand.number for hand in hands] for hands in answers] == [[1]]
    assert Seat.objects.filter(table__round__state="draft").count() == 7


def test_who_comes_while_a_plan_is_being_made_is_planned_for(while_planning):
    night, _members = a_night(11)
    late = Member.objects.create(club=night.club, name="Vera")
    while_planning(lambda: arrive(night, late, by=TEST, at=AT))
    draft(night)
    assert Seat.objects.filter(session=night, member=late).exists()
    assert night.rounds.count() == 1


def test_a_room_that_never_stands_still_is_refused_in_a_sentence(while_planning):
    night, _members = a_night(11)
    while_planning(
        *[lambda n=n: arrive_names(night, [f"Late {n}"], by=TEST, at=AT) for n in range(5)]
    )
    with pytest.raises(Refused) as caught:
        draft(night)
    assert caught.value.code == "room-changes"
    assert not night.rounds.exists()
