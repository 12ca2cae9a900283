"""What people of a club ask the activity log, in many words, and the entry that answers it."""

import pytest
from django.urls import reverse

from league.members.audit import Actor, log_action
from league.members.audit_changes import changes
from league.members.audit_search import fitting_rows
from league.members.queries import audit_of
from league.members.tables import AuditFilter
from league.teams.models import Team, TeamLeague
from tests.builders import EIGHT, TEST, a_ruleset, a_session

pytestmark = pytest.mark.django_db

QUESTIONS = {
    "deduct points": (
        "why has Ring o' Bells lost points",
        "who took the points off Ring o' Bells",
        "Ring o Bells penalised",
    ),
    "correct match card": (
        "card changed after it was confirmed",
        "who overruled the card of the Earl",
        "who altered the result of Earl – Swan",
    ),
    "withdraw team": (
        "when did the Plough pull out",
        "why did the Plough drop out",
        "Plough quit",
        "cancelled matches of the Plough",
    ),
    "return team": ("who let the Plough back in", "Plough came back"),
    "give team match": ("why did the Swan get the match against the Plough",),
    "move team match": ("when was Earl Bells put off to", "who postponed the Earl", "moved Earl"),
    "open session": ("did anyone reopen Thursday's session", "who opened Quiz Night again"),
    "cancel session": ("why was Friday cancelled", "who called off Friday", "Friday scrapped"),
    "close session": ("who finished Thursday", "when did Thursday end"),
    "reopen season": ("who reopened the season", "season opened again"),
    "transfer player": ("who transferred Ann", "when did Ann move to the Bells", "Ann switched"),
    "pay in": ("did Rose pay", "who paid Rose's fee"),
    "pay back": ("who refunded Bill", "did Bill get his money back"),
    "withdraw payment": ("who undid the payment of Ted", "Ted payment reversed"),
    "retire member": ("who banned Gus", "who removed Gus", "when was Gus deactivated"),
    "erase person": ("who deleted personal data", "erased"),
    "retire ruleset": ("who got rid of Old Rules", "who deleted Old Rules"),
    "change league rules": ("did the rules of the league change", "who changed the league's rules"),
    "change team league": ("who changed the points for a win",),
    "give role": ("who made Tess an organiser", "promoted Tess"),
    "remove role": ("who took away Max's rights", "who threw Max out"),
    "export club": ("who did the backup", "who downloaded everything"),
    "restore club": ("who restored the club", "restored from backup"),
    "import people": ("who uploaded the list of players", "who imported the players"),
    "save team": ("who renamed the Earl", "when did Duke become Earl"),
    "lift late card": ("was the fine for the late card waived", "who cancelled the late penalty"),
    "decline invitation": ("who refused the invitation", "who turned down the invite"),
    "accept invitation": ("who accepted the invite",),
    "join fixtures drawn anew": ("who redrew the fixtures",),
    "call off team league": ("who scrapped the league", "who called off Winter League"),
    "swap": ("who swapped Ann and Cleo",),
    "strike hand": ("who deleted hand 3", "who removed a hand"),
    "rule": ("who gave the penalty",),
    "stop clock": ("who stopped the clock",),
    "close club link": ("who turned off the link",),
    "withdraw dispute": ("did the captain take back his complaint", "who dropped the dispute"),
    "settle disputed card": ("who settled the dispute", "who decided the disputed card"),
    "merge members": ("who merged the two Bills", "who joined Bill Smith"),
    "hold standings": ("who hid the standings",),
    "sign player on": ("who registered Zoe", "when did Zoe join the Bells"),
    "dispute match card": ("who complained about the card", "who objected"),
}


