"""One rule for every name and line that people write, whichever way it comes in."""

import json

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.urls import reverse

from league.exchange.archive_restoring import BadArchive, restore
from league.exchange.archive_writing import archive_of
from league.members.fields import (
    CopiedField,
    FormNameField,
    LineField,
    LinesField,
    NameField,
    NamesField,
)
from league.members.forms.clubs import NewClubForm
from league.members.models import Club, Member, new_public_id
from league.seasons.forms import DivisionsForm, NextSeasonForm, SeasonForm
from league.sessions.forms import NewSessionForm
from league.standings.forms import PotForm
from league.teams.cup_forms import CupForm
from league.teams.forms import DeductForm, LeagueForm, TeamForm
from league.tournaments.forms import TournamentForm
from tests.builders import EIGHT, TEST, a_club, a_session, a_user, members_of

BAD = [
    "Ro\u202ese",
    "Ro\u200bse",
    "Ro\x07se",
    "Rose\ue000",
    "Rose\u0378",
    "\ud800",
    "R\u0301\u0301\u0301\u0301\u0301",
]
NAMES = [
    pytest.param(field, id=f"{model.__name__}.{field.name}")
    for model in apps.get_app_config("league").get_models()
    for field in model._meta.local_fields
    if isinstance(field, LineField)
]


@pytest.mark.parametrize("field", NAMES)
def test_every_name_and_line_of_a_model_is_judged_and_composed(field):
    for text in BAD:
        with pytest.raises(ValidationError):
            field.clean(text, None)
    assert field.clean(" Jose\u0301  W ", None) == "José W"


@pytest.mark.parametrize("text", ["", "   ", "...", "\u2800"])
def test_a_name_needs_a_letter_or_a_digit(text):
    with pytest.raises(ValidationError):
        NameField(max_length=60).clean(text, None)
    with pytest.raises(ValidationError):
        FormNameField().clean(text)


def test_a_line_may_be_a_sign_alone_as_money_is():
    assert LineField(max_length=8).clean(" € ", None) == "€"


def test_each_line_of_a_longer_text_is_composed_and_judged():
    field = LinesField(max_length=600, blank=True)
    assert field.clean("\r\n Jose\u0301  W \r\n\r\n€ 3\n", None) == "José W\n\n€ 3"
    for text in BAD:
        with pytest.raises(ValidationError):
            field.clean(f"Rose\n{text}", None)


def test_earlier_spellings_are_names_too():
    with pytest.raises(ValidationError):
        NamesField().run_validators(["Rose", "Ro\u202ese"])
    with pytest.raises(ValidationError):
        NamesField().run_validators([1])


def test_a_copied_name_shows_what_could_not_be_seen():
    assert CopiedField(max_length=60).to_python("Ro\u202ese") == "Ro\ufffdse"
    assert CopiedField(max_length=60).to_python("علی\u200cرضا") == "علی\u200cرضا"


@pytest.mark.django_db
@pytest.mark.parametrize("bad", BAD)
def test_every_form_refuses_such_a_name_at_its_field(bad):
    club = a_club()
    forms = {
        "name": [
            NewClubForm({"name": bad}),
            SeasonForm({"name": bad}, club=club),
            NextSeasonForm({"name": bad}, club=club),
            NewSessionForm({"name": bad}, club=club),
            TournamentForm({"name": bad}, format="swiss"),
            LeagueForm({"name": bad}, club=club),
            TeamForm({"name": bad}),
            CupForm({"name": bad}),
            PotForm({"name": bad}, scope=a_session(club), beaten="euchred", today=EIGHT.date()),
        ],
        "names": [
            DivisionsForm({"names": f"Upper\n{bad}", "moving": "1"}),
            TeamForm({"name": "Aces", "names": bad}),
        ],
        "venue": [TeamForm({"name": "Aces", "venue": bad})],
        "reason": [DeductForm({"points": "1", "reason": bad})],
    }
    taken = [form for field, those in forms.items() for form in those if field not in form.errors]
    assert taken == []


def spoilt(data, model, field, value):
    data["rows"][model][0][field] = value
    return data


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("model", "field"),
    [
        ("Club", "name"),
        ("Club", "currency"),
        ("Club", "welcome"),
        ("Member", "name"),
        ("Member", "former_names"),
    ],
)
def test_an_archive_with_such_a_name_is_not_restored(model, field):
    club = a_club()
    a_session(club, members_of(club, 2))
    data = json.loads(json.dumps(archive_of(club, at=EIGHT)))
    bad = ["Ro\u202ese"] if field == "former_names" else "Ro\u202ese"
    with pytest.raises(BadArchive, match=rf"{model} \d+, {field}:"):
        restore(spoilt(data, model, field, bad), by=TEST, slug="again")


@pytest.mark.django_db
def test_a_name_stored_before_this_rule_is_read_and_the_form_says_what_is_wrong(client):
    club = a_club()
    olive = a_user(club=club)
    old = Member.objects.create(club=club, name="Ro\u200bse")
    client.force_login(olive)
    page = reverse("member_edit", args=[club.slug, old.public_id])
    assert client.get(page).status_code == 200
    data = {"name": old.name, "shown": "club", "email": "rose@example.org"}
    answer = client.post(page, data)
    assert answer.status_code == 422
    assert "invisible characters" in answer.content.decode()
    assert client.post(page, data | {"name": "Rose"}).status_code == 302
    assert Club.objects.get().members.get().name == "Rose"


def test_an_id_does_not_begin_with_a_hyphen_which_a_command_takes_for_an_option(monkeypatch):
    monkeypatch.setattr("secrets.token_urlsafe", lambda _n: "-Ab3_x-9QwE2")
    assert new_public_id() == "_Ab3_x-9QwE2"
