"""Signing in and guessing, as the tests about accounts do it."""

from django.test import Client

GOOD = "correct horse battery"
ELSEWHERE = {"REMOTE_ADDR": "192.0.2.7"}


def try_to_sign_in(client, password, login="olive", **extra):
    return client.post("/accounts/login/", {"login": login, "password": password}, **extra)


def guess(times, login="olive", **extra):
    """Wrong passwords from a browser that nobody has signed in from."""
    return [try_to_sign_in(Client(), "wrong password", login, **extra) for _ in range(times)]


def signs_in(client, password=GOOD, login="olive", **extra):
    return try_to_sign_in(client, password, login, **extra).status_code == 302


def a_known_device(login="olive"):
    """A browser from which this account has signed in, and out again."""
    client = Client()
    assert signs_in(client, login=login)
    client.post("/accounts/logout/")
    assert "_auth_user_id" not in client.session
    return client
