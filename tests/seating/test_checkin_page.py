"""The check-in page: one tap a person, search, guests, and the tables that makes."""

import re

import pytest
from django.urls import reverse

from league.members.models import Member
from league.seating.models import Round
from league.seating.queries import live_tables
from league.sessions.actions import close_session, open_session
from league.sessions.attendance import arrive
from league.sessions.queries import present
from tests.builders import TEST, a_session, a_user, members_of
from tests.seating.nights import AT, a_game, a_night, a_seating_club, published, table_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(client):
    club = a_seating_club()
    client.force_login(a_user(club=club))
    members_of(club, 11)
    return a_session(club)


def at(name, night):
    return reverse(name, args=[night.club.slug, night.public_id])


def member(night, name):
    return Member.objects.get(club=night.club, name=name)


def test_a_tap_ticks_and_another_tap_takes_the_tick_away(client, night):
    rose = member(night, "Rose")
    client.post(at("checkin_arrive", night), {"member": rose.public_id})
    assert list(present(night)) == [rose]
    client.post(at("checkin_leave", night), {"member": rose.public_id})
    assert not present(night).exists()


def test_without_a_script_a_tap_leads_back_to_the_page(client, night):
    rose = member(night, "Rose").public_id
    answer = client.post(at("checkin_arrive", night), {"member": rose}, follow=True)
    assert answer.redirect_chain[-1][0] == at("checkin", night)
    assert b"<html" in answer.content


def test_with_htmx_a_tap_answers_the_part_alone(client, night):
    answer = client.post(
        at("checkin_arrive", night),
        {"member": member(night, "Rose").public_id},
        headers={"HX-Request": "true"},
        follow=True,
    )
    assert answer.status_code == 200
    assert b"<html" not in answer.content
    assert b'id="checkin"' in answer.content


def test_eleven_are_offered_as_four_four_three_first(client):
    night, _members = a_night(11)
    client.force_login(a_user(club=night.club))
    choices = client.get(at("checkin", night)).context["choices"]
    assert choices[0].sizes == (4, 4, 3)
    assert len(choices) > 2


def test_the_clubs_own_table_of_numbers_comes_first(client):
    club = a_seating_club()
    club.seating_policy, club.seating_table = "own", {"9": [3, 3, 3]}
    club.save()
    night, _members = a_night(9, club)
    client.force_login(a_user(club=club))
    assert client.get(at("checkin", night)).context["choices"][0].sizes == (3, 3, 3)


def test_a_player_without_a_seat_sits_out_as_on_the_board(client):
    night, _members = a_night(8)
    published(night)
    arrive(night, Member.objects.create(club=night.club, name="Zoe"), by=TEST, at=AT)
    client.force_login(a_user(club=night.club))
    assert "One player sits out." in client.get(at("checkin", night)).content.decode()


def test_a_search_finds_by_the_beginning_of_any_word(client, night):
    Member.objects.create(club=night.club, name="Bill Rosewood")
    page = client.get(at("checkin", night), {"q": "ros"})
    assert [row.member.name for row in page.context["rows"]] == ["Bill Rosewood", "Rose"]
    assert "Add “ros” as a guest" in page.content.decode()


def test_a_search_finds_the_guests_of_other_sessions_and_the_list_leaves_them_out(client, night):
    Member.objects.create(club=night.club, name="Vera Lynn", is_guest=True)
    found = client.get(at("checkin", night), {"q": "vera lynn"})
    assert [row.member.name for row in found.context["rows"]] == ["Vera Lynn"]
    assert "None of these?" in found.content.decode()  # another of that name may have come
    listed = client.get(at("checkin", night)).context["rows"]
    assert "Vera Lynn" not in [row.member.name for row in listed]


def test_a_name_like_a_members_is_asked_about_and_then_added(client, night):
    rose = Member.objects.create(club=night.club, name="Rose Winter")
    answer = client.post(at("checkin_guest", night), {"name": "Rose Wynter"})
    assert answer.status_code == 409
    assert rose.public_id.encode() in answer.content
    added = {"name": "Rose Wynter", "even_if_similar": "1"}
    assert client.post(at("checkin_guest", night), added).status_code == 302
    assert present(night).get().name == "Rose Wynter"


def test_a_cancelled_session_is_not_called_closed(client, night):
    night.state = "cancelled"
    night.save()
    page = client.get(at("checkin", night)).content.decode()
    assert "This session was cancelled. Reopen it" in page


def test_a_refused_tap_is_told_on_the_page_with_its_status(client, night):
    night.state = "closed"
    night.save()
    answer = client.post(at("checkin_arrive", night), {"member": member(night, "Rose").public_id})
    assert answer.status_code == 409
    assert b"This session is closed" in answer.content


