"""Signing up for a coming session: places, the waiting list, one's own page, check-in."""

import re
from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from league.errors import Refused
from league.members.actions import erase_member, merge_members, retire_member
from league.members.models import Club, Member
from league.sessions import actions, attendance
from league.sessions.models import Session, SignUp
from league.sessions.queries import local_date, places_by_member, sign_ups_of
from league.standings.actions import add_pot
from tests.builders import EIGHT, TEST, a_club, a_session, a_user, members_of
from tests.pages import squeezed

pytestmark = pytest.mark.django_db


def coming(club: Club, places: int | None = 2, **fields: object) -> Session:
    day = timezone.now().date() + timedelta(days=7)
    return a_session(club, held_on=day, state="planned", places=places, **fields)


def names(rows: list[SignUp]) -> list[str]:
    return [row.member.name for row in rows]


def up(night: Session, *members: Member) -> None:
    for member in members:
        attendance.sign_up(night, member, by=TEST, at=timezone.now())


def off(night: Session, member: Member) -> list[str]:
    return names(attendance.withdraw(night, member, by=TEST, at=timezone.now()))


@pytest.fixture
def club() -> Club:
    return a_club()


def test_whoever_signs_up_after_the_last_place_waits_and_the_first_moves_up_by_itself(
    club: Club,
) -> None:
    night, (rose, ann, ted, bill) = coming(club), members_of(club, 4)
    up(night, rose, ann, ted, bill, ted)
    now = sign_ups_of(night, at=timezone.now(), player=bill)
    assert (names(now.placed), names(now.waiting)) == (["Rose", "Ann"], ["Ted", "Bill"])
    assert (now.free, now.my_turn) == (0, 2)
    assert off(night, rose) == ["Ted"]
    now = sign_ups_of(night, at=timezone.now())
    assert (names(now.placed), names(now.waiting)) == (["Ann", "Ted"], ["Bill"])
    assert [one.action for one in night.audit.order_by("pk")] == ["sign up"] * 4 + [
        "withdraw",
        "move up",
    ]


def test_who_withdraws_from_the_waiting_list_takes_nobodys_place(club: Club) -> None:
    night, (rose, ann, ted) = coming(club, places=1), members_of(club, 3)
    up(night, rose, ann, ted)
    assert off(night, ann) == []
    assert names(sign_ups_of(night, at=timezone.now()).waiting) == ["Ted"]


def test_more_places_move_people_up_and_fewer_take_nobodys_place_away(club: Club) -> None:
    night, people = coming(club, places=1), members_of(club, 3)
    up(night, *people)

    def limit(places: int | None) -> int:
        actions.change_session(
            night,
            by=TEST,
            at=timezone.now(),
            name=night.name,
            held_on=night.held_on,
            season=None,
            round_minutes=None,
            places=places,
        )
        night.refresh_from_db()
        return len(sign_ups_of(night, at=timezone.now()).placed)

    assert [limit(2), limit(1), limit(None)] == [2, 2, 3]


def test_changing_the_number_of_places_says_who_moved_up_and_who_is_over_it(
    club: Club, client: Client
) -> None:
    night, people = coming(club, places=1), members_of(club, 4)
    up(night, *people)
    client.force_login(a_user(club=club))

    def limit(places: int | str) -> str:
        typed = {"name": night.name, "held_on": str(night.held_on), "places": places}
        page = reverse("session_edit", args=[club.slug, night.public_id])
        return client.post(page, typed, follow=True).text

    assert "Ann got a place from the waiting list." in limit(2)
    assert "Ted and Bill got places from the waiting list." in limit("")
    assert "4 players have a place already and stay signed up." in limit(3)
    page = client.get(reverse("session", args=[club.slug, night.public_id])).text
    assert "4 players have a place, the limit is now 3" in page
    said = limit(4)
    assert "from the waiting list" not in said
    assert "stay signed up" not in said


def test_a_night_that_is_over_closed_or_anothers_takes_no_sign_up(club: Club) -> None:
    (rose,) = members_of(club, 1)
    past = a_session(club, held_on=timezone.now().date() - timedelta(days=2))
    closed = coming(club)
    actions.close_session(closed, by=TEST, at=EIGHT)
    for night, code in ((past, "session-over"), (closed, "session-not-open")):
        with pytest.raises(Refused) as caught:
            up(night, rose)
        assert caught.value.code == code
    (stranger,) = members_of(a_club("Other", "other"), 1)
    with pytest.raises(Refused, match="no such player"):
        up(coming(club), stranger)
    with pytest.raises(Refused, match="Rose is not signed up"):
        off(coming(club), rose)


