"""Prizes and pots from real hands: the pages, payments, corrections, and what is kept."""

import re
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from league.errors import Refused
from league.members.models import Club, Member
from league.play.actions import call_time, correct_hand, record_hand
from league.seasons.models import Season
from league.seating.models import Table
from league.sessions.actions import cancel_session, close_session
from league.sessions.attendance import arrive_all, leave
from league.sessions.models import Session
from league.standings.actions import add_pot, choose_session_measures, record_payment
from league.standings.models import Payment, Pot
from league.standings.pot_accounts import accounts_of
from league.standings.pot_queries import pot_sheets
from league.standings.pot_sheet import PotSheet
from tests.builders import EIGHT, TEST, a_game_table, a_ruleset, a_session, a_user
from tests.members.test_settings import settings_of
from tests.pages import squeezed
from tests.play.hands import made, write
from tests.tournaments.playing import of_pairs, play_round, published

pytestmark = pytest.mark.django_db

# Ann and Rose are euchred once each on their own calls.
HANDS = [(0, 3), (0, 5), (1, 2), (0, 1), (2, 4), (3, 3)]
FINE = {"name": "Euchre fines", "source": "euchred", "amount": "0.25", "payout": "kept"}
LONERS = {"name": "Loner pot", "source": "entry", "amount": "1", "payout": "most_loners"}


@pytest.fixture
def table() -> Table:
    table = a_game_table()
    Club.objects.update(keeps_pots=True, currency="€")
    write(table, *HANDS)
    return table


@pytest.fixture
def night(table: Table):
    season = Season.objects.create(club=table.session.club, name="Autumn", starts_on="2026-09-01")
    table.session.season = season
    table.session.save()
    table.session.club.refresh_from_db()
    return table.session


@pytest.fixture
def organiser(night, client: Client) -> Client:
    client.force_login(a_user("olive", club=night.club))
    return client


def who(name: str) -> Member:
    return Member.objects.get(name=name)


def a_pot(scope, rule: dict[str, str]) -> Pot:
    return add_pot(scope, by=TEST, at=EIGHT, **rule | {"amount": Decimal(rule["amount"])})


def sheet(scope) -> PotSheet:
    (only,) = pot_sheets(scope, at=EIGHT).sheets
    return only


def owes(scope) -> dict[str, int]:
    return {row.member.name: row.line.owes for row in sheet(scope).rows if row.line.owes}


def at(pot: Pot, name: str, *more: object) -> str:
    return reverse(name, args=[pot.club.slug, pot.public_id, *more])


def test_fines_follow_from_the_hands_and_change_with_a_correction(table: Table, night) -> None:
    a_pot(night, FINE)
    assert owes(night) == {"Rose": 25, "Ann": 25}
    correct_hand(
        table,
        4,
        made(0, 3, dealer=3),
        reason="a slip",
        expected_version=1,
        client_id="again",
        by=TEST,
        at=EIGHT,
        as_organiser=True,
    )
    assert owes(night) == {"Ann": 25}


def test_the_loner_pot_goes_to_whoever_made_the_lone_march(table: Table, night) -> None:
    a_pot(night.season, LONERS)
    assert (sheet(night.season).ledger.holds, sheet(night.season).winners) == (400, [])
    book = write(table, (1, 3))[0]
    alone = made(3, 5, dealer=3, alone=True)
    record_hand(table, alone, client_id="alone", by=TEST, at=EIGHT)
    ((winner,),) = sheet(night.season).winners
    assert (winner.member.name, winner.line.won, book.number) == ("Bill", 400, 7)


def test_what_was_called_off_owes_nothing(night) -> None:
    a_pot(night.season, FINE)
    a_pot(night, FINE)
    cancel_session(night, by=TEST, at=EIGHT)
    assert pot_sheets(night.season, at=EIGHT).sheets[0].ledger.holds == 0
    assert pot_sheets(night, at=EIGHT).sheets[0].ledger.holds == 0


def test_places_take_their_percents_of_the_evenings_table(night) -> None:
    a_pot(
        night,
        {"name": "Prize", "source": "sum", "amount": "50", "payout": "places", "shares": ["60"]},
    )
    choose_session_measures(night, ["won"], by=TEST)
    night.refresh_from_db()
    # No game is over yet: all four share the first place, and its percents.
    (tied,) = sheet(night).winners
    won = {row.member.name: row.line.won for row in tied}
    assert won == dict.fromkeys(["Ann", "Bill", "Rose", "Ted"], 750)


