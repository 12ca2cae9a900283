"""What the activity log finds, and what it leaves out."""

import re
from datetime import UTC, datetime

import pytest
from django.urls import reverse

from league.members import tables
from league.members.audit import Actor, log_action
from league.members.models import AuditEntry
from league.teams.actions import (
    give_games,
    give_match,
    lift_late,
    return_team,
    withdraw_team,
    write_card,
)
from league.teams.models import TeamLeague
from tests.builders import (
    EIGHT,
    TEST,
    a_club,
    a_ruleset,
    a_session,
    a_table,
    members_of,
)
from tests.members.test_audit_questions import found
from tests.play.hands import write
from tests.teams.leagues import a_card, matches, with_fixtures, written

pytestmark = pytest.mark.django_db


@pytest.fixture
def club():
    return a_club(time_zone="America/Vancouver")


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
    assert listed(organiser, club, about="gus") == ["Gustav", "Gus"]
    assert listed(organiser, club, about="added") == ["Ted", "August", "Gustav", "Gus"]


def test_where_the_results_end_it_says_how_far_was_searched_and_leads_further_back(
    organiser, club, monkeypatch
):
    monkeypatch.setattr(tables, "SEARCHED", 2)
    log_action(club, TEST, "add member", "Gus")
    for subject in ("Ted", "Ann", "Una"):
        log_action(club, TEST, "add member", subject)
    text = organiser.get(reverse("audit", args=[club.slug]), {"about": "gus"}).text
    results, _found, after = text.partition("</table>")
    assert "Searched 2 entries, back to" in after
    assert "Searched" not in results
    before = AuditEntry.objects.get(subject="Ann").pk
    assert f'href="?about=gus&amp;before={before}"' in after
    query = {"about": "added", "before": before}
    assert listed(organiser, club, **query) == ["Ted", "Gus"]
    query["before"] = AuditEntry.objects.order_by("pk")[1].pk
    text = organiser.get(reverse("audit", args=[club.slug]), query).text
    assert "Searched" not in text
    assert 'name="before"' not in text  # a new search begins with the newest


@pytest.mark.parametrize("searched", [1, 2000])
def test_a_word_is_found_from_its_beginning_and_not_within_another(
    organiser, club, monkeypatch, searched
):
    monkeypatch.setattr(tables, "SEARCHED", searched)
    log_action(club, TEST, "edit member", "Ann", new={"notes": "corrected"})
    log_action(club, TEST, "add member", "Old (Ted)", new={"notes": "Zoë\nÉmile"})
    log_action(club, TEST, "edit member", "Bill", new={"notes": "disputed"})
    assert listed(organiser, club, about="ted") == ["Old (Ted)"]
    assert listed(organiser, club, about="Émile") == ["Old (Ted)"]
    assert listed(organiser, club, about="zo") == ["Old (Ted)"]
    assert listed(organiser, club, about="edited pl") == ["Bill", "Ann"]
    page = organiser.get(reverse("audit", args=[club.slug])).text
    assert "Names, sessions, reasons or scores, or a short question" in page


@pytest.mark.parametrize("searched", [1, 2000])
def test_words_that_stand_apart_are_found_and_a_number_belongs_to_its_word(
    organiser, club, monkeypatch, searched
):
    monkeypatch.setattr(tables, "SEARCHED", searched)
    log_action(club, TEST, "plan session", "Boxing Day", new={"places": 2})
    log_action(club, TEST, "swap", "table 1", new=["Kit & Len", "2 players"])
    log_action(club, TEST, "edit member", "Ann")
    assert listed(organiser, club, about="day planned") == ["Boxing Day"]
    assert listed(organiser, club, about="kit len") == ["table 1"]
    assert listed(organiser, club, about="test edited") == ["Ann"]  # who did it
    assert listed(organiser, club, about="ann day") == []
    if searched > 1:
        assert listed(organiser, club, about="table 2") == []


