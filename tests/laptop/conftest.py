"""The site as `right-bower` starts it on a laptop, without a server around it."""

import pytest
from django.test import Client

LAN = "192.168.1.20"


@pytest.fixture
def laptop(settings, tmp_path, monkeypatch):
    """Settings of a laptop whose only address for phones is `LAN`."""
    settings.LAPTOP, settings.LAPTOP_RUN, settings.DATA_FOLDER = "club", "this-run", tmp_path
    settings.PORT = 8710
    settings.ALLOWED_HOSTS = ["127.0.0.1"]
    settings.MIDDLEWARE = ["league.laptop.access.OwnComputer", *settings.MIDDLEWARE]
    monkeypatch.setattr("league.network._own.current", lambda: [LAN])
    return settings


@pytest.fixture
def at_it(laptop):
    """A browser on the laptop itself."""
    return Client(headers={"host": "127.0.0.1:8710"})


@pytest.fixture
def phone(laptop):
    """A phone on the hall's Wi-Fi."""
    return Client(headers={"host": f"{LAN}:8710"}, REMOTE_ADDR="192.168.1.77")
