"""New passwords: what is easy to guess is refused wherever a password can be chosen."""

import io
import time

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.password_validation import (
    password_validators_help_texts,
    validate_password,
)
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.urls import reverse

from league.members.models import User
from league.passwords import LOOKED_AT, HardToGuess
from tests.builders import a_club, a_user

pytestmark = pytest.mark.django_db
OLD, GOOD, EASY = "correct horse battery", "tulip anchor mosaic", "Password2026"

ABOUT_THE_SITE = [
    "euchre2026",
    "rightbower",
    "RightBower2026!",
    "right-bower-2026",
    "Left Bower!!",
    "3uchr3club99",
    "euchreclubnight2026",
    "iloveeuchre2026",
    "trumptrump99",
    "aceofspades",
    "jackofhearts1",
    "Tr1ck-taker",
    "loneHand2026",
]
COMMON = [
    "Password2026",
    "P@ssw0rd!!2026",
    "Ｐａｓｓｗｏｒｄ２０２６",
    "p a s s w o r d",
    "drowssap2026",
    "Summer2026!",
    "Welcome2026!",
    "iloveyou2026",
    "Michael1985!",
    "2026-11-22!!",
    "Pässwörd2026",
    "Pass\u200bword2026",
    "+44 7700 900123",
    "correct horse battery staple",
]
KEYS_AND_REPETITION = [
    "qwertzuiop",
    "1q2w3e4r5t6y",
    "zaq12wsxcde3",
    "!QAZ2wsx#EDC",
    "asdfghjkl;'",
    "aaaaaaaaaaaaaaaa",
    "abababababab",
    "1234567890987654321",
    "passwordpassword",
]
ABOUT_THE_PERSON = ["OliveMarchbanks1", "olivem.2026!!", "Thursday-Whist-1", "thursdaywhist2026"]
WELL_CHOSEN = [
    "correct horse battery",
    "hall-brick-ember",
    "vX9#kQ2m!pLz",
    "kjfwqmzuxe",
    "euchre tulip anchor mosaic",
    "3 geese over Leeds",
    "šáña ж漢字😀 " * 6,
    "#x)k&*q%_+!mv",
]


@pytest.mark.parametrize("password", ABOUT_THE_SITE + COMMON + KEYS_AND_REPETITION)
def test_a_password_that_is_easy_to_guess_is_refused(password):
    with pytest.raises(ValidationError):
        validate_password(password)


@pytest.mark.parametrize("password", ABOUT_THE_PERSON)
def test_one_made_of_the_person_or_their_club_is_refused(password):
    a_club("Thursday Whist")
    olive = User(username="olivem", display_name="Olive Marchbanks", email="o@example.org")
    with pytest.raises(ValidationError):
        validate_password(password, olive)


@pytest.mark.parametrize("password", WELL_CHOSEN)
def test_words_that_have_nothing_to_do_with_each_other_are_taken(password):
    validate_password(password, User(username="olive"))


def test_the_sentence_says_why_and_what_to_do():
    for password, why in [
        ("asdfghjkl;'", "row of keys"),
        ("abababababab", "repeats"),
        ("Password2026", "common words, names or dates"),
        ("euchre club night", "names and card-game words don't count"),
    ]:
        with pytest.raises(ValidationError, match=why) as caught:
            HardToGuess().validate(password)
        assert "Use three or four unrelated words." in str(caught.value)
    assert "Names and card-game words don't count." in HardToGuess().get_help_text()


def test_a_long_password_is_judged_by_its_beginning_and_soon():
    """Every sign stands for several letters: without the bound this takes seconds."""
    hard = "870<36{2|(5%45969<{2|@|7$4{352(9%1<20(335+([5!2%2%1|$142|{1{@9|%12(<%65%"
    begun = time.process_time()
    HardToGuess().validate(hard * 100)
    assert time.process_time() - begun < 2
    with pytest.raises(ValidationError):
        HardToGuess().validate("a" * LOOKED_AT + hard)


# -- wherever a password is chosen ----------------------------------------------------------------


@pytest.fixture
def olive(client):
    user = a_user("olive", club=a_club(), rank="owner")
    client.force_login(user)
    return user


def chosen(password):
    return {"password1": password, "password2": password}


def test_signing_up(client, settings):
    settings.SIGN_UP = "open"
    form = {"username": "kit", "email": ""}
    assert "card-game words" in client.get(reverse("account_signup")).content.decode()
    answer = client.post(reverse("account_signup"), form | chosen(EASY))
    assert "easy to guess" in answer.content.decode()
    assert client.post(reverse("account_signup"), form | chosen(GOOD)).status_code == 302


def test_changing_it(client, olive):
    page = reverse("account_change_password")
    answer = client.post(page, {"oldpassword": OLD} | chosen(EASY))
    assert "easy to guess" in answer.content.decode()
    assert client.post(page, {"oldpassword": OLD} | chosen(GOOD)).status_code == 302


def test_choosing_another_by_a_link_from_a_mail(client, olive):
    client.logout()
    uid, token = user_pk_to_url_str(olive), default_token_generator.make_token(olive)
    link = reverse("account_reset_password_from_key", kwargs={"uidb36": uid, "key": token})
    page = client.get(link)["Location"]
    assert "easy to guess" in client.post(page, chosen(EASY)).content.decode()
    assert client.post(page, chosen(GOOD)).status_code == 302


def test_the_administrator_changing_it(client, olive):
    olive.is_staff = olive.is_superuser = True
    olive.save()
    page = reverse("admin:auth_user_password_change", args=[a_user("kit").pk])
    answer = client.post(page, chosen(EASY) | {"usable_password": "true"})
    assert "easy to guess" in answer.content.decode()


def test_making_an_administrator(monkeypatch):
    typed = iter([EASY, EASY, GOOD, GOOD])
    commands = "django.contrib.auth.management.commands.createsuperuser"
    monkeypatch.setattr(f"{commands}.getpass.getpass", lambda *_: next(typed))
    monkeypatch.setattr("builtins.input", lambda _: "n")
    said = io.StringIO()
    terminal = type("Terminal", (), {"isatty": lambda self: True})()
    call_command(
        "createsuperuser", username="kim", email="", stdin=terminal, stderr=said, verbosity=0
    )
    assert "easy to guess" in said.getvalue()
    assert User.objects.get(username="kim").check_password(GOOD)


def test_making_one_without_questions(monkeypatch):
    making = {"interactive": False, "username": "kim", "email": "kim@example.org", "verbosity": 0}
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", EASY)
    with pytest.raises(CommandError, match="easy to guess"):
        call_command("createsuperuser", **making)
    monkeypatch.setenv("DJANGO_SUPERUSER_PASSWORD", GOOD)
    call_command("createsuperuser", **making)
    assert User.objects.get(username="kim").check_password(GOOD)


def test_what_a_password_needs_has_one_kind_of_apostrophe():
    """Django's sentences had curly ones beside the straight ones of the site."""
    assert "’" not in "".join(password_validators_help_texts())