def test_a_search_finds_names_whatever_their_accents(organiser, club):
    log_action(club, TEST, "add member", "Zoë O'Neill")
    for typed in ("zoe", "ZOË", "o'neill"):
        assert listed(organiser, club, about=typed) == ["Zoë O'Neill"]


def test_the_house_rules_are_found_though_their_name_says_nothing_of_rules(club, organiser):
    log_action(club, TEST, "change ruleset", "Thursdays")
    log_action(club, TEST, "add member", "Gus")
    assert listed(organiser, club, about="House rules") == ["Thursdays"]
    assert listed(organiser, club, about="gus") == ["Gus"]


def test_the_log_is_filtered_by_a_month_of_the_clubs_calendar(organiser, club):
    """30 November 11 p.m. in Vancouver is December in UTC."""
    for at in (datetime(2025, 12, 1, 7, tzinfo=UTC), datetime(2025, 12, 1, 9, tzinfo=UTC)):
        AuditEntry.objects.create(
            club=club, actor="Rose", action="try", subject=f"{at.hour}", at=at
        )
    assert listed(organiser, club, month="2025-11") == ["7"]
    assert listed(organiser, club, month="2025-12") == ["9"]


def test_the_choice_of_actions_is_in_the_order_of_its_words(organiser, club):
    for action in ("arrive", "take back round", "strike hand"):
        log_action(club, TEST, action, "it")
    page = organiser.get(reverse("audit", args=[club.slug]))
    choices = page.context["filter"].form.fields["action"].choices
    assert [str(label) for _code, label in choices][1:] == [
        "Everything but hands",
        "Everything, with each game of a match card",
        "Checked in",
        "Deleted hand",
        "Unpublished tables",
    ]


@pytest.fixture
def card(club):
    """A match with a new card of nine games."""
    return written(matches(with_fixtures(2, club=club))[0])


def test_a_new_match_card_is_one_entry(organiser, club, card):
    assert "write totals" not in _actions(organiser, club)
    assert _actions(organiser, club, action="write totals") == ["write totals"] * 9
    assert _actions(organiser, club, action="each-game").count("write totals") == 9


def test_a_corrected_game_of_a_card_is_in_the_cards_entry_only(organiser, club, card):
    write_card(card, a_card(card, 6), side=None, by=TEST, at=EIGHT, reason="Misread")
    assert _actions(organiser, club)[:2] == ["correct match card", "write match card"]
    assert "settle game" in _actions(organiser, club, action="each-game")[:2]


def test_a_game_decided_without_its_card_stays_in_the_log(organiser, club, card):
    log_action(club, TEST, "settle game", "round 1, table 1", session=card.session)
    assert _actions(organiser, club)[0] == "settle game"


def test_a_withdrawal_is_found_by_what_a_secretary_calls_it_and_by_the_matches_it_changed(
    organiser, club, monkeypatch
):
    league = with_fixtures(2, club=club, rules={"withdrawal": "stand"})
    played, open_match = (matches(league, number)[0] for number in (1, 2))
    written(played)
    leaver, other = played.home, played.away
    withdraw_team(leaver, by=TEST, at=EIGHT)
    for words in ("withdrawn", "withdrew", "left", f"walk-over {other}", f"{open_match}"):
        assert "withdraw team" in _actions(organiser, club, about=words), words
    monkeypatch.setattr(tables, "SEARCHED", 1)
    log_action(club, TEST, "leave match message", open_match)
    assert "withdraw team" in _actions(organiser, club, about="withdrawn")
    page = organiser.get(reverse("audit", args=[club.slug]), {"action": "withdraw team"}).text
    shown = " ".join(re.sub(r"<[^>]+>", " ", page.partition("<tbody")[2]).split())
    assert f"Left on: 19 Nov 2026 Walk-overs for: {other} ({open_match})" in shown
    TeamLeague.objects.update(rules={"withdrawal": "void"})
    league.refresh_from_db()
    return_team(league.teams.get(pk=leaver.pk), by=TEST, at=EIGHT)
    withdraw_team(league.teams.get(pk=leaver.pk), by=TEST, at=EIGHT)
    assert AuditEntry.objects.latest("pk").new["void matches"] == [str(played), str(open_match)]


