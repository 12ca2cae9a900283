"""Signing in: who knows the password gets in, guesses are slowed down before they are hashed."""

import re
from contextlib import suppress

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth import hashers
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.password_validation import validate_password
from django.core import mail
from django.core.exceptions import PermissionDenied, ValidationError
from django.test import Client, RequestFactory
from django.urls import reverse

from league.errors import Refused
from league.limits import NOT_BEFORE
from league.members import sign_in
from league.members.models import LimitCount, User
from league.members.sign_in import IN_A_CROWD, OF_ACCOUNT_NOW, ON_DEVICE
from tests.builders import a_user
from tests.site.signing_in import ELSEWHERE, GOOD, a_known_device, guess, signs_in, try_to_sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_the_right_password_signs_in(client, olive):
    assert signs_in(client)


def test_after_five_wrong_passwords_a_sixth_try_is_refused_without_hashing(client, olive, hashed):
    assert {answer.status_code for answer in guess(5)} == {200}
    before = len(hashed)
    answer = try_to_sign_in(client, GOOD)
    assert (answer.status_code, answer["Retry-After"]) == (429, "2")
    assert "Try again in 2 seconds." in answer.content.decode()
    assert "_auth_user_id" not in client.session
    assert len(hashed) == before


def test_guesses_of_one_password_are_slowed_down_more_and_more(olive, clock):
    waits = []
    for _ in range(19):
        (answer,) = guess(1)
        if answer.status_code == 429:
            waits.append(int(answer["Retry-After"]))
            clock.shift(waits[-1])
    assert waits[:2] == [2, 4]
    assert waits[-2:] == [60, 60]
    assert signs_in(Client(), REMOTE_ADDR="192.0.2.9")


def test_an_owner_gets_in_whatever_others_guess_elsewhere(client, olive, clock):
    for _ in range(6):
        guess(6, **ELSEWHERE)
        assert signs_in(Client())
        clock.shift(50)


def test_a_known_device_gets_in_whatever_is_guessed_at_its_own_address_too(olive, clock):
    device = a_known_device()
    for number in range(30):
        guess(1, REMOTE_ADDR=f"10.0.0.{number % 4}")
        guess(1, login=f"nobody{number}")
    assert guess(6)[-1].status_code == 429
    assert signs_in(device)


def test_wrong_passwords_on_a_known_device_keep_nobody_out_elsewhere(olive):
    device = a_known_device()
    last = [try_to_sign_in(device, "mistyped") for _ in range(ON_DEVICE.most + 1)][-1]
    assert last.status_code == 429
    assert signs_in(Client())
    assert signs_in(a_known_device())


def test_a_device_is_known_to_the_accounts_that_signed_in_from_it_alone(olive, hashed):
    a_user("ann")
    device = a_known_device("ann")
    guess(5)
    assert try_to_sign_in(device, GOOD).status_code == 429
    device.cookies["device"] = device.cookies["device"].value.replace(".", f".{olive.pk}.", 1)
    assert try_to_sign_in(device, GOOD).status_code == 429


def test_a_shared_device_is_known_to_everybody_who_signed_in_from_it(olive):
    a_user("ann")
    device = a_known_device()
    assert signs_in(device, login="ann")
    device.post("/accounts/logout/")
    for login in ("olive", "ann"):
        guess(6, login=login)
        assert signs_in(device, login=login)
        device.post("/accounts/logout/")


def test_the_device_cookie_goes_to_the_pages_about_accounts_alone(client, olive):
    cookie = try_to_sign_in(client, GOOD).cookies["device"]
    assert (cookie["path"], cookie["samesite"]) == ("/accounts/", "Lax")
    assert cookie["httponly"]
    assert "olive" not in cookie.value


def test_ten_failures_from_the_halls_one_address_keep_no_organiser_out(olive):
    for number in range(10):
        guess(1, login=f"mistyped{number}")
    assert signs_in(Client())


