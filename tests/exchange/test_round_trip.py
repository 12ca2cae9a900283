"""What goes out comes in again: the sheets of a club that has everything make the same standings
in an empty club."""

from contextlib import suppress
from datetime import date
from operator import attrgetter

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.errors import Refused
from league.exchange.sheet_import import examples
from league.exchange.sheets import ROUNDS, SHEETS, sheet
from league.exchange.tournament_sheet import round_rows
from league.exchange.views.dry_run import Agreement, rows_of
from league.exchange.views.files import (
    HANDS_IMPORT,
    PEOPLE_IMPORT,
    RESULTS_IMPORT,
    SESSIONS_IMPORT,
    TOURNAMENTS_IMPORT,
)
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
from league.seating.models import Table
from league.sessions.models import Session
from league.standings.queries import session_standings
from league.standings.season_queries import season_standings
from league.tournaments import actions as tournaments
from league.tournaments.bracket_page import bracket_parts
from league.tournaments.queries import entry_name
from league.tournaments.round_sheets import round_sheet
from league.tournaments.session_places import session_places
from league.tournaments.stage_state import OF_PAIRS
from league.tournaments.standing import standing_of
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
from tests.tournaments.playing import (
    a_tournament,
    match_of,
    of_pairs,
    play_round,
    published,
    state_of,
)
from tests.tournaments.test_undoing import played_twice

pytestmark = pytest.mark.django_db
SAY = {"by": TEST, "at": EIGHT}
MARCHES = [(0, 5), (2, 5), (0, 5), (2, 5), (0, 5)]
NAMED = attrgetter("name")
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


CUPS = (
    (10, "knockout", {"third_place": True, "consolation": True}),
    (8, "double", {}),
    (12, "groups", {"groups": 2, "through": 1}),
    (8, "round_robin", {}),
    (8, "swiss", {"games": 3, "laps": True, "slam": True, "given_points": 3}),
    (7, "progressive", {}),
    (5, "rotation", {}),
)


def _tournaments(club):
    """Every format: walk-overs, somebody who leaves, a round ended early, a tie that was cut."""
    for count, format, choice in CUPS:
        cup = a_tournament(count, format, club=club, entered=False, rounds=2, **choice)
        cup.name = f"Cup {format}"
        cup.save()
        cup.session.name = f"Cup {format}"
        cup.session.save()
        for person in club.members.filter(attendances__session=cup.session):
            person.name = f"{person.name} of the {format}"
            person.save()
        tournaments.enter_present(cup, **SAY)
        if format in OF_PAIRS:
            tournaments.draw_partners(cup, seed=1, by=TEST)
        _play(cup)
        tournaments.finish_tournament(cup, **SAY)


def _play(cup):
    published(cup)
    first = state_of(cup).last.matches[0]
    if cup.stages.get().format in OF_PAIRS:
        tournaments.decide_match(cup, match_of(first), 1, how="walkover", reason="Ill", **SAY)
        Table.objects.filter(match_game__match=first.key).update(is_live=False)  # not played
        tournaments.withdraw_entry(cup.entries.get(pk=first.sides[0]), **SAY)
    play_round(cup)
    with suppress(Refused):  # it has no more rounds
        for seed in range(2, 12):
            published(cup, seed)
            play_round(cup, seed)


def _match(club):
    """A match of a league: games to 21 without hands."""
    written(matches(with_fixtures(2, club=club, pairs=1, turns=2))[0], 1)


def sheet_of(client, kind, name, club, *args):
    """What goes out, as CSV; the spreadsheet is read as the same lines."""
    csv, xlsx = (client.get(reverse(name, args=[club.slug, *args, one])) for one in SHEETS)
    assert (csv.status_code, xlsx.status_code) == (200, 200)
    assert cells_of(kind, csv.content) == cells_of(kind, xlsx.content)
    return csv.content


def cells_of(kind, content):
    return [
        {name: cell for name, cell in one.cells.items() if cell} for one in rows_of(kind, content)
    ]


