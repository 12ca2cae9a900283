"""Settling the pots of a session: what is open, a pot that nobody wins, Undo, closing."""

import re
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from league.errors import Refused
from league.members.models import Club, Member
from league.play.actions import call_time, record_hand
from league.sessions.actions import cancel_session, close_session
from league.sessions.attendance import arrive_all, leave
from league.sessions.models import Session
from league.standings.actions import record_payment, save_places
from league.standings.models import GivenPlace, Payment, Pot
from league.standings.pot_queries import pot_sheets
from league.standings.pot_settling import give_back_stakes
from tests.builders import EIGHT, TEST, a_game_table, a_session, a_user
from tests.pages import squeezed
from tests.play.hands import made, write
from tests.standings.test_pot_cash import everyone_pays, press
from tests.standings.test_pots import FINE, HANDS, LONERS, a_pot, at, text_of, who

pytestmark = pytest.mark.django_db

PRIZE = {"kind": "prize", "anyway": True, "by": TEST, "at": EIGHT}
PRIZES = {**LONERS, "name": "Prizes", "payout": "places", "shares": ["100"]}


@pytest.fixture
def night() -> Session:
    table = a_game_table()
    Club.objects.update(keeps_pots=True, currency="€")
    write(table, *HANDS)
    return Session.objects.get()


@pytest.fixture
def organiser(night, client: Client) -> Client:
    client.force_login(a_user("olive", club=night.club))
    return client


def close(night: Session) -> None:
    call_time(night.tables.get(), by=TEST, at=EIGHT)
    close_session(night, by=TEST, at=EIGHT)
    night.refresh_from_db()


def read(client: Client, name: str, night: Session) -> str:
    page = client.get(reverse(name, args=[night.club.slug, night.public_id]))
    return squeezed(re.sub(r"<[^>]+>", " ", page.text))


def says_settled(page: str) -> bool:
    return "All settled" in page or "Settled so far" in page


def test_a_pot_with_stakes_in_the_box_that_nobody_has_won_is_not_settled(organiser, night) -> None:
    a_pot(night, LONERS)
    everyone_pays(organiser, night, "4.00")
    assert not says_settled(text_of(organiser, night))
    close(night)
    page = text_of(organiser, night)
    assert not says_settled(page)
    says = "€4.00 of “Loner pot” is in the box and nobody has won it: the club decides."
    assert says in page


def test_stakes_collected_before_any_play_are_not_settled(organiser, night) -> None:
    fresh, four = a_session(night.club, name="Next"), list(Member.objects.order_by("pk"))
    arrive_all(fresh, four, by=TEST, at=EIGHT, even_if_elsewhere=True)
    for rule in (LONERS, PRIZES):
        a_pot(fresh, rule)
    everyone_pays(organiser, fresh, "8.00")
    assert not says_settled(text_of(organiser, fresh))
    a_pot(fresh, {**LONERS, "name": "Hall", "payout": "kept"})
    everyone_pays(organiser, fresh, "4.00")
    page = text_of(organiser, fresh)
    assert "All settled" not in page
    assert page.count("Settled so far") == 1


def test_the_stakes_of_a_pot_that_nobody_has_won_are_given_back_and_nobody_owes_more(
    organiser, night
) -> None:
    pot = a_pot(night, LONERS)
    for name in ("Ann", "Bill", "Rose"):  # Ted has not paid
        record_payment(pot, who(name), kind="stake", amount=Decimal(1), by=TEST, at=EIGHT)
    back = {"amount": "3.00"}
    assert organiser.post(at(pot, "pot_give_back"), back).status_code == 409  # it can still be won
    close(night)
    assert organiser.post(at(pot, "pot_give_back"), {"amount": "4.00"}).status_code == 409
    answer = organiser.post(at(pot, "pot_give_back"), back, follow=True)
    assert "3 players got back €3.00 in all." in answer.text
    assert organiser.post(at(pot, "pot_give_back"), back).status_code == 409  # a second tap
    page = text_of(organiser, night)
    assert "Nobody has won it, and the stakes were given back." in page
    assert (
        "Cash in the box for this pot: €3.00 paid in − €3.00 paid back = €0.00. All settled" in page
    )
    assert "Settle up" not in page
    assert "Change who wins it" not in page


def test_a_pot_that_nobody_has_won_stays_with_the_club_until_that_is_changed(
    organiser, night
) -> None:
    pot = a_pot(night, LONERS)
    everyone_pays(organiser, night, "4.00")
    close(night)
    answer = organiser.post(at(pot, "pot_payout"), {"payout": "kept"}, follow=True)
    assert "“Loner pot” stays with the club." in answer.text
    assert (
        "Cash in the box for this pot: €4.00 paid in. This money is the club's. All settled"
        in text_of(organiser, night)
    )
    organiser.post(at(pot, "pot_payout"), {"payout": "most_loners"})
    assert "the club decides" in text_of(organiser, night)


