"""The public entry form: places and a waiting list; the organiser enters who asked."""

from datetime import time

import pytest
from django.test import Client
from django.urls import reverse

from league.members.actions.erasing import erase_member
from league.members.models import Member
from league.tournaments import actions
from league.tournaments.actions.public_entry import requests_of
from league.tournaments.models import EntryRequest
from league.tournaments.views.public_entry import ASKS, SENT
from tests.builders import EIGHT, TEST, a_user
from tests.tournaments.playing import a_tournament, drawn
from tests.tournaments.test_progressive import refusal

pytestmark = pytest.mark.django_db


def open_cup(places=2, format="knockout"):
    cup = a_tournament(4, format, entered=False)
    cup.club.visibility = "standings"
    cup.club.save()
    actions.offer_places(cup, places, by=TEST)
    cup.refresh_from_db()
    return cup


def url_of(cup, page="tournament_ask", *more):
    return reverse(page, args=[cup.club.slug, cup.public_id, *more])


def test_who_comes_when_all_places_are_taken_waits_in_turn(client):
    cup = open_cup(places=2, format="progressive")
    said = [
        client.post(url_of(cup), {"name": name, "partner": "", "contact": ""}, follow=True).text
        for name in ("Vera", "Wanda", "Xenia", "Yvonne", "vera")
    ]
    assert ["There's a place for you" in one for one in said] == [True, True, False, False, True]
    assert "You're number 2." in said[3]
    assert EntryRequest.objects.count() == 4
    actions.accept_request(EntryRequest.objects.get(name="Vera"), by=TEST, at=EIGHT)
    actions.decline_request(EntryRequest.objects.get(name="Wanda"), by=TEST)
    assert [(one.name, waits) for one, waits in requests_of(cup)] == [("Xenia", 0), ("Yvonne", 1)]


def test_the_answer_to_a_request_is_a_page_to_come_back_to(client):
    cup = open_cup()
    answer = client.post(url_of(cup), {"name": "Vera", "partner": "", "contact": ""})
    assert answer.status_code == 302
    assert "There's a place for you" in client.get(answer.url).text
    actions.decline_request(EntryRequest.objects.get(), by=TEST)
    assert client.get(answer.url).url == url_of(cup, "tournament")


def test_organisers_see_who_asks_to_enter_on_the_clubs_home_and_among_its_tournaments(
    client,
):
    cup = open_cup()
    for name in ("Vera", "Wanda"):
        asks_for(cup, name)
    waiting = "2 requests to enter are waiting"
    seen = {}
    for rank in ("organiser", "member"):
        client.force_login(a_user(rank, club=cup.club, rank=rank))
        pages = [client.get(reverse(one, args=[cup.club.slug])) for one in ("club", "tournaments")]
        seen[rank] = [waiting in " ".join(page.text.split()) for page in pages]
    assert seen == {"organiser": [True, True], "member": [False, False]}


def test_a_request_with_a_place_keeps_it_when_the_form_closes():
    cup = open_cup(places=2, format="progressive")
    for name in ("Vera", "Wanda", "Xenia"):
        asks_for(cup, name)
    actions.decline_request(EntryRequest.objects.get(name="Vera"), by=TEST)
    asks_for(cup, "Yvonne")
    waiting = []
    for places in (None, 8, None):
        actions.offer_places(cup, places, by=TEST)
        cup.refresh_from_db()
        waiting.append([waits for _request, waits in requests_of(cup)])
    assert waiting == [[0, 0, 1], [0, 0, 0], [0, 0, 0]]


def test_players_without_a_partner_take_half_a_place_each(client):
    cup = a_tournament(12, "swiss")
    cup.club.visibility = "standings"
    cup.club.save()
    actions.offer_places(cup, 7, by=TEST)
    shown = client.get(url_of(cup)).text
    assert "1 of 7 places is free." in shown
    assert "A place is for a pair; a player alone takes half of one." in shown
    cup.refresh_from_db()
    actions.draw_partners(cup, seed=1, by=TEST)
    assert "1 of 7 places is free." in client.get(url_of(cup)).text
    asks_for(cup, "Vera")
    alone = "There is room for one player without a partner."
    shown = client.get(url_of(cup)).text
    assert alone in shown
    assert "places is free" not in shown
    asks_for(cup, "Wanda")
    asks_for(cup, "Xenia", "Yvonne")
    assert "All places are taken, with 1 on the waiting list." in client.get(url_of(cup)).text
    assert [waits for _request, waits in requests_of(cup)] == [0, 0, 1]