def test_players_tied_for_a_prize_stand_in_one_line_with_what_each_gets(
    organiser: Client, night
) -> None:
    a_pot(night, {**LONERS, "amount": "30", "source": "sum", "payout": "places", "shares": ["100"]})
    page = organiser.get(reverse("session_pots", args=[night.club.slug, night.public_id]))
    prize = squeezed(re.sub(r"<[^>]+>", " ", page.content.decode()))
    assert "4 tied: Ann, Bill, Rose, Ted 1st place each €7.50" in prize


def test_the_partners_of_one_pair_are_not_tied_with_each_other_for_a_prize(client: Client) -> None:
    cup = of_pairs(2, "knockout")
    published(cup)
    play_round(cup)
    Club.objects.update(keeps_pots=True, currency="€")
    prize = {"amount": "30", "source": "sum", "payout": "places", "shares": ["100"]}
    a_pot(cup.session, {**LONERS, **prize})
    client.force_login(a_user(club=cup.club))
    page = client.get(reverse("session_pots", args=[cup.club.slug, cup.session.public_id]))
    text = squeezed(re.sub(r"<[^>]+>", " ", page.content.decode()))
    assert re.search(r"\w+ &amp; \w+ 1st place each €15.00", text)
    assert "tied:" not in text


def test_an_organiser_adds_a_pot_and_writes_down_who_paid(organiser: Client, night) -> None:
    page = reverse("session_pots", args=[night.club.slug, night.public_id])
    add = reverse("session_pot_add", args=[night.club.slug, night.public_id])
    assert organiser.post(add, FINE).url == page
    pot = Pot.objects.get()
    shown = squeezed(organiser.get(page).content.decode())
    assert "2 × €0.25 = €0.50" in shown
    assert "Mark €0.25 as paid" in shown
    paid = {"member": who("Rose").public_id, "kind": "stake", "amount": "0.25", "seen": "0"}
    assert organiser.post(at(pot, "pot_payment"), paid).url == page
    assert organiser.post(at(pot, "pot_payment"), paid).status_code == 409  # a second tap
    assert Payment.objects.count() == 1
    assert {row.member.name: row.balance.to_pay for row in sheet(night).rows} == {
        "Rose": 0,
        "Ann": 25,
    }
    assert organiser.post(at(pot, "pot_drop")).status_code == 409
    organiser.post(at(pot, "payment_withdraw", Payment.objects.get().pk))
    assert [row.balance.to_pay for row in sheet(night).rows] == [25, 25]
    assert Payment.objects.get().withdrawn_as == "olive"
    done = set(night.club.audit.values_list("action", flat=True))
    assert {"add pot", "pay in", "withdraw payment"} <= done


def test_all_that_somebody_owes_is_settled_with_one_press_and_not_twice(
    organiser: Client, night
) -> None:
    for data in (FINE, LONERS):
        a_pot(night, data)
    page = reverse("session_pots", args=[night.club.slug, night.public_id])
    assert "Mark €1.25 as paid" in organiser.get(page).content.decode()
    press = reverse("session_pot_settle", args=[night.club.slug, night.public_id])
    data = {"member": who("Rose").public_id, "out": "0", "amount": "1.25"}
    assert organiser.post(press, data).url == f"{page}?after={data['member']}#settle"
    assert organiser.post(press, data).status_code == 409
    paid = Payment.objects.values_list("pot__name", "amount")
    assert dict(paid) == {"Euchre fines": Decimal("0.25"), "Loner pot": Decimal(1)}
    open_ = accounts_of(pot_sheets(night, at=EIGHT).sheets)
    assert [(one.member.name, one.to_pay) for one in open_] == [
        ("Ann", 125),
        ("Bill", 100),
        ("Ted", 100),
    ]


def test_one_press_writes_down_that_everyone_has_paid_and_not_twice(organiser, night) -> None:
    for data in (FINE, LONERS):
        a_pot(night, data)
    page = organiser.get(reverse("session_pots", args=[night.club.slug, night.public_id]))
    assert "Mark everyone as paid: €4.50" in squeezed(page.content.decode())
    press = reverse("session_pot_all_paid", args=[night.club.slug, night.public_id])
    assert organiser.post(press, {"amount": "4.50"}).status_code == 302
    assert organiser.post(press, {"amount": "4.50"}).status_code == 409
    assert sum(Payment.objects.values_list("amount", flat=True)) == Decimal("4.50")
    assert not accounts_of(pot_sheets(night, at=EIGHT).sheets)


