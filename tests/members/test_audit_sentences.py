"""What a league's secretary types into the activity log, and the entry that answers it."""

import pytest
from django.urls import reverse

from league.members.audit import log_action
from league.members.audit_search import fitting_rows, words_to_find
from league.teams import actions
from league.teams.models import Team, TeamLeague
from tests.builders import EIGHT, TEST, a_ruleset
from tests.members.test_audit_questions import found

pytestmark = pytest.mark.django_db
State = TeamLeague.State

SENTENCES = {
    "call off team league": ("called off", "who called off the league?", "cancelled", "call off"),
    "save team": ("renamed", "renamed Eagle", "new name", "who renamed the Hawk"),
    "move team match": (
        "who moved the match",
        "moved Crown Anchor",
        "when was the match of the Anchor postponed",
        "who changed the date of Crown – Anchor",
    ),
    "withdraw team": ("who withdrew Gannet", "when did Gannet leave", "Gannet withdrawn"),
    "write match card": (
        "the card of the Anchor",
        "who filled in the card of the Crown",
        "who entered the score of Crown",
        "scores of Crown Dolphin",
        "what was the result of Crown – Dolphin",
        "who put in the scores",
    ),
    "correct match card": (
        "score corrected",
        "wrong score",
        "who changed the score",
        "why was the score of the Dolphin changed",
        "corrections",
        "who fixed the card",
    ),
    "confirm match card": ("who confirmed the card", "confirmed Crown Dolphin"),
    "deduct points": (
        "deducted 3",
        "why has the Dolphin 3 points off",
        "who deducted points from Dolphin",
        "penalty for Dolphin",
    ),
    "sign player on": (
        "Zoe OBrien",
        "zoë o'brien",
        "Zoe O’Brien-Nandu",
        "who added Zoe O'Brien to the Crown",
    ),
    "give team match": ("who gave the walkover", "walk over snow", "why was the match awarded"),
    "make team league": ("who created the league", "when was the league made"),
    "make fixtures": ("who made the fixtures?", "who drew the schedule"),
    "leave match message": ("message to the Anchor", "who sent the message"),
}


@pytest.fixture
def log(club):
    """The log of a season with an act of each kind, and many others."""
    ruleset, names = a_ruleset(club), ("Crown", "Dolphin", "Anchor", "Hawk", "Gannet")
    day = EIGHT.date()
    league = TeamLeague.objects.create(
        club=club, name="Winter League", ruleset=ruleset, starts_on=day, made_at=EIGHT
    )
    Team.objects.bulk_create(Team(league=league, name=name) for name in names)
    entries = {
        "make team league": ("Winter League", None),
        "make fixtures": ("Winter League", None),
        "sign player on": ("Crown", {"player": "Zoë O’Brien-Ñandú"}),
        "leave match message": ("Anchor – Eagle", None),
        "move team match": ("Crown – Anchor", {"held_on": "2026-12-08"}),
        "give team match": ("Eagle – Anchor", {"to": "Anchor", "reason": "Snow"}),
        "deduct points": ("Dolphin", {"points": "3", "reason": "Late"}),
        "withdraw team": ("Gannet", {"left on": "2026-11-19"}),
    }
    for action, (subject, new) in entries.items():
        log_action(club, TEST, action, subject, new=new)
    card = {"games": "9–0"}
    log_action(club, TEST, "write match card", "Crown – Anchor", new=card)
    log_action(club, TEST, "write match card", "Crown – Dolphin", new=card)
    log_action(club, TEST, "confirm match card", "Crown – Dolphin", new=card)
    new = {"why": "Misread", "game 1": [21, 15]}
    log_action(club, TEST, "correct match card", "Crown – Dolphin", new=new)
    old = {"name": "Eagle", "players": ["Ann"]}
    log_action(club, TEST, "save team", "Hawk", old=old, new={**old, "name": "Hawk"})
    actions.set_league_state(league, State.CANCELLED, by=TEST, at=EIGHT)
    for name in ("Ann", "Bill", "Score Keeper", "Gus"):
        log_action(club, TEST, "add member", name)
    return club


def test_the_log_answers_what_a_secretary_types(log):
    missed = []
    for action, sentences in SENTENCES.items():
        for sentence in sentences:
            actions_found = found(log, sentence)
            if action not in actions_found or len(actions_found) > 5:
                missed.append((sentence, actions_found))
    assert not missed


def test_the_log_calls_the_end_of_a_league_and_a_new_name_by_one_word(organiser, log):
    log_action(log, TEST, "close team league", "Old League", old="running", new="cancelled")
    text = organiser.get(reverse("audit", args=[log.slug])).text
    assert "Called off league: <strong>" in text
    assert text.count("<ins>Called off</ins>") == 2
    assert "Closed league" not in text.partition("<tbody")[2]
    assert "Renamed team: <strong>" in text


def test_what_fits_most_words_is_shown_where_nothing_fits_all_and_the_page_says_so(organiser, log):
    says = "No entry has all these words. These have most of them."
    page = organiser.get(reverse("audit", args=[log.slug]), {"about": "moved Crown Anchor snow"})
    assert [row.record.action for row in page.context["table"].rows] == ["move team match"]
    assert says in page.text
    assert says not in organiser.get(reverse("audit", args=[log.slug]), {"about": "moved"}).text
    page = organiser.get(reverse("audit", args=[log.slug]), {"about": "zebra crossing"})
    assert "No entry fits." in page.text
    assert says not in page.text


def test_little_words_are_left_out_but_not_names_or_the_letter_of_a_team():
    assert words_to_find("Who moved the match") == ["moved", "match"]
    assert words_to_find("withdrew Ship A") == ["withdrew", "Ship", "A"]
    assert words_to_find("does Will play") == ["Will", "play"]
    assert words_to_find("who did it") == ["who", "did", "it"]


def test_a_number_belongs_to_its_word_where_that_has_one():
    rows = {1: " table 1 2 players", 2: " deducted points ship points 3", 3: " table 2"}
    assert fitting_rows(rows, "table 2") == ([3], False)
    assert fitting_rows(rows, "deducted 3") == ([2], False)
    assert fitting_rows(rows, "deducted 4") == ([], False)


def test_only_the_search_field_is_unfolded_until_a_filter_is_chosen(organiser, log):
    page = reverse("audit", args=[log.slug])
    text = organiser.get(page, {"about": "moved"}).text
    assert text.index('name="about"') < text.index("<details") < text.index('name="month"')
    closed = '<details class="more">'
    assert closed in text
    assert closed not in organiser.get(page, {"who": "Ann"}).text
