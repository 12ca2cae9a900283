"""What a member owes and gets in all, prizes that can change, debts set against prizes."""

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from league.members.models import Member
from league.sessions.actions import close_session
from league.sessions.attendance import arrive_all
from league.standings.actions import hold_standings, save_places
from league.standings.models import GivenPlace, Payment
from league.standings.pot_accounts import accounts_of
from league.standings.pot_queries import pot_sheets
from league.standings.stake_debts import stake_debts
from tests.builders import EIGHT, TEST, a_session, a_user
from tests.pages import squeezed
from tests.standings.test_pot_cash import bill_wins, press
from tests.standings.test_pot_settling import close, night, organiser, the_undo
from tests.standings.test_pots import FINE, LONERS, a_pot, text_of, who
from tests.standings.test_pots_put_right import paid

__all__ = ["night", "organiser"]

pytestmark = pytest.mark.django_db

PRIZES = {**LONERS, "name": "Prizes", "amount": "10", "payout": "places", "shares": ["70", "30"]}


@pytest.fixture
def ted(night, client: Client) -> Member:
    member = who("Ted")
    member.user = a_user("ted", club=night.club, rank="member")
    member.save()
    client.force_login(member.user)
    return member


def own_debts(club, member: Member) -> dict[object, int]:
    return stake_debts(club, member).get(member.pk, {})


def home(client: Client, night) -> str:
    return squeezed(client.get(reverse("club", args=[night.club.slug])).text)


def test_a_member_has_won_only_once_the_session_is_closed(client: Client, night) -> None:
    pot, bill = bill_wins(night), who("Bill")
    bill.user = a_user("bill", club=night.club, rank="member")
    bill.save()
    client.force_login(bill.user)
    assert "As it stands you would win €4.00." in text_of(client, night)
    paid(pot, "Bill", "3", kind="prize")
    page = text_of(client, night)
    assert "As it stands you would win €4.00. You have received €3.00." in page
    assert "You have won" not in page
    close(night)
    assert "You have won €4.00 and received €3.00." in text_of(client, night)


def test_a_member_reads_what_they_owe_in_all_at_the_top_and_on_the_clubs_page(
    client: Client, night, ted
) -> None:
    season = night.club.seasons.create(name="Autumn", starts_on="2026-09-01")
    night.season = season
    night.save()
    assert "You owe" not in home(client, night)
    a_pot(night, PRIZES)
    raffle = a_pot(night, LONERS)
    final = a_pot(season, {**LONERS, "name": "Final", "amount": "6"})
    assert "You owe €17.00 in stakes." in home(client, night)
    for scope, name in ((night, "session_pots"), (season, "season_pots")):
        address = reverse(name, args=[night.club.slug, scope.public_id])
        assert f'href="{address}">{scope.name}</a>' in home(client, night)
    page = text_of(client, night)
    says = "You owe €17.00 in all, including €6.00 for Autumn."  # as the door takes it
    assert says in page
    paid(raffle, "Ted", "1")
    paid(night.pots.get(name="Prizes"), "Ted", "10")
    assert "You owe €6.00 for Autumn." in text_of(client, night)
    assert "You owe €6.00 in all." in text_of(client, season)
    Payment.objects.all().delete()
    paid(raffle, "Ted", "1")
    paid(final, "Ted", "6")
    assert "You owe €10.00 in stakes." in home(client, night)
    hold_standings(night, by=TEST)
    held = text_of(client, night)
    assert "You owe €10.00 in all." in held
    assert "win" not in held.partition("Until then")[2].partition("Prizes and pots of")[0]
    Payment.objects.filter(pot=raffle).update(amount=Decimal(13))
    assert "You get €2.00 of stakes back." in home(client, night)
    Payment.objects.filter(pot=raffle).update(amount=Decimal(11))
    assert "stakes" not in home(client, night)