def test_forty_people_sign_in_behind_one_address_at_once(django_user_model):
    coded = hashers.make_password(GOOD)
    for number in range(40):
        django_user_model.objects.create(username=f"user{number}", password=coded)
    assert all(signs_in(Client(), login=f"user{number}") for number in range(40))


def names_of_nobody(seconds, computer, address):
    """Wrong passwords for a new name each time, a tenth of a second after the last answer."""
    begun, number = computer.now, 0
    while computer.now - begun < seconds:
        number += 1
        tried(f"nobody{computer.now}", address(number))
        computer.now += 0.1


def tried(login, address):
    """A wrong password judged, or refused, without the page around it."""
    request = RequestFactory().post("/accounts/login/", REMOTE_ADDR=address)
    with suppress(PermissionDenied, Refused):
        sign_in.OneHash().authenticate(request, username=login, password="wrong password")


@pytest.mark.parametrize(
    ("takes", "address"),
    [
        pytest.param(1.09, lambda _number: "192.0.2.9", id="another"),
        pytest.param(0.2, lambda _number: "127.0.0.1", id="the same"),
        pytest.param(0.2, lambda n: f"10.1.{n // 250 % 4}.{n % 250}", id="a thousand, quickly"),
        pytest.param(1.09, lambda n: f"10.1.{n // 250 % 4}.{n % 250}", id="a thousand, slowly"),
    ],
)
def test_who_tries_new_names_all_the_time_keeps_no_new_device_waiting(
    olive, computer, takes, address
):
    computer.hash_takes = takes
    for _ in range(2):
        names_of_nobody(8, computer, address)
        assert signs_in(Client())


def test_wrong_passwords_take_a_third_of_the_time_also_where_hashing_is_slow(
    olive, computer, hashed
):
    computer.hash_takes = takes = 1.09
    for number in range(20):
        a_user(f"user{number}")
    hashed.clear()
    begun = computer.now
    for number in range(200):
        tried(f"user{number % 20}", f"10.0.{number % 200}.1")
        tried(f"nobody{number}", f"10.1.{number % 200}.1")
        computer.now += 0.1
    free = 2 * (sign_in.HashingBudget.RESERVE + takes) + 20 * sign_in.FEW_WRONG * takes
    assert len(hashed) * takes <= free + (computer.now - begun) / 3


def test_right_passwords_take_nothing_from_the_time_for_wrong_ones(client, olive, computer):
    assert signs_in(client)
    assert sign_in.shared_budget.left() == sign_in.HashingBudget.RESERVE
    guess(1)
    assert sign_in.shared_budget.left() < sign_in.HashingBudget.RESERVE


def test_in_a_crowd_a_wrong_password_is_answered_alike_for_an_account_and_for_nobody(
    olive, computer, hashed
):
    sign_in.shared_budget.spend(60)
    answers, before, left = [], len(hashed), sign_in.shared_budget.left()
    for login in ("olive", "nobody"):
        begun = computer.now
        (answer,) = guess(1, login=login, **ELSEWHERE)
        assert answer.wsgi_request.META[NOT_BEFORE] == begun + IN_A_CROWD
        assert begun + IN_A_CROWD > computer.now
        answers.append((answer.status_code, answer["Retry-After"], answer.content.decode()))
    assert answers[0][:2] == answers[1][:2] == (429, "5")
    assert "Too many wrong passwords are being tried. Check yours." in answers[0][2]
    assert answers[0][2] == answers[1][2]
    assert len(hashed) == before + 1
    # Nor does the crowd last longer by it.
    assert sign_in.shared_budget.left() == pytest.approx(left + 0.2 * sign_in.HashingBudget.SHARE)
    last = [guess(5, login=login, **ELSEWHERE)[-1] for login in ("olive", "nobody")]
    assert [(one.status_code, one["Retry-After"]) for one in last] == [(429, "5")] * 2


