"""Everything that pages count, worked out again from the club's backup alone: no difference.

Random clubs: `NEW_EXAMPLES=1` draws others, `ARCHIVE_CLUBS=50` more of them. A club that differs is
named by its seed, and `the_club(seed)` makes it again.
"""

import json
import os
from collections.abc import Callable
from datetime import timedelta
from fractions import Fraction
from random import Random, SystemRandom

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse

from league.exchange.archive_writing import archive_of
from league.members.actions import change_settings
from league.members.models import Club
from league.ranking.measures import total
from league.ranking.statistics import Rate
from league.standings.cached_tables import session_facts
from league.standings.careers import career_of, ratings_of, record_of
from league.standings.labels import LABELS
from league.standings.pot_queries import pot_sheets
from league.standings.queries import session_standings
from league.standings.season_queries import season_standings
from league.teams.queries import fixtures_of, tables_of
from league.tournaments.queries import stage_of
from league.tournaments.stage_state import load_stage
from league.tournaments.standing import standing_of
from tests.api.asking import Program, a_token
from tests.builders import TEST, a_user
from tests.conftest import NEW_EXAMPLES
from tests.standings.archive_cups import Swiss, matches_won
from tests.standings.archive_reader import FIGURES, Archive
from tests.standings.page_tables import rows, says
from tests.standings.random_club import FIRST, the_club

IN_POINTS = ("points", "difference", "difference_a_hand")
NOW = FIRST + timedelta(days=30)
HOW_MANY = int(os.environ.get("ARCHIVE_CLUBS", "1"))
CHANCE = SystemRandom() if NEW_EXAMPLES else Random(12)
SEEDS = [CHANCE.randrange(10**6) for _club in range(HOW_MANY)]


class Comparison:
    """Pairs of a name and a figure from the site and from the backup; those that differ."""

    def __init__(self) -> None:
        self.figures, self.differences = 0, []

    def same(self, where: object, site: object, backup: object) -> None:
        self.figures += 1
        if site != backup:
            self.differences.append((where, site, backup))


@pytest.mark.django_db
@pytest.mark.parametrize("seed", SEEDS)
def test_a_reader_of_the_backup_alone_comes_to_the_same_figures(
    seed: int, record_property: Callable[[str, object], None]
) -> None:
    caches["pages"].clear()
    club = the_club(seed)
    archive = Archive(json.loads(json.dumps(archive_of(club, at=NOW))))
    found = Comparison()
    compare_sessions(club, archive, found)
    compare_facts(club, archive, found)
    compare_pages(club, archive, found)
    compare_api(club, archive, found)
    compare_leagues(club, archive, found)
    compare_cups(club, archive, found)
    compare_seasons(club, archive, found)
    compare_pots(club, archive, found)
    compare_players(club, archive, found)
    compare_ratings(club, archive, found)
    compare_credits(club, found)
    assert found.differences == [], f"seed {seed}"
    assert found.figures > 1_000
    record_property("figures", found.figures)


def compare_sessions(club: Club, archive: Archive, found: Comparison) -> None:
    for night in club.sessions.select_related("club"):
        table = session_standings(night, at=NOW)
        seats, ranks = archive.session_chairs(night.pk), archive.session_ranks(night.pk)
        found.same((night, "players"), {line.who for line in table.lines}, set(seats))
        for line in table.lines:
            found.same((night, line.who, "rank"), line.rank, ranks.get(line.who))
            ended = [seat for seat in seats.get(line.who, ()) if seat["ended"]]
            found.same((night, line.who, "games"), total(table.tallies[line.who], "games"),
                       len(ended))  # fmt: skip
            for code, value in line.values.items():
                of_backup = archive.shown(night.pk, line.who, code, seats.get(line.who, []))
                found.same((night, line.who, code), value, of_backup)