def test_the_place_of_somebody_who_retires_goes_to_the_next_who_waits(club: Club) -> None:
    night, (rose, ann) = coming(club, places=1), members_of(club, 2)
    up(night, rose, ann)
    retire_member(rose, by=TEST, at=timezone.now())
    assert names(sign_ups_of(night, at=timezone.now()).placed) == ["Ann"]
    erase_member(ann, by=TEST, at=EIGHT)
    assert places_by_member(night) == {}


def test_two_rows_of_one_person_become_one_with_the_better_place(club: Club) -> None:
    night, (rose, ann, ted) = coming(club, places=1), members_of(club, 3)
    up(night, rose, ted, ann)
    merge_members(rose, into=ann, by=TEST, at=EIGHT)
    now = sign_ups_of(night, at=timezone.now())
    assert (names(now.placed), names(now.waiting)) == (["Ann"], ["Ted"])


@settings(max_examples=25, deadline=None)
@given(steps=st.lists(st.tuples(st.integers(0, 5), st.booleans()), max_size=14))
def test_places_are_never_more_than_there_are_and_nobody_waits_beside_a_free_one(
    steps: list[tuple[int, bool]],
) -> None:
    club = Club.objects.filter(slug="law").first() or a_club(slug="law")
    people = list(club.members.order_by("pk")) or members_of(club, 6)
    night = coming(club, places=3)
    for who, joins in steps:
        if joins:
            up(night, people[who])
        elif SignUp.objects.filter(session=night, member=people[who]).exists():
            off(night, people[who])
        now = sign_ups_of(night, at=timezone.now())
        assert len(now.placed) == min(3, len(now.rows))
        assert [row.pk for row in now.waiting] == sorted(row.pk for row in now.waiting)


def test_a_member_signs_up_on_their_own_page_and_withdraws_on_the_sessions(
    club: Club, client: Client
) -> None:
    (rose, _ann) = members_of(club, 2)
    rose.user = a_user("rose", club=club, rank="member")
    rose.save()
    client.force_login(rose.user)
    night = coming(club, places=1)
    own = reverse("coming", args=[club.slug])
    page = reverse("session", args=[club.slug, night.public_id])
    assert "Sign up" in client.get(own).content.decode()
    button = reverse("sign_up", args=[club.slug, night.public_id])
    assert client.post(button, {"back": "coming"}).url == own
    assert "1 of 1 place" in client.get(page).content.decode()
    assert "Withdraw" in client.get(page).content.decode()
    withdraw = reverse("sign_up_withdraw", args=[club.slug, night.public_id])
    assert client.post(withdraw).url == page
    assert not night.sign_ups.exists()


def test_the_club_s_page_says_whether_one_has_a_place_and_signs_one_up(
    club: Club, client: Client
) -> None:
    user = a_user("olive", club=club, rank="member")
    rose, ann, ted, olive = members_of(club, 4)
    Member.objects.filter(pk=olive.pk).update(user=user)
    client.force_login(user)
    night, home = coming(club), reverse("club", args=[club.slug])
    up(night, rose, ann, ted)
    page = squeezed(client.get(home).text)
    assert "2 of 2 places taken" in page
    assert "Join the waiting list" in page
    button = reverse("sign_up", args=[club.slug, night.public_id])
    page = squeezed(client.post(button, {"back": "club"}, follow=True).text)
    assert "You are number 2." in page
    assert "You give up your place" not in page, "a waiting player has none yet"
    assert "If you sign up again, you join the end of the waiting list." in page
    off(night, rose)
    off(night, ann)
    assert "off the waiting list: you have a place" in squeezed(client.get(home).text)


def test_a_player_entered_by_an_organiser_is_not_invited_to_sign_up(
    club: Club, client: Client
) -> None:
    user = a_user("olive", club=club, rank="member")
    (olive,) = members_of(club, 1)
    Member.objects.filter(pk=olive.pk).update(user=user)
    client.force_login(user)
    attendance.arrive(coming(club), olive, by=TEST, at=timezone.now())
    for page in ("club", "coming"):
        text = squeezed(client.get(reverse(page, args=[club.slug])).text)
        assert "You don't need to sign up." in text.replace("&#x27;", "'")
        assert ">Sign up<" not in text.replace("> ", ">").replace(" <", "<")


