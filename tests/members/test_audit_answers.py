"""What the activity log puts first, and what it leaves out."""

from datetime import timedelta

import pytest
from django.urls import reverse

from league.members.audit import Actor, log_action
from league.members.audit_changes import changes
from league.teams.actions.importing import SheetMatch, import_matches
from league.teams.models import TeamLeague
from league.teams.queries import rules_of
from tests.builders import EIGHT, TEST
from tests.teams.leagues import matches, with_fixtures, written

pytestmark = pytest.mark.django_db


def search(organiser, club, text):
    return organiser.get(reverse("audit", args=[club.slug]), {"about": text})


def found(organiser, club, text):
    rows = search(organiser, club, text).context["table"].rows
    return [row.record.action for row in rows]


def test_an_import_of_results_is_found_by_each_of_its_matches(organiser, club):
    league = with_fixtures(club=club)
    first, second = matches(league)
    games = tuple([21, 15] for _ in range(9))
    rows = [
        SheetMatch(one.home, one.away, match=one, round=1, day=one.held_on, **result)
        for one, result in (
            (first, {"games": games, "totals_only": False, "rules": rules_of(league)}),
            (second, {}),
        )
    ]
    import_matches(league, rows, by=TEST)
    entry = league.club.audit.filter(action="import team league").latest("pk")
    assert entry.new["results"] == [f"{first.home} – {first.away} 9–0"]
    question = f"who entered {first.home} {first.away}"
    assert "import team league" in found(organiser, league.club, question)
    question = f"who entered {second.home} {second.away}"
    assert "import team league" not in found(organiser, league.club, question)


def test_the_entry_of_a_late_card_says_what_it_costs_and_is_found_by_it(organiser, club):
    league = with_fixtures(club=club)
    late = {"weekday": "sat", "time": "12:00", "points": 1, "from": "winner"}
    TeamLeague.objects.update(rules={**league.rules, "late": late})
    league.refresh_from_db()
    match, in_time = matches(league)
    written(match, at=EIGHT + timedelta(days=9))
    written(in_time, at=EIGHT)
    entry = league.club.audit.get(action="write match card", subject=str(match))
    text = f"The card came late. Points off {match.home.name}: 1."
    assert text in [change.new for change in changes(entry)]
    other = league.club.audit.get(action="write match card", subject=str(in_time))
    assert "late" not in other.new
    for question in (f"why did the {match.home} lose a point", f"{match.home} deduction"):
        rows = search(organiser, league.club, question).context["table"].rows
        assert [row.record.pk for row in rows] == [entry.pk], question


def test_what_somebody_did_comes_before_what_names_them(organiser, club):
    log_action(club, Actor("Rose"), "add member", "Gus")
    log_action(club, Actor("Ted"), "edit member", "Rose")
    log_action(club, Actor("Ted"), "retire member", "Gus")
    rows = search(organiser, club, "what did Rose do").context["table"].rows
    assert [row.record.actor for row in rows] == ["Rose", "Ted"]


def test_a_closed_session_has_no_champions_and_a_saved_team_was_not_removed(organiser, club):
    for action, subject in (
        ("close season", "Winter"),
        ("withdraw team", "Gannet"),
        ("save team", "Hawk"),
        ("close session", "Tonight"),
    ):
        log_action(club, TEST, action, subject)
    assert found(organiser, club, "champions") == ["close season"]
    assert found(organiser, club, "team removed from league") == ["withdraw team"]


def test_what_happened_to_a_team_is_answered_by_its_new_name(organiser, club):
    names = {"name": "Red Lion", "players": []}
    log_action(club, TEST, "save team", "Lamb", old=names, new={**names, "name": "Lamb"})
    page = search(organiser, club, "what happened to Red Lion")
    assert [row.record.subject for row in page.context["table"].rows] == ["Lamb"]
    assert "No entry has all these words" not in page.text


def test_a_change_of_rules_leaves_out_the_boxes_that_were_never_touched(club):
    old = {"squads": {"signed": True}}
    new = {"squads": {"signed": True, "one_team": False, "names": []}, "sections": True}
    entry = log_action(club, TEST, "change league rules", "Winter League", old=old, new=new)
    assert len(changes(entry)) == 1


def test_a_row_of_the_log_has_minutes_its_sentence_in_one_and_no_dash(organiser, club):
    log_action(club, Actor("Rose", source="127.0.0.1"), "add member", "Gus")
    page = organiser.get(reverse("audit", args=[club.slug]))
    (row,) = page.context["table"].rows
    cells = {column.name: cell for column, cell in row.items()}
    assert cells["source"] == ""
    assert cells["action"].startswith("<span>")
    local = club.local(row.record.at)
    assert f"{local:%M}:{local:%S}" not in cells["at"].partition(">")[2]
