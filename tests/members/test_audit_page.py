"""The page of the activity log: who acted, what it finds, and its columns."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse
from django.utils.html import escape

from league.members import actions, tables
from league.members.audit import Actor, log_action
from league.members.models import AuditEntry
from tests.builders import TEST, a_club, a_session, a_user, members_of
from tests.teams.leagues import matches, with_fixtures, written

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return a_club(time_zone="America/Vancouver")


def test_a_session_that_is_the_subject_itself_is_named_once(organiser, club):
    night = a_session(club, name="Harvest night")
    log_action(club, TEST, "close session", night, session=night)
    page = organiser.get(reverse("audit", args=[club.slug])).content.decode()
    assert "<strong>Harvest night</strong>" in page
    assert "(Harvest night)" not in page


def test_times_are_shown_on_the_clubs_clock(club, organiser):
    AuditEntry.objects.create(
        club=club, actor="Rose", action="try", at=datetime(2026, 11, 20, 4, 30, tzinfo=UTC)
    )
    text = organiser.get(reverse("audit", args=[club.slug])).content.decode()
    assert "19 Nov 2026 20:30:00" in text


def test_the_page_finds_by_session_action_person_and_subject(club, organiser):
    tonight = a_session(club, name="Tonight")
    log_action(club, Actor("Rose", source="10.0.0.1"), "record hand", "hand 3", session=tonight)
    log_action(club, Actor("Ted"), "retire member", "Gus")
    page = reverse("audit", args=[club.slug])

    def found(**query):
        return [row.record.actor for row in organiser.get(page, query).context["table"].rows]

    assert found() == ["Ted", "Rose"]
    assert found(session=tonight.public_id) == ["Rose"]
    assert found(action="retire member") == ["Ted"]
    assert found(who="ros") == ["Rose"]
    assert found(about="gus") == ["Ted"]
    log_action(club, Actor("Ann"), "swap", "2", new=["Theo", "Zoë"])
    assert found(about="theo") == found(about="Zoë") == ["Ann"]
    assert "10.0.0.1" in organiser.get(page).content.decode()


def test_entries_of_another_club_are_not_shown(club, organiser):
    log_action(a_club("Other", "other"), TEST, "try", "elsewhere")
    assert "elsewhere" not in organiser.get(reverse("audit", args=[club.slug])).content.decode()


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", '"><img onerror=x>', "{{7*7}}"])
def test_what_people_write_stays_text(club, organiser, name):
    actions.add_member(club, name=name, by=TEST)
    for page in ("members", "audit"):
        text = organiser.get(reverse(page, args=[club.slug])).content.decode()
        assert "<script>alert" not in text
        assert "<img onerror" not in text
        assert escape(name) in text


@pytest.mark.filterwarnings("ignore:Use '__':DeprecationWarning")  # of the dot in one
@pytest.mark.parametrize(
    "query",
    [
        {"sort": "user__password"},
        {"sort": "a.b"},
        {"sort": "-x'"},
        {"page": "10" * 30},
        {"page": "-1"},
        {"session": "x\x01"},
        {"action": "x" * 5000},
        {"q": "%ff", "state": "zz", "kind": "'"},
    ],
)
def test_odd_queries_are_passed_over(club, organiser, query):
    for page in ("audit", "members"):
        assert organiser.get(reverse(page, args=[club.slug]), query).status_code == 200


def listed(organiser, club, **query):
    page = organiser.get(reverse("audit", args=[club.slug]), query)
    return [row.record.subject for row in page.context["table"].rows]


def test_an_account_has_one_name_wherever_its_action_came_from(club, organiser):
    dot, (player, _other) = a_user("dot", club=club), members_of(club, 2)
    player.user, player.name = dot, "Dot Gallagher"
    player.save()
    log_action(club, Actor("dot", dot), "try", "the card")
    log_action(club, Actor("Dot Gallagher", dot), "try", "its game")
    log_action(club, Actor("Excel, by the API", dot), "try", "the sheet")
    page = organiser.get(reverse("audit", args=[club.slug])).content.decode()
    assert page.count("Dot Gallagher <small>(dot)</small>") == 2
    assert "Excel, by the API <small>(dot)</small>" in page
    assert {"the card", "its game"} <= {*listed(organiser, club, who="Gallagher")}
    assert {"the card", "its game"} <= {*listed(organiser, club, who="dot")}


def test_the_log_finds_the_names_and_places_that_a_row_shows(organiser, club):
    """Stored is "round 1, table 2" and "[21, 15]"; the row shows players and a match's game."""
    match = written(matches(with_fixtures(2, club=club))[0])
    seat = match.session.tables.get(round__number=1, number=2).seats.first()
    log_action(club, TEST, "record hand", "table 2")
    assert listed(organiser, club, about="table 2") == ["table 2"]
    found = listed(organiser, club, about=f"{seat.member.name.upper()} &", action="write totals")
    assert found == ["round 3, table 2", "round 2, table 2", "round 1, table 2"]
    assert listed(organiser, club, about="round 1, game 2") == ["round 1, table 2"]
    row = organiser.get(reverse("audit", args=[club.slug]), {"about": "no such thing"}).text
    assert "No entry fits." in row


def test_in_a_long_log_the_earlier_entries_are_found_by_what_is_stored(
    organiser, club, monkeypatch
):
    monkeypatch.setattr(tables, "SEARCHED", 2)
    for subject in ("Gus", "Gustav", "August", "Ted"):
        log_action(club, TEST, "add member", subject)
    assert listed(organiser, club, about="gus") == ["August", "Gustav", "Gus"]
    assert listed(organiser, club, about="added") == ["Ted", "August", "Gustav", "Gus"]


def test_the_house_rules_are_found_though_their_name_says_nothing_of_rules(club, organiser):
    log_action(club, TEST, "change ruleset", "Thursdays")
    log_action(club, TEST, "add member", "Gus")
    assert listed(organiser, club, about="House rules") == ["Thursdays"]
    assert listed(organiser, club, about="gus") == ["Gus"]


def test_the_address_of_the_computer_itself_says_nothing_and_is_left_out(club, organiser):
    log_action(club, Actor("Ted", source="127.0.0.1"), "try", "it")
    log_action(club, Actor("Rose", source="10.0.0.1"), "try", "it")
    page = organiser.get(reverse("audit", args=[club.slug])).content.decode()
    assert "127.0.0.1" not in page
    assert "10.0.0.1" in page
    assert "IP address" in page