def test_an_account_that_is_no_player_is_told_whom_to_ask(club: Club, client: Client) -> None:
    client.force_login(a_user("olive", club=club, rank="member"))
    button = reverse("sign_up", args=[club.slug, coming(club).public_id])
    assert "Ask an organiser" in client.post(button, follow=True).content.decode()
    assert (
        "once an organiser has linked"
        in client.get(reverse("coming", args=[club.slug])).content.decode()
    )


def test_where_the_club_plays_is_on_its_page_and_beside_its_coming_sessions(
    club: Club, client: Client
) -> None:
    club.venue = "The Anchor, Quay Street"
    club.save()
    night = coming(club)
    client.force_login(a_user("olive", club=club, rank="member"))
    pages = [reverse("club", args=[club.slug]), reverse("coming", args=[club.slug])]
    pages.append(reverse("session_standings", args=[club.slug, night.public_id]))
    assert all("The Anchor, Quay Street" in client.get(page).text for page in pages)


def test_an_organiser_signs_others_up_and_sees_who_moved_up(club: Club, client: Client) -> None:
    client.force_login(a_user("olive", club=club))
    night, (rose, ann) = coming(club, places=1), members_of(club, 2)
    others = reverse("sign_up_others", args=[club.slug, night.public_id])
    for one in (rose, ann):
        client.post(others, {"member": one.public_id})
    withdraw = reverse("withdraw_others", args=[club.slug, night.public_id])
    page = client.post(withdraw, {"member": rose.public_id}, follow=True)
    assert "Ann got a place from the waiting list." in page.content.decode()
    assert client.post(others, {"member": "\0"}).status_code in (400, 404)


def test_an_organiser_signs_several_up_at_once_while_places_last(
    club: Club, client: Client
) -> None:
    client.force_login(a_user("olive", club=club))
    night, people = coming(club, places=2), members_of(club, 4)
    page = reverse("sign_ups", args=[club.slug, night.public_id])
    boxes = re.findall(r'type="checkbox" name="member" value="([^"]+)"', client.get(page).text)
    assert {*boxes} == {one.public_id for one in people}
    others = reverse("sign_up_others", args=[club.slug, night.public_id])
    said = client.post(others, {"member": boxes}, follow=True).text
    assert "Ann and Bill are signed up." in said
    assert "All places are taken: Rose and Ted are on the waiting list." in said
    assert "Choose who is coming." in client.post(others, follow=True).text
    assert client.post(others, {"member": ["none", boxes[0]]}).status_code == 404


def test_check_in_has_those_signed_up_on_top_and_ticks_them_with_one_press(
    club: Club, client: Client
) -> None:
    client.force_login(a_user("olive", club=club))
    night, (_rose, ann, ted, bill) = coming(club), members_of(club, 4)
    up(night, ted, bill, ann)
    page = reverse("checkin", args=[club.slug, night.public_id])
    shown = client.get(page)
    assert [row.member.name for row in shown.context["rows"]] == ["Bill", "Ted", "Ann", "Rose"]
    assert "Check in everyone who signed up (2)" in shown.content.decode()
    client.post(reverse("checkin_signed_up", args=[club.slug, night.public_id]))
    here = {row.member.name for row in client.get(page).context["present"]}
    assert here == {"Bill", "Ted"}


def test_the_pages_cost_the_same_queries_however_many_are_signed_up(
    club: Club, client: Client, django_assert_max_num_queries
) -> None:
    client.force_login(a_user("olive", club=club))
    for _night in range(5):
        up(coming(club, places=4), *members_of(club, 6))
    with django_assert_max_num_queries(8):
        client.get(reverse("coming", args=[club.slug]))
    night = club.sessions.first()
    with django_assert_max_num_queries(9):
        client.get(reverse("sign_ups", args=[club.slug, night.public_id]))


