"""What several tests about accounts need: a clock that stands still, Olive, passwords counted."""

from dataclasses import dataclass

import pytest
import time_machine
from django.contrib.auth import hashers

from league.members import sign_in
from tests.builders import EIGHT
from tests.site.signing_in import GOOD


@pytest.fixture
def clock():
    with time_machine.travel(EIGHT, tick=False) as clock:
        yield clock


@pytest.fixture
def olive(django_user_model):
    return django_user_model.objects.create_user("olive", password=GOOD)


@pytest.fixture
def hashed(monkeypatch):
    """The passwords that were hashed: those of accounts and of nobody alike."""
    count = []
    encode = hashers.MD5PasswordHasher.encode

    def counting(hasher, password, salt):
        count.append(password)
        return encode(hasher, password, salt)

    monkeypatch.setattr(hashers.MD5PasswordHasher, "encode", counting)
    return count


@dataclass
class Computer:
    """One on which time passes as it is told to, and by hashing."""

    now: float = 1000.0
    hash_takes: float = 0.2


@pytest.fixture
def computer(monkeypatch, hashed):
    computer, encode = Computer(), hashers.MD5PasswordHasher.encode

    def slowly(hasher, password, salt):
        computer.now += computer.hash_takes
        return encode(hasher, password, salt)

    monkeypatch.setattr(hashers.MD5PasswordHasher, "encode", slowly)
    monkeypatch.setattr(sign_in, "monotonic", lambda: computer.now)
    monkeypatch.setattr(sign_in, "shared_budget", sign_in.HashingBudget())
    monkeypatch.setattr(sign_in, "account_budget", sign_in.HashingBudget())
    return computer
