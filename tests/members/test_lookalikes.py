"""Names that look like another's: asked about for players, teams, clubs; refused for accounts."""

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from league.errors import Refused
from league.members import actions
from league.members.models import Club, Member, User
from league.members.names import lookalike_key
from league.sessions.links import door_link
from league.teams.models import Team
from tests.builders import TEST, a_club, a_session, a_user
from tests.teams.leagues import a_league

OLIVES = [
    "оlive",
    "ｏｌｉｖｅ",
    "0live",
    "OIive",
    "o1ive",
    "Olive.",
    "ólive",
    "OLIVE",
    "𝓸𝓵𝓲𝓿𝓮",
    "oʟɪve",
]


def text(answer):
    return answer.content.decode()


@pytest.fixture
def club(db):
    return a_club()


@pytest.fixture
def organiser(client, club):
    client.force_login(a_user("secretary", club=club, rank="owner"))
    return client


@pytest.mark.parametrize("name", OLIVES)
def test_what_looks_the_same_has_one_look(name):
    assert lookalike_key(name) == lookalike_key("olive")


@pytest.mark.parametrize(
    ("one", "other"), [("Rose", "Ruth"), ("Ann", "Anna"), ("Игорь", "Ivan"), ("李雷", "李电")]
)
def test_other_names_have_other_looks(one, other):
    assert lookalike_key(one) != lookalike_key(other)


@pytest.mark.parametrize("name", ["Оlive Marsh", "0live Marsh", "Olive Marsh.", "Olive Marrsh"])
def test_a_player_who_looks_like_another_is_asked_about_and_the_form_comes_back(
    club, organiser, name
):
    actions.add_member(club, name="Olive Marsh", by=TEST)
    page = reverse("member_add", args=[club.slug])
    typed = {"name": name, "email": "o@example.org", "same_name": ""}
    answer = organiser.post(page, typed)
    assert answer.status_code == 409
    assert "Looks like Olive Marsh. Same person?" in text(answer)
    assert "Different player – add anyway" in text(answer)
    assert "o@example.org" in text(answer)
    assert organiser.post(page, typed | {"same_name": "on"}).status_code == 302
    assert club.members.count() == 2


def test_the_tick_is_not_shown_before_it_is_asked_for(club, organiser):
    assert "add anyway" not in text(organiser.get(reverse("member_add", args=[club.slug])))


def test_a_player_who_gets_a_like_name_is_asked_about_and_one_who_keeps_it_is_not(club, organiser):
    actions.add_member(club, name="Olive Marsh", by=TEST)
    ted = actions.add_member(club, name="Ted", by=TEST)
    page = reverse("member_edit", args=[club.slug, ted.public_id])
    typed = {"name": "0live Marsh", "shown": "club"}
    assert "Same person?" in text(organiser.post(page, typed))
    assert organiser.post(page, typed | {"same_name": "on"}).status_code == 302
    assert organiser.post(page, typed | {"email": "o@example.org"}).status_code == 302


def test_one_who_looks_like_a_person_who_was_erased_is_asked_about(club, organiser):
    rose = actions.add_member(club, name="Rose Winter", by=TEST)
    actions.erase_member(rose, by=TEST, at=rose.joined_at)
    page = reverse("member_add", args=[club.slug])
    assert "asked to be erased" in text(organiser.post(page, {"name": "Rose Winter"}))


def test_a_pasted_line_that_looks_like_a_player_waits_for_an_answer(club):
    actions.add_member(club, name="Olive Marsh", by=TEST)
    (line,) = actions.preview_people(club, text="Оlive Marsh")
    assert (line.verdict, line.like) == ("like", ("Olive Marsh",))


@pytest.mark.parametrize(
    ("known", "pasted"),
    [
        ("Mrs. Doreen Pike", "Doreen Pike"),
        ("Doreen Pike", "Miss Doreen Pike"),
        ('William "Bill" Tasker', "Bill Tasker"),
        ("William “Bill” Tasker", "William Tasker"),
        ("Peggy (Margaret) Lunn", "Margaret Lunn"),
        ("Margaret (Peggy) Lunn", "Mrs Peggy Lunn"),
        ("Margaret Lunn [Peggy]", "Peggy Lunn"),
        ("Peggy (Margaret) Lunn", "Margaret (Peggy) Lunn"),
        ("Rev. John Ames", "John Ames"),
        ("Dr Sheila O'Neill", "Sheila ONeil"),
    ],
)
def test_titles_nicknames_and_apostrophes_hide_no_player_from_a_pasted_list(club, known, pasted):
    actions.add_member(club, name=known, by=TEST)
    (line,) = actions.preview_people(club, text=pasted)
    assert (line.verdict, line.like) == ("like", (known,))


def test_two_lines_of_a_first_list_are_compared_without_their_titles(club):
    lines = actions.preview_people(club, text="Dr Sheila O'Neill\nSheila ONeil")
    assert [line.verdict for line in lines] == ["new", "like"]


@pytest.mark.parametrize(
    ("known", "pasted"),
    [("Mary Smith (Peg)", "Mary Smith (Jo)"), ("Old Bill Ames", "Young Bill Ames")],
)
def test_a_nickname_or_a_by_word_tells_two_players_of_one_name_apart(club, known, pasted):
    actions.add_member(club, name=known, by=TEST)
    (line,) = actions.preview_people(club, text=pasted)
    assert line.verdict == "new"


