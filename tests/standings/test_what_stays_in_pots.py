"""What stays in a pot: by its shares, by rounding, or when nobody has won it, and whose it is."""

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse

from league.members.models import AuditEntry, Member
from league.sessions.actions import cancel_session
from league.sessions.attendance import arrive_all, sign_up
from league.sessions.models import Session
from league.standings.actions import record_payment, repeat_with_pots, save_places
from league.standings.models import GivenPlace, Pot
from tests.builders import EIGHT, TEST, a_session, a_user
from tests.standings.test_pot_settling import close, night, organiser, press, read
from tests.standings.test_pots import FINE, LONERS, a_pot, at, text_of, who

__all__ = ["night", "organiser"]

pytestmark = pytest.mark.django_db

RAFFLE = {**LONERS, "name": "Raffle"}


def paid(pot: Pot, euros: str, *names: str) -> None:
    for name in names:
        record_payment(pot, who(name), kind="stake", amount=Decimal(euros), by=TEST, at=EIGHT)


WAITING = ("Joan", "Gus", "Sam", "Dee")


def four_wait(night: Session) -> None:
    """Four more players are checked in; their table is not played."""
    waiting = [Member.objects.create(club=night.club, name=name) for name in WAITING]
    arrive_all(night, waiting, by=TEST, at=EIGHT)


@pytest.fixture
def raffle(night: Session) -> Pot:
    """Of €1.00 from each of eight players: two of the four who played have paid, and the four whose
    table was not played. The session is closed."""
    four_wait(night)
    pot = a_pot(night, RAFFLE)
    paid(pot, "1", "Ann", "Bill", *WAITING)
    close(night)
    return pot


def test_only_the_stakes_of_those_who_played_are_nobodys_and_both_answers_are_about_them(
    organiser: Client, night, raffle
) -> None:
    says = "€2.00 of “Raffle” is in the box and nobody has won it: the club decides."
    page = text_of(organiser, night)
    assert f"{says} It stays with the club Mark €2.00 as paid back" in page
    assert "Joan gets back €1.00 Raffle" in page
    session_page = read(organiser, "session", night)
    assert f"4 players get money back (€4.00). {says}" in session_page
    answer = organiser.post(at(raffle, "pot_give_back"), {"amount": "2.00"}, follow=True)
    assert "2 players got back €2.00 in all." in answer.text
    page = text_of(organiser, night)
    assert "gives back" not in page
    assert "Nobody has won it, and the stakes were given back." in page
    for name in ("Joan", "Gus", "Sam", "Dee"):
        press(organiser, night, name, out="1", amount="1.00")
    page = text_of(organiser, night)
    assert "€6.00 paid in − €6.00 paid back = €0.00. All settled" in page


def test_a_pot_left_to_the_club_is_won_the_week_after_as_it_was_meant_to_be(
    organiser: Client, night
) -> None:
    pot = a_pot(night, RAFFLE)
    paid(pot, "1", "Ann")
    close(night)
    organiser.post(at(pot, "pot_payout"), {"payout": "kept"})
    page = text_of(organiser, night)
    assert "Who wins it: Nobody: it stays with the club." in page
    assert "the club decides" not in page
    after = repeat_with_pots(night, by=TEST, at=EIGHT)
    assert "Who wins it: Most lone marches." in text_of(organiser, after)
    (entry,) = AuditEntry.objects.filter(action="change pot")
    assert (entry.old, entry.new) == ({"payout": "most_loners"}, {"payout": "kept"})
    organiser.post(at(pot, "pot_payout"), {"payout": "most_loners"})
    assert "the club decides" in text_of(organiser, night)


def test_a_pot_meant_for_the_club_before_play_is_so_the_week_after_too(
    organiser: Client, night
) -> None:
    pot = a_pot(night, RAFFLE)
    organiser.post(at(pot, "pot_payout"), {"payout": "kept"})
    after = repeat_with_pots(night, by=TEST, at=EIGHT)
    assert "Who wins it: Nobody: it stays with the club." in text_of(organiser, after)


