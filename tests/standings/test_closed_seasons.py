"""A closed season counts nothing more: what is planned in it leaves it, and nothing enters it."""

from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.errors import Refused
from league.play.actions import call_time
from league.play.models import Game
from league.seasons.models import Season
from league.sessions.actions import close_session, open_session, start_session
from league.sessions.models import Session
from tests.builders import EIGHT, TEST, a_session
from tests.pages import squeezed
from tests.standings.test_pot_settling import night, organiser
from tests.standings.test_season_pots import season

__all__ = ["night", "organiser", "season"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(night: Session, season: Season) -> Season:
    """The season, with its only session closed."""
    call_time(night.tables.get(), by=TEST, at=EIGHT)
    close_session(night, by=TEST, at=EIGHT)
    return season


def at(season: Season, name: str) -> str:
    return reverse(name, args=[season.club.slug, season.public_id])


def planned(season: Season, day: date) -> Session:
    return a_session(season.club, season=season, held_on=day, name="Later", state="planned")


def test_closing_a_season_names_the_sessions_planned_in_it_and_takes_them_out(
    organiser: Client, over: Season
) -> None:
    later = [planned(over, date(2026, 12, day)) for day in (6, 13)]
    refused = organiser.post(at(over, "season_close"))
    assert refused.status_code == 409
    says = "2 planned sessions are in this season: 6 December, 13 December."
    assert says in squeezed(refused.text)
    organiser.post(at(over, "season_close"), {"anyway": "on"})
    over.refresh_from_db()
    assert over.closed_at
    assert not Session.objects.filter(season=over, pk__in=[one.pk for one in later]).exists()


def test_reopening_a_season_offers_only_the_sessions_that_closing_took_out(
    organiser: Client, over: Season
) -> None:
    later = planned(over, date(2026, 12, 6))
    cup = a_session(over.club, held_on=date(2026, 12, 13), name="Harvest Cup", state="planned")
    organiser.post(at(over, "season_close"), {"anyway": "on"})
    organiser.post(at(over, "season_reopen"))
    page = squeezed(organiser.get(at(over, "season_standings")).text)
    assert "1 session between these dates counts in no season: Later." in page
    organiser.post(at(over, "season_take_in"))
    later.refresh_from_db()
    cup.refresh_from_db()
    assert (later.season, cup.season) == (over, None)


def test_a_planned_session_moves_to_the_next_open_season_of_its_day(
    organiser: Client, over: Season
) -> None:
    later = planned(over, date(2026, 12, 6))
    following = over.club.seasons.create(name="Winter", starts_on="2026-12-01")
    organiser.post(at(over, "season_close"), {"anyway": "on"})
    later.refresh_from_db()
    assert later.season == following


def test_a_season_whose_last_day_leaves_planned_sessions_behind_takes_them_out_with_one_press(
    organiser: Client, over: Season
) -> None:
    later = planned(over, date(2026, 12, 6))
    Season.objects.update(ends_on="2026-11-28")
    says = "1 session in this season is not within its dates: 6 December."
    assert says in squeezed(organiser.get(at(over, "season_standings")).text)
    organiser.post(at(over, "season_take_out"))
    later.refresh_from_db()
    assert later.season is None
    assert "not within its dates" not in organiser.get(at(over, "season_standings")).text


def test_a_session_played_after_the_seasons_last_day_is_named_and_taken_out_with_one_press(
    organiser: Client, night: Session, over: Season
) -> None:
    assert "not within" not in organiser.get(at(over, "season_standings")).text
    form = {"name": over.name, "starts_on": over.starts_on, "counts": over.counts}
    form["ends_on"] = night.held_on - timedelta(1)
    saved = squeezed(organiser.post(at(over, "season_edit"), form, follow=True).text)
    assert "1 session in this season is not within its dates: 19 November." in saved
    assert "Not within the season's dates, but counted: 19 November." in saved
    organiser.post(at(over, "season_take_out"))
    night.refresh_from_db()
    assert night.season is None


def test_a_new_season_offers_to_count_sessions_planned_in_its_dates(
    organiser: Client, over: Season
) -> None:
    a_session(over.club, held_on=date(2026, 12, 6), name="Sixth", state="planned")
    winter = over.club.seasons.create(name="Winter", starts_on="2026-12-01")
    page = squeezed(organiser.get(at(winter, "season_standings")).text)
    assert "1 session between these dates counts in no season: Sixth." in page


def test_no_session_is_put_into_or_opened_in_a_closed_season(
    organiser: Client, over: Season
) -> None:
    later = planned(over, date(2026, 12, 6))
    Season.objects.update(closed_at=EIGHT)
    over.refresh_from_db()
    with pytest.raises(Refused, match="Autumn is closed"):
        open_session(later, by=TEST, at=EIGHT)
    with pytest.raises(Refused, match="Autumn is closed"):
        start_session(over.club, season=over, by=TEST, at=EIGHT)
    address = reverse("session_open", args=[over.club.slug, later.public_id])
    page = organiser.post(address, follow=True).text
    assert "Autumn is closed. Reopen it first, or choose another season." in page
    days = {"name": "New", "held_on": timezone.now().date() + timedelta(1)}
    new = organiser.post(reverse("session_new", args=[over.club.slug]), days | {"season": over.pk})
    assert new.status_code == 422


def test_what_stands_against_closing_a_season_is_said_on_its_page_with_the_way_on(
    organiser: Client, night: Session, over: Season
) -> None:
    Session.objects.filter(pk=night.pk).update(state="open")
    unfinished = reverse("disputes", args=[over.club.slug, night.public_id])
    page = organiser.post(at(over, "season_close"))
    assert page.status_code == 409
    assert f'<a href="{unfinished}?close=1">Close the session: {night.name}</a>' in page.text
    assert "Close the season</button>" in page.text
    close_session(night, by=TEST, at=EIGHT)
    Game.objects.update(state=Game.State.DISPUTED)
    page = organiser.post(at(over, "season_close"))
    assert "choose “Don&#x27;t count this game” on its page" in page.text
    assert f'<a href="{unfinished}">Unfinished games: {night.name}</a>' in page.text