def test_who_wins_a_pot_changes_only_before_its_prize_is_paid_and_never_to_or_from_places(
    organiser, night
) -> None:
    pot, prizes = a_pot(night, {**LONERS, "payout": "most_euchres"}), a_pot(night, PRIZES)
    for one, payout in ((prizes, "kept"), (pot, "places"), (pot, "me")):
        answer = organiser.post(at(one, "pot_payout"), {"payout": payout})
        assert answer.status_code in (400, 409, 422)
    assert organiser.post(at(pot, "pot_payout"), {"payout": "kept"}).status_code == 302
    organiser.post(at(pot, "pot_payout"), {"payout": "most_euchres"})
    assert text_of(organiser, night).count("Change who wins it") == 1
    winner = pot_sheets(night, at=EIGHT).sheets[0].winners[0][0]
    record_payment(pot, winner.member, amount=Decimal(1), **PRIZE)
    assert organiser.post(at(pot, "pot_payout"), {"payout": "kept"}).status_code == 409
    page = text_of(organiser, night)
    assert "Change who wins it" not in page
    assert (
        "This pot has paid out. To change the amount or who wins it, undo these payments first"
        in page
    )
    organiser.post(at(pot, "payment_withdraw", Payment.objects.get().pk))
    assert "Change who wins it" in text_of(organiser, night)


def test_nobody_owes_a_pot_that_nobody_has_won_nor_paid_once_the_session_is_closed(
    organiser, night
) -> None:
    a_pot(night, LONERS)
    assert "Settle up" in text_of(organiser, night)
    close(night)
    page = text_of(organiser, night)
    assert "Nobody has won it, so nobody owes anything." in page
    assert "Settle up" not in page


def test_stakes_are_not_given_back_while_a_prize_that_moved_is_out(organiser, night) -> None:
    pot = a_pot(night, LONERS)
    everyone_pays(organiser, night, "4.00")
    record_payment(pot, who("Bill"), amount=Decimal(4), **PRIZE)
    close(night)
    with pytest.raises(Refused):
        give_back_stakes(pot, Decimal(0), by=TEST, at=EIGHT)
    page = text_of(organiser, night)
    assert "Bill gives back €4.00" in page
    press(organiser, night, "Bill", out="0", amount="4.00")
    assert "€4.00 of “Loner pot” is in the box" in text_of(organiser, night)


def test_a_pot_says_who_pays_in_without_a_place_to_win_by(organiser: Client, night) -> None:
    rule = {"name": "Prizes", "source": "entry", "amount": "1", "payout": "places"}
    a_pot(night, rule | {"shares": ["60", "40"]})
    url = reverse("session_pots", args=[night.club.slug, night.public_id])
    assert "no place in the standings" not in organiser.get(url).text
    save_places(night, {who(name).pk: GivenPlace(1) for name in ("Ann", "Bill", "Rose")})
    says = "1 player pays in but has no place in the standings, so can't win a share."
    assert f"{says} (Ted)" in squeezed(organiser.get(url).text)
    organiser.force_login(a_user("meg", club=night.club, rank="member"))
    page = squeezed(organiser.get(url).text)
    assert says in page
    assert "Ted" not in page


def test_who_gets_the_stake_back_has_no_need_of_a_place_in_the_standings(organiser, night) -> None:
    fresh, four = a_session(night.club, name="Next"), list(Member.objects.order_by("pk"))
    pot = a_pot(fresh, PRIZES)
    arrive_all(fresh, four, by=TEST, at=EIGHT, even_if_elsewhere=True)
    record_payment(pot, who("Rose"), kind="stake", amount=Decimal(1), by=TEST, at=EIGHT)
    leave(fresh, who("Rose"), by=TEST, at=EIGHT)
    page = text_of(organiser, fresh)
    assert "Rose gets back €1.00" in page
    assert "no place in the standings" not in page


def the_undo(page: str) -> str:
    (address,) = set(re.findall(r'action="([^"]*/undo)"', page))
    return address


def test_marking_everyone_as_paid_can_be_undone_and_takes_back_just_those(organiser, night) -> None:
    for rule in (LONERS, FINE):
        a_pot(night, rule)
    press(organiser, night, "Bill", out="0", amount="1.00")
    address = reverse("session_pot_all_paid", args=[night.club.slug, night.public_id])
    page = organiser.post(address, {"amount": "3.50"}, follow=True).text
    assert "3 players paid €3.50." in page
    answer = organiser.post(the_undo(page), follow=True)
    assert "5 payments undone." in answer.text
    left = Payment.objects.filter(withdrawn_at=None)
    assert [one.member.name for one in left] == ["Bill"]
    assert "/undo" not in text_of(organiser, night)