def test_what_the_shares_leave_is_not_the_whole_pot_and_apart_from_the_cents_of_rounding(
    organiser: Client, night
) -> None:
    rule = {**LONERS, "amount": "10", "source": "sum", "payout": "places", "shares": ["99"]}
    fresh = a_session(night.club, name="Next")
    a_pot(fresh, rule)
    says = "The shares come to 99%. The other 1% stays with the club (€0.10)."
    assert says in text_of(organiser, fresh)
    a_pot(night, rule)
    save_places(night, {member.pk: GivenPlace(1) for member in night.club.members.all()})
    page = text_of(organiser, night)
    assert "1st place each €2.47" in page
    assert f"{says} €0.02 stays with the club: it can't be shared evenly." in page


def test_before_closing_the_page_says_that_the_pots_lose_the_stakes_of_those_who_have_not_played(
    organiser: Client, night
) -> None:
    pot, _other = a_pot(night, RAFFLE), a_pot(night, LONERS)
    has_changed = "the pots then hold €8.00 less, and the prizes are smaller."
    assert "owe no stake" not in read(organiser, "disputes", night)
    four_wait(night)
    page = read(organiser, "disputes", night)
    assert (
        f"4 players have not played and owe no stake once the session is closed: {has_changed}"
        in page
    )
    assert "may have to be given back" not in page
    record_payment(pot, who("Ann"), kind="prize", amount=Decimal(4), anyway=True, by=TEST, at=EIGHT)
    given_back = "A prize already paid may have to be given back."
    assert f"{has_changed} {given_back}" in read(organiser, "disputes", night)
    close(night)
    assert "owe no stake" not in read(organiser, "session", night)


@pytest.mark.parametrize("rank", ["organiser", "member"])
def test_a_planned_session_and_its_pots_say_what_each_player_brings(client, night, rank) -> None:
    planned = a_session(night.club, name="Next", state="planned")
    client.force_login(a_user(rank, club=night.club, rank=rank))
    assert "Each player brings" not in read(client, "session", planned)
    rules = (RAFFLE, {**RAFFLE, "amount": "2.30"}, FINE, {**RAFFLE, "source": "sum"})
    for rule in rules:
        a_pot(planned, rule)
    for name in ("session", "session_pots"):
        assert "Each player brings €3.30." in read(client, name, planned)
    assert "Each player brings" not in read(client, "session_pots", night)
    cancel_session(planned, by=TEST, at=EIGHT)
    page = read(client, "session_pots", planned)
    assert "This session is cancelled" in page
    assert "Not won yet." not in page
    assert "Each player brings" not in page


@pytest.mark.parametrize("rank", ["organiser", "member"])
def test_a_planned_sessions_pots_say_what_those_who_have_signed_up_would_pay_in(
    client, night, rank
) -> None:
    planned = a_session(night.club, name="Next", state="planned")
    client.force_login(a_user(rank, club=night.club, rank=rank))
    for rule in (RAFFLE, FINE):
        a_pot(planned, rule)
    page = read(client, "session_pots", planned)
    assert "Every player pays: €1.00. Nobody has signed up yet." in page
    assert "A player who calls and is euchred pays, each time: €0.25. Who wins it:" in page
    assert "€0.00" not in page
    assert "Not won yet." not in page
    says = ("1 has signed up: €1.00 if they come.", "2 have signed up: 2 × €1.00 = €2.00")
    for name, text in zip(("Ann", "Bill"), says, strict=True):
        sign_up(planned, who(name), by=TEST, at=EIGHT)
        assert f"Every player pays: €1.00. {text}" in read(client, "session_pots", planned)


def test_what_each_player_brings_counts_a_seasons_pot_that_is_paid_each_session(
    organiser: Client, night
) -> None:
    planned = a_session(night.club, name="Next", state="planned")
    season = night.club.seasons.create(name="Autumn", starts_on="2026-09-01")
    a_pot(season, {**RAFFLE, "amount": "9", "source": "once"})
    each_time = a_pot(season, {**RAFFLE, "amount": "2"})
    assert "Each player brings" not in read(organiser, "session", planned)
    Session.objects.filter(pk=planned.pk).update(season=season)
    once = "Each player pays €9.00 once for the whole season."
    says = f"Each player brings €2.00 for the season. {once}"
    assert says in read(organiser, "session", planned)
    a_pot(planned, RAFFLE)
    says = "Each player brings €3.00, including €2.00 for the season."
    assert says in read(organiser, "session", planned)
    each_time.delete()
    assert f"Each player brings €1.00. {once}" in read(organiser, "session", planned)
    a_session(night.club, name="Third", state="planned", season=season)
    Session.objects.filter(state="planned").update(held_on="2031-03-06")
    coming = organiser.get(reverse("coming", args=[night.club.slug])).text
    assert coming.count(once) == 1


