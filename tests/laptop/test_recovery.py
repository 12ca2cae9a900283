"""The words of the recovery sheet open the club's key, and nothing else does."""

import pytest
from django.test import Client
from django.urls import reverse

from league.laptop.actions import WORDS, make_sheet, open_sheet
from tests.laptop.test_first_run import FORM


def test_the_words_open_the_key_however_they_are_typed():
    words, kept = make_sheet("the-secret-key")
    assert len(words) == WORDS
    assert "the-secret-key" not in kept
    assert open_sheet(kept, " ".join(words)) == "the-secret-key"
    assert open_sheet(kept, "\n".join(word.upper() for word in words)) == "the-secret-key"
    assert open_sheet(kept, ",".join(word[:4] for word in words)) == "the-secret-key"


def test_no_other_words_do():
    words, kept = make_sheet("the-secret-key")
    assert open_sheet(kept, " ".join(reversed(words))) is None
    assert open_sheet(kept, " ".join(words[:-1])) is None
    assert open_sheet(kept, "") is None
    assert open_sheet("{}", " ".join(words)) is None
    assert open_sheet("no json", " ".join(words)) is None
    assert open_sheet("[" * 9_999, " ".join(words)) is None


def test_each_sheet_has_words_of_its_own():
    assert make_sheet("key")[0] != make_sheet("key")[0]


@pytest.mark.django_db
def test_a_laptop_without_mail_offers_one_way_to_a_new_password_and_it_works_there(at_it, settings):
    at_it.post("/start/club/", FORM)
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    sign_in = Client(headers={"host": "127.0.0.1:8710"}).get("/accounts/login/").content.decode()
    assert "/accounts/password/reset/" not in sign_in
    assert sign_in.count("Forgotten") == 1
    assert "/computer/password/" in sign_in
    offered = at_it.get("/computer/recovery/").content.decode()
    assert reverse("club", args=["cedar-street"]) in offered
    without = at_it.get("/computer/password/").content.decode()
    assert "no recovery sheet" in without
    assert "Set password" not in without  # no words would do
    assert f"right-bower --folder {settings.DATA_FOLDER} changepassword," in without
