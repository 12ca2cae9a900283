"""Signing in: attempts are counted before a password is hashed; rules for new passwords."""

import pytest
from django.contrib.auth import hashers
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

pytestmark = pytest.mark.django_db
GOOD = "correct horse battery"


@pytest.fixture
def olive(django_user_model):
    return django_user_model.objects.create_user("olive", password=GOOD)


@pytest.fixture
def hashed(monkeypatch):
    """Counts the passwords that were hashed, hits and misses."""
    count = []
    verify = hashers.verify_password

    def counting(password, encoded, preferred="default"):
        count.append(password)
        return verify(password, encoded, preferred)

    monkeypatch.setattr(hashers, "verify_password", counting)
    return count


def try_to_sign_in(client, password, login="olive", **extra):
    return client.post("/accounts/login/", {"login": login, "password": password}, **extra)


def test_the_right_password_signs_in(client, olive):
    assert try_to_sign_in(client, GOOD).status_code == 302


def test_after_five_wrong_passwords_a_sixth_try_is_refused_without_hashing(client, olive, hashed):
    for _ in range(5):
        try_to_sign_in(client, "wrong password")
    before = len(hashed)
    assert before >= 5
    answer = try_to_sign_in(client, GOOD)
    assert answer.status_code == 200
    assert "_auth_user_id" not in client.session
    assert len(hashed) == before


def test_one_address_may_not_try_many_names(client, olive, hashed):
    for number in range(10):
        try_to_sign_in(client, "wrong password", login=f"nobody{number}")
    before = len(hashed)
    try_to_sign_in(client, GOOD)
    assert len(hashed) == before


def test_another_address_is_not_locked_out_by_that(client, olive):
    for number in range(10):
        try_to_sign_in(client, "wrong password", login=f"nobody{number}")
    assert try_to_sign_in(client, GOOD, REMOTE_ADDR="192.0.2.7").status_code == 302


def test_attempts_are_counted_where_every_process_sees_them():
    from tests.site.test_settings import KEY, value_of

    backend = value_of("settings.CACHES['default']['BACKEND']", SECRET_KEY=KEY)
    assert backend == "django.core.cache.backends.db.DatabaseCache"


def test_the_admin_sends_strangers_to_the_sign_in_page_that_counts(client):
    answer = client.get("/admin/login/")
    assert answer.status_code == 302
    assert answer.url.startswith("/accounts/login/")


@pytest.mark.parametrize("password", ["short1234", "password123", "1234567890"])
def test_a_short_or_well_known_password_is_refused(password):
    with pytest.raises(ValidationError):
        validate_password(password)


@pytest.mark.parametrize("password", ["grün tisch", "xqvm zkpw ", "käse und brot " * 10])
def test_any_other_password_of_ten_or_more_characters_is_taken(password):
    validate_password(password)


def test_a_password_of_two_hundred_characters_signs_in(client, django_user_model):
    long = "many words in a row " * 10
    django_user_model.objects.create_user("lou", password=long)
    assert try_to_sign_in(client, long, login="lou").status_code == 302
