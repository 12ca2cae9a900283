"""A league's file is read as strictly as a form is: what no league can have is refused in words."""

import copy

import pytest

from league.errors import Refused
from league.exchange.archive_checking import row_faults
from league.exchange.archive_writing import archive_of
from league.exchange.league_import import BadLeagueFile, import_document, read_league
from scoring import ruleset
from tests.builders import EIGHT, TEST, a_club

GAME = {"division": "1", "home": "ship-a", "away": "bell", "half": 1, "date": "2025-10-01"}
SMALL = {
    "format": "right-bower-league/1",
    "name": "Winter",
    "rules": {"pairs": 1, "games_each": 2, "target": 21},
    "divisions": [{"id": "1", "teams": ["ship-a", "bell"]}, {"id": "2", "teams": ["oak"]}],
    "fixtures": [{"id": 1, **GAME}],
    "cards": [{"fixture": 1, "played": "2025-10-01", "received": "2025-10-03T21:10",
               "late_lifted": False, "games": [[21, 15], [20, 19]]}],
    "withdrawn": [{"team": "oak", "date": "2025-12-01"}],
}  # fmt: skip


def changed(change):
    data = copy.deepcopy(SMALL)
    change(data)
    return data


def faults(change):
    """The sentences with which a changed file is refused; none where it is taken."""
    try:
        read_league(changed(change), lambda n: ruleset("standard-four-handed", {"target": n}))
    except BadLeagueFile as bad:
        return bad.faults
    return []


def received(text):
    return lambda d: d["cards"][0].update(received=text)


def rule(**rules):
    return lambda d: d["rules"].update(rules)


def test_a_file_in_order_is_taken_with_a_game_that_ended_early():
    assert faults(lambda d: None) == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        *[(received(text), "cards 1: a date and time like") for text in (
            "0001-01-01T00:00", "9999-12-31T23:59", "1899-12-31T23:59", "2201-01-01T00:00",
            "2025-10-03T21:10+99:00", "2025-10-03T21:1", "\u0662025-10-03T21:10",
        )],
        (lambda d: d["cards"][0].update(played="20251001"), "a date like"),
        (lambda d: d["fixtures"][0].update(date="2025-W40-3"), "a date like"),
        (lambda d: d.update(name=""), "name: a league needs a name"),
        (lambda d: d.update(name=" "), "name: a league needs a name"),
        (lambda d: d["divisions"][1]["teams"].append(""), "every team needs a short id"),
        (lambda d: d["divisions"][1]["teams"].append("BELL"), "every team needs a short id"),
        (lambda d: d["divisions"].append({"id": "", "teams": []}), "every division needs a text"),
        (lambda d: d["fixtures"][0].update(half=True), "half must be 1 or 2"),
        (lambda d: d["fixtures"][0].update(half=1.0), "half must be 1 or 2"),
        (lambda d: d["withdrawn"].append({"team": "oak", "date": "2025-12-05"}), "twice"),
        (lambda d: d.update(adjustments=[{"team": "oak", "points": "\u0661"}]), "whole number"),
        (lambda d: d.update(adjustments=[{"team": "oak", "points": "1_0"}]), "whole number"),
        (rule(moves=[{"upper": "1", "lower": "1"}]), "are the same"),
        (rule(target=501), "target: a whole number from 1 to 500"),
        (rule(points={"wim": 3}), "rules, points: there is no rule called wim"),
        (rule(bonus=[{"side": "any", "game": 4}]), "rules, bonus: there is no rule called game"),
        (rule(walkover={"x": 1}), "rules, walkover: there is no rule called x"),
        (rule(late={"weekday": "sat", "time": "12:00", "form": "home"}), "late: there is no rule"),
        (rule(moves=[{"upper": "1", "lower": "2", "playoff": 3}]), "moves: there is no rule"),
        (rule(section_play_off={"division": ["1"]}), "section_play_off: there is no rule"),
    ],
)  # fmt: skip
def test_what_no_league_can_have_is_refused_with_a_sentence(change, says):
    assert any(says in sentence for sentence in faults(change)), faults(change)


@pytest.mark.django_db
@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "America/Adak"])
def test_a_league_that_was_taken_stands_in_a_full_backup_that_can_be_restored(zone):
    for text in ("1900-01-01T00:00", "2200-12-31T23:59", "2025-10-03T21:10"):
        club = a_club(slug=f"c{text[:4]}", time_zone=zone)
        import_document(club, changed(received(text)), by=TEST, at=EIGHT)
        assert list(row_faults(archive_of(club, at=EIGHT)["rows"])) == []


@pytest.mark.django_db
def test_rules_of_the_club_that_do_not_go_with_the_target_refuse_the_file(monkeypatch):
    def refuses(*_args):
        raise Refused("bad-ruleset", "These rules don't fit together.")

    monkeypatch.setattr("league.teams.actions.importing.ruleset_with_target", refuses)
    with pytest.raises(BadLeagueFile, match="fit together"):
        import_document(a_club(), SMALL, by=TEST, at=EIGHT)