@pytest.mark.parametrize(
    "data", [{}, {"member": "nobody"}, {"member": "\x00"}, {"member": "1" * 5000}]
)
def test_nonsense_is_refused_and_ticks_nobody(client, night, data):
    assert client.post(at("checkin_arrive", night), data).status_code in (400, 404, 422)
    assert not present(night).exists()


def test_everybody_from_last_time_is_one_tap(client, night):
    earlier = a_session(night.club, members_of(night.club, 0), held_on="2026-11-12")
    for one in Member.objects.filter(name__in=["Rose", "Ann"]):
        earlier.attendances.create(member=one)
    client.post(at("checkin_last", night))
    assert [one.name for one in present(night)] == ["Ann", "Rose"]


def test_a_pasted_list_ticks_everybody(client, night):
    pasted = {"names": "Rose\r\nAnn\n\nVera Lynn\n", "choice:Vera Lynn": ""}
    page = client.post(at("checkin_paste", night), pasted, follow=True).content.decode()
    assert "Checked in 3 players. 1 was added as a guest." in page
    again = client.post(at("checkin_paste", night), pasted, follow=True).content.decode()
    assert "as a guest" not in again
    assert [one.name for one in present(night)] == ["Ann", "Rose", "Vera Lynn"]


def test_what_is_left_out_of_a_list_at_check_in_is_said(client, night):
    pasted = {"names": "Ivor Pym; Dot Yardley - late"}
    pasted |= {"choice:Ivor Pym": "", "choice:Dot Yardley": ""}
    answer = client.post(at("checkin_paste", night), pasted, follow=True)
    assert [one.name for one in present(night)] == ["Dot Yardley", "Ivor Pym"]
    assert "Left out of the names: late" in answer.content.decode()


def test_who_of_a_pasted_list_is_at_another_session_is_named(client, night):
    other = a_session(night.club, name="Upstairs", held_on=night.held_on)
    client.post(at("checkin_paste", other), {"names": "Rose\nAnn"})
    answer = client.post(at("checkin_paste", night), {"names": "Rose\nAnn"}, follow=True)
    page = answer.content.decode()
    assert "they are at another session today: Ann, Rose." in page
    assert "Checked in 0 players" not in page


def test_each_look_alike_of_a_pasted_list_gets_its_own_choice(client, night):
    rose, olive = (
        Member.objects.create(club=night.club, name=name) for name in ("Rose Winter", "Olive Marsh")
    )
    pasted = {"names": "1. Wynter, Rose\n2. Olive March\n3. Vera Lynn"}
    answer = client.post(at("checkin_paste", night), pasted)
    assert answer.status_code == 409
    assert not present(night).exists()
    half = {**pasted, "choice:Rose Wynter": rose.name}
    again = client.post(at("checkin_paste", night), half)
    assert [line.name for line in again.context["pasted"].unanswered] == ["Olive March"]
    half["choice:Vera Lynn"] = ""
    client.post(at("checkin_paste", night), {**half, "choice:Olive March": ""})
    assert [one.name for one in present(night)] == ["Olive March", "Rose Winter", "Vera Lynn"]
    assert olive not in present(night)


def test_a_list_of_hundreds_is_shown_letter_by_letter_and_stays_at_its_letter(client, night):
    Member.objects.bulk_create(
        Member(club=night.club, name=f"{letter}na {n}", name_key=f"{letter}na {n}".casefold(),
               sort_key=f"{letter}na {n}".casefold())
        for letter in "AEU" for n in range(100)
    )  # fmt: skip
    page = client.get(at("checkin", night), {"part": "E"})
    assert [label for _part, label, _count in page.context["parts"]][:2] == ["A", "B"]
    assert {row.member.name[0] for row in page.context["rows"]} == {"E"}
    una = member(night, "Una 7")
    answer = client.post(at("checkin_arrive", night), {"member": una.public_id, "part": "U"})
    assert answer.url.endswith("?part=U")
    found = client.get(at("checkin", night), {"q": "una 7"}).context["rows"]
    assert una in [row.member for row in found]


def test_all_players_of_another_session_of_the_day_are_checked_in_here_too_with_one_button(
    client, night
):
    rose, ann, bill = (member(night, name) for name in ("Rose", "Ann", "Bill"))
    guest = night.club.members.create(name="Zoe", is_guest=True)
    upstairs = a_session(night.club, [rose, ann, guest], name="Upstairs")
    a_session(night.club, [bill], name="Downstairs")
    assert "Check all 3 in here too" in client.get(at("checkin", night)).text
    page = client.post(at("checkin_elsewhere", night), {"session": upstairs.public_id}, follow=True)
    assert list(present(night)) == [ann, rose, guest]
    assert "Check all" not in page.text