def test_what_each_player_brings_stands_beside_every_sign_up_at_few_queries_more(
    club: Club, client: Client, django_assert_num_queries
) -> None:
    (rose,) = members_of(club, 1)
    Member.objects.filter(pk=rose.pk).update(user=a_user("rose", club=club, rank="member"))
    client.force_login(Member.objects.get(pk=rose.pk).user)
    fees = {"name": "Prizes", "source": "entry", "payout": "most_loners", "by": TEST, "at": EIGHT}
    nights = [coming(club, name=f"Night {n}") for n in range(3)]
    for amount, night in enumerate(nights[:2], 3):
        add_pot(night, amount=Decimal(amount), **fees)
    club.keeps_pots, club.currency = False, "£"
    club.save()
    lists = [reverse(name, args=[club.slug]) for name in ("coming", "club")]
    counts = []
    for page in lists:
        with CaptureQueriesContext(connection) as queries:
            assert "Each player brings" not in client.get(page).text
        counts.append(len(queries))
    Club.objects.update(keeps_pots=True)
    for page, count, more in zip(lists, counts, (1, 6), strict=True):
        with django_assert_num_queries(count + more):  # the club's page also says what one owes
            shown = squeezed(client.get(page).text)
        panels = [shown.partition(f"Night {n}</")[2].partition("</form>")[0] for n in range(3)]
        said = [re.findall(r"Each player brings £\d.00\.", panel) for panel in panels]
        assert said == [["Each player brings £3.00."], ["Each player brings £4.00."], []]
    own = reverse("sign_ups", args=[club.slug, nights[0].public_id])
    assert "Each player brings £3.00." in client.get(own).text


def test_to_oneself_the_page_says_you(club: Club, client: Client) -> None:
    (rose, ann) = members_of(club, 2)
    Member.objects.filter(pk=rose.pk).update(user=a_user("rose", club=club))
    client.force_login(Member.objects.get(pk=rose.pk).user)
    night = coming(club, places=1)
    at = [club.slug, night.public_id]

    def said(button: str, **fields: str) -> str:
        return squeezed(client.post(reverse(button, args=at), fields, follow=True).text)

    assert "<p>You are signed up.</p>" in said("sign_up")
    assert "<p>You are no longer signed up.</p>" in said("withdraw_others", member=rose.public_id)
    assert "<p>Ann is signed up.</p>" in said("sign_up_others", member=ann.public_id)
    assert "<p>All places are taken: you are on the waiting list.</p>" in said("sign_up")
    assert "<p>Ann is no longer signed up.</p>" in said("withdraw_others", member=ann.public_id)


def test_upcoming_sessions_show_a_cancelled_one_without_its_buttons(
    club: Club, client: Client
) -> None:
    (rose,) = members_of(club, 1)
    Member.objects.filter(pk=rose.pk).update(user=a_user("rose", club=club, rank="member"))
    client.force_login(Member.objects.get(pk=rose.pk).user)
    night = coming(club, name="Quiz and cards")
    up(night, rose)
    actions.cancel_session(night, by=TEST, at=timezone.now())
    page = squeezed(client.get(reverse("coming", args=[club.slug])).text)
    _before, _name, panel = page.partition("Quiz and cards")
    panel = panel.partition("</section>")[0]
    assert "Cancelled" in panel
    assert "<form" not in panel
    assert "Signed up" not in panel


def test_a_cancelled_session_to_which_players_had_come_is_listed_once(
    club: Club, client: Client
) -> None:
    """It was listed once for each of them."""
    night = a_session(club, members_of(club, 4), held_on=local_date(club, timezone.now()))
    actions.cancel_session(night, by=TEST, at=timezone.now())
    client.force_login(a_user(club=club, rank="member"))
    page = client.get(reverse("coming", args=[club.slug])).text
    assert page.count(f">{night.name}<") == 1


def test_the_sign_ups_of_a_cancelled_session_say_so_and_take_no_more(
    club: Club, client: Client
) -> None:
    night, (rose, ann) = coming(club), members_of(club, 2)
    up(night, rose)
    actions.cancel_session(night, by=TEST, at=timezone.now())
    client.force_login(a_user(club=club))
    seen = client.get(reverse("sign_ups", args=[club.slug, night.public_id])).text
    assert "This session is cancelled" in seen
    assert rose.name in seen
    assert "Sign up players" not in seen
    assert "places taken" not in seen
    posted = client.post(
        reverse("sign_up_others", args=[club.slug, night.public_id]), {"member": ann.public_id}
    )
    assert posted.status_code == 409