def text_of(client: Client, scope: Session | Season) -> str:
    address = [scope.club.slug, scope.public_id]
    page = client.get(reverse(f"{scope._meta.model_name}_pots", args=address))
    return squeezed(re.sub(r"<[^>]+>|\N{NO-BREAK SPACE}", " ", page.text)).replace("\u2060", "")


def test_two_of_one_name_are_told_apart_where_they_owe(organiser, night) -> None:
    Member.objects.filter(name__in=("Rose", "Ann")).update(name="Mary", name_key="mary")
    a_pot(night, FINE)
    address = reverse("session_pots", args=[night.club.slug, night.public_id])
    page = organiser.get(address).content.decode()
    assert "<strong>Mary 1</strong>" in page
    assert "<strong>Mary 2</strong>" in page


def test_a_pot_can_be_deleted_from_its_card_until_there_is_a_payment(organiser, night) -> None:
    pot = a_pot(night, FINE)
    address = reverse("session_pots", args=[night.club.slug, night.public_id])
    assert "Delete the pot" in organiser.get(address).content.decode().split("</details>")[-2]
    record_payment(pot, who("Rose"), kind="stake", amount=Decimal("0.25"), by=TEST, at=EIGHT)
    page = organiser.get(address).content.decode()
    assert "Delete the pot" not in page
    assert "To delete the pot, undo its payments first." in page


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("name", ""),
        ("name", "x" * 61),
        ("source", "tax"),
        ("amount", "0"),
        ("amount", "1.005"),
        ("amount", "NaN"),
        ("payout", "me"),
        ("shares", ""),
        ("shares", "60/50"),
        ("shares", "-1"),
        ("shares", "half"),
        ("shares", "1e1000000"),
    ],
)
def test_a_rule_that_cannot_be_is_refused_at_its_field(
    organiser: Client, night, field: str, text: str
) -> None:
    add = reverse("season_pot_add", args=[night.club.slug, night.season.public_id])
    data = {**FINE, "payout": "places", "shares": "50 30", field: text}
    answer = organiser.post(add, data)
    assert answer.status_code == 422
    assert len(answer.context["form"].errors[field]) == 1
    assert not Pot.objects.exists()


@pytest.mark.parametrize(
    "text", ["50,30,20", "50, 30, 20", "50%, 30%, 20%", "50% / 30% / 20%", "50;30;20"]
)
def test_percents_of_places_are_read_as_people_write_them(organiser: Client, night, text) -> None:
    add = reverse("season_pot_add", args=[night.club.slug, night.season.public_id])
    organiser.post(add, {**FINE, "payout": "places", "shares": text})
    assert Pot.objects.get().shares == ["50", "30", "20"]


@pytest.mark.parametrize("amount", ["", "0", "-3", "NaN", "1e9", "a\0"])
def test_a_payment_that_is_no_sum_is_refused(organiser: Client, night, amount: str) -> None:
    pot = a_pot(night, FINE)
    data = {"member": who("Rose").public_id, "kind": "stake", "amount": amount, "seen": "0"}
    assert organiser.post(at(pot, "pot_payment"), data).status_code in (400, 422)
    with pytest.raises(Refused):
        record_payment(pot, who("Rose"), kind="stake", amount=Decimal(0), by=TEST, at=EIGHT)


def test_a_member_sees_the_winners_and_their_own_debt_and_nobody_elses(
    night, client: Client
) -> None:
    a_pot(night, FINE)
    ann = who("Ann")
    ann.user = a_user("ann", club=night.club, rank="member")
    ann.save()
    client.force_login(ann.user)
    page = client.get(reverse("session_pots", args=[night.club.slug, night.public_id]))
    shown = page.content.decode()
    assert "You owe €0.25." in shown
    assert "Rose" not in shown
    assert "as paid" not in shown
    for amount, sentence in (
        ("0.10", "You have paid €0.10 of your €0.25."),
        ("0.15", "You have paid your €0.25."),
        ("0.75", "You have paid €1.00, but owe only €0.25: you get €0.75 back."),
    ):
        pot, paid = Pot.objects.get(), Decimal(amount)
        record_payment(pot, ann, kind="stake", amount=paid, by=TEST, at=EIGHT)
        page = text_of(client, night)
        assert sentence in page
        assert "You owe €0.25. " not in page


