"""The second step of signing in: how often a code is tried, and what ends it."""

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from django.core.cache import cache
from django.test import Client

from league.members.sign_in import WRONG_CODES
from tests.site.signing_in import ELSEWHERE, GOOD, a_known_device, try_to_sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clock")]


def test_codes_of_the_second_step_are_few_and_a_known_device_has_its_own(olive):
    device = a_known_device()
    Authenticator.objects.create(
        user=olive, type="totp", data={"secret": totp.generate_totp_secret()}
    )
    elsewhere = Client()
    assert try_to_sign_in(elsewhere, GOOD, **ELSEWHERE).url == "/accounts/2fa/authenticate/"
    wrong = {"code": "000000"}
    tries = [elsewhere.post("/accounts/2fa/authenticate/", wrong) for _ in range(6)]
    assert [answer.status_code for answer in tries] == [200] * WRONG_CODES.most + [429]
    assert try_to_sign_in(device, GOOD).url == "/accounts/2fa/authenticate/"
    assert device.post("/accounts/2fa/authenticate/", wrong).status_code == 200


def test_a_second_step_ends_with_the_password_it_began_with_alone(olive):
    secret = totp.generate_totp_secret()
    Authenticator.objects.create(user=olive, type="totp", data={"secret": secret})

    def second_step(client):
        code = totp.format_hotp_value(
            totp.hotp_value(secret, next(totp.yield_hotp_counters_from_time()))
        )
        return client.post("/accounts/2fa/authenticate/", {"code": code})

    late, soon = Client(), Client()
    try_to_sign_in(late, GOOD, **ELSEWHERE)
    olive.set_password("tricky zebra 7 umbrella")
    olive.save()
    assert second_step(late).url == "/accounts/login/"
    assert "_auth_user_id" not in late.session
    cache.clear()
    try_to_sign_in(soon, "tricky zebra 7 umbrella", **ELSEWHERE)
    second_step(soon)
    assert soon.session["_auth_user_id"] == str(olive.pk)


def test_who_has_lost_the_phone_reads_what_to_do(olive):
    secret = {"secret": totp.generate_totp_secret()}
    Authenticator.objects.create(user=olive, type="totp", data=secret)
    device = Client()
    try_to_sign_in(device, GOOD, **ELSEWHERE)
    page = device.get("/accounts/2fa/authenticate/").content.decode()
    assert "Lost your phone? Enter one of your recovery codes instead." in page
    RecoveryCodes.activate(olive)
    code = Authenticator.objects.get(user=olive, type="recovery_codes").wrap().get_unused_codes()[0]
    assert device.post("/accounts/2fa/authenticate/", {"code": code}).status_code == 302
    device.post("/accounts/reauthenticate/", {"password": GOOD})
    assert "If you lose your phone" in device.get("/accounts/2fa/recovery-codes/").content.decode()