@pytest.fixture
def log(club):
    """A season's log with each of these acts, beside many others with the same names."""
    day, names = EIGHT.date(), ("Ring o' Bells", "Swan", "Plough", "Earl")
    ruleset = a_ruleset(club)
    league = TeamLeague.objects.create(
        club=club, name="Winter League", ruleset=ruleset, starts_on=day, made_at=EIGHT
    )
    Team.objects.bulk_create(Team(league=league, name=name) for name in names)
    thursday, friday = a_session(club, name="Thursday"), a_session(club, name="Friday")
    for one in ("Ring o' Bells – Swan", "Ring o' Bells – Plough", "Swan – Ring o' Bells"):
        log_action(club, TEST, "write match card", one, new={"games": "9–0", "late": 1})
        log_action(club, TEST, "confirm match card", one)
    for name in ("Ann", "Bill", "Gus", "Rose", "Ted", "Zoe"):
        log_action(club, TEST, "add member", name)
    rule = {"points": {"win": 2}, "moves": {"up": 1}}
    entries = (
        ("deduct points", "Ring o' Bells", None, {"points": "2", "reason": "No pitch"}),
        ("correct match card", "Earl – Swan", None, {"why": "Misread", "game 1": [21, 15]}),
        ("withdraw team", "Plough", None, {"left on": "2026-11-19"}),
        ("return team", "Plough", None, None),
        ("give team match", "Swan – Plough", None, {"to": "Swan", "reason": "Absent"}),
        ("move team match", "Earl – Ring o' Bells", None, {"held_on": "2026-12-08"}),
        ("open session", "Quiz Night", "closed", "open"),
        ("open session", "Thursday", "closed", "open"),
        ("cancel session", "Friday", None, "Snow"),
        ("close session", "Thursday", "open", "closed"),
        ("reopen season", "2026", None, None),
        ("transfer player", "Ring o' Bells", None, {"player": "Ann", "from": "Swan"}),
        ("pay in", "Rose", None, {"amount": "5"}),
        ("pay back", "Bill", None, {"amount": "5"}),
        ("withdraw payment", "Ted", {"amount": "5"}, None),
        ("retire member", "Gus", None, None),
        ("erase person", "", None, None),
        ("retire ruleset", "Old Rules", None, None),
        ("change league rules", "Winter League", {"rules": rule}, {"rules": {"moves": {"up": 2}}}),
        (
            "change team league",
            "Winter League",
            {"rules": rule},
            {"rules": {"points": {"win": 3}}},
        ),
        ("give role", "Tess", None, {"rank": "organiser"}),
        ("remove role", "Max", {"rank": "scorekeeper"}, None),
        ("export club", "", None, None),
        ("restore club", "", None, None),
        ("import people", "30", None, None),
        ("save team", "Earl", {"name": "Duke"}, {"name": "Earl"}),
        ("lift late card", "Earl – Swan", None, {"reason": "Post"}),
        ("decline invitation", "Max", None, None),
        ("accept invitation", "Tess", None, None),
        ("join fixtures drawn anew", "Swan", None, None),
        ("call off team league", "Winter League", "running", "cancelled"),
        ("swap", "2", None, ["Ann", "Cleo"]),
        ("strike hand", "round 1, table 2", {"hand": 3}, None),
        ("rule", "round 1, table 2", None, {"points": 2, "kind": "renege"}),
        ("stop clock", "", None, None),
        ("close club link", "", None, None),
        ("withdraw dispute", "round 1, table 2", None, None),
        ("settle disputed card", "Earl – Swan", None, None),
        ("merge members", "Bill Smith", None, {"into": "Bill"}),
        ("hold standings", "", None, None),
        ("sign player on", "Ring o' Bells", None, {"player": "Zoe"}),
        ("dispute match card", "Earl – Swan", None, {"reason": "Game 3"}),
    )
    for action, subject, old, new in entries:
        session = {"Thursday": thursday, "Friday": friday}.get(subject)
        log_action(club, Actor("Kim"), action, subject, session=session, old=old, new=new)
    return club


def found(club, text):
    """The actions of the entries that a search finds; the page is not needed for every question."""
    searched = AuditFilter({"about": text}, queryset=audit_of(club), club=club)
    return [entry.action for entry in searched.qs]


def test_the_log_answers_questions_in_many_words(log):
    missed = {
        (text, action): shown
        for action, texts in QUESTIONS.items()
        for text in texts
        if action not in (shown := found(log, text)) or len(shown) > 6
    }
    assert not missed, "\n".join(f"{k} {v[:8]}" for k, v in missed.items())


def test_of_rows_with_most_of_the_words_those_with_the_rarest_are_shown():
    """“Bells late penalty” showed every match of the Bells on which a card came in."""
    rows = {1: " bells late card", 2: " bells late card", 3: " bells penalty waived", 4: " swan"}
    assert fitting_rows(rows, "bells late zebra") == ([1, 2], True)
    assert fitting_rows(rows, "late bells penalty") == ([3], True)


@pytest.mark.parametrize("letter", ["a", "b"])
def test_the_letter_of_a_team_counts_in_the_name_of_the_team_and_alone_says_nothing(letter):
    """“Ship Inn v Crown B” showed the results of Crown A first."""
    rows = {
        "a": " filled in match card ship inn crown a entered result",
        "b": " filled in match card ship inn crown b entered result",
        "other": " bell crown b deleted a result void",
    }
    question = f"who entered the result of ship inn v crown {letter}"
    assert fitting_rows(rows, question) == ([letter], False)


@pytest.mark.parametrize("text", ["xylophone", "who changed Rose's password", "boil an egg"])
def test_where_no_entry_answers_the_log_says_so(organiser, log, text):
    page = organiser.get(reverse("audit", args=[log.slug]), {"about": text})
    assert "No entry fits." in page.text


def test_what_changed_in_a_leagues_rules_has_short_names(club):
    old = {"divisions": ["One"], "fixture_rules": {"cup_days": []}}
    new = {"divisions": ["One", "Two"], "fixture_rules": {"cup_days": ["2026-12-09"]}}
    entry = log_action(club, TEST, "change league rules", "Winter League", old=old, new=new)
    assert [change.label for change in changes(entry)] == ["Divisions", "Cup weeks"]