@pytest.mark.parametrize("state", ["open", "closed"])
def test_what_the_clubs_page_says_is_what_the_pages_of_pots_say(night, ted, state) -> None:
    """For every kind of pot and of payment, of a session, its season and one nobody came to."""
    season = night.club.seasons.create(name="Autumn", starts_on="2026-09-01")
    night.season = season
    night.save()
    other = a_session(night.club, name="Other", season=season)
    arrive_all(other, [ted], by=TEST, at=EIGHT, even_if_elsewhere=True)
    rules = [LONERS, FINE, {**PRIZES, "source": "once"}, {**LONERS, "payout": "kept"}]
    payments = ([], [("stake", "0.25")], [("waived", "0.25")], [("out", "0")])
    payments += ([("stake", "3"), ("refund", "1")],)
    for scope in (night, season, other):
        for number, rule in enumerate(rules * len(payments)):
            pot = a_pot(scope, {**rule, "name": f"Pot {number}"})
            for kind, euros in payments[number // len(rules)]:
                if kind != "waived" or rule["source"] != "euchred":
                    paid(pot, "Ted", euros, kind=kind)
            paid(pot, "Ann", "1")
    if state == "closed":
        close(night)
        close_session(other, by=TEST, at=EIGHT)
    for scope in (night, season, other):
        accounts = accounts_of(pot_sheets(scope, at=EIGHT).sheets)
        account = next(one for one in accounts if one.member == ted)
        assert own_debts(night.club, ted)[scope] == account.debt - account.refund
        for account in accounts:
            everyone = stake_debts(night.club)[account.member.pk]
            assert everyone.get(scope, 0) == account.debt - account.refund


def test_nobody_reads_that_they_owe_a_pot_that_nobody_has_won_or_paid(night, ted) -> None:
    a_pot(night, LONERS)
    assert own_debts(night.club, ted)
    close(night)
    assert not own_debts(night.club, ted)


def test_what_players_owe_in_all_takes_six_queries(night, ted, django_assert_num_queries) -> None:
    for number in range(3):
        fresh = a_session(night.club, name=f"Night {number}")
        for scope in (fresh, night):
            a_pot(scope, {**LONERS, "name": f"Pot {number}"})
        close_session(fresh, by=TEST, at=EIGHT)
    with django_assert_num_queries(6):
        assert own_debts(night.club, ted) == {night: 300}
    with django_assert_num_queries(6):
        assert len(stake_debts(night.club)) == 4


def test_a_debt_is_set_against_a_prize_at_one_press_and_one_undo_takes_both_back(
    organiser: Client, night
) -> None:
    pot = a_pot(night, PRIZES)
    raffle = a_pot(night, {**LONERS, "name": "Side", "amount": "21", "payout": "kept"})
    save_places(night, {who("Ted").pk: GivenPlace(1), who("Ann").pk: GivenPlace(2)})
    assert "Book both" not in text_of(organiser, night)  # the prize can still change
    close(night)
    page = text_of(organiser, night)
    assert "Book both: Ted brings €3.00" in page
    assert "Book both: Ann brings €19.00" in page
    assert "Bill brings" not in page
    paid(raffle, "Ann", "21")
    assert "Book both: Ann gets €2.00" in text_of(organiser, night)
    both = {"amount": "31.00", "against": "28.00"}
    assert press(organiser, night, "Ted", **both | {"against": "27.00"}).status_code == 409
    answer = press(organiser, night, "Ted", **both)
    said = squeezed(organiser.get(answer.url.partition("#")[0]).text)
    assert "Ted paid €31.00 (€10.00 Prizes + €21.00 Side). Ted received €28.00." in said
    kinds = pot.payments.filter(member=who("Ted")).values_list("kind", flat=True)
    assert sorted(kinds) == ["prize", "stake"]
    assert press(organiser, night, "Ted", **both).status_code == 409  # a second tap
    organiser.post(the_undo(said))
    assert "Book both: Ted brings €3.00" in text_of(organiser, night)


def test_a_prize_set_against_a_debt_takes_no_more_than_the_box_holds_unless_confirmed(
    organiser: Client, night
) -> None:
    a_pot(night, PRIZES)
    save_places(night, {who("Ted").pk: GivenPlace(1)})
    close(night)
    both = {"amount": "10.00", "against": "28.00"}
    refused = press(organiser, night, "Ted", **both)
    assert refused.status_code == 409
    assert "Only €10.00 is in the box for Thursday night" in squeezed(refused.text)
    assert not Payment.objects.exists()
    assert press(organiser, night, "Ted", **both, anyway="on").status_code == 302


def test_a_member_reads_a_debt_less_the_prize_once_it_is_final(client: Client, night, ted) -> None:
    a_pot(night, PRIZES)
    save_places(night, {who("Ann").pk: GivenPlace(1), ted.pk: GivenPlace(2)})
    assert "You owe €10.00 in all." in text_of(client, night)
    close(night)
    assert "You get €2.00 in all." in text_of(client, night)


def test_a_session_closed_with_games_undecided_says_so_beside_the_buttons(
    organiser: Client, night
) -> None:
    a_pot(night, LONERS)
    says = "Some games aren't final: amounts may change."
    close_session(night, by=TEST, at=EIGHT)
    night.refresh_from_db()
    paid(night.pots.get(), "Ann", "1")
    before_the_list = text_of(organiser, night).partition("Bill still owes")[0]
    assert says in before_the_list.rpartition("Settle up")[2]
