"""What a payment was: recorded now; of before, found from the sums by `migrate` and `restore`."""

import json
from decimal import Decimal

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from league.exchange.archive_restoring import restore
from league.exchange.archive_writing import archive_of
from league.exchange.export_jobs import data_of
from league.members.actions import erase_member
from league.sessions.models import Session
from league.standings.actions import record_payment
from league.standings.models import Payment
from league.standings.pot_queries import pot_sheets
from tests.builders import EIGHT, TEST, a_user
from tests.exchange.test_archive import emptied
from tests.standings.test_pot_settling import night
from tests.standings.test_pots import FINE, LONERS, a_pot, who
from tests.tournaments.test_migration import migrated_to, old

__all__ = ["night", "old"]

BEFORE, AFTER = "0037_cancel_reasons_and_match_times", "0038_kinds_of_payments"
TAP = timezone.now()
MOVES = [  # the pot, the player, whether it went out, the sum; and what it was
    ("Prizes", "Ann", False, "2", "stake"),
    ("Prizes", "Ann", True, "5", "prize"),
    ("Prizes", "Ann", False, "5", "return"),
    ("Prizes", "Bill", False, "4", "stake"),
    ("Prizes", "Bill", True, "2", "refund"),
    ("Prizes", "Rose", False, "2", "stake"),
    ("Prizes", "Rose", True, "2", "prize"),
    ("Loners", "Rose", False, "1", "stake"),
    ("Loners", "Rose", True, "1", "refund"),
    ("Raffle", "Rose", False, "1", "stake"),
    ("Raffle", "Bill", False, "1", "stake"),
    ("Raffle", "Rose", True, "1", "refund"),
    ("Raffle", "Bill", True, "1", "refund"),
]


def test_payments_of_before_become_stakes_and_prizes_and_what_was_given_back(old) -> None:
    before = old(BEFORE)
    get = lambda name: before.get_model("league", name).objects  # noqa: E731
    club = get("Club").create(name="Old", slug="old")
    evening = get("Session").create(club=club, name="Night", held_on="2026-01-01")
    rules = get("ClubRuleset").create(club=club, name="Rules", body={}, players=4)
    seating = get("Round").create(session=evening, number=1, seed=1, state="published")
    table = get("Table").create(session=evening, round=seating, number=1, players=4, ruleset=rules)
    game = get("Game").create(session=evening, table=table, number=1, ruleset=rules)
    members = {}
    for place, name in enumerate(("Ann", "Bill", "Rose", "Ted")):
        members[name] = get("Member").create(club=club, name=name, name_key=name.lower())
        get("Result").create(
            session=evening,
            game=game,
            member=members[name],
            position=place,
            players=4,
            hands=9,
            finished=True,
        )
    rule = {"club": club, "session": evening, "source": "entry"}
    pots = {
        "Prizes": get("Pot").create(**rule, name="Prizes", amount=2, payout="places"),
        "Loners": get("Pot").create(**rule, name="Loners", amount=1, payout="most_loners"),
        "Raffle": get("Pot").create(**rule, name="Raffle", amount=1, payout="places"),
    }
    for number, (pot, name, out, amount, _kind) in enumerate(MOVES):
        at = TAP if pot == "Raffle" else TAP - timezone.timedelta(minutes=90 - number)
        payment = {"pot": pots[pot], "member": members[name], "out": out, "entered_at": at}
        get("Payment").create(**payment, amount=Decimal(amount))

    payments = migrated_to(AFTER).get_model("league", "Payment").objects.order_by("pk")
    assert list(payments.values_list("kind", flat=True)) == [move[-1] for move in MOVES]
    with pytest.raises(IntegrityError), transaction.atomic():
        payments.filter(pk=payments[0].pk).update(kind="club")


@pytest.mark.django_db(transaction=True)
def test_a_full_backup_of_before_the_kinds_comes_in_with_the_same_sums(night) -> None:
    pot = a_pot(night, LONERS)
    for kind, amount in (("stake", 3), ("refund", 2)):
        record_payment(pot, who("Ann"), kind=kind, amount=Decimal(amount), by=TEST, at=EIGHT)
    record_payment(pot, None, kind="club", amount=Decimal(1), by=TEST, at=EIGHT, anyway=True)
    data = archive_of(night.club, at=EIGHT)
    emptied()
    assert list(_kinds(restore(data, by=TEST))) == ["stake", "refund", "club"]
    rows = data["rows"]["Payment"][:2]
    for row, out in zip(rows, (False, True), strict=True):
        del row["kind"]
        row["out"] = out
    data["rows"]["Payment"] = rows
    del data["rows"]["Pot"][0]["rounded_to"]  # its prizes were rounded down to cents
    emptied()
    club = restore(data, by=TEST)
    assert list(_kinds(club)) == ["stake", "refund"]
    (sheet,) = pot_sheets(club.sessions.get(), at=EIGHT).sheets
    assert (sheet.fees_in, sheet.paid_back, sheet.booked) == (300, 200, 0)


def _kinds(club):
    return Payment.objects.filter(pot__club=club).values_list("kind", flat=True)


@pytest.mark.django_db
def test_payments_go_into_the_archive_ones_own_copy_and_keep_no_erased_name(night) -> None:
    pot, rose = a_pot(night, {**FINE, "name": "For Rose"}), who("Rose")
    rose.user = a_user("rose", club=night.club, rank="member")
    rose.save()
    paid = {"kind": "prize", "amount": Decimal("2.50"), "anyway": True}
    paid = {"kind": "prize", "amount": Decimal("2.50"), "anyway": True, "by": TEST}
    record_payment(pot, rose, **paid, at=timezone.now())
    (mine,) = data_of(rose.user)["plays as"][0]["payments"]
    assert (mine["pot"], mine["kind"], mine["amount"]) == ("For Rose", "prize", Decimal("2.50"))
    Session.objects.update(state="closed")
    erase_member(rose, by=TEST, at=EIGHT)
    rows = archive_of(night.club, at=EIGHT)["rows"]
    assert (len(rows["Pot"]), rows["Payment"][0]["amount"]) == (1, "2.50")
    assert "Rose" not in json.dumps(rows)


def test_pots_of_before_count_all_sessions_and_keep_their_percents(old) -> None:
    before = old("0041_rounded_prizes")
    club = before.get_model("league", "Club").objects.create(name="Old", slug="old")
    season = {"club": club, "name": "Autumn", "starts_on": "2026-09-01"}
    rule = {"name": "Final", "source": "entry", "amount": 2, "payout": "places"}
    before.get_model("league", "Pot").objects.create(
        club=club,
        season=before.get_model("league", "Season").objects.create(**season),
        shares=["60", "40"],
        **rule,
    )
    pot = migrated_to("0042_pot_amounts_and_first_day").get_model("league", "Pot").objects.get()
    assert (pot.counts_from, pot.payout, pot.shares) == (None, "places", ["60", "40"])
