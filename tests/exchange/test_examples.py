"""Every example that an import page offers comes in as it is."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from league.teams import actions
from tests.builders import TEST, a_club, a_user, rulesets_of
from tests.teams.leagues import a_league

pytestmark = pytest.mark.django_db


def sent_back(client, address, kind="csv"):
    """The page after the example of an import page was sent back."""
    examples = client.get(address).context["examples"]
    (example,) = (one for one in examples if one.endswith(kind))
    content = b"".join(client.get(example))
    return client.post(address, {"file": SimpleUploadedFile(f"x.{kind}", content)})


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_example_of_each_import_page_comes_in(client, kind):
    club = a_club()
    rulesets_of(club)
    for name in ("Rose", "Ann", "Ted", "Bill"):
        club.members.create(name=name)
    client.force_login(a_user(club=club))
    for what in ("people", "sessions", "results", "tournaments", "hands"):
        seen = sent_back(client, reverse(f"import_{what}", args=[club.slug]), kind)
        assert seen.status_code == 200, (what, seen.context["seen"].part)
        assert not seen.context["seen"].has_troubles, what


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_examples_of_a_leagues_teams_and_fixtures_come_in_one_after_the_other(client, kind):
    league = a_league(0)
    args = [league.club.slug, league.public_id]
    client.force_login(a_user(club=league.club))
    for what in ("teams", "fixtures"):
        address = reverse(f"import_{what}", args=args)
        seen = sent_back(client, address, kind).context
        assert not seen["seen"].has_troubles, (what, seen["seen"].part)
        agreed = {"carried": seen["carried"], "agreed": seen["seen"].agreed}
        client.post(address, {**agreed, "match": seen["matched"].to_text()})
    assert (league.teams.count(), league.matches.count()) == (2, 2)


def test_the_example_of_fixtures_has_the_teams_that_are_entered(client):
    league = a_league(0)
    for name in ("Mermaid", "Anchor"):
        actions.save_team(league, None, name=name, venue="", roomy=False, names=[], by=TEST)
    client.force_login(a_user(club=league.club))
    address = reverse("import_fixtures", args=[league.club.slug, league.public_id])
    assert not sent_back(client, address).context["seen"].has_troubles