def test_decisions_about_a_match_are_in_the_log_with_their_result_and_reason(organiser, club, card):
    other = matches(card.league, 2)[0]
    give_games(card, {0: "away"}, reason="Not in the squad", by=TEST, at=EIGHT)
    give_match(other, None, reason="Snow", by=TEST, at=EIGHT)
    lift_late(card, reason="Post", by=TEST)
    lift_late(card, reason="", by=TEST)
    page = organiser.get(reverse("audit", args=[club.slug])).text.partition("<tbody")[2]
    shown = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    for words in (
        f"Game 1: 21–15 → {card.away} Reason: Not in the squad",
        "Awarded to: neither team Reason: Snow",
        "Waived late-card penalty",
        "Let late-card penalty count again",
    ):
        assert words in shown, words


@pytest.mark.parametrize("searched", [1, 2000])
def test_actions_are_found_by_the_words_of_a_secretary(club, monkeypatch, searched):
    monkeypatch.setattr(tables, "SEARCHED", searched)
    words = {
        "give team match": ("walkover", "walk-over", "walk over", "forfeit", "no-show"),
        "deduct points": ("points off", "fine"),
        "hold standings": ("hold", "withheld", "hidden"),
        "invite": ("invitation",),
        "substitute": ("substitution",),
        "withdraw team": ("resigned", "expelled"),
        "sign player on": ("registration", "registered"),
        "dispute match card": ("complaint", "protest"),
        "decide in league": ("ruling", "appeal"),
        "make fixtures": ("schedule",),
        "pay in": ("money", "fee"),
        "correct match card": ("mistake", "amended"),
        "undo hand": ("undone",),
        "leave": ("went home", "checked out"),
        "change role": ("permission", "rights", "admin"),
        "export club": ("backup", "download"),
        "send card photograph": ("picture",),
        "rule": ("renege",),
        "start clock": ("timer",),
        "record play-off": ("playoff",),
        "retire member": ("inactive", "left club"),
        "stop mail": ("unsubscribe", "consent"),
    }
    for action in [*words, "try"]:
        log_action(club, TEST, action)
    for action, typed in words.items():
        for text in typed:
            assert action in found(club, text), text


def test_imported_matches_and_separated_entries_are_named_as_on_their_pages(organiser, club):
    log_action(club, TEST, "import team league", "Winter", new={"new": 30, "results": 12})
    log_action(club, TEST, "keep entries apart", "Cup", new={"entries": ["Ann & Ted"]})
    mail = {"confirmed_email": "", "asked_email": "ann@example.com", "reminders": "never"}
    log_action(club, TEST, "stop mail", "Ann", new=mail)
    page = organiser.get(reverse("audit", args=[club.slug]), headers={"Accept-Language": "de"}).text
    shown = " ".join(re.sub(r"<[^>]+>", " ", page.partition("<tbody")[2]).split())
    assert "Meldungen: Ann &amp; Ted" in shown
    assert "Ergebnisse: 12" in shown
    assert "ann@example.com" not in shown


def test_the_log_shows_everything_but_hands(organiser, club):
    members = members_of(club, 4)
    write(a_table(a_session(club, members), members, a_ruleset(club)), (1, 5))
    assert "record hand" in _actions(organiser, club)
    assert "record hand" not in _actions(organiser, club, action="no-hands")
    assert "add member" not in _actions(organiser, club, action="record hand")


def _actions(organiser, club, **query):
    page = organiser.get(reverse("audit", args=[club.slug]), query)
    return [row.record.action for row in page.context["table"].rows]