@pytest.mark.parametrize("rank", ["organiser", "member"])
def test_a_closed_session_and_its_standings_lead_to_the_prizes(client, night, rank) -> None:
    call_time(night.tables.get(), by=TEST, at=EIGHT)
    close_session(night, by=TEST, at=EIGHT)
    client.force_login(a_user(club=night.club, rank=rank))
    prizes = reverse("session_pots", args=[night.club.slug, night.public_id])

    def leads_there(name: str) -> bool:
        page = client.get(reverse(name, args=[night.club.slug, night.public_id])).text
        return f'class="button" href="{prizes}"' in page

    assert leads_there("session")
    assert leads_there("session_standings")
    client.logout()
    Club.objects.update(visibility="standings")
    assert not leads_there("session_standings")


def test_pots_are_off_until_the_club_switches_them_on(organiser: Client, night) -> None:
    assert (Club().keeps_pots, Club().currency) == (False, "")
    Club.objects.update(keeps_pots=False)
    add = reverse("session_pot_add", args=[night.club.slug, night.public_id])
    assert organiser.post(add, FINE).status_code == 409
    page = reverse("session_pots", args=[night.club.slug, night.public_id])
    assert "This club doesn't track prize money." in organiser.get(page).content.decode()
    of_season = reverse("season_standings", args=[night.club.slug, night.season.public_id])
    assert "pots" not in organiser.get(of_season).content.decode()


def test_switching_pots_off_says_that_the_payments_stay(organiser: Client, night) -> None:
    settings, hidden = (
        reverse("club_settings", args=[night.club.slug]),
        "Prizes and pots are hidden",
    )
    pot = a_pot(night, FINE)
    assert hidden not in organiser.post(settings, settings_of(night.club), follow=True).text
    Club.objects.update(keeps_pots=True)
    record_payment(pot, who("Rose"), kind="stake", amount=Decimal(1), by=TEST, at=EIGHT)
    page = organiser.post(settings, settings_of(night.club), follow=True).text
    assert f"1 payment stays recorded. {hidden}" in page
    assert hidden not in organiser.post(settings, settings_of(night.club), follow=True).text


def test_more_people_cost_no_more_queries(night, django_assert_max_num_queries) -> None:
    pots = [a_pot(night.season, rule) for rule in (FINE, LONERS)]
    with django_assert_max_num_queries(7):
        assert len(pot_sheets(night.season, at=EIGHT).sheets) == len(pots)


@pytest.mark.parametrize(
    ("presets", "says", "never"),
    [
        (("bid-hoosier-four-player",), "bid is set pays", "is euchred"),
        (("bid-hoosier-four-player", "nanaimo-three-handed"), "euchred or set pays", "set bid"),
        (("standard-four-handed",), "is euchred pays", "set pays"),
    ],
)
def test_pots_call_a_failed_call_as_the_games_do(organiser, night, presets, says, never) -> None:
    night.club.rulesets.all().update(is_default=False)
    for preset in presets:
        a_ruleset(night.club, preset)
    night.club.rulesets.exclude(pk=night.tables.get().ruleset_id).update(is_default=True)
    fresh = a_session(night.club, name="Next")
    a_pot(fresh, FINE | {"name": "Fines"})
    page = organiser.get(reverse("session_pots", args=[night.club.slug, fresh.public_id]))
    shown = page.content.decode().split("<main")[1]
    assert shown.count(says) == 2  # of the pot, and among what one more can be
    assert never not in shown


def test_players_pay_at_the_door_from_check_in_and_owe_nothing_if_they_leave_unplayed(
    organiser: Client, night
) -> None:
    fresh, four = a_session(night.club, name="Next"), list(Member.objects.order_by("pk"))
    a_pot(fresh, LONERS | {"payout": "places", "shares": ["100"]})
    arrive_all(fresh, four, by=TEST, at=EIGHT, even_if_elsewhere=True)
    page = text_of(organiser, fresh)
    assert "4 × €1.00 = €4.00" in page
    assert page.count("Mark €1.00 as paid") >= 4
    assert "no place in the standings" not in page
    pot = Pot.objects.get()
    record_payment(pot, who("Rose"), kind="stake", amount=Decimal(1), by=TEST, at=EIGHT)
    for name in ("Rose", "Ann"):
        leave(fresh, who(name), by=TEST, at=EIGHT)
    assert owes(fresh) == {"Bill": 100, "Ted": 100}
    assert "Rose gets back €1.00 Loner pot" in text_of(organiser, fresh)
    assert owes(close_session(fresh, by=TEST, at=EIGHT)) == {}