def test_when_all_the_time_is_taken_known_devices_and_accounts_that_few_have_tried_get_in(
    olive, computer, hashed
):
    a_user("bill")
    device = a_known_device()
    guess(sign_in.FEW_WRONG)
    sign_in.shared_budget.spend(60)
    sign_in.account_budget.spend(sign_in.HashingBudget.RESERVE + 1)
    before = len(hashed)
    assert try_to_sign_in(Client(), GOOD).status_code == 429
    assert len(hashed) == before
    assert signs_in(device)
    assert signs_in(Client(), login="bill")
    computer.now += 7
    assert signs_in(Client())


def test_right_passwords_again_and_again_are_limited_too(olive, hashed):
    browsers = [Client() for _ in range(25)]
    statuses = [try_to_sign_in(browser, GOOD).status_code for browser in browsers]
    assert statuses == [302] * 20 + [429] * 5
    browsers[0].post("/accounts/logout/")
    assert signs_in(browsers[0])


@pytest.mark.parametrize(
    "disguise",
    [
        lambda number: {"HTTP_HOST": f"localhost:{8000 + number}"},
        lambda number: {"REMOTE_ADDR": f"2001:db8::{number:x}"},
        lambda number: {"HTTP_X_FORWARDED_FOR": f"10.0.0.{number}"},
        lambda number: {"HTTP_X_REQUESTED_WITH": "XMLHttpRequest"},
        lambda number: {"HTTP_USER_AGENT": f"Mozilla/{number}"},
    ],
)
def test_guesses_in_disguise_are_counted_together(olive, hashed, disguise):
    for number in range(12):
        guess(1, **disguise(number))
    assert len(hashed) == 5


def test_names_are_counted_together_in_any_spelling(olive, hashed):
    for login in ("olive", "OLIVE", " olive ", "Olive") * 4:
        guess(1, login=login)
    assert len(hashed) == 5


@pytest.mark.parametrize("login", ["olive:127.0.0.1", "127.0.0.1:olive", "all"])
def test_no_name_that_is_typed_counts_for_anything_else(olive, login, monkeypatch):
    monkeypatch.setattr("league.limits.SWEEP_EVERY", 10**9)
    guess(6, login=login, **ELSEWHERE)
    before = LimitCount.objects.count()
    guess(3)
    assert LimitCount.objects.count() - before == 6  # all are new
    assert signs_in(Client())


@pytest.mark.parametrize("email", ["olive@club.example", "nobody@club.example"])
def test_a_refusal_does_not_tell_whose_an_address_is(olive, hashed, email):
    EmailAddress.objects.create(user=olive, email="olive@club.example", verified=True)
    statuses = [guess(1, login=login)[0].status_code for login in ["olive"] * 6 + [email] * 6]
    assert statuses == ([200] * 5 + [429]) * 2


def test_the_password_asked_once_more_is_counted_like_the_first(client, olive, hashed):
    client.force_login(olive)
    for _ in range(9):
        answer = client.post("/accounts/reauthenticate/", {"password": "guess"})
    assert answer.status_code == 429
    assert len(hashed) == 5


def test_a_name_of_sixty_kilobytes_is_nobodys(client, olive, hashed):
    assert try_to_sign_in(client, GOOD, login="x" * 60_000).status_code == 200
    assert len(hashed) == 1


def test_who_is_signed_in_as_somebody_else_cannot_take_counts_back(olive, hashed):
    a_user("mallory")
    guess(5)
    before, mallory = len(hashed), Client()
    signs_in(mallory, login="mallory")
    signs_in(mallory, login="olive", password="guess")
    assert guess(1)[0].status_code == 429
    assert len(hashed) == before + 1  # her own


def test_an_account_that_is_switched_off_is_judged_and_not_signed_in(client, olive, hashed):
    olive.is_active = False
    olive.save()
    answer = try_to_sign_in(client, GOOD)
    assert answer.url == "/accounts/inactive/"
    assert (len(hashed), "_auth_user_id" in client.session) == (1, False)


def test_owners_see_that_somebody_guesses(client, olive):
    guess(3, **ELSEWHERE)
    assert signs_in(client)
    try_to_sign_in(a_known_device(), "mistyped")
    page = client.get("/you/").content.decode()
    assert "3 wrong passwords for your account in the last 24 hours" in page


