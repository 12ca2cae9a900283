"""Cards that wait for an organiser are announced to them, and named one by one in the league."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from league.members.models import Club
from tests.builders import a_user
from tests.teams.leagues import matches, with_fixtures, written

pytestmark = pytest.mark.django_db


@pytest.fixture
def league():
    league = with_fixtures(pairs=1)
    Club.objects.update(confirm="opponent")
    league.club.refresh_from_db()
    return league


def signed_in(league, rank="owner", player=None):
    client = Client()
    user = a_user(f"{rank}{player.pk if player else ''}", club=league.club, rank=rank)
    if player:
        player.user = user
        player.save()
    client.force_login(user)
    return client


def texts(league, client):
    """What the club's front page, the list of leagues and the league's page say."""
    pages = [reverse(name, args=[league.club.slug]) for name in ("club", "team_leagues")]
    pages.append(reverse("team_league", args=[league.club.slug, league.public_id]))
    return [" ".join(strip_tags(client.get(page).content.decode()).split()) for page in pages]


def test_cards_that_no_captain_can_confirm_are_announced_to_organisers_and_named_in_the_league(
    league,
):
    organiser, member = signed_in(league), signed_in(league, "member")
    one, other = matches(league)[:2]
    written(one, side=0)
    home, listed, page = texts(league, organiser)
    assert "A card waits for you" in home
    assert "A card waits for you" in listed
    assert f"{one}: the card is waiting for you" in page
    written(other, side=1)
    home, listed, page = texts(league, organiser)
    assert "2 cards wait for you" in home
    assert "2 cards wait for you" in listed
    assert f"No other captain can confirm them: {one}, {other}." in page
    assert not [text for text in texts(league, member) if "wait for you" in text]
    league.secretary = league.club.members.create(name="Sue")
    league.save()
    secretary = signed_in(league, "member", player=league.secretary)
    assert all("2 cards wait for you" in text for text in texts(league, secretary))


def test_a_card_that_a_captain_confirms_waits_for_organisers_only_where_they_confirm_all(league):
    signed_in(league, "member", player=matches(league)[0].away.captain)
    organiser = signed_in(league)
    written(matches(league)[0], side=0)
    assert not [text for text in texts(league, organiser) if "waits for you" in text]
    Club.objects.update(confirm="organiser")
    assert all("A card waits for you" in text for text in texts(league, organiser)[:2])