def take(club, kind, content):
    rows, at = rows_of(kind, content), timezone.now()
    found = kind.preview(club, rows, at)
    assert [str(trouble) for trouble in found.troubles] == []
    also = [line.number for line in getattr(found, "lines", ()) if line.asks]
    return kind.save(club, rows, Agreement(found.agreed, also, TEST, at))


def test_the_sheets_of_a_club_make_the_same_standings_in_an_empty_club(club):
    empty = a_club(name="Another", slug="another")
    rulesets_of(empty)
    empty.seasons.create(name="Autumn", starts_on=date(2026, 9, 1))
    client = Client()
    client.force_login(a_user(club=club))
    take(empty, PEOPLE_IMPORT, sheet_of(client, PEOPLE_IMPORT, "export_people", club))
    for night in club.sessions.filter(games__hands__isnull=False).distinct():
        content = sheet_of(client, HANDS_IMPORT, "session_hands", club, night.public_id)
        take(empty, HANDS_IMPORT, content)
    take(empty, RESULTS_IMPORT, sheet_of(client, RESULTS_IMPORT, "club_results", club))
    for cup in club.tournaments.all():
        content = sheet_of(client, TOURNAMENTS_IMPORT, "export_rounds", club, cup.public_id)
        take(empty, TOURNAMENTS_IMPORT, content)
    take(empty, SESSIONS_IMPORT, sheet_of(client, SESSIONS_IMPORT, "export_sessions", club))
    assert results_of(empty) == results_of(club)
    assert nights_of(empty) == nights_of(club)
    for cup in club.tournaments.all():
        assert places_of(empty.tournaments.get(name=cup.name)) == places_of(cup)
    for night in club.sessions.exclude(name="Under way"):
        again = empty.sessions.get(name=night.name)
        assert ranks_of(session_standings(again, at=EIGHT)) == ranks_of(
            session_standings(night, at=EIGHT)
        )
    assert not Game.objects.filter(session__club=empty, state="playing").exists()  # it stays out
    seasons = [ranks_of(season_standings(one.seasons.get(), at=EIGHT)) for one in (empty, club)]
    assert seasons[0] == seasons[1]
    assert not any(differences(with_everything(Game.objects.all())))


def places_of(cup):
    """Its table with all figures, its bracket, and the byes of every round, by names."""
    state = state_of(cup)
    name_of = {key: entry_name(one, NAMED) for key, one in state.entries.items()}
    lines = [(line.rank, name_of[line.who], line.values) for line in standing_of(state).lines]
    rounds = [(one.row.label, sorted(map(name_of.get, one.byes))) for one in state.published]
    sheets = [round_sheet(state, one, NAMED) for one in state.published]
    seats = [[side.seats for match in one.matches for side in match.sides] for one in sheets]
    ranked = sorted(lines, key=lambda line: (line[0], line[1]))
    return ranked, rounds, seats, bracket_parts(state, NAMED), state.options, state.stage.cards


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
    ranks = [(line.rank, table.people[line.who].name, line.values) for line in table.lines]
    return sorted(ranks, key=lambda line: line[:2])


def test_a_match_that_a_correction_has_undone_is_in_no_sheet_and_the_places_come_out_the_same():
    cup, _undone = played_twice()
    play_round(cup, seed=3)
    for number, person in enumerate(cup.club.members.all()):
        person.name = f"Player {chr(65 + number)}"
        person.save()
    tournaments.finish_tournament(cup, **SAY)
    Session.objects.filter(pk=cup.session_id).update(state="closed")
    cup.refresh_from_db()
    lines = [dict(zip(ROUNDS, row, strict=True)) for row in round_rows(state_of(cup), NAMED)]
    assert sum(line["kind"] == "match" for line in lines) == 4
    empty = a_club(name="Another", slug="another")
    rulesets_of(empty)
    for person in cup.club.members.all():
        empty.members.create(name=person.name)
    take(empty, TOURNAMENTS_IMPORT, looked(empty, lines)[1])
    assert places_of(empty.tournaments.get())[0] == places_of(cup)[0]


