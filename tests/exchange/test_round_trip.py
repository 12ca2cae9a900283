"""What goes out comes in again: the sheets of a club that has everything make the same standings
in an empty club."""

from datetime import date

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.exchange.views.dry_run import Agreement, rows_of
from league.exchange.views.files import OF_HANDS, OF_PEOPLE, OF_RESULTS, OF_SESSIONS
from league.play.actions import (
    adjust_score,
    call_time,
    concede,
    correct_hand,
    rule_penalty,
    strike_hand,
    write_totals,
)
from league.play.models import Game
from league.play.recount import differences, with_everything
from league.seating.actions import substitute
from league.sessions.models import Session
from league.standings.queries import session_standings
from league.standings.season_queries import season_standings
from league.tournaments import actions as tournaments
from tests.builders import (
    EIGHT,
    TEST,
    a_club,
    a_ruleset,
    a_session,
    a_table,
    a_user,
    members_of,
    rulesets_of,
)
from tests.play.hands import log_of, made, write
from tests.teams.leagues import matches, with_fixtures, written
from tests.tournaments.playing import a_tournament, play_round, published

pytestmark = pytest.mark.django_db
SAY = {"by": TEST, "at": EIGHT}
MARCHES = [(0, 5), (2, 5), (0, 5), (2, 5), (0, 5)]
COUNTED = ("points", "win_share", "expected", "hands", "calls", "euchres", "marches")


@pytest.fixture
def club():
    made_ = a_club()
    people = members_of(made_, 12)
    for number, person in enumerate(people):
        person.name = f"Player {chr(65 + number)}"
        person.save()
    _two, three, four = rulesets_of(made_)
    season = made_.seasons.create(name="Autumn", starts_on=date(2026, 9, 1))
    _with_hands(made_, people, season, three, four)
    _scores_alone(made_, people, season, three, four)
    _tournaments(made_)
    _match(made_)
    a_session(made_, name="Snow", held_on=date(2026, 11, 2), state="cancelled")
    a_session(made_, name="Nobody came", held_on=date(2026, 11, 3), state="closed")
    coming = a_session(made_, name="Next year", held_on=date(2199, 1, 7), state="planned")
    Session.objects.filter(club=made_).exclude(pk=coming.pk).exclude(state="cancelled").update(
        state="closed"
    )
    return made_


def _with_hands(club, people, season, three, four):
    """Corrections, penalties, substitutes, games that time or somebody's leaving ended."""
    night = a_session(club, people, name="With hands", season=season)
    one = a_table(night, people[:4], four)
    write(one, (0, 3), (1, 5), (2, 4))
    correct_hand(one, 2, made(1, 4, 1), reason="Read wrong", expected_version=1,
                 client_id="better-hand", **SAY)  # fmt: skip
    strike_hand(one, 3, reason="Not dealt", expected_version=1, client_id="struck-hand", **SAY)
    rule_penalty(one, by_seat=0, client_id="renege-0", **SAY)
    adjust_score(one, [1, 0], reason="Agreed", client_id="adjust-0", **SAY)
    substitute(one, 0, people[11], by=TEST)
    write(one, *[(1, 5)] * 4)
    assert log_of(one).state.over
    other = a_table(night, people[4:7], three)
    write(other, (0, 3), (1, 5))
    call_time(other, **SAY)
    alone = a_table(night, people[7:11], four)
    write(alone, (0, 3), (1, 5))
    concede(alone, 1, **SAY)
    beside = a_table(a_session(club, name="Eight hands", season=season), people[:4],
                     a_ruleset(club, hands=8))  # fmt: skip
    write(beside, *[(number % 4, 3 + number % 3) for number in range(8)])
    assert log_of(beside).state.over
    night = a_session(club, name="Under way")
    write(a_table(night, people[:4], four), *MARCHES)
    write(a_table(night, people[4:8], four), (0, 3))


def _scores_alone(club, people, season, three, four):
    """One evening of scores, some beside a game with hands."""
    night = a_session(club, people, name="Scores", season=season)
    write_totals(a_table(night, people[:4], four, totals_only=True), [10, 9], **SAY)
    write_totals(a_table(night, people[4:7], three, totals_only=True), [10, 9, 3], **SAY)
    write(a_table(night, people[7:11], four), *MARCHES)


def _tournaments(club):
    for count, format in ((8, "knockout"), (9, "progressive"), (5, "rotation")):
        cup = a_tournament(count, format, club=club, entered=False)
        cup.session.name = f"Cup {format}"
        cup.session.save()
        for person in club.members.filter(attendances__session=cup.session):
            person.name = f"{person.name} of the {format}"
            person.save()
        tournaments.enter_present(cup, **SAY)
        if format == "knockout":
            tournaments.draw_partners(cup, seed=1, by=TEST)
        published(cup)
        play_round(cup)


def _match(club):
    """A match of a league: games to 21 without hands."""
    written(matches(with_fixtures(2, club=club, pairs=1, turns=2))[0], 1)


def sheet_of(client, name, club, *args):
    answer = client.get(reverse(name, args=[club.slug, *args]))
    assert answer.status_code == 200
    return answer.content


def take(club, kind, content):
    rows, at = rows_of(kind, content), timezone.now()
    found = kind.look(club, rows, at)
    assert [str(trouble) for trouble in found.troubles] == []
    also = [line.number for line in getattr(found, "lines", ()) if line.asks]
    return kind.order(club, rows, Agreement(found.agreed, also, TEST, at))


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_sheets_of_a_club_make_the_same_standings_in_an_empty_club(club, kind):
    empty = a_club(name="Another", slug="another")
    rulesets_of(empty)
    empty.seasons.create(name="Autumn", starts_on=date(2026, 9, 1))
    client = Client()
    client.force_login(a_user(club=club))
    take(empty, OF_PEOPLE, sheet_of(client, "export_people", club, kind))
    for night in club.sessions.filter(games__hands__isnull=False).distinct():
        content = sheet_of(client, "session_hands", club, night.public_id, kind)
        take(empty, OF_HANDS, content)
    take(empty, OF_RESULTS, sheet_of(client, "club_results", club, kind))
    take(empty, OF_SESSIONS, sheet_of(client, "export_sessions", club, kind))
    assert results_of(empty) == results_of(club)
    assert nights_of(empty) == nights_of(club)
    for night in club.sessions.filter(tournaments=None).exclude(name="Under way"):
        again = empty.sessions.get(name=night.name)
        assert ranks_of(session_standings(again, at=EIGHT)) == ranks_of(
            session_standings(night, at=EIGHT)
        )
    assert not Game.objects.filter(session__club=empty, state="playing").exists()  # it stays out
    seasons = [ranks_of(season_standings(one.seasons.get(), at=EIGHT)) for one in (empty, club)]
    assert seasons[0] == seasons[1]
    assert not any(differences(with_everything(Game.objects.all())))


def results_of(club):
    """What everybody has of every game that is over."""
    return sorted(
        (
            one.game.session.name,
            one.game.score,
            one.member.name,
            *(getattr(one, n) for n in COUNTED),
        )
        for game in Game.objects.filter(session__club=club).exclude(state="playing")
        for one in game.results.select_related("member", "game__session")
    )


def nights_of(club):
    return sorted(club.sessions.values_list("held_on", "name", "state", "season__name"))


def ranks_of(table):
    return [(line.rank, table.people[line.who].name, line.values) for line in table.lines]