def test_at_the_door_a_like_name_is_asked_about_without_telling_whose_it_is(club, client):
    club.names_in_public = "hidden"
    club.save()
    actions.add_member(club, name="Olive Marsh", by=TEST)
    page = door_link(a_session(club, []))
    answer = client.post(page, {"name": "0live Marsh"})
    assert answer.status_code == 409
    assert "0live Marsh" in text(answer)
    assert "Olive Marsh" not in text(answer)
    assert client.post(page, {"name": "0live Marsh", "even_if_similar": "1"}).status_code == 302
    assert Member.objects.filter(is_guest=True).count() == 1


def test_a_list_at_check_in_is_asked_about_and_comes_back_complete(club, organiser):
    actions.add_member(club, name="Olive Marsh", by=TEST)
    session = a_session(club, [])
    page = reverse("checkin_paste", args=[club.slug, session.public_id])
    answer = organiser.post(page, {"names": "Ted\n0live Marsh"})
    assert answer.status_code == 409
    assert "0live Marsh looks like Olive Marsh." in text(answer)
    assert "Ted\n0live Marsh</textarea>" in text(answer)
    assert not session.attendances.exists()
    anyway = {"names": "Ted\n0live Marsh", "choice:0live Marsh": "", "choice:Ted": ""}
    assert organiser.post(page, anyway).status_code == 302
    assert session.attendances.count() == 2


def test_a_team_and_its_people_are_asked_about(club, organiser):
    league = a_league(1, club=club)
    page = reverse("team_new", args=[club.slug, league.public_id])
    typed = {"name": "R0vers", "names": "Ted\nAnn"}
    answer = organiser.post(page, typed)
    assert "Looks like Rovers. Same team?" in text(answer)
    typed = {"name": "United", "names": "Ted\nR0vers 1"}
    answer = organiser.post(page, typed)
    assert "R0vers 1 looks like Rovers 1." in text(answer)
    assert organiser.post(page, typed | {"same_name": "on"}).status_code == 302
    assert Team.objects.count() == 2


@pytest.mark.django_db
def test_a_club_that_looks_like_another_is_asked_about_without_telling_which(client):
    a_club("Cedar Street Euchre")
    client.force_login(a_user("ted"))
    typed = {"name": "Cedаr Street Euchre", "slug": "cedar", "time_zone": "UTC"}
    page = reverse("new_club")
    typed |= {field.html_name: field.initial for field in client.get(page).context["form"].rules}
    answer = client.post(page, typed)
    assert answer.status_code == 409
    assert "Another club on this site has a name or web address" in text(answer)
    assert client.post(page, typed | {"same_name": "on"}).status_code == 302
    typed |= {"name": "Elm Street", "slug": "ceda-r"}
    assert client.post(page, typed).status_code == 409
    assert Club.objects.count() == 2


def test_a_club_renamed_like_another_is_asked_about(club):
    other = a_club("Cedar Street Euchre", "cedar")
    with pytest.raises(Refused) as caught:
        actions.change_settings(other, by=TEST, name="Thursday Euchre.")
    assert caught.value.asks == "same_name"
    actions.change_settings(other, by=TEST, name="Thursday Euchre.", same_name=True)


def test_a_name_shown_to_others_that_looks_like_another_accounts_is_asked_about(club, client):
    a_user("olive", club=club)
    ann = a_user("ann", club=club, rank="member")
    client.force_login(ann)
    typed = {"display_name": "Оlive"}
    answer = client.post(reverse("you"), typed)
    assert answer.status_code == 409
    assert "Looks like olive. Same person?" in text(answer)
    assert client.post(reverse("you"), typed | {"same_name": "on"}).status_code == 302
    ann.refresh_from_db()
    assert ann.display_name == "Оlive"


def signing_up(client, username):
    typed = {"username": username, "password1": "tall-lamp-47-river"}
    return client.post(reverse("account_signup"), typed | {"password2": typed["password1"]})


@pytest.mark.django_db
@pytest.mark.parametrize("name", OLIVES)
def test_no_account_signs_up_under_a_name_that_looks_like_anothers(client, name):
    a_user("olive")
    answer = signing_up(client, name)
    assert answer.status_code == 200
    assert answer.context["form"].errors["username"]
    assert User.objects.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["ann.", ".ann", "a..b", "ann b", "а", "ann\u202e", "josé", "ann@example.org"]
)
def test_a_user_name_is_of_plain_characters(client, name):
    assert signing_up(client, name).context["form"].errors["username"]
    assert not User.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["ann", "Ann.B", "ann-b_2", "4you"])
def test_an_ordinary_user_name_signs_up(client, name):
    a_user("olive")
    assert signing_up(client, name).status_code == 302


@pytest.mark.django_db
def test_the_command_line_and_the_admin_refuse_such_user_names_too(client, monkeypatch):
    a_user("olive")
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "tall-lamp-47-river")
    for name in ("0live", "оlive", "ann."):
        with pytest.raises(CommandError):
            call_command("createsuperuser", interactive=False, username=name, email="")
    call_command("createsuperuser", interactive=False, username="keeper", email="")
    client.force_login(User.objects.get(username="keeper"))
    typed = {"username": "0live", "usable_password": "false", "password1": "", "password2": ""}
    answer = client.post(reverse("admin:league_user_add"), typed)
    assert "looks like one that is" in text(answer)


@pytest.mark.django_db
def test_an_account_from_before_keeps_its_name_and_is_helped_in_the_admin(client):
    old = a_user("Ольга.")
    client.force_login(User.objects.create_superuser("keeper", "", "x"))
    page = reverse("admin:league_user_change", args=[old.pk])
    typed = {"username": "Ольга.", "display_name": "Olga", "email": ""}
    assert client.post(page, typed).status_code == 302
    old.refresh_from_db()
    assert (old.display_name, old.is_active) == ("Olga", False)
