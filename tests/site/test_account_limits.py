"""Forms about accounts are sent so often, and with passwords of a length, that cost little."""

import pytest
from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.test import Client
from django.urls import get_resolver

from league.limits import Limit
from league.members.sign_in import BY_ACCOUNT, BY_ADDRESS, WRONG_LINKS
from tests.architecture.test_addresses import addresses
from tests.site.signing_in import GOOD, signs_in, try_to_sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_a_password_of_a_thousand_characters_is_judged_and_a_longer_one_is_not(
    client, olive, hashed, django_user_model
):
    django_user_model.objects.create_user("lou", password="long " * 200)
    hashed.clear()
    assert signs_in(Client(), "long " * 200, login="lou")
    answer = try_to_sign_in(client, "x" * 1001)
    assert answer.status_code == 422
    assert "A password can have up to 1000 characters." in answer.content.decode()
    assert len(hashed) == 1


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/accounts/signup/", ("password1", "password2")),
        ("/accounts/password/change/", ("oldpassword",)),
        ("/accounts/password/change/", ("password1", "password2")),
        ("/accounts/reauthenticate/", ("password",)),
        ("/admin/password_change/", ("old_password",)),
        ("/admin/password_change/", ("new_password1", "new_password2")),
        ("/admin/league/user/add/", ("password1", "password2")),
    ],
)
def test_no_form_hashes_a_password_of_400_kilobytes(client, admin_user, hashed, path, fields):
    if "signup" not in path:
        client.force_login(admin_user)
    before = len(hashed)
    answer = client.post(path, {"username": "new", **dict.fromkeys(fields, "x" * 400_000)})
    assert answer.status_code == 422
    assert len(hashed) == before


def test_who_is_signed_in_cannot_guess_the_old_password_for_ever(client, olive, hashed):
    client.force_login(olive)
    sent = {
        "oldpassword": "guess",
        "password1": "tricky zebra 7 umbrella",
        "password2": "tricky zebra 7 umbrella",
    }
    for _ in range(15):
        answer = client.post("/accounts/password/change/", sent)
    assert answer.status_code == 429
    assert hashed.count("guess") == 10


def test_sign_ups_take_no_more_than_a_part_of_the_server(hashed, monkeypatch):
    monkeypatch.setattr("league.members.sign_up.SIGN_UPS", Limit(30, 60))

    def sign_up(number):
        form = {"username": f"bot{number}", "password1": GOOD, "password2": GOOD}
        return Client().post("/accounts/signup/", form, REMOTE_ADDR=f"10.0.{number // 12}.1")

    statuses = [sign_up(number).status_code for number in range(48)]
    assert statuses[:12] == [302] * 10 + [429] * 2
    assert len(hashed) == 30


# Every address of ours about accounts that takes a form, and why it may be sent without a limit.
NOT_LIMITED_HERE = {
    "account_login": "counted where the password is judged (test_sign_in.py)",
    "account_reauthenticate": "counted where the password is judged",
    "mfa_authenticate": "counted where the code is judged",
    "mfa_reauthenticate": "counted where the code is judged",
    "account_logout": "ends a session",
    "account_confirm_email": "a signed key, too long to guess",
    "account_confirm_login_code": "there is no signing in by codes in mail",
    "account_email_verification_sent": "shows a page",
    "account_inactive": "shows a page",
    "account_reset_password_done": "shows a page",
    "account_reset_password_from_key_done": "shows a page",
    "mfa_index": "shows a page",
    "mfa_activate_totp": "asks for the password; compares a code with one's own new secret",
    "mfa_deactivate_totp": "asks for the password",
    "mfa_generate_recovery_codes": "asks for the password",
    "mfa_view_recovery_codes": "asks for the password",
    "mfa_download_recovery_codes": "asks for the password",
}


def test_every_form_about_accounts_is_limited_or_stands_here_with_the_reason_why_not():
    patterns = addresses(get_resolver().url_patterns)
    names = {pattern.name for route, pattern in patterns if route.startswith("accounts/")}
    limited = {*BY_ADDRESS, *BY_ACCOUNT}
    assert names == (limited | set(NOT_LIMITED_HERE)) - {"admin:password_change"}
    assert not limited & set(NOT_LIMITED_HERE)


@pytest.mark.parametrize(
    "link", ["/accounts/confirm-email/x{}:y:z/", "/accounts/password/reset/key/1-x{}/"]
)
@pytest.mark.parametrize("method", ["get", "head"])
def test_links_of_mails_that_open_nothing_are_limited_by_address_and_right_ones_always_open(
    client, olive, link, method
):
    def status(number, **more):
        return getattr(client, method)(link.format(number), **more).status_code

    assert [status(number) for number in range(WRONG_LINKS.most)] == [200] * WRONG_LINKS.most
    assert int(client.get(link.format("last"))["Retry-After"]) > 0
    assert [status("last"), status("last", REMOTE_ADDR="192.0.2.9")] == [429, 200]
    address = EmailAddress.objects.create(user=olive, email="olive@example.org")
    reset = f"{user_pk_to_url_str(olive)}-{default_token_generator.make_token(olive)}"
    confirm = EmailConfirmationHMAC.create(address).key
    opened = client.get(f"/accounts/password/reset/key/{reset}/")
    assert opened.status_code == 302
    assert client.get(opened["Location"]).status_code == 200
    assert client.get(f"/accounts/confirm-email/{confirm}/").status_code == 200