def test_saving_no_places_says_closed_only_if_the_form_was_open(client):
    cup = a_tournament(4, "knockout", entered=False)
    client.force_login(a_user(club=cup.club))
    said = []
    for places in ("", "8", "", ""):
        page = client.post(url_of(cup, "tournament_places"), {"places": places}, follow=True)
        said += [str(message) for message in page.context["messages"]]
    how_many = "Enter how many places there are."
    assert said == [how_many, "Opened the entry form.", "Closed the entry form.", how_many]


def test_a_member_asks_with_the_own_name_once_and_reads_that_the_organiser_will_answer(client):
    cup = open_cup()
    user = a_user("vera", club=cup.club, rank="member")
    member = Member.objects.create(club=cup.club, name="Vera Lind", user=user)
    client.force_login(user)
    asked = "You have asked for a place. The organiser will answer."
    assert asked not in client.get(url_of(cup, "tournament")).text
    assert client.get(url_of(cup)).context["form"]["name"].value() == member.name
    data = {"name": member.name, "partner": "", "contact": ""}
    assert "already sent" not in client.post(url_of(cup), data, follow=True).text
    client.cookies.pop(SENT)
    assert asked in client.get(url_of(cup, "tournament")).text
    form = client.get(url_of(cup))
    assert asked in form.text
    assert not form.context["form"]["name"].value()
    assert "You have already sent this" in client.post(url_of(cup), data, follow=True).text
    assert cup.requests.count() == 1


def test_the_form_says_when_the_session_begins(client):
    cup = open_cup()
    assert "November, 7:30" not in client.get(url_of(cup)).text
    cup.session.begins_at = time(19, 30)
    cup.session.save()
    assert "November, 7:30" in client.get(url_of(cup)).text


def test_a_stranger_does_not_learn_who_has_asked(client):
    cup = open_cup(places=2, format="progressive")
    for number in range(4):
        client.post(url_of(cup), {"name": f"Vera {number} abc", "partner": "", "contact": ""})
    known, unknown = "Vera 2 abc", "Wanda Nobody"
    said = []
    for name in (unknown, known):
        stranger = Client()
        stranger.get(url_of(cup))
        before = stranger.get(url_of(cup)).context["waiting"]
        data = {"name": name, "partner": "", "contact": ""}
        answer = stranger.post(url_of(cup), data, follow=True)
        after = stranger.get(url_of(cup)).context["waiting"]
        said.append((answer.context["waits"] - before, after - before))
    assert said == [(1, 1), (1, 1)]
    request = {"name": known.upper(), "partner": "", "contact": ""}
    assert client.post(url_of(cup), request, follow=True).context["waits"] == 1


def test_a_forged_cookie_is_nobodys(client):
    cup = open_cup(places=2)
    request = cup.requests.create(name="Vera", contact="", made_at=EIGHT)
    client.cookies[SENT] = f"{request.pk}:x"
    client.post(url_of(cup), {"name": "Vera", "partner": "", "contact": ""})
    assert cup.requests.count() == 2


def test_a_pair_that_asks_is_entered_players_of_the_club_by_name_others_as_guests(client):
    cup = open_cup()
    data = {"name": "rose", "partner": "Vera Volk", "contact": "0151"}
    answer = client.post(url_of(cup), data, follow=True)
    assert "Vera Volk" in answer.content.decode()
    client.force_login(a_user(club=cup.club))
    page = client.get(url_of(cup, "tournament_entries")).content.decode()
    assert "0151" in page
    request = cup.requests.get()
    answer = client.post(url_of(cup, "tournament_accept", request.pk), follow=True)
    assert "Entered: Rose &amp; Vera Volk." in answer.content.decode()
    entry = cup.entries.select_related("member", "partner").get()
    assert (entry.member.name, entry.partner.name, entry.partner.is_guest) == (
        "Rose",
        "Vera Volk",
        True,
    )
    assert Member.objects.filter(club=cup.club).count() == 5
    assert not cup.requests.exists()


