"""What several tests about accounts need: a clock that stands still, Olive, passwords counted."""

import pytest
import time_machine
from django.contrib.auth import hashers

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
