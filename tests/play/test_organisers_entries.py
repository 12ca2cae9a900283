"""What an organiser did at a table, the table's own phone can neither undo nor change."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from league.errors import Refused
from league.members.audit import Actor
from league.play.actions import (
    adjust_score,
    call_time,
    concede,
    correct_hand,
    resume,
    rule_penalty,
    strike_hand,
    undo_last_hand,
    withdraw_ruling,
    write_totals,
)
from league.play.auth import table_code
from league.play.models import Game
from tests.builders import a_game_table, a_user
from tests.pages import squeezed
from tests.play.hands import made, write

pytestmark = pytest.mark.django_db
PHONE = Actor("phone at table 1")


@pytest.fixture
def table():
    table = a_game_table()
    table.session.club.confirm = "opponent"
    table.session.club.save()
    write(table, (0, 5), (1, 3), at=timezone.now() - timedelta(minutes=2))
    return table


@pytest.fixture
def bill(table):
    return Actor("Bill", a_user("bill", club=table.session.club))


@pytest.fixture
def sam(table):
    return Actor("Sam", a_user("sam", club=table.session.club, rank="scorekeeper"))


@pytest.fixture
def phone(client, table):
    client.post(reverse("table_door"), {"code": table_code(table)})
    return client


def seen(phone, table):
    return squeezed(phone.get(reverse("table_entry", args=[table.public_id])).content.decode())


def now():
    return timezone.now()


def corrected(table, by, *, number=2, version=1, organiser=True):
    record = made(1, 5, number - 1)
    return correct_hand(
        table,
        number,
        record,
        expected_version=version,
        reason="renege seen",
        client_id=f"correct-{number}-{version}",
        by=by,
        at=now(),
        as_organiser=organiser,
    )


def undo(table, version=1, **more):
    return undo_last_hand(table, number=2, version=version, by=PHONE, at=now(), **more)


def refused(action, match):
    with pytest.raises(Refused, match=match) as trouble:
        action()
    assert (trouble.value.code, trouble.value.status) == ("ask-organiser", 403)


def test_a_hand_that_an_organiser_corrected_the_table_neither_undoes_nor_changes(table, bill):
    corrected(table, bill)
    says = "Bill corrected this hand. Only an organiser can change it: call the organiser."
    refused(lambda: undo(table, version=2), says)
    refused(lambda: corrected(table, PHONE, version=2, organiser=False), says)
    strike = {"expected_version": 2, "client_id": "strike-1", "reason": "ours", "at": now()}
    refused(lambda: strike_hand(table, 2, by=PHONE, **strike), says)
    assert Game.objects.get().score == [2, 2]


def test_a_scorekeeper_does_not_change_what_an_organiser_corrected_either(table, bill, sam):
    corrected(table, bill)
    refused(lambda: corrected(table, sam, version=2, organiser=False), "Bill corrected this hand")


def test_another_organiser_may_change_what_an_organiser_corrected(table, bill):
    corrected(table, bill)
    undo(table, version=2, as_organiser=True)
    assert Game.objects.get().score == [2, 0]


def test_what_a_scorekeeper_or_the_table_corrected_the_table_may_undo(table, sam):
    corrected(table, sam, organiser=False)
    corrected(table, PHONE, version=2, organiser=False)
    undo(table, version=3)
    assert Game.objects.get().score == [2, 0]


def test_a_hand_that_an_organiser_deleted_the_table_does_not_bring_back(table, bill):
    strike = {"expected_version": 1, "client_id": "strike-1", "reason": "twice", "at": now()}
    strike_hand(table, 2, by=bill, as_organiser=True, **strike)
    refused(lambda: undo(table, version=2), "Bill deleted this hand. Only an organiser")


@pytest.mark.parametrize(
    "end", [lambda t, **by: call_time(t, **by), lambda t, **by: concede(t, 0, **by)]
)
def test_a_game_that_an_organiser_ended_the_table_neither_resumes_nor_undoes(table, bill, end):
    end(table, by=bill, at=now())
    says = "Bill ended this game. Only an organiser can change that: call the organiser."
    refused(lambda: resume(table, by=PHONE, at=now()), says)
    refused(lambda: undo(table), says)
    refused(lambda: corrected(table, PHONE, number=1, organiser=False), says)
    strike = {"expected_version": 1, "client_id": "strike-1", "reason": "ours", "at": now()}
    refused(lambda: strike_hand(table, 2, by=PHONE, **strike), says)
    assert Game.objects.get().state == "finished"
    resume(table, by=bill, at=now(), as_organiser=True)
    assert Game.objects.get().state == "playing"


def test_below_an_organisers_end_the_table_withdraws_no_penalty_of_its_own(table, bill):
    own = rule_penalty(table, by_seat=1, form="add", client_id="renege-1", by=PHONE, at=now())
    call_time(table, by=bill, at=now())
    take_back = {"by": PHONE, "as_organiser": False, "at": now()}
    refused(lambda: withdraw_ruling(table, own.pk, **take_back), "Bill ended this game.")


def test_a_final_score_does_not_replace_an_organisers_end(table, bill):
    table.session.tables.update(totals_only=True)
    Game.objects.all().delete()
    table.refresh_from_db()
    call_time(table, by=bill, at=now())
    refused(lambda: write_totals(table, [10, 4], by=PHONE, at=now()), "Bill ended this game.")


def test_the_page_of_a_game_that_an_organiser_ended_offers_to_dispute_it_not_to_correct_it(
    phone, table, bill
):
    call_time(table, by=PHONE, at=now())
    confirm = reverse("table_confirm", args=[table.public_id, 1])
    for page in (seen(phone, table), phone.get(confirm).content.decode()):
        assert 'corrections"' in page
    resume(table, by=PHONE, at=now())
    call_time(table, by=bill, at=now())
    for page in (seen(phone, table), phone.get(confirm).content.decode()):
        assert 'corrections"' not in page
    assert "Dispute the result" in phone.get(confirm).content.decode()


def test_time_that_the_table_called_itself_it_takes_back_itself(table, bill):
    call_time(table, by=bill, at=now())
    resume(table, by=bill, at=now(), as_organiser=True)
    call_time(table, by=PHONE, at=now())
    resume(table, by=PHONE, at=now())
    assert Game.objects.get().state == "playing"


def test_a_hand_below_an_organisers_points_the_table_does_not_undo(table, bill):
    points = {"reason": "Penalty award", "client_id": "points-1", "by": bill, "at": now()}
    adjust_score(table, [3, 0], **points)
    says = (
        "Bill changed the score after this hand. Only an organiser can undo it: call the organiser."
    )
    refused(lambda: undo(table), says)
    assert Game.objects.get().score == [5, 1]
    write(table, (0, 3), at=now())
    undo_last_hand(table, number=3, version=1, by=PHONE, at=now())
    refused(lambda: undo(table), says)


def test_a_penalty_that_an_organiser_entered_the_table_does_not_withdraw(table, bill):
    penalty = {"by_seat": 1, "form": "add", "at": now()}
    own = rule_penalty(table, client_id="renege-1", by=PHONE, **penalty)
    withdraw_ruling(table, own.pk, by=PHONE, at=now(), as_organiser=False)
    penalty["at"] = now()
    given = rule_penalty(table, client_id="renege-2", by=bill, **penalty)
    take_back = {"by": PHONE, "as_organiser": False}
    refused(
        lambda: withdraw_ruling(table, given.pk, at=now(), **take_back),
        "Bill entered this. Only an organiser can change it: call the organiser.",
    )
    refused(lambda: undo(table), "Bill changed the score after this hand")


def test_the_phone_offers_no_button_for_what_an_organiser_did(phone, table, bill):
    assert reverse("undo_hand", args=[table.public_id]) in seen(phone, table)
    corrected(table, bill)
    page = seen(phone, table)
    assert reverse("undo_hand", args=[table.public_id]) not in page
    assert "Only an organiser can change this." in page
    assert reverse("table_correct", args=[table.public_id, 2]) not in page
    assert reverse("table_correct", args=[table.public_id, 1]) in page
    call_time(table, by=bill, at=now())
    page = seen(phone, table)
    assert reverse("table_resume", args=[table.public_id]) not in page
    assert "Time was called." in page


def test_the_phone_offers_no_undo_of_an_organisers_points(phone, table, bill):
    points = {"reason": "Penalty award", "client_id": "points-1", "by": bill, "at": now()}
    ruling = adjust_score(table, [3, 0], **points)
    page = seen(phone, table)
    assert reverse("undo_hand", args=[table.public_id]) not in page
    assert reverse("undo_ruling", args=[table.public_id, ruling.pk]) not in page


def test_an_organiser_is_still_offered_to_undo_their_own_correction(client, table, bill):
    corrected(table, bill)
    client.force_login(bill.user)
    assert reverse("undo_hand", args=[table.public_id]) in seen(client, table)