def compare_credits(club: Club, found: Comparison) -> None:
    """The same tables with what players who win a game together have of it chosen otherwise."""
    for credit in {"shared", "full"} - {club.co_winners_credit}:
        change_settings(club, by=TEST, co_winners_credit=credit)
        archive = Archive(json.loads(json.dumps(archive_of(club, at=NOW))))
        compare_sessions(club, archive, found)
        compare_seasons(club, archive, found)
        compare_players(club, archive, found)


def compare_facts(club: Club, archive: Archive, found: Comparison) -> None:
    """What a finished session came to, on its page and its print."""
    for night in club.sessions.all():
        games = [g for g in archive.games if g["session"]["id"] == night.pk]
        over = [g for g in games if g["row"]["finished_at"]]
        seats = [c for g in games if g["ended"] for c in g["current_seats"]]
        hands = [g["row"]["hands_played"] for g in over]
        facts = session_facts(night)
        people = {c["member"] for g in games for c in g["current_seats"]}
        people |= set(archive.places_of(night.pk))  # who only had a walk-over too
        found.same((night, "facts"), (facts.games, facts.people, facts.longest, facts.hands),
                   (len(over), len(people), max(hands, default=0), sum(hands)))  # fmt: skip
        found.same((night, "euchres"), facts.euchres, sum(c["euchred"] for c in seats))
        found.same((night, "lone"), facts.lone_marches, sum(c["lone_marches"] for c in seats))


def compare_api(club: Club, archive: Archive, found: Comparison) -> None:
    """What programs read: every figure of every session's and season's table."""
    program = Program(a_token(club))
    members = {one.public_id: one.pk for one in club.members.all()}
    shown = club.sessions.filter(standings_held=False)
    for night in shown:
        seats, ranks = archive.session_chairs(night.pk), archive.session_ranks(night.pk)
        answer = program.get(f"/sessions/{night.public_id}/standings").json()
        for place in answer["places"]:
            who = members[place["person"]["id"]]
            found.same((night, "api", who), place["rank"], ranks[who])
            for code, value in place["values"].items():
                expected = archive.shown(night.pk, who, code, seats[who])
                number = None if expected is None else pytest.approx(float(expected), abs=1e-6)
                found.same((night, "api", who, code), value, number)
    for season in club.seasons.all():
        backup = archive.season(season.pk)
        for place in program.get(f"/seasons/{season.public_id}/standings").json()["places"]:
            one = backup[members[place["person"]["id"]]]
            rank = None if one["short"] else one["rank"]
            found.same((season, "api", place["person"]["id"]), place["rank"], rank)
            for code, value in place["values"].items():
                expected = one["points"] if code == "season_points" else one["figures"][code]
                number = None if expected is None else pytest.approx(float(expected), abs=1e-6)
                found.same((season, "api", code), value, number)


def compare_pages(club: Club, archive: Archive, found: Comparison) -> None:
    """What stands in the cells of the tables, as a signed-in organiser reads them and on paper."""
    browser = Client()
    browser.force_login(a_user("reader", club=club))
    codes = {str(LABELS[code].column): code for code in FIGURES}
    members = {one.public_id: one.pk for one in club.members.all()}
    members |= {one.name: one.pk for one in club.members.all()}  # no links on paper
    for night in club.sessions.all():
        seats, ranks = archive.session_chairs(night.pk), archive.session_ranks(night.pk)
        for view in ("session_standings", "print_standings"):
            seen = set()
            page = browser.get(reverse(view, args=[club.slug, night.public_id])).content.decode()
            for public_id, cells in rows(page):
                who = members[public_id]
                seen.add(who)
                found.same((night, view, who), cells["Place"].lstrip("="), str(ranks[who]))
                for column in cells.keys() & codes.keys():
                    value = archive.shown(night.pk, who, codes[column], seats[who])
                    found.same((night, view, who, column, cells[column], value), True,
                               says(cells[column], value))  # fmt: skip
            found.same((night, view, "players"), seen, set(seats))
    for season in club.seasons.all():
        backup, view = archive.season(season.pk), "season_standings"
        page = browser.get(reverse(view, args=[club.slug, season.public_id])).content.decode()
        for public_id, cells in rows(page):
            one = backup[members[public_id]]
            figures = {**one["figures"], "season_points": one["points"]}
            for column in cells.keys() & codes.keys():
                value = figures[codes[column]]
                found.same((season, public_id, column, cells[column], value), True,
                           says(cells[column], value))  # fmt: skip


