"""Days that no club can play on are refused by every form that asks for a day."""

import importlib

import pytest
from django import forms
from django.urls import reverse

from league.members.validators import validate_day
from tests.architecture.source import modules
from tests.builders import a_club, a_user

NEVER = ("0001-01-01", "1899-12-31", "2201-01-01", "9999-12-31")


@pytest.mark.django_db
@pytest.mark.parametrize("day", NEVER)
@pytest.mark.parametrize(
    ("page", "field", "data"),
    [
        ("session_new", "held_on", {"name": "Thursday"}),
        ("season_new", "starts_on", {"name": "Autumn", "counts": "total"}),
        ("season_new", "ends_on", {"name": "Autumn", "counts": "total", "starts_on": "2026-01-01"}),
        ("team_league_new", "starts_on", {"name": "League", "pairs": "3"}),
    ],
)
def test_a_day_of_no_club_is_refused_at_its_field(client, page, field, data, day):
    club = a_club(time_zone="America/Toronto")
    client.force_login(a_user(club=club))
    answer = client.post(reverse(page, args=[club.slug]), {**data, field: day})
    assert answer.status_code == 422
    assert "from 1900 to 2200" in answer.content.decode()
    assert not club.sessions.exists()
    assert not club.seasons.exists()


def days_of_plain_forms():
    for name in modules():
        if name.startswith("league.") and "form" in name and "formats" not in name:
            for form in vars(importlib.import_module(name)).values():
                if isinstance(form, type) and issubclass(form, forms.Form):
                    for field, field_class in form.base_fields.items():
                        if isinstance(field_class, forms.DateField):
                            yield f"{form.__name__}.{field}", field_class


def test_every_day_of_a_plain_form_has_the_rule():
    found = dict(days_of_plain_forms())
    assert found
    assert [
        name for name, field_class in found.items() if validate_day not in field_class.validators
    ] == []