def test_a_link_to_reset_the_password_signs_in_whatever_is_guessed(client, olive):
    EmailAddress.objects.create(user=olive, email="olive@club.example", verified=True)
    guess(7)
    for number in range(25):
        Client().post("/accounts/password/reset/", {"email": f"nobody{number}@club.example"})
        Client().post("/accounts/password/reset/key/1-set-password/", {"password1": "x"})
    client.post("/accounts/password/reset/", {"email": "olive@club.example"})
    link = re.search(r"http://127.0.0.1:8000(/\S+)", mail.outbox[0].body).group(1)
    page = client.get(link, follow=True)
    new = {"password1": "tricky zebra 7 umbrella", "password2": "tricky zebra 7 umbrella"}
    client.post(page.request["PATH_INFO"], new)
    assert client.session["_auth_user_id"] == str(olive.pk)
    client.post("/accounts/logout/")
    assert signs_in(client, "tricky zebra 7 umbrella")


def test_the_admin_sends_strangers_to_the_sign_in_page_that_counts(client, olive, hashed):
    for answer in (client.get("/admin/login/"), client.post("/admin/login/", {"password": "x"})):
        assert answer.status_code == 302
        assert answer.url.startswith("/accounts/login/")
    assert hashed == []


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


def test_an_address_that_has_tried_an_account_waits_for_other_addresses_too(olive, hashed):
    for number in range(12):
        for _ in range(sign_in.FIRST_HERE + 1):
            tried("olive", f"198.51.{number}.7")
    assert len(hashed) == 12 * sign_in.FIRST_HERE + OF_ACCOUNT_NOW.most


@pytest.mark.parametrize("neighbour", ["198.51.100.{}", "2001:db8:7:{}::1"])
def test_addresses_of_one_provider_have_few_first_tries_together(olive, hashed, neighbour):
    for number in range(60):
        tried("olive", neighbour.format(number))
    assert len(hashed) == sign_in.FIRST_AROUND + OF_ACCOUNT_NOW.most
    assert signs_in(Client(), REMOTE_ADDR="2001:db8:8::1")


def test_where_the_account_has_signed_in_before_a_first_try_is_judged_in_any_crowd(olive, computer):
    assert signs_in(Client())
    for number in range(sign_in.FEW_WRONG):
        tried("olive", f"198.51.{number}.7")
    sign_in.shared_budget.spend(60)
    sign_in.account_budget.spend(60)
    assert signs_in(Client())
    assert not signs_in(Client(), **ELSEWHERE)


def test_a_burst_of_wrong_passwords_holds_everybody_up_for_a_second_or_so(olive, computer, hashed):
    computer.hash_takes = 0.3
    for number in range(60):
        tried(f"nobody{number}", f"198.51.{number}.7")
        tried("olive", f"198.51.{number}.7")
    assert len(hashed) * computer.hash_takes < 2


def test_a_new_device_gets_in_while_thirty_other_addresses_try_its_account(olive):
    a_user("bill")
    for number in range(30):
        for _ in range(4):
            tried("olive", f"198.51.100.{number}")
    assert signs_in(Client(), login="bill", REMOTE_ADDR="192.0.2.77")
    assert not signs_in(Client(), REMOTE_ADDR="198.51.100.4")
    assert signs_in(Client(), REMOTE_ADDR="192.0.2.78")


def test_an_account_is_found_by_its_session_as_django_finds_it(olive):
    found, right = (backend().get_user(olive.pk) for backend in (sign_in.OneHash, ModelBackend))
    for name in (field.attname for field in User._meta.concrete_fields):
        value = getattr(right, name)
        assert (type(getattr(found, name)), getattr(found, name)) == (type(value), value)
    assert sign_in.OneHash().get_user(olive.pk + 1) is None


def test_an_account_that_is_switched_off_is_out_with_its_next_page(client, olive):
    assert signs_in(client)
    assert client.get(reverse("you")).status_code == 200
    User.objects.update(is_active=False)
    assert client.get(reverse("you")).status_code == 302