def compare_leagues(club: Club, archive: Archive, found: Comparison) -> None:
    """The table of a team league: matches, games, points of each team."""
    for league in club.team_leagues.all():
        teams = list(league.teams.all())
        for table in tables_of(league, teams, fixtures_of(league)).values():
            for team, record in table.records.items():
                site = (record.played, record.wins, record.draws, record.losses, record.won,
                        record.lost, record.own, record.theirs)  # fmt: skip
                found.same((league, team), site, archive.team(team))


def compare_cups(club: Club, archive: Archive, found: Comparison) -> None:
    """Every figure of a Swiss that follows from whom the pairs met, and the matches won in a
    knock-out, without those that a correction has undone."""
    for cup in club.tournaments.filter(stages__format="knockout"):
        won = matches_won(archive, cup.pk)
        for line in standing_of(load_stage(stage_of(cup))).lines:
            found.same((cup, line.who), line.values["match_points"], won[line.who])
    for cup in club.tournaments.filter(stages__format="swiss"):
        figures = Swiss(archive, cup.pk).figures()
        for line in standing_of(load_stage(stage_of(cup))).lines:
            for code, value in figures[line.who].items():
                found.same((cup, line.who, code), line.values[code], value)


def compare_seasons(club: Club, archive: Archive, found: Comparison) -> None:
    for season in club.seasons.select_related("club"):
        lines = {line.who: line for line in season_standings(season, at=NOW).lines}
        backup = archive.season(season.pk)
        found.same((season, "players"), set(lines), set(backup))
        for who in lines.keys() & backup.keys():
            one = backup[who]
            found.same((season, who, "rank"), lines[who].rank, one["rank"])
            for code, value in lines[who].values.items():
                expected = one["points"] if code == "season_points" else one["figures"][code]
                found.same((season, who, code), value, expected)


def compare_pots(club: Club, archive: Archive, found: Comparison) -> None:
    for scope in (*club.sessions.select_related("club"), *club.seasons.select_related("club")):
        for sheet in pot_sheets(scope, at=NOW).sheets:
            holds, lines = archive.pot(sheet.pot.pk)
            found.same((scope, "holds"), sheet.ledger.holds, holds)
            site = {
                row.member.pk: {
                    "owes": row.line.owes, "won": row.line.won,
                    "paid": row.balance.paid, "got": row.balance.got,
                }
                for row in sheet.rows
            }  # fmt: skip
            for who in site.keys() | lines.keys():
                found.same((scope, sheet.pot.payout, who), site.get(who), lines.get(who))


def compare_players(club: Club, archive: Archive, found: Comparison) -> None:
    for member in club.members.all():
        career, (ended, seats) = career_of(member), archive.played(member.pk)
        deals = [deal for seat in seats for deal in seat["deals"]]
        where = member.name
        won = sums(c["games_won"] for c in ended)
        found.same((where, "won"), (career.won.count, career.won.of), won)
        for name, site in career.habits.items():
            found.same((where, name), pair(site), habit(name, deals))
        for calls in career.by_place:
            here = [deal for deal in deals if deal["place"] == calls.kind]
            found.same((where, calls.kind), (calls.hands, *pair(calls.made)),
                       (len(here), *habit("made", here)))  # fmt: skip
        for calls in career.by_round:
            here = [d for d in deals if d["own"] and str(d["round"]) == calls.kind]
            found.same((where, "round", calls.kind), pair(calls.made), habit("made", here))
        compare_company(where, member.pk, career, ended, found)
        compare_evenings(where, career, ended, seats, found)
        for line in record_of(member):
            own = [c for c in seats if line.players in (0, c["game"]["players"])]
            compare = len({c["game"]["scale"] for c in own}) == 1
            for code in FIGURES:
                counted = archive.figure(code, own, every_hand=True)
                if code in IN_POINTS and not compare:
                    counted = None
                found.same((where, line.players, code), line.values[code], counted)
            for code in ("hands", "calls", "calls_made", "euchred", "lone_tried"):
                found.same((where, code), getattr(line, code), sum(c[code] for c in own))