def test_the_form_is_open_only_while_the_organiser_offers_places_and_nothing_is_drawn(client):
    cup = open_cup(format="progressive")
    home = reverse("club", args=[cup.club.slug])
    assert url_of(cup) in client.get(home).text
    assert "Enter online" in client.get(url_of(cup, "tournament")).content.decode()
    assert "partner" not in client.get(url_of(cup)).context["form"].fields
    actions.enter_present(cup, by=TEST, at=EIGHT)
    drawn(cup)
    closed = client.get(url_of(cup))
    assert closed.status_code == 404
    assert "Entry is closed" in closed.text
    assert url_of(cup, "tournament") in closed.text
    assert url_of(cup) not in client.get(home).text
    fields = {"name": "Vera", "partner": "", "contact": ""}
    assert refusal(actions.request_entry, cup, **fields, by=TEST, at=EIGHT) == "not-open"
    assert "Entry is closed" in client.post(url_of(cup), fields).text
    cup.club.visibility = "members"
    cup.club.save()
    for method in (client.get, client.post):
        private = method(url_of(cup))
        assert (private.status_code, cup.name in private.text) == (302, False)


def test_a_refused_request_comes_back_complete_and_too_many_have_to_wait(client):
    cup = open_cup()
    answer = client.post(url_of(cup), {"name": "…", "partner": "Ann", "contact": "me@example.org"})
    assert answer.status_code == 422
    assert {'value="Ann"', 'value="me@example.org"'} <= set(answer.content.decode().split())
    for number in range(ASKS.most):
        client.post(url_of(cup), {"name": f"Vera {number}", "partner": "", "contact": ""})
    answer = client.post(url_of(cup), {"name": "Zoe", "partner": "", "contact": ""})
    assert "Try again in" in answer.content.decode()
    assert (answer.status_code, int(answer["Retry-After"]) > 0) == (429, True)


def test_a_name_that_no_player_may_have_is_refused_at_once(client):
    cup = open_cup()
    answer = client.post(url_of(cup), {"name": "V" * 61, "partner": "W" * 61, "contact": ""})
    assert [*answer.context["form"].errors] == ["name", "partner"]
    client.post(url_of(cup), {"name": "V" * 60, "partner": "W" * 60, "contact": ""})
    actions.accept_request(cup.requests.get(), by=TEST, at=EIGHT)


def test_a_pair_is_two_people(client):
    cup = open_cup()
    same = {"name": "Vera Pike", "partner": "VERA pike", "contact": ""}
    assert "two different players" in client.post(url_of(cup), same).content.decode()


def test_requests_and_how_to_reach_people_go_when_the_tournament_is_closed():
    cup = open_cup()
    fields = {"name": "Vera", "partner": "", "contact": "0151"}
    actions.request_entry(cup, **fields, by=TEST, at=EIGHT)
    actions.cancel_tournament(cup, by=TEST, at=EIGHT)
    assert not EntryRequest.objects.exists()


def test_a_request_is_answered_once():
    cup = open_cup(format="progressive")
    request = asks_for(cup, "Vera")
    other = EntryRequest.objects.select_related("tournament").get(pk=request.pk)
    actions.accept_request(request, by=TEST, at=EIGHT)
    assert refusal(actions.decline_request, other, by=TEST) == "answered"
    assert refusal(actions.accept_request, other, by=TEST, at=EIGHT) == "answered"


def asks_for(cup, name, partner=""):
    fields = {"name": name, "partner": partner, "contact": ""}
    return actions.request_entry(cup, **fields, by=TEST, at=EIGHT)