def test_somebody_is_checked_in_to_two_open_sessions_of_a_day_only_after_a_question(client, night):
    rose, ann = member(night, "Rose"), member(night, "Ann")
    other = a_session(night.club, [rose], name="Upstairs")
    page = client.get(at("checkin", night)).content.decode()
    assert "1 player is still checked in to Upstairs." in page
    assert "at another session" in page
    everyone = client.get(at("checkin", night)).context["everyone"]
    assert everyone == night.club.members.count() - 1  # who would not be checked in is not counted
    answer = client.post(at("checkin_arrive", night), {"member": rose.public_id})
    assert (answer.status_code, "Rose is checked in to Upstairs." in answer.text) == (409, True)
    for one in (rose, ann):
        a_session(night.club, held_on="2026-11-12").attendances.create(member=one)
    client.post(at("checkin_paste", night), {"names": "Rose\nAnn"})
    assert list(present(night)) == [ann]  # a whole list leaves them out
    sure = {"member": rose.public_id, "even_if_elsewhere": "1"}
    client.post(at("checkin_arrive", night), sure)
    assert rose in present(night)
    other.state = "closed"
    other.save()
    other.attendances.create(member=(bill := member(night, "Bill")))
    client.post(at("checkin_arrive", night), {"member": bill.public_id})
    assert bill in present(night)


def test_a_list_that_is_empty_or_endless_is_refused(client, night):
    for names in ("", "\n\n", "\n".join(f"Guest {n}" for n in range(201))):
        assert client.post(at("checkin_paste", night), {"names": names}).status_code == 422


def test_whoever_sits_at_a_table_is_not_unticked_by_a_stray_tap(client):
    night, (rose, *_others) = a_night(8)
    published(night)
    client.force_login(a_user(club=night.club))
    page = client.get(at("checkin", night)).content.decode()
    assert page.count('form="ask-seated"') == 8
    asked = client.get(at("checkin", night), {"seated": rose.public_id}).content.decode()
    assert "Rose sits at table" in asked
    assert "Rose is leaving" in asked
    assert rose in present(night)
    client.post(at("checkin_leave", night), {"member": rose.public_id})
    assert rose not in present(night)


@pytest.mark.parametrize("sizes", ["5+4", "4+", "x", "4+4+4+4", "4" + "+4" * 400])
def test_sizes_that_cannot_be_are_refused_and_draft_nothing(client, sizes):
    night, _members = a_night(11)
    client.force_login(a_user(club=night.club))
    assert client.post(at("seating_draft", night), {"sizes": sizes}).status_code in (409, 422)
    assert not Round.objects.exists()


def test_a_late_arrival_is_told_of_the_table_that_has_room(client):
    night, _members = a_night(7)
    published(night, sizes=[4, 3])
    late = Member.objects.create(club=night.club, name="Larry Late")
    client.force_login(a_user(club=night.club))
    room = "has 3 players and has not started. A late arrival can join it."
    assert room not in client.get(at("checkin", night)).content.decode()
    page = client.post(at("checkin_arrive", night), {"member": late.public_id}, follow=True)
    assert room in " ".join(page.content.decode().split())
    assert "Need one more for a table" not in page.content.decode()
    close_session(night, by=TEST, at=AT)
    assert room not in " ".join(client.get(at("checkin", night)).content.decode().split())
    open_session(night, by=TEST, at=AT)
    a_game(table_of(night, 3), state="playing", hands=1)
    assert room not in " ".join(client.get(at("checkin", night)).content.decode().split())


def test_a_closed_session_offers_nobody_to_check_in_but_its_settings(client, night):
    before = a_session(night.club, state="closed", held_on="2026-11-12")
    before.attendances.create(member=member(night, "Rose"), arrived_at=AT)
    assert "from last time" in client.get(at("checkin", night)).content.decode()
    a_session(night.club, [member(night, "Bill")], name="Upstairs")
    close_session(night, by=TEST, at=AT)
    page = client.get(at("checkin", night)).text
    assert "This session is closed. Reopen it" in page
    assert "in here too" not in page
    assert "Check in everyone" not in page
    reopen = reverse("session_open", args=[night.club.slug, night.public_id])
    assert client.post(reopen, {"at_checkin": "1"}).url == at("checkin", night)
    assert "This session is" not in client.get(at("checkin", night)).content.decode()


def test_a_planned_session_takes_players_and_is_opened_to_make_tables(client, night):
    coming = a_session(night.club, state="planned", held_on="2026-11-26")
    page = client.get(at("checkin", coming)).content.decode()
    assert "This session is planned. Open it to make tables." in page