def compare_company(where, who, career, ended, found) -> None:
    for one in career.company:
        both = {"together": [], "against": []}
        for seat in ended:
            for other in seat["game"]["current_seats"]:
                if other["ended"] and other["member"] == one.who != who:
                    kind = "together" if other["side"] == seat["side"] else "against"
                    both[kind].append(seat["games_won"])
        found.same((where, "with", one.who), pair(one.together), sums(both["together"]))
        found.same((where, "against", one.who), pair(one.against), sums(both["against"]))


def compare_evenings(where, career, ended, seats, found) -> None:
    """The evenings count the hands of games that a substitute ended, too."""
    run = longest = worst = 0
    for seat in ended:
        run = max(run, 0) + 1 if seat["won"] else min(run, 0) - 1
        longest, worst = max(longest, run), max(worst, -run)
    site = (career.runs.won, career.runs.lost, career.runs.now)
    found.same((where, "runs"), site, (longest, worst, run))
    over = [c for c in seats if any(other["ended"] for other in c["game"]["current_seats"])]
    order = list(dict.fromkeys(seat["game"]["session"]["id"] for seat in over))
    found.same((where, "evenings"), [step.session for step in career.trend], order)
    above = Fraction(0)
    for step in career.trend:
        here = [c for c in ended if c["game"]["session"]["id"] == step.session]
        above += sum(c["won"] - c["expected"] for c in here)
        written = [c for c in over if c["hands"] and c["game"]["session"]["id"] == step.session]
        gap = sum((c["points"] - c["against"] for c in written), Fraction(0))
        found.same((where, step.session, "above"), step.above, above)
        won = sums(c["games_won"] for c in here)
        found.same((where, step.session, "won"), pair(step.won), won)
        found.same((where, step.session, "a hand"), pair(step.a_hand),
                   (gap, sum(c["hands"] for c in written)))  # fmt: skip


def compare_ratings(club: Club, archive: Archive, found: Comparison) -> None:
    site, backup = ratings_of(club, at=NOW), archive.rated(NOW)
    found.same("rated players", set(site), set(backup))
    for who in site.keys() & backup.keys():
        rating = (site[who].value, site[who].uncertainty)
        found.same((who, "rating"), rating, pytest.approx(backup[who]))


def habit(name: str, deals: list[dict]) -> tuple[Fraction, int]:
    """One figure of play as people would count it: how many of how many."""
    own = [deal for deal in deals if deal["own"]]
    lost = ("euchred", "set")
    of, yes = {
        "called": (deals, lambda d: d["own"]),
        "made": (own, lambda d: d["outcome"] in ("made", "march")),
        "euchred": (own, lambda d: d["outcome"] in lost),
        "euchres": ([d for d in deals if d["called"] and not d["ours"]],
                    lambda d: d["outcome"] in lost),
        "marches": ([d for d in deals if d["ours"] and not d["bid"]],
                    lambda d: d["outcome"] == "march"),
        "lone_tried": ([d for d in own if not d["bid"]], lambda d: d["alone"]),
        "lone_marches": ([d for d in own if d["alone"]], lambda d: d["outcome"] == "march"),
    }[name]  # fmt: skip
    return sums(Fraction(bool(yes(deal))) for deal in of)


def sums(values) -> tuple[Fraction, int]:
    listed = list(values)
    return sum(listed, Fraction(0)), len(listed)


def pair(rate: Rate) -> tuple[Fraction, int]:
    return rate.count, rate.of