def test_a_name_like_a_players_waits_until_the_organiser_has_said_who_it_is(client):
    cup = open_cup(format="progressive")
    rose = cup.club.members.get(name="Rose")
    client.force_login(a_user(club=cup.club))
    request = asks_for(cup, "R\N{CYRILLIC SMALL LETTER O}se")
    page = client.get(url_of(cup, "tournament_entries"))
    assert f'<option value="{rose.public_id}">Rose</option>' in page.content.decode()
    accept = url_of(cup, "tournament_accept", request.pk)
    for said in ({}, {"name": "no-such"}):
        client.post(accept, said)
        assert not cup.entries.exists()
    client.post(accept, {"name": rose.public_id})
    assert [entry.member for entry in cup.entries.all()] == [rose]
    twin = asks_for(cup, "R0se")
    client.post(url_of(cup, "tournament_accept", twin.pk), {"name": "new"})
    assert cup.club.members.filter(name="R0se", is_guest=True).exists()


def test_whoever_has_entered_or_comes_again_as_a_guest_is_not_entered_as_another(client):
    cup = open_cup()
    actions.accept_request(asks_for(cup, "Rose", "Vera Volk"), by=TEST, at=EIGHT)
    again = asks_for(cup, "rose", "Zoe")
    assert refusal(actions.accept_request, again, by=TEST, at=EIGHT) == "entered-already"
    cup.entries.all().delete()
    cup.session.attendances.all().delete()
    actions.accept_request(asks_for(cup, "Vera Volk", "Ann"), by=TEST, at=EIGHT)
    assert cup.club.members.filter(name="Vera Volk").count() == 1


def test_the_name_of_somebody_who_was_erased_waits_too():
    cup = open_cup(format="progressive")
    cup.session.attendances.all().delete()
    erase_member(cup.club.members.get(name="Ted"), by=TEST, at=EIGHT)
    request = asks_for(cup, "Ted")
    assert refusal(actions.accept_request, request, by=TEST, at=EIGHT) == "name-like"
    actions.accept_request(request, by=TEST, at=EIGHT, players={"name": "new"})
    assert cup.club.members.filter(name="Ted", is_guest=True).exists()


def test_the_public_form_tells_nobody_whose_name_one_is_like(client):
    cup = open_cup()
    data = {"name": "R0se", "partner": "Vera", "contact": ""}
    answer = client.post(url_of(cup), data, follow=True)
    assert answer.status_code == 200
    assert "Rose" not in answer.content.decode()


def test_an_open_form_has_a_poster_with_its_address_as_a_qr_code(client):
    cup = open_cup()
    client.force_login(a_user(club=cup.club))
    entries = client.get(url_of(cup, "tournament_entries")).content.decode()
    assert url_of(cup, "tournament_poster") in entries
    poster = client.get(url_of(cup, "tournament_poster"))
    assert poster.context["address"] == f"http://testserver{url_of(cup)}"
    assert 'class="qr"' in poster.content.decode()


def test_a_request_is_announced_on_the_tournaments_page_until_it_is_answered(client):
    cup = open_cup(format="progressive")
    asks_for(cup, "Vera")
    actions.enter_present(cup, by=TEST, at=EIGHT)
    drawn(cup)
    client.force_login(a_user(club=cup.club))
    page = url_of(cup, "tournament")
    assert "1 request to enter is waiting" in client.get(page).text
    actions.decline_request(cup.requests.get(), by=TEST)
    assert "to enter is waiting" not in client.get(page).text


def test_a_form_that_is_closed_has_no_poster(client):
    cup = a_tournament(4, "knockout", entered=False)
    client.force_login(a_user(club=cup.club))
    assert client.get(url_of(cup, "tournament_poster")).status_code == 404


def test_an_organiser_sees_that_a_player_who_asks_has_entered_or_asked_before(client):
    cup = open_cup(places=8)
    for name in ("Rose", "vera", "Vera"):
        client.cookies.clear()
        asks_for(cup, name)
    rose = cup.club.members.get(name="Rose")
    client.force_login(a_user(club=cup.club))
    text = client.get(url_of(cup, "tournament_entries")).text
    assert text.count("Vera is in another request too.") == 1
    assert "is already entered" not in text
    actions.enter(cup, rose, by=TEST, at=EIGHT)
    assert "Rose is already entered." in client.get(url_of(cup, "tournament_entries")).text