@pytest.fixture
def cup_sheet():
    """A Swiss of three pairs, over, as the lines of its sheet by column; and an empty club."""
    cup = of_pairs(3, "swiss", rounds=2)
    for number, person in enumerate(cup.club.members.all()):
        person.name = f"Player {chr(65 + number)}"
        person.save()
    published(cup)
    play_round(cup)
    tournaments.finish_tournament(cup, **SAY)
    Session.objects.filter(pk=cup.session_id).update(state="closed")
    empty = a_club(name="Another", slug="another")
    rulesets_of(empty)
    for person in cup.club.members.all():
        empty.members.create(name=person.name)
    cup.refresh_from_db()
    state = state_of(cup)
    lines = [dict(zip(ROUNDS, row, strict=True)) for row in round_rows(state, NAMED)]
    return empty, lines


def looked(club, lines):
    content = sheet(ROUNDS, [list(line.values()) for line in lines], kind="csv")
    rows = rows_of(TOURNAMENTS_IMPORT, content)
    return TOURNAMENTS_IMPORT.preview(club, rows, timezone.now()), content


def test_a_tournament_comes_in_without_hands_and_only_once(cup_sheet):
    empty, lines = cup_sheet
    found, content = looked(empty, lines)
    assert (len(found.new), found.known) == (1, 0)
    assert not empty.sessions.exists()  # it was only tried
    (cup,) = take(empty, TOURNAMENTS_IMPORT, content)
    assert (cup.state, cup.entries.count(), cup.session.state) == ("finished", 3, "closed")
    found, _content = looked(empty, lines)
    assert (found.new, found.known) == ([], 1)


WRONG = (
    (0, "format", "chess {}"),
    (0, "format", 'swiss {"rounds": 99}'),
    (0, "state", "running"),
    (0, "kind", "entry"),
    (1, "player 1", "Nobody"),
    (1, "entry 1", 2),
    (4, "entry 2", 9),
    (4, "winner", 3),
    (4, "decided by", "lot"),
    (4, "round", ""),
    (4, "ended", "unfinished"),
    (4, "place", "M1-1"),
    (4, "points 1", 99),
    (4, "carried", "1"),
)


def test_a_line_of_a_tournament_that_cannot_be_is_told_at_its_cell(cup_sheet):
    empty, lines = cup_sheet
    for line, column, cell in WRONG:
        changed = [dict(one) for one in lines]
        changed[line][column] = cell
        found, _content = looked(empty, changed)
        assert column.replace("entry 2", "entry 1") in {one.column for one in found.troubles}
    lines[4]["entry 3"] = 3
    (found,) = looked(empty, lines)[0].troubles
    assert "too many entries for its table" in str(found)
    assert not empty.sessions.exists()


def test_a_sheet_of_standings_is_told_which_file_to_take(cup_sheet):
    empty, _lines = cup_sheet
    client = Client()
    client.force_login(a_user("third", club=empty))
    file = SimpleUploadedFile("standings.csv", b"Place,Name\n1,Ann\n")
    answer = client.post(reverse("import_tournaments", args=[empty.slug]), {"file": file})
    assert answer.status_code == 422
    assert "download “Rounds as CSV”" in answer.content.decode()


def test_the_example_of_a_tournament_comes_in(cup_sheet):
    empty, _lines = cup_sheet
    for name in ("Rose", "Ann", "Ted", "Bill"):
        empty.members.create(name=name)
    example = examples(timezone.now().date())["tournaments"]
    content = sheet(example.headings, example.lines, kind="xlsx")
    (cup,) = take(empty, TOURNAMENTS_IMPORT, content)
    assert session_places(cup.session)[empty.members.get(name="Ted").pk].place == 1