def test_a_cancelled_sessions_pots_speak_of_no_money_to_come(organiser: Client, night) -> None:
    planned = a_session(night.club, name="Next", state="planned")
    for source in ("sum", "entry"):
        a_pot(planned, {**RAFFLE, "amount": "8", "source": source})
    cancel_session(planned, by=TEST, at=EIGHT)
    page = read(organiser, "session_pots", planned).partition("Another pot")[0]
    assert "This session is cancelled Nobody pays in, and nobody wins a pot." in page
    assert "The club puts in" not in page
    assert "Change" not in page
    assert "Every player pays" not in page
    assert "€8.00" not in page


def test_closing_says_what_of_the_clubs_sum_nobody_has_won(organiser: Client, night) -> None:
    places = {"source": "sum", "amount": "10", "payout": "places", "shares": ["50", "30", "20"]}
    a_pot(night, {**RAFFLE, **places})
    save_places(night, {who(name).pk: GivenPlace(1) for name in ("Ann", "Bill")})
    says = "Nobody has won €2.00 of “Raffle” so far: it stays with the club."
    assert says in read(organiser, "disputes", night)
    names = ("Ann", "Bill", "Rose", "Ted")
    save_places(night, {who(name).pk: GivenPlace(1) for name in names[:3]})
    assert "Nobody has won" not in read(organiser, "disputes", night)  # a cent of rounding
    a_pot(night, {**RAFFLE, "name": "Gift", "source": "sum"})
    a_pot(night, {**RAFFLE, "name": "Hall", "source": "sum", "payout": "kept"})
    a_pot(night, {**RAFFLE, "name": "Half", **places, "shares": ["50"]})
    page = read(organiser, "disputes", night)
    assert "Nobody has won €1.00 of “Gift” so far: it stays with the club." in page
    assert "of “Half”" not in page  # a share left on purpose, and a cent of rounding
    assert page.count("stays with the club") == 1
    close(night)
    assert "stays with the club" not in read(organiser, "session", night)


@pytest.mark.parametrize(
    ("shares", "says"),
    [
        (["60", "40"], "1st place: the prizes of 1st and 2nd place are put together and shared"),
        (["60"], "1st place each"),
    ],
)
def test_tied_players_read_which_prizes_they_share(organiser: Client, night, shares, says) -> None:
    a_pot(night, {**RAFFLE, "payout": "places", "shares": shares})
    ranks = {"Ann": 1, "Bill": 1, "Rose": 3, "Ted": 4}
    save_places(night, {who(name).pk: GivenPlace(rank) for name, rank in ranks.items()})
    assert says in text_of(organiser, night)


def test_what_is_left_in_the_box_of_a_settled_pot_is_the_clubs(organiser: Client, night) -> None:
    pot = a_pot(night, {**RAFFLE, "payout": "places", "shares": ["33.33"]})
    save_places(night, {who("Ann").pk: GivenPlace(1)})
    says = "This money is the club's."
    paid(pot, "1", "Ann", "Bill", "Rose", "Ted")
    close(night)
    assert says not in text_of(organiser, night)
    press(organiser, night, "Ann", out="1", amount="1.33")
    sums = "€4.00 paid in − €1.33 paid out = €2.67."
    assert f"{sums} {says} All settled" in text_of(organiser, night)


def test_what_a_player_paid_above_a_stake_that_nobody_has_won_is_theirs_all_along(
    organiser: Client, night
) -> None:
    pot = a_pot(night, {**FINE, "payout": "most_loners"})
    paid(pot, "1", "Ann")
    paid(pot, "0.25", "Rose")
    close(night)
    assert "€0.50 of “Euchre fines” is in the box" in text_of(organiser, night)
    assert "Ann gets back €0.75 Euchre fines" in text_of(organiser, night)
    organiser.post(at(pot, "pot_give_back"), {"amount": "1.25"})
    assert "€1.25 paid in − €1.25 paid back = €0.00. All settled" in text_of(organiser, night)
