"""New user names that pose as an account, a club or the site: refused, digits for letters too."""

import pytest
from django.core.exceptions import ValidationError
from django.core.management import call_command
from django.urls import reverse

from league.members.fields import FOR_SIGN_UP, validate_new_username
from league.members.models import User
from tests.builders import a_club, a_user

pytestmark = pytest.mark.django_db
POSES = {
    "mara": ["rnara", "rnar4", "rn4ra", "rn4r4", "RNAR4", "m4r4", "M.4.r.a"],
    "rose": ["ro5e", "r0s3", "R0-5E", "r053"],
    "ted": ["t3d", "7ed", "73d", "T_3_d"],
    "ann": ["4nn", "4NN", "4-nn"],
    "bob": ["8ob", "b06", "60b", "808"],
    "gus": ["9us", "gu5", "6u5", "9u5"],
    "zoe": ["2oe", "20e", "z03", "203"],
    "r2d2": ["rzd2", "r2dz"],
}
OFFICES = [
    *("admin", "administrator", "root", "support", "system", "owner", "rightbower", "webmaster"),
    *("Admin", "4dmin", "adm1n", "4dm1n", "adrnin", "a.d.m.i.n", "r00t", "5y573m", "0wn3r"),
    *("admin1", "admin2026", "admins", "site-admin", "the.owner", "Supp0rt-Team2", "right-bower"),
    *("rightbower.support", "r1gh7b0w3r", "organizer", "score_keeper", "visitor", "no-reply"),
]


def refusals(name):
    """The codes of what a sign-up says to this user name."""
    found = []
    for validate in FOR_SIGN_UP:
        try:
            validate(name)
        except ValidationError as error:
            found.append(error.code)
    return found


@pytest.mark.parametrize("name", POSES)
def test_digits_in_a_user_name_are_read_as_the_letters_they_are_typed_for(name):
    a_user(name)
    assert [pose for pose in POSES[name] if refusals(pose) != ["looks-alike"]] == []


def test_user_names_that_differ_in_a_number_are_two():
    for name in ("ann1988", "team4", "bob"):
        a_user(name)
    others = ["ann1986", "ann1998", "ann1989", "team9", "team6", "bob2", "bobby", "rob"]
    assert [name for name in others if refusals(name)] == []


@pytest.mark.parametrize("name", OFFICES)
def test_a_user_name_that_speaks_for_the_site_is_refused_at_sign_up(name):
    assert refusals(name) == ["office"]


def test_names_with_such_a_word_in_them_are_free():
    names = ["joe.root", "rootes", "supporter", "downer", "anna-owner", "adminka", "systema", "ted"]
    assert [name for name in names if refusals(name)] == []


def test_the_form_says_that_the_name_is_for_the_site(client):
    page = reverse("account_signup")
    typed = {"username": "4dmin", "password1": "tall-lamp-47-river"}
    answer = client.post(page, typed | {"password2": typed["password1"]})
    assert "This user name is for the site itself." in answer.content.decode()
    assert not User.objects.exists()


def test_the_web_address_of_a_club_is_refused_in_the_words_that_an_accounts_name_is():
    """Of a club that strangers may not see, too: they do not learn that it is there."""
    a_club("Cedar Street Euchre", "cedar-street")
    a_user("rose")
    for name in ("cedar-street", "cedarstreet", "C3dar.5treet"):
        assert refusals(name) == ["looks-alike"]
    messages = set()
    for name in ("cedar-street", "rose"):
        with pytest.raises(ValidationError) as caught:
            validate_new_username(name)
        messages.add(caught.value.message)
    assert len(messages) == 1


def test_a_club_may_have_the_user_name_of_an_account_as_its_web_address():
    rose = a_user("rose")
    a_club("Rose", "rose")
    rose.full_clean()


def test_the_first_administrator_may_be_called_so(monkeypatch):
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", "tall-lamp-47-river")
    call_command("createsuperuser", interactive=False, username="admin", email="")
    User.objects.get(username="admin").full_clean()
    assert refusals("root") == ["office"]
