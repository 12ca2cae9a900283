"""A list pasted at check-in: it is shown before it adds new players."""

import pytest
from django.urls import reverse

from league.members.models import Member
from league.sessions.queries import present
from tests.builders import a_session, a_user, members_of
from tests.seating.nights import a_seating_club

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(client):
    club = a_seating_club()
    client.force_login(a_user(club=club))
    members_of(club, 11)
    return a_session(club)


def paste(client, night, names, **answers):
    page = reverse("checkin_paste", args=[night.club.slug, night.public_id])
    return client.post(page, {"names": names, **answers}, follow=True)


def names_of(night):
    return [member.name for member in present(night)]


def test_a_list_of_known_players_is_checked_in_at_once(client, night):
    paste(client, night, "1. Rose\n2. Ann")
    assert names_of(night) == ["Ann", "Rose"]


def test_a_list_with_new_names_is_shown_before_anyone_is_added(client, night):
    answer = paste(client, night, "Rose\nBring a pie\n" + "x" * 90)
    assert answer.status_code == 409
    page = " ".join(answer.content.decode().split())
    assert "Checks in 1 player: Rose" in page
    assert "1 name is new to the club." in page
    assert 'name="choice:Bring a pie"' in page
    assert "1 line is left out:" in page
    assert "<bdi>xxx" in page
    assert names_of(night) == []
    assert not Member.objects.filter(is_guest=True).exists()


def test_a_line_that_is_no_name_is_shown_also_among_known_players(client, night):
    bad = "x" * 90
    assert paste(client, night, f"Rose\n{bad}").status_code == 409
    assert names_of(night) == []
    answer = paste(client, night, f"Rose\n{bad}", **{f"choice:{bad[:80]}": ""})
    assert names_of(night) == ["Rose"]
    assert "Left out of the names: xxx" in answer.content.decode()


def test_one_button_does_what_was_shown(client, night):
    answers = {"choice:Vera": "", "choice:Bring a pie": "", "left_out": ["Bring a pie"]}
    answer = paste(client, night, "Rose\nVera\nBring a pie", **answers)
    assert names_of(night) == ["Rose", "Vera"]
    assert "Checked in 2 players. 1 was added as a guest." in answer.content.decode()


def test_a_name_added_to_the_list_since_is_shown_too(client, night):
    answer = paste(client, night, "Rose\nVera\nOtto", **{"choice:Vera": "", "left_out": ["Vera"]})
    assert answer.status_code == 409
    assert answer.context["pasted"].left_out == ["Vera"]
    assert names_of(night) == []


def test_an_earlier_spelling_checks_in_the_player(client, night):
    Member.objects.filter(name="Rose").update(former_names=["Rosalind Field"])
    paste(client, night, "Rosalind Field")
    assert names_of(night) == ["Rose"]


def test_a_deactivated_player_is_new_to_the_list(client, night):
    Member.objects.filter(name="Rose").update(retired_at="2026-01-01T00:00Z")
    assert [line.name for line in paste(client, night, "Rose").context["pasted"].new] == ["Rose"]


def test_a_couple_on_one_line_is_two_players_and_the_page_says_so(client, night):
    page = paste(client, night, "Rose\nJo & Pat Dumont").content.decode()
    assert "“Jo &amp; Pat Dumont” is more than one player: Jo Dumont, Pat Dumont." in page
    answers = {"choice:Jo Dumont": "", "choice:Pat Dumont": "", "left_out": ["Pat Dumont"]}
    paste(client, night, "Rose\nJo & Pat Dumont", **answers)
    assert names_of(night) == ["Jo Dumont", "Rose"]


def test_two_similar_names_on_one_list_are_two_players_with_a_remark_and_no_question(client, night):
    names = "Rose\nRosee\nJon Smithers\nJohn Smithers"
    answer = paste(client, night, names)
    assert not answer.context["pasted"].unanswered
    page = " ".join(answer.content.decode().split())
    assert "similar to Jon Smithers on this list" in page
    assert "similar to Rose on this list" in page
    answers = {f"choice:{name}": "" for name in ("Rosee", "Jon Smithers", "John Smithers")}
    paste(client, night, names, **answers)
    assert names_of(night) == ["John Smithers", "Jon Smithers", "Rose", "Rosee"]


def test_only_a_player_who_is_not_on_the_list_is_a_question(client, night):
    Member.objects.create(club=night.club, name="Jo Smithers")
    answer = paste(client, night, "Jon Smithers\nJohn Smithers")
    questions = [(line.name, line.like) for line in answer.context["pasted"].unanswered]
    assert questions == [("Jon Smithers", ("Jo Smithers",)), ("John Smithers", ("Jo Smithers",))]
    paste_again = {f"choice:{name}": "" for name, _like in questions}
    paste(client, night, "Jo Smithers\nJon Smithers\nJohn Smithers", **paste_again)
    assert names_of(night) == ["Jo Smithers", "John Smithers", "Jon Smithers"]


def test_the_question_about_a_name_taken_off_the_list_stops_nobody(client, night):
    Member.objects.create(club=night.club, name="Walter Dunn")
    Member.objects.create(club=night.club, name="Rosalind Pym")
    page = paste(client, night, "Rosalind Pym\nWalter Dunne").text
    form = page.partition('name="choice:Walter Dunne"')[2].partition("</fieldset>")[0]
    assert "required" not in form
    assert "Walter Dunne looks like" in paste(client, night, "Rosalind Pym\nWalter Dunne").text
    paste(client, night, "Rosalind Pym")
    assert names_of(night) == ["Rosalind Pym"]


def test_a_name_that_is_too_long_is_left_out_with_the_limit(client, night):
    page = " ".join(paste(client, night, "Vera\n" + "Annabel " * 9).text.split())
    assert "1 line is left out:" in page
    assert "A name has at most 60 letters." in page


def test_a_pasted_list_says_that_a_name_written_twice_is_left_out_once(client, night):
    page = paste(client, night, "Mary\nMary").content.decode()
    assert "The second Mary is left out." in page


def test_a_list_refused_on_saving_comes_back_with_all_choices(client, night):
    for name in ("Mary", "Mary", "John Smithers"):
        Member.objects.create(club=night.club, name=name)
    answers = {"choice:Vera": "", "choice:Pie": "", "left_out": ["Pie"]}
    answers["choice:Jon Smithers"] = "John Smithers"
    answer = paste(client, night, "Mary\nVera\nPie\nJon Smithers", **answers)
    page = " ".join(answer.content.decode().split())
    assert answer.status_code == 409
    assert "Two members are called Mary." in page
    assert 'name="left_out" value="Pie" checked' in page
    assert 'name="choice:Jon Smithers" value="John Smithers"' in page
    assert "Mary Vera Pie Jon Smithers</textarea>" in page
    assert names_of(night) == []


def test_a_guest_with_a_members_name_gets_a_name_that_tells_them_apart_or_the_same_one(
    client, night
):
    Member.objects.create(club=night.club, name="Mary")
    guest = reverse("checkin_guest", args=[night.club.slug, night.public_id])
    page = client.post(guest, {"name": "Mary"}).content.decode()
    assert 'name="name" value="Mary 2"' in page
    for name in ("Mary 2", "Mary"):
        added = {"name": name, "even_if_similar": "1"}
        assert client.post(guest, added).status_code == 302
    assert names_of(night) == ["Mary", "Mary 2"]
    page = client.post(guest, {"name": "Mary"}).content.decode()
    assert "Yes: Mary 1" in page