def test_marking_everyone_as_paid_can_be_undone_until_something_else_is_recorded(
    organiser, night
) -> None:
    pot = a_pot(night, LONERS)
    everyone_pays(organiser, night, "4.00")
    for _reload in range(2):
        page = text_of(organiser, night)
        assert re.search(r"4 players paid €4.00\. .{,40} Undo", page)
    record_payment(pot, who("Ann"), kind="stake", amount=Decimal(1), by=TEST, at=EIGHT)
    assert "players paid" not in text_of(organiser, night)


def test_the_last_player_to_settle_and_one_with_parts_in_two_pots_can_be_undone(
    organiser, night
) -> None:
    for rule in (LONERS, {**LONERS, "name": "Other pot"}):
        a_pot(night, rule)
    for name in ("Ann", "Bill", "Rose"):
        press(organiser, night, name, out="0", amount="2.00")
    address = press(organiser, night, "Ted", out="0", amount="2.00").url
    organiser.post(the_undo(organiser.get(address).text))
    paid = Payment.objects.filter(withdrawn_at=None).values_list("member__name", flat=True)
    assert sorted(paid) == ["Ann", "Ann", "Bill", "Bill", "Rose", "Rose"]


def test_closing_a_session_says_what_is_open_and_its_page_does_until_it_is_settled(
    organiser, night
) -> None:
    a_pot(night, LONERS)
    a_pot(night, {**LONERS, "name": "Club prize", "amount": "20", "source": "sum"})
    table = night.tables.get()
    write(table, (1, 3))
    alone = made(3, 5, dealer=3, alone=True)
    record_hand(table, alone, client_id="alone", by=TEST, at=EIGHT)
    press(organiser, night, "Ted", out="0", amount="1.00")
    open_ = "3 stakes are not paid (€3.00). "
    assert open_ in read(organiser, "disputes", night)
    assert open_ not in read(organiser, "session", night)
    close(night)
    page = read(organiser, "session", night)
    assert open_ in page
    assert "1 player hasn&#x27;t received prizes (€24.00)." in page
    pots = reverse("session_pots", args=[night.club.slug, night.public_id])
    assert (
        f'<a href="{pots}">'
        in organiser.get(reverse("session", args=[night.club.slug, night.public_id])).text
    )
    for account in list(pot_sheets(night, at=EIGHT).sheets):
        for row in account.rows:
            how = {"by": TEST, "at": EIGHT, "anyway": True}
            for kind, cents in (("stake", row.balance.to_pay), ("prize", row.balance.to_get)):
                if cents:
                    amount = Decimal(cents) / 100
                    record_payment(account.pot, row.member, kind=kind, amount=amount, **how)
    assert "paid" not in read(organiser, "session", night).partition("Prizes and pots")[0]
    organiser.force_login(a_user("meg", club=night.club, rank="member"))
    Payment.objects.all().update(withdrawn_at=EIGHT)
    assert "stakes are not paid" not in read(organiser, "session", night)


def test_cancelling_says_what_was_paid_and_the_cancelled_session_who_gets_it_back(
    organiser, night
) -> None:
    a_pot(night, LONERS)
    assert "after cancelling" not in read(organiser, "session_edit", night)
    everyone_pays(organiser, night, "4.00")
    says = "€4.00 of stakes is paid in: after cancelling, the players get it back."
    assert says in read(organiser, "session_edit", night)
    cancel_session(night, by=TEST, at=EIGHT)
    night.refresh_from_db()
    assert "4 players get money back (€4.00)." in read(organiser, "session", night)
    assert "Pay back everyone: €4.00" in text_of(organiser, night)
    back = reverse("session_pot_all_back", args=[night.club.slug, night.public_id])
    assert organiser.post(back, {"amount": "3.00"}).status_code == 409
    answer = organiser.post(back, {"amount": "4.00"}, follow=True)
    assert "4 players got back €4.00 in all." in answer.text
    assert organiser.post(back, {"amount": "4.00"}).status_code == 409  # a second tap
    assert "money back" not in read(organiser, "session", night)
    assert "All settled" in text_of(organiser, night)
    organiser.post(the_undo(answer.text))
    assert "4 players get money back (€4.00)." in read(organiser, "session", night)


def test_everyone_is_paid_back_only_what_is_in_the_box(organiser, night) -> None:
    pot = a_pot(night, LONERS)
    everyone_pays(organiser, night, "4.00")
    record_payment(pot, who("Bill"), amount=Decimal(2), **PRIZE)
    cancel_session(night, by=TEST, at=EIGHT)
    assert "Pay back everyone" not in text_of(organiser, night)
    back = reverse("session_pot_all_back", args=[night.club.slug, night.public_id])
    refused = organiser.post(back, {"amount": "3.00"})
    assert refused.status_code == 409
    assert "Only €2.00 is in the box for Thursday night: Bill still owes €1.00." in squeezed(
        refused.text
    )
    press(organiser, night, "Bill", out="0", amount="1.00")
    assert "Pay back everyone: €3.00" in text_of(organiser, night)