@pytest.mark.parametrize(("sent_at", "follows"), [("at_checkin", "checkin"), ("", "board")])
def test_a_late_arrival_is_seated_from_check_in_or_board_and_one_stays_there(
    client, sent_at, follows
):
    night, _members = a_night(7)
    published(night, sizes=[4, 3])
    late = Member.objects.create(club=night.club, name="Larry Late")
    client.force_login(a_user(club=night.club))
    page = client.post(at("checkin_arrive", night), {"member": late.public_id}, follow=True)
    table = table_of(night, 3)
    assert f"Seat Larry Late at table {table.number}" in " ".join(page.content.decode().split())
    join = reverse("table_join", args=[night.club.slug, night.public_id, table.public_id])
    answer = client.post(join, {"member": late.public_id, sent_at: "1"})
    assert answer.url == at(follows, night)
    said = f"Larry Late joined table {table.number}, now a table of 4. Rules: "
    assert said in client.get(answer.url).content.decode()
    assert table_of(night, 4).players == 4
    assert late in [seat.member for one in live_tables(night) for seat in one.current_seats]


def test_a_seat_left_in_the_middle_of_a_game_is_offered_to_a_substitute_on_the_same_page(client):
    night, members = a_night(5)
    published(night, sizes=[4])
    table = table_of(night, 4)
    a_game(table, state="playing", hands=2)
    leaver = table.current_seats[1].member
    waits = next(one for one in members if one not in [seat.member for seat in table.current_seats])
    client.force_login(a_user(club=night.club))
    page = client.post(at("checkin_leave", night), {"member": leaver.public_id}, follow=True)
    assert f"{leaver.name} has left in the middle of the game at table 1" in page.content.decode()
    address = reverse("table_substitute", args=[night.club.slug, night.public_id, table.public_id])
    data = {"position": "1", "member": waits.public_id, "at_checkin": "1"}
    answer = client.post(address, data, follow=True)
    assert answer.redirect_chain[-1][0] == at("checkin", night)
    assert answer.context["empty_seats"] == []


def test_the_bar_says_which_table_needs_a_substitute_and_leads_to_that_question(client):
    night, _members = a_night(4)
    published(night)
    table = table_of(night, 4)
    a_game(table, state="playing", hands=2)
    leaver = table.current_seats[1].member
    client.force_login(a_user(club=night.club))
    page = client.post(at("checkin_leave", night), {"member": leaver.public_id}, follow=True)
    question, _id, bar = page.content.decode().partition('id="seat-bar"')
    assert f'<a href="#seat-of-{leaver.public_id}">Table 1 needs a substitute</a>' in bar
    assert f'id="seat-of-{leaver.public_id}"' in question
    assert "Everyone has a seat." not in bar


@pytest.mark.parametrize(
    ("players", "size", "sentence"),
    [
        (8, 4, "Table 1 has not started, so it is now a table of 3"),
        (6, 2, "Table 2 had only two players, so it is broken up."),
    ],
)
def test_leaving_a_table_that_has_not_begun_says_what_becomes_of_it(
    client, players, size, sentence
):
    night, _members = a_night(players)
    published(night)
    leaver = table_of(night, size).current_seats[0].member
    client.force_login(a_user(club=night.club))
    page = client.post(at("checkin_leave", night), {"member": leaver.public_id}, follow=True)
    assert f"{leaver.name} has left. {sentence}" in " ".join(page.content.decode().split())


def test_a_guest_of_an_earlier_evening_is_offered_and_found_before_a_new_one(client, night):
    before = a_session(night.club, held_on="2026-11-12")
    wilf = Member.objects.create(club=night.club, name="Wilf Entwistle", is_guest=True)
    before.attendances.create(member=wilf, arrived_at=AT)
    page = client.get(at("checkin", night))
    assert [row.member for row in page.context["earlier_guests"]] == [wilf]
    assert "Guest from an earlier session (1)" in page.content.decode()
    found = client.get(at("checkin", night), {"q": "Wilf"}).content.decode()
    assert found.index("Wilf Entwistle") < found.index("None of these?")
    assert found.index("None of these?") < found.index("as a guest")
    client.post(at("checkin_arrive", night), {"member": wilf.public_id})
    assert not client.get(at("checkin", night)).context["earlier_guests"]


def test_a_name_that_leaves_keeps_its_line_in_the_list(client, night):
    """Else the next name's button would slide under the pointer of a double click."""
    client.post(at("checkin_everyone", night))
    published(night)

    def names():
        fold = client.get(at("checkin", night)).content.decode().split('id="here-now"')[1]
        return re.findall(r"<li[^>]*>\s*<span>\s*(\w+)", fold.split("</details>")[0])

    before = names()
    client.post(at("checkin_leave", night), {"member": member(night, before[2]).public_id})
    assert names() == before
