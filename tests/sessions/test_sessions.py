"""A club night: its name and date, opening and closing, and its clock."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal

import pytest
from django.urls import reverse

from league.errors import Refused
from league.members.models import Club, Member
from league.sessions import actions
from league.sessions.forms import SessionForm
from league.sessions.models import Session
from league.sessions.queries import clock_at, local_date
from league.standings.actions import add_pot, record_payment
from league.templatetags import figures
from tests.builders import TEST, a_club, a_ruleset, a_session, a_user

pytestmark = pytest.mark.django_db
AT = datetime(2026, 11, 19, 19, 0, tzinfo=UTC)


def test_a_new_session_is_tonights_and_named_after_its_date():
    night = actions.start_session(a_club(), by=TEST, at=AT)
    assert (night.name, night.held_on, night.state) == (
        "Thursday 19 November",
        date(2026, 11, 19),
        "open",
    )


def test_a_second_session_of_a_day_gets_a_name_of_its_own():
    club = a_club()
    names = [actions.start_session(club, by=TEST, at=AT).name for _time in range(3)]
    assert names == [f"Thursday 19 November{more}" for more in ("", " (2)", " (3)")]


def test_a_name_that_a_form_had_for_today_follows_the_day_that_is_chosen():
    later = {"name": "Thursday 19 November", "held_on": date(2026, 11, 26)}
    night = actions.start_session(a_club(), by=TEST, at=AT, **later)
    assert night.name == "Thursday 26 November"


@pytest.mark.parametrize(
    ("held_on", "name", "said"),
    [
        (date(2026, 11, 19), "Thursday 19 November (2)", ""),
        (date(2026, 10, 29), "Harvest Cup", "Thursday 29 October"),
        (date(2025, 11, 20), "Thursday 20 November", "20 November 2025"),
    ],
)
def test_a_date_stands_once_beside_a_name_and_its_year_where_it_is_another(
    monkeypatch, held_on, name, said
):
    monkeypatch.setattr(figures.timezone, "localdate", lambda: date(2026, 11, 22))
    assert figures.date_beside(held_on, name) == said


def test_a_session_belongs_to_the_date_on_the_clubs_own_wall():
    club = a_club(time_zone="America/Vancouver")
    past_midnight_in_london = datetime(2026, 11, 20, 4, 30, tzinfo=UTC)
    assert local_date(club, past_midnight_in_london) == date(2026, 11, 19)
    night = actions.start_session(club, by=TEST, at=past_midnight_in_london)
    assert night.held_on == date(2026, 11, 19)


def test_a_session_for_a_later_date_is_planned_and_logged_so():
    night = actions.start_session(a_club(), by=TEST, at=AT, held_on=date(2026, 11, 26))
    assert night.state == Session.State.PLANNED
    assert actions.open_session(night, by=TEST, at=AT).state == Session.State.OPEN
    assert [entry.action for entry in night.audit.all()] == ["open session", "plan session"]


def test_the_name_of_a_session_follows_the_date_it_is_named_after():
    changes = {"by": TEST, "at": AT, "season": None, "round_minutes": None}
    for name, moved in (("", "Thursday 26 November"), ("Harvest Cup", "Harvest Cup")):
        night = actions.start_session(a_club(slug=name or "x"), by=TEST, at=AT, name=name)
        day = date(2026, 11, 26)
        actions.change_session(night, name=night.name, held_on=day, **changes)
        night.refresh_from_db()
        assert night.name == moved
    actions.change_session(night, name="Final", held_on=date(2026, 12, 3), **changes)
    night.refresh_from_db()
    assert night.name == "Final"


def a_planned_session(**fields):
    club = a_club()
    season = club.seasons.create(name="Autumn", starts_on="2031-01-01", ends_on=date(2031, 6, 30))
    fields = {"held_on": date(2031, 3, 6), "season": season, "places": 16} | fields
    night = actions.start_session(club, by=TEST, at=AT, begins_at=time(19, 30), **fields)
    rules = a_ruleset(club)
    night.rulesets.add(rules)
    chosen = {"round_minutes": 25, "rounds_planned": 6, "measures": ["points"]}
    Session.objects.filter(pk=night.pk).update(seating_policy="fives", **chosen)
    night.refresh_from_db()
    return night


@pytest.mark.parametrize(
    ("name", "later"), [("", "Thursday 13 March"), ("Club night", "Club night")]
)
def test_the_same_is_planned_a_week_later_with_one_press(client, name, later):
    night = a_planned_session(name=name)
    at = [night.club.slug, night.public_id]
    client.force_login(a_user(club=night.club))
    assert "Plan the same a week later" in client.get(reverse("session", args=at)).text
    answer = client.post(reverse("session_repeat", args=at), follow=True)
    second = night.club.sessions.exclude(pk=night.pk).get()
    assert answer.redirect_chain[0][0] == reverse("session", args=[at[0], second.public_id])
    assert f"Planned: {later}." in answer.text
    assert (second.name, second.held_on, second.state) == (later, date(2031, 3, 13), "planned")
    copied = ["begins_at", "places", "season", "round_minutes", "rounds_planned", "measures"]
    for field in copied:
        assert getattr(second, field) == getattr(night, field), field
    again = client.post(reverse("session_repeat", args=at), follow=True)  # a second press
    assert again.redirect_chain == answer.redirect_chain
    assert f"{later} is already planned for the week after." in again.text
    assert "Plan the same a week later" in again.text
    assert night.club.sessions.count() == 2


def test_rules_and_table_sizes_for_one_session_are_not_those_of_the_week_after(client):
    night = a_planned_session()
    client.force_login(a_user(club=night.club))
    at = [night.club.slug, night.public_id]
    said = client.post(reverse("session_repeat", args=at), follow=True).text
    second = night.club.sessions.exclude(pk=night.pk).get()
    assert not second.rulesets.exists()
    assert second.seating_policy == ""
    assert "It has the club&#x27;s house rules and table sizes" in said
    third = [night.club.slug, second.public_id]
    assert (
        "table sizes:" not in client.post(reverse("session_repeat", args=third), follow=True).text
    )


def test_what_is_planned_a_week_later_has_the_same_pots_without_their_payments(client):
    night = a_planned_session()
    Club.objects.update(keeps_pots=True)
    rule = {"source": "entry", "payout": "places", "shares": ["60", "40"]}
    for name in ("Stakes", "Prize"):
        pot = add_pot(night, name=name, amount=Decimal("5.50"), **rule, by=TEST, at=AT)
    rose = Member.objects.create(club=night.club, name="Rose")
    record_payment(pot, rose, kind="stake", amount=Decimal(5), by=TEST, at=AT)
    client.force_login(a_user(club=night.club))
    at = [night.club.slug, night.public_id]
    answer = client.post(reverse("session_repeat", args=at), follow=True)
    assert "Planned: Thursday 13 March, with the same pots: Stakes, Prize." in answer.text
    second = night.club.sessions.exclude(pk=night.pk).get()
    for name, copy in zip(("Stakes", "Prize"), second.pots.all(), strict=True):
        assert (copy.name, copy.amount, copy.payments.count()) == (name, Decimal("5.50"), 0)
        assert {field: getattr(copy, field) for field in rule} == rule


def test_a_week_after_the_end_of_a_season_the_next_season_counts():
    night = a_planned_session(held_on=date(2031, 6, 26))
    assert actions.repeat_session(night, by=TEST, at=AT).season is None
    winter = night.club.seasons.create(name="Winter", starts_on=date(2031, 7, 1))
    night.club.sessions.exclude(pk=night.pk).update(name="Another")
    assert actions.repeat_session(night, by=TEST, at=AT).season == winter


@pytest.mark.parametrize("state", ["open", "closed"])
def test_tonights_session_is_planned_a_week_later_until_that_day_has_one(client, state):
    today = datetime.now(UTC).date()
    night = a_session(a_club(), state=state, held_on=today, name="Tonight")
    client.force_login(a_user(club=night.club))
    at = [night.club.slug, night.public_id]
    assert "Plan the same a week later" in client.get(reverse("session", args=at)).text
    client.post(reverse("session_repeat", args=at))
    later = night.club.sessions.get(state="planned")
    assert later.held_on == today + timedelta(days=7)
    assert "Plan the same a week later" not in client.get(reverse("session", args=at)).text
    later.name = "Another"
    later.save()
    there = client.post(reverse("session_repeat", args=at), follow=True)
    assert there.redirect_chain[0][0] == reverse("session", args=[at[0], later.public_id])
    assert "Another is already planned for the week after." in there.text
    assert night.club.sessions.count() == 2
    client.force_login(a_user("meg", club=night.club, rank="member"))
    assert "Plan the same a week later" not in client.get(reverse("session", args=at)).text


def test_what_is_long_past_is_not_planned_again():
    with pytest.raises(Refused) as refused:
        actions.repeat_session(a_session(a_club(), held_on=date(2020, 1, 1)), by=TEST, at=AT)
    assert refused.value.code == "session-not-planned"


def test_after_a_cancelled_week_the_cancelled_session_plans_the_next_one(client):
    today = datetime.now(UTC).date()
    night = a_session(a_club(), held_on=today, name="Euchre")
    off = a_session(night.club, held_on=today + timedelta(days=7), name="Euchre", state="cancelled")
    client.force_login(a_user(club=night.club))
    for one, offers in ((night, False), (off, True)):
        page = client.get(reverse("session", args=[night.club.slug, one.public_id])).text
        assert ("Plan the same a week later" in page) == offers
    assert actions.repeat_session(off, by=TEST, at=AT).held_on == today + timedelta(days=14)


def test_a_closed_season_gets_no_new_session():
    night = a_planned_session()
    running = night.season
    night.season = night.club.seasons.create(name="Over", starts_on="2020-01-01", closed_at=AT)
    night.save()
    assert actions.repeat_session(night, by=TEST, at=AT).season == running


def test_another_day_is_planned_from_the_upcoming_sessions_and_named_by_its_date(client):
    club = a_club()
    season = club.seasons.create(name="Now", starts_on=date(2020, 1, 1))
    client.force_login(a_user(club=club))
    plan = f"{reverse('sessions', args=[club.slug])}?plan"
    assert f'href="{plan}"' in client.get(reverse("coming", args=[club.slug])).text
    page = client.get(plan)
    _heading, _head, form = page.text.partition("<h2>Plan a session</h2>")
    assert form
    assert "Another name, date or season" not in form
    fields = page.context["form"]
    assert {field.name: field.value() for field in fields if field.value()} == {"season": season.pk}
    assert "Leave empty to name it by its date." in form
    typed = {"name": "", "held_on": "2031-03-07", "anyway": "on"}
    client.post(reverse("session_new", args=[club.slug]), typed)
    planned = club.sessions.get()
    assert (planned.name, planned.state) == ("Friday 7 March", "planned")
    assert f'href="{plan}"' in client.get(reverse("coming", args=[club.slug])).text
    wrong = client.post(f"{reverse('session_new', args=[club.slug])}?plan", {"held_on": "soon"})
    assert wrong.status_code == 422
    assert "<h2>Plan a session</h2>" in wrong.text


def test_another_clubs_season_is_not_taken():
    other = a_club(slug="other")
    season = other.seasons.create(name="Autumn", starts_on=date(2026, 9, 1))
    with pytest.raises(Refused) as refused:
        actions.start_session(a_club(), by=TEST, at=AT, season=season)
    assert refused.value.code == "unknown-season"


def test_a_session_is_closed_and_opened_again_and_both_are_written_down():
    night = a_session(a_club())
    actions.start_clock(night, by=TEST, at=AT, minutes=10)
    closed = actions.close_session(night, by=TEST, at=AT)
    assert (closed.state, closed.closed_at, clock_at(closed, AT)) == ("closed", AT, None)
    reopened = actions.open_session(night, by=TEST, at=AT)
    assert (reopened.state, reopened.closed_at) == ("open", None)
    assert set(night.audit.values_list("action", flat=True)) >= {"close session", "open session"}


def test_the_form_says_how_many_rounds_of_this_length_fit_into_an_evening():
    club = a_club(session_minutes=180)
    night = a_session(club, round_minutes=25)
    said = str(SessionForm(instance=night, club=club).fields["rounds_planned"].help_text)
    assert said.startswith("At most 7 rounds of 25 min fit in your club's 180 min. Shows")
    for minutes in (None, 200):
        night.round_minutes = minutes
        said = str(SessionForm(instance=night, club=club).fields["rounds_planned"].help_text)
        assert said.startswith("Shows players")


def test_cancelling_is_confirmed_on_the_page_of_the_settings(client):
    night = a_session(a_club())
    at = [night.club.slug, night.public_id]
    client.force_login(a_user(club=night.club))
    page = client.get(reverse("session_edit", args=at)).text
    before, _fold, inside = page.partition("<summary>Cancel the session</summary>")
    cancel = reverse("session_cancel", args=at)
    assert cancel not in before
    assert cancel in inside


def settings_of(night, held_on):
    return {"name": night.name, "held_on": f"{held_on:%Y-%m-%d}"}


def confirmed(night, held_on):
    return settings_of(night, held_on) | {"anyway": "on"}


def test_a_planned_session_moved_to_a_day_that_is_past_says_what_follows(client):
    night = a_planned_session()
    client.force_login(a_user(club=night.club))
    page = reverse("session_edit", args=[night.club.slug, night.public_id])
    said = client.post(page, confirmed(night, date(2020, 11, 6)), follow=True).text
    assert "Friday 6 November 2020 is in the past: sign-up is over. Open the session" in said
    assert "is past" not in client.post(page, confirmed(night, date(2031, 3, 6)), follow=True).text


def test_a_new_session_of_a_day_that_is_past_is_opened_only_when_that_is_confirmed(client):
    club = a_club()
    client.force_login(a_user(club=club))
    new = reverse("session_new", args=[club.slug])
    typed = {"name": "Whist", "held_on": "2020-11-06"}
    refused = client.post(new, typed)
    assert refused.status_code == 422
    assert "Friday 6 November 2020 is past: the session would be opened at once." in refused.text
    assert 'value="Whist"' in refused.text
    assert "Open it anyway" in refused.text
    assert client.post(new, typed | {"anyway": "on"}).status_code == 302
    today = str(local_date(club, datetime.now(UTC)))
    assert client.post(new, {"name": "", "held_on": today}).status_code == 302


def test_an_open_session_moves_by_more_than_a_day_only_when_that_is_confirmed(client):
    today = local_date(club := a_club(), datetime.now(UTC))
    night = a_session(club, held_on=today)
    client.force_login(a_user(club=night.club))
    page = reverse("session_edit", args=[night.club.slug, night.public_id])
    typed = settings_of(night, today - timedelta(days=365))
    answer = client.post(page, typed)
    assert answer.status_code == 422
    assert "This session is open: what is entered would count on" in answer.text
    question, _rest = answer.text.split('<input type="checkbox" name="anyway"')
    assert 'name="begins_at"' not in question  # it stands beside the date
    night.refresh_from_db()
    assert night.held_on == today
    assert client.post(page, typed | {"anyway": "on"}).status_code == 302
    assert client.post(page, settings_of(night, today - timedelta(days=366))).status_code == 302
    night.refresh_from_db()
    assert night.held_on == today - timedelta(days=366)


def test_closing_a_closed_session_changes_nothing():
    night = a_session(a_club(), state="closed")
    actions.close_session(night, by=TEST, at=AT)
    night.refresh_from_db()
    assert night.revision == 0


def test_a_change_is_written_down_with_the_old_and_the_new():
    night = a_session(a_club())
    actions.change_session(
        night,
        by=TEST,
        at=AT,
        name="Final",
        held_on=date(2026, 11, 20),
        season=None,
        round_minutes=20,
    )
    entry = night.audit.get(action="change session")
    assert (entry.old["name"], entry.new["name"]) == ("Thursday night", "Final")


@pytest.mark.parametrize(
    ("left", "zone"), [(301, "green"), (300, "yellow"), (61, "yellow"), (60, "red"), (0, "over")]
)
def test_the_clock_turns_yellow_at_five_minutes_and_red_at_one(left, zone):
    night = actions.start_clock(a_session(a_club()), by=TEST, at=AT, minutes=20)
    clock = clock_at(night, AT + timedelta(minutes=20, seconds=-left))
    assert (clock.seconds, clock.zone, clock.running) == (left, zone, True)


def test_a_paused_clock_stands_and_runs_on_from_there():
    night = actions.start_clock(a_session(a_club()), by=TEST, at=AT, minutes=20)
    night = actions.pause_clock(night, by=TEST, at=AT + timedelta(minutes=5))
    assert clock_at(night, AT + timedelta(hours=1)).seconds == 15 * 60
    later = AT + timedelta(hours=1)
    night = actions.start_clock(night, by=TEST, at=later)
    assert clock_at(night, later).seconds == 15 * 60


def test_more_minutes_are_given_to_a_running_a_paused_and_a_run_out_clock():
    night = actions.start_clock(a_session(a_club()), by=TEST, at=AT, minutes=1)
    night = actions.extend_clock(night, by=TEST, at=AT, minutes=5)
    assert clock_at(night, AT).seconds == 360
    late = AT + timedelta(hours=1)
    night = actions.extend_clock(night, by=TEST, at=late, minutes=5)
    assert clock_at(night, late).seconds == 300
    night = actions.pause_clock(night, by=TEST, at=late)
    night = actions.extend_clock(night, by=TEST, at=late, minutes=5)
    assert clock_at(night, late).seconds == 600


@pytest.mark.parametrize("minutes", [0, -5, 241])
def test_minutes_that_make_no_sense_are_refused(minutes):
    with pytest.raises(Refused) as refused:
        actions.start_clock(a_session(a_club()), by=TEST, at=AT, minutes=minutes)
    assert refused.value.code == "bad-minutes"


def test_a_clock_that_does_not_run_is_neither_paused_nor_lengthened():
    night = a_session(a_club())
    for order in (
        lambda: actions.pause_clock(night, by=TEST, at=AT),
        lambda: actions.extend_clock(night, by=TEST, at=AT, minutes=5),
    ):
        with pytest.raises(Refused) as refused:
            order()
        assert refused.value.code == "clock-not-running"


def test_the_second_session_of_a_day_is_planned_again_without_its_number():
    club = a_club()
    for _time in range(2):
        night = actions.start_session(club, by=TEST, at=AT)
    assert night.name == "Thursday 19 November (2)"
    assert actions.repeat_session(night, by=TEST, at=AT).name == "Thursday 26 November"