def test_a_player_with_money_open_in_two_pots_is_one_player_and_stakes_are_counted_each(
    organiser, night
) -> None:
    pots = [a_pot(night, LONERS), a_pot(night, {**LONERS, "name": "Second"})]
    assert "8 stakes are not paid (€8.00)." in read(organiser, "disputes", night)
    for pot in pots:
        record_payment(pot, who("Ann"), **PRIZE | {"kind": "stake"}, amount=Decimal(3))
        record_payment(pot, who("Bill"), amount=Decimal(2), **PRIZE)
    page = read(organiser, "disputes", night)
    assert "1 player must give back prize money (€4.00)." in page
    assert "1 player gets money back (€4.00)." in page


def test_a_prize_of_a_cancelled_session_stays_the_prize_that_was_paid_out(organiser, night) -> None:
    """The winner gives back what is above their own stake, but received and paid all the same."""
    pot = a_pot(night, {**LONERS, "amount": "2"})
    everyone_pays(organiser, night, "8.00")
    record_payment(pot, who("Bill"), amount=Decimal("6.40"), **PRIZE)
    says = "Set against the winners' own stakes, they give back €4.40."
    assert says in read(organiser, "session_edit", night).replace("&#x27;", "'")
    cancel_session(night, by=TEST, at=EIGHT)
    page = text_of(organiser, night)
    assert (
        "Bill gives back €4.40 Loner pot (due €0.00, paid €2.00; won €0.00, received €6.40)" in page
    )
    assert "Cash in the box for this pot: €8.00 paid in − €6.40 paid out = €1.60." in page
    press(organiser, night, "Bill", out="0", amount="4.40")
    for name in ("Ann", "Rose", "Ted"):
        press(organiser, night, name, out="1", amount="2.00")
    sums = "€8.00 paid in + €4.40 given back − €6.40 paid out − €6.00 paid back = €0.00."
    assert f"Cash in the box for this pot: {sums} All settled" in text_of(organiser, night)


def test_of_what_is_paid_a_session_offers_one_choice_and_a_season_says_how_two_differ(
    organiser, night
) -> None:
    def sources(page: str) -> list[str]:
        select = page.partition('name="source"')[2].partition("</select>")[0]
        return re.findall(r'value="(entry|once)"[^>]*>([^<]*)<', select)

    slug, season = night.club.slug, night.club.seasons.create(name="Autumn", starts_on="2026-09-01")
    page = organiser.get(reverse("session_pots", args=[slug, night.public_id])).text
    assert sources(page) == [("entry", "Every player pays")]
    page = organiser.get(reverse("season_pots", args=[slug, season.public_id])).text
    assert sources(page) == [
        ("entry", "Every player pays for each session they play"),
        ("once", "Every player pays once for the whole season"),
    ]
    example = (
        "A player who comes 8 times pays 8 × €5.00 = €40.00 if it is for each session, €5.00 if it"
        " is once."
    )
    assert example in squeezed(page)
    Pot.objects.all().delete()
    a_pot(night, LONERS)
    assert "Every player pays" in text_of(organiser, night)


def test_a_member_who_left_before_playing_reads_that_the_stake_is_owed_no_more(
    client: Client, night
) -> None:
    fresh, ann = a_session(night.club, name="Next"), who("Ann")
    pot = a_pot(fresh, LONERS)
    ann.user = a_user("ann", club=night.club, rank="member")
    ann.save()
    record_payment(pot, ann, kind="stake", amount=Decimal(1), by=TEST, at=EIGHT)
    client.force_login(ann.user)
    assert "You have paid €1.00, but owe only €0.00: you get €1.00 back." in text_of(client, fresh)


def test_a_closed_seasons_pot_that_nobody_has_won_is_decided_like_a_sessions(
    organiser, night
) -> None:
    season = night.club.seasons.create(name="Autumn", starts_on="2026-09-01")
    night.season = season
    night.save()
    pot = a_pot(season, LONERS)
    for name in ("Ann", "Bill", "Rose", "Ted"):
        record_payment(pot, who(name), kind="stake", amount=Decimal(1), by=TEST, at=EIGHT)
    page = reverse("season_pots", args=[night.club.slug, season.public_id])
    assert "Mark €4.00 as paid back" not in organiser.get(page).text
    close(night)
    season.closed_at = EIGHT
    season.save()
    assert "Mark €4.00 as paid back" in organiser.get(page).text
    organiser.post(at(pot, "pot_give_back"), {"amount": "4.00"})
    assert "All settled" in organiser.get(page).text
