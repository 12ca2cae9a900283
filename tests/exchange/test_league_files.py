"""A league goes to a file and comes back; its tables are those that the cards alone make."""

import copy
import json
import os
import random
from datetime import date, time, timedelta
from io import StringIO
from itertools import pairwise

import pytest
from django.core.management import CommandError, call_command

from league.exchange.league_export import league_document
from league.exchange.league_import import BadLeagueFile, import_document
from league.ranking.team_league.rules import TIE_BREAKS
from league.teams.models import TeamLeague
from tests.builders import EIGHT, TEST, a_club
from tests.exchange.league_reader import differences
from tests.teams.leagues import matches, with_fixtures, written

pytestmark = pytest.mark.django_db
SEASONS = int(os.environ.get("LEAGUE_SEASONS", "4"))
ANSWERS = ("tables", "moves", "undecided", "play_offs_due", "qualified")
START = date(2025, 9, 3)


def a_season(seed):
    """A season as a file has it, without the answers: everything a league may meet."""
    rng = random.Random(seed)
    games = rng.choice([(3, 3), (3, 3), (2, 2), (1, 3), (4, 2)])
    divisions, count = {}, rng.randint(1, 4)
    for number in range(count):
        size = rng.randint(4, max(4, 60 // count // 2))
        divisions[f"{number + 1}"] = [f"team-{number + 1}-{n}" for n in range(size)]
    data = {
        "format": "right-bower-league/1",
        "name": f"Season {seed}",
        "rules": _rules(rng, games, list(divisions)),
        "divisions": [{"id": name, "teams": teams} for name, teams in divisions.items()],
        "fixtures": [], "cards": [], "walkovers": [], "adjustments": [], "withdrawn": [],
        "play_offs": [],
    }  # fmt: skip
    for name, teams in divisions.items():
        _fixtures(rng, data, name, teams)
    done = rng.choice([1, 1, 0.4, 0.8])
    for fixture in data["fixtures"]:
        if rng.random() < done:
            _result(rng, data, fixture)
    teams = [team for many in divisions.values() for team in many]
    for team in rng.sample(teams, rng.randint(0, min(3, len(teams) // 4))):
        day = START + timedelta(days=rng.randint(0, 200))
        data["withdrawn"].append({"team": team, "date": day.isoformat()})
    for team in rng.sample(teams, rng.randint(0, 3)):
        points = rng.choice([-1, -2, "-1/2", 1])
        data["adjustments"].append({"team": team, "points": points})
    for many in divisions.values():
        order = rng.sample(many, len(many))
        data["play_offs"] += [{"kind": "level", "order": order}] if rng.random() < 0.5 else []
    data["withdrawn"].sort(key=lambda one: teams.index(one["team"]))
    return data


def _rules(rng, games, divisions):
    moves = [
        {"upper": a, "lower": b, "up": rng.randint(0, 2), "down": rng.randint(0, 2),
         "play_off": rng.randint(0, 1)}
        for a, b in pairwise(divisions)
    ]  # fmt: skip
    return {
        "pairs": games[0], "games_each": games[1], "target": 21,
        "points": rng.choice([
            {"win": 2, "draw": 1, "loss": 0, "game": 0},
            {"win": 0, "draw": 0, "loss": 0, "game": 1},
            {"win": 2, "draw": 1, "loss": 0, "game": "1/2"},
            {"win": 3, "draw": 1, "loss": 0, "game": 0},
        ]),
        "bonus": rng.choice([[], [], [{"side": "loser", "games": 4, "points": 1}]]),
        "given_game": [21, 0],
        "walkover": rng.choice([
            {"win": 2, "loss": 0, "games": [0, 0], "points": [0, 0]},
            {"win": 5, "loss": -1, "games": [9, 0], "points": [189, 0]},
        ]),
        "late": rng.choice([
            None, {"weekday": "sat", "time": "12:00", "points": 1,
                   "from": rng.choice(["winner", "home", "away", "both"])},
        ]),
        "withdrawal": rng.choice(["void", "stand", "half_played", "halves"]),
        "tie_breaks": rng.sample(TIE_BREAKS, rng.randint(1, 4)),
        "after_split": rng.choice(["same", "next", "first"]),
        "moves": moves,
        "section_play_off": {"divisions": divisions, "places": 2} if not moves[1:] else None,
    }  # fmt: skip


def _fixtures(rng, data, name, teams):
    """Everybody at home and away, by the circle."""
    circle = [*teams, None] if len(teams) % 2 else list(teams)
    half = len(circle) - 1
    for number in range(2 * half):
        turned = [circle[0], *(circle[1 + (k + number) % half] for k in range(half))]
        for one, other in zip(turned[: len(turned) // 2], reversed(turned), strict=False):
            if one is None or other is None:
                continue
            home, away = (one, other) if number < half else (other, one)
            day = START + timedelta(weeks=number)
            data["fixtures"].append(
                {"id": len(data["fixtures"]) + 1, "division": name, "home": home, "away": away,
                 "half": 1 if number < half else 2, "date": day.isoformat()}
            )  # fmt: skip


def _result(rng, data, fixture):
    if rng.random() < 0.04:
        to = rng.choice(["home", "away", "nobody"])
        data["walkovers"].append({"fixture": fixture["id"], "to": to})
        return
    played = date.fromisoformat(fixture["date"]) + timedelta(days=rng.choice([0, 0, 0, 9]))
    received = played + timedelta(days=rng.randint(1, 9))
    games = []
    for _game in range(data["rules"]["pairs"] * data["rules"]["games_each"]):
        less = rng.randint(0, 20)
        played_out = rng.choice([[21, less], [less, 21]])
        odd = rng.choice(["home", "away", "void", [15, 15], [12, 9]])
        games.append(odd if rng.random() < 0.06 else played_out)
    data["cards"].append(
        {"fixture": fixture["id"], "played": played.isoformat(),
         "received": rng.choice([None, f"{received}T{rng.choice(['11:59', '12:00', '12:01'])}"]),
         "late_lifted": rng.random() < 0.1, "games": games}
    )  # fmt: skip


def imported(data, club):
    return import_document(club, data, by=TEST, at=EIGHT).league


def test_tables_of_simulated_seasons_are_those_of_their_cards():
    """200 with LEAGUE_SEASONS=200; each is read, made, written again and worked out anew."""
    club = a_club()
    for seed in range(SEASONS):
        data = json.loads(json.dumps(a_season(seed)))
        out = league_document(imported(data, club))
        assert {name: out[name] for name in data} == data, seed
        assert differences(out) == [], seed
        back = league_document(imported({k: out[k] for k in data}, club))
        assert back == out, seed


def test_a_league_of_the_site_is_written_and_comes_back_with_equal_tables():
    league = with_fixtures(4)
    first, _second = matches(league)
    written(first, 6)
    out = league_document(league)
    assert differences(out) == []
    assert len(out["cards"]) == 1
    assert out["rules"]["target"] == 21
    other = imported(out, a_club(slug="other"))
    assert league_document(other) == out
    names = [team.name for team in league.teams.all()]
    assert [team.name for team in other.teams.all()] == names  # and not their ids


def test_a_start_time_of_its_own_goes_with_its_match_and_old_files_have_none():
    league = with_fixtures(2)
    league.matches.filter(round=1).update(begins_at=time(18, 15))
    out = league_document(league)
    assert [fixture.get("begins_at") for fixture in out["fixtures"]] == ["18:15", None]
    other = imported(out, a_club(slug="other"))
    assert list(other.matches.values_list("begins_at", flat=True)) == [time(18, 15), None]
    out["fixtures"][0]["begins_at"] = "quarter past six"
    with pytest.raises(BadLeagueFile) as bad:
        imported(out, a_club(slug="third"))
    assert bad.value.faults == ["fixtures 1: a time like 19:30 is expected."]


def test_a_card_of_which_only_games_won_are_known_has_no_points_in_the_table_nor_in_its_file():
    data = small()
    data["rules"] |= {"points": {"win": 2, "draw": 1, "loss": 0, "game": 0}, "given_game": [21, 0],
                      "tie_breaks": ["points_difference", "play_off"]}  # fmt: skip
    data["divisions"] = [{"id": "1", "teams": ["ship-a", "bell", "oak", "elm"]}]
    meet = {"division": "1", "half": 1, "date": "2025-10-01"}
    data["fixtures"] = [{"id": 1, "home": "ship-a", "away": "bell", **meet},
                        {"id": 2, "home": "oak", "away": "elm", **meet}]  # fmt: skip
    card = data["cards"][0]
    data["cards"] = [
        {**card, "games": ["home", "home"], "totals_only": True},
        {**card, "fixture": 2, "games": [[21, 3], [21, 4]]},
    ]
    league = imported(data, a_club())
    out = league_document(league)
    assert out["cards"][0]["totals_only"] is True
    rows = {row["team"]: row for row in out["tables"][0]["rows"]}
    assert [rows[one]["points_for"] for one in ("ship-a", "bell", "oak")] == [None, None, 42]
    assert rows["ship-a"]["games_for"] == 2
    assert rows["ship-a"]["tied"]  # 42-0 would be first, by points that nobody scored
    assert rows["oak"]["tied"]
    assert league_document(imported(out, a_club(slug="other"))) == out


def small():
    """A whole season of two teams."""
    data = a_season(1)
    data["rules"] |= {"pairs": 1, "games_each": 2, "moves": [], "section_play_off": None}
    data["divisions"] = [{"id": "1", "teams": ["ship-a", "bell"]}, {"id": "2", "teams": ["oak"]}]
    game = {"division": "1", "home": "ship-a", "away": "bell", "half": 1, "date": "2025-10-01"}
    data["fixtures"] = [{"id": 1, **game}, {"id": 2, **game}]
    data["cards"] = [{"fixture": 1, "played": "2025-10-01", "received": None,
                      "late_lifted": False, "games": [[21, 15], [15, 21]]}]  # fmt: skip
    for name in ("walkovers", "adjustments", "withdrawn", "play_offs"):
        data[name] = []
    return data


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda d: d["walkovers"].append({"fixture": 1, "to": "home"}), "two results"),
        (lambda d: d["cards"][0]["games"].append(None), "2 games"),
        (lambda d: d["cards"][0].update(games=[[21, 21], None]), "Both sides"),
        (lambda d: d["cards"][0].update(games=[[99, 3], None]), "no game ends"),
        (lambda d: d["cards"][0].update(games=["won", None]), "not a game"),
        (lambda d: d["cards"][0].update(totals_only=1), "totals_only: true or false"),
        (lambda d: d["fixtures"][0].update(away="oak"), "division"),
        (lambda d: d["fixtures"][0].update(away="ship-a"), "itself"),
        (lambda d: d["fixtures"][0].update(away="elm"), "is missing"),
        (lambda d: d["cards"][0].update(fixture=9), "no such fixture"),
        (lambda d: d.update(format="right-bower-club"), "not a league's file"),
        (lambda d: d["rules"].update(tie_breaks=["chance"]), "tie_breaks"),
        (lambda d: d["adjustments"].append({"team": "oak", "points": "1/3"}), "exactly"),
        (lambda d: d["withdrawn"].append({"team": "oak", "date": "today"}), "a date like"),
        (lambda d: d["play_offs"].append({"kind": "level", "order": ["oak"]}), "not a play-off"),
        (lambda d: d.update(names={"oak": "Bell"}), "two teams are called bell"),
        (lambda d: d.update(names={"oak": 7}), "this is not a name"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence_and_nothing_is_made(change, says):
    data, club = copy.deepcopy(small()), a_club()
    change(data)
    with pytest.raises(BadLeagueFile, match=says):
        imported(data, club)
    assert not TeamLeague.objects.exists()
    assert not club.rulesets.exists()


def test_the_commands_write_and_read_the_file(tmp_path):
    club, file = a_club(), tmp_path / "season.json"
    file.write_text(json.dumps(small()), "utf-8")
    answer = StringIO()
    call_command("import_league", str(file), club=club.slug, dry_run=True, stdout=answer)
    assert answer.getvalue() == "Season 1: 3 teams, 2 matches. Nothing was imported.\n"
    assert not TeamLeague.objects.exists()
    call_command("import_league", str(file), club=club.slug, stdout=StringIO())
    answer = StringIO()
    call_command("export_league", TeamLeague.objects.get().public_id, stdout=answer)
    assert differences(json.loads(answer.getvalue())) == []
    file.write_text("{", "utf-8")
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("import_league", str(file), club=club.slug)
