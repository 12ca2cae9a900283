"""A new club's organiser is led from an empty list to cards on the tables, and can hide it."""

from dataclasses import replace

import pytest
from django.urls import reverse

from league.live.home import next_step
from league.members.actions import merge_members, retire_member
from league.sessions.attendance import arrive_all
from tests.builders import EIGHT, TEST, a_club, a_ruleset, a_session, a_table, a_user, members_of
from tests.pages import squeezed

pytestmark = pytest.mark.django_db
HIDDEN = "The steps are hidden. “Show the first steps again” in Settings brings them back."


def page_of(step):
    return step.page if step else None


def test_each_step_follows_from_what_the_club_has():
    club = a_club(guided=True)
    assert page_of(next_step(club)) == "members_paste"
    people = members_of(club, 4)
    assert page_of(next_step(club)) == "session_new"
    night = a_session(club)
    checkin = next_step(club)
    assert (checkin.page, checkin.title) == ("checkin", "Check in and make tables")
    arrive_all(night, people, by=TEST, at=EIGHT)
    assert next_step(club) == replace(
        checkin, sentence="Once everyone is checked in, tap Make tables.", label="Go to check-in"
    )
    draft = night.rounds.create(number=1, seed=1)
    assert page_of(next_step(club)) == "seating"
    draft.delete()
    table = a_table(night, people, a_ruleset(club))
    assert page_of(next_step(club)) == "print_cards"
    table.games.create(session=night, number=1, ruleset=table.ruleset, hands_played=1)
    assert next_step(club) is None


def test_the_steps_from_an_empty_club_to_its_tables_are_counted_without_a_gap():
    club, shown = a_club(guided=True), []
    shown.append(next_step(club).number)
    people = members_of(club, 11)
    shown.append(next_step(club).number)
    night = a_session(club)
    shown.append(next_step(club).number)
    arrive_all(night, people, by=TEST, at=EIGHT)
    night.rounds.create(number=1, seed=1)  # one press on the check-in page
    shown.append(next_step(club).number)
    assert shown == [1, 2, 3, 4]


def test_it_is_shown_to_organisers_of_a_new_club_until_they_hide_it(client):
    club = a_club(guided=True)
    a_user("ann", club=club, rank="member")
    client.force_login(a_user("olive", club=club))
    page = reverse("members", args=[club.slug])
    assert "Step 1 of 5" in client.get(page).content.decode()
    own_steps = client.get(reverse("tournaments", args=[club.slug])).content.decode()
    assert "Step 1 of 5" not in own_steps
    client.post(reverse("guide_hide", args=[club.slug]))
    assert "Step 1 of 5" not in client.get(page).content.decode()


def test_one_press_starts_tonights_session_and_one_checks_in_everyone(client):
    club = a_club(guided=True)
    members_of(club, 11)
    client.force_login(a_user("olive", club=club))
    step = next_step(club)
    answer = client.post(step.address, step.fields)
    night = club.sessions.get()
    assert answer["Location"] == reverse("checkin", args=[club.slug, night.public_id])
    assert "Check in everyone (11)" in client.get(answer["Location"]).content.decode()
    client.post(reverse("checkin_everyone", args=[club.slug, night.public_id]))
    assert night.attendances.count() == 11
    assert "Check in everyone (11)" not in client.get(answer["Location"]).content.decode()


def test_a_sessions_page_has_one_big_next_step_and_paper_has_none_of_the_guide(client):
    club = a_club(guided=True)
    night = a_session(club)
    people = members_of(club, 4)
    arrive_all(night, people, by=TEST, at=EIGHT)
    a_table(night, people, a_ruleset(club))
    client.force_login(a_user("olive", club=club))
    page = client.get(reverse("session", args=[club.slug, night.public_id])).content.decode()
    assert "Print the table cards" in page
    assert "<p>Players scan one to enter hands. No printer?" in page  # shown on a phone as well
    assert page.count("button primary") == 1
    assert "first-night screen-only" in page


def test_the_step_of_the_cards_is_the_last_and_is_put_away_with_done(client):
    club = a_club(guided=True)
    night = a_session(club)
    client.force_login(a_user("olive", club=club))
    session = reverse("session", args=[club.slug, night.public_id])
    assert "Step 1 of 5" in client.get(session).content.decode()
    people = members_of(club, 4)
    arrive_all(night, people, by=TEST, at=EIGHT)
    a_table(night, people, a_ruleset(club))
    last = client.get(session).content.decode().split("first-night")[1].split("</section>")[0]
    assert ("Done" in last, "Hide these steps" in last) == (True, False)
    assert 'name="done"' in client.get(session).text
    hidden = client.post(reverse("guide_hide", args=[club.slug]), {"done": "1"}, follow=True)
    assert "All steps are done." in hidden.text
    assert HIDDEN not in hidden.text
    assert "first-night" not in client.get(session).content.decode()


def test_hiding_the_steps_stays_on_the_page_and_settings_show_them_again(client):
    """Pressed where a list of names is pasted, it left for the club's home, for good."""
    club = a_club(guided=True)
    client.force_login(a_user("olive", club=club))
    home, paste, settings = (
        reverse(name, args=[club.slug]) for name in ("club", "members_paste", "club_settings")
    )
    assert f'name="page" value="{paste}"' in client.get(paste).text
    hide, show = (reverse(name, args=[club.slug]) for name in ("guide_hide", "guide_show"))
    assert show not in client.get(settings).text
    assert client.post(hide, {"page": "//elsewhere.example/"})["Location"] == home
    assert client.post(hide, {"page": paste})["Location"] == paste
    assert HIDDEN in client.get(paste).text
    assert HIDDEN in client.post(hide, headers={"HX-Request": "true"}).text
    assert HIDDEN not in client.get(paste).text
    assert show in client.get(settings).text
    assert "Step 1 of 5" in client.post(show, follow=True).text
    client.post(hide)
    a_session(club, state="closed")
    assert show not in client.get(settings).text  # no step is left


def test_the_club_s_page_counts_the_players_whom_their_list_shows(client):
    club = a_club()
    a_session(club)
    ann, bill, rose, _ted = members_of(club, 4)
    merge_members(ann, into=bill, by=TEST, at=EIGHT)
    retire_member(rose, by=TEST, at=EIGHT)
    client.force_login(a_user("olive", club=club))
    table = client.get(reverse("members", args=[club.slug])).context["table"]
    home = squeezed(client.get(reverse("club", args=[club.slug])).text)
    assert len(table.rows) == 2
    assert '<span class="end">2 players</span>' in home
