"""Who wins a game together: a share of it each, or the whole game (D-57)."""

from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse

from league.members.actions import adopt_preset, change_settings
from league.members.models import Club
from league.play.actions import call_time, record_hand, settle_game, write_totals
from league.play.models import Result
from league.ranking.measures import MEASURES, Tally
from league.seasons.models import Season
from league.seating.actions import substitute
from league.sessions.attendance import arrive
from league.sessions.models import Session
from league.standings.careers import career_of, record_of
from league.standings.outlook import session_outlook
from league.standings.queries import session_standings
from league.standings.season_queries import season_standings
from league.tournaments.session_places import wrong_places
from league.tournaments.standing import standing_of
from tests.api.asking import Program, a_token
from tests.builders import (
    EIGHT,
    TEST,
    a_club,
    a_session,
    a_table,
    a_user,
    members_of,
    rulesets_of,
)
from tests.tournaments.playing import a_tournament, published, state_of, tables

KELLER = "keller-1887-three-handed"
NANAIMO = "nanaimo-three-handed"
BY = {"by": TEST, "at": EIGHT}
EUCHRE = {"dealer": 0, "contract": {"seat": 2, "trump": "h"}, "tricks_won": [2, 2, 1]}
TOGETHER = (6, 5, 2)  # Rose and Ann euchre Ted from 4 and 3


def an_evening(*games, credit=Club.CoWinners.GAMES, **of_session) -> Session:
    """An evening of Rose, Ann and Ted: of each game its preset and final score."""
    club = a_club(visibility="standings", co_winners_credit=credit)
    people = members_of(club, 3)
    night = a_session(club, people, **of_session)
    for preset, totals in games:
        played(night, preset, totals)
    return night


def played(night, preset=KELLER, totals=TOGETHER, people=None):
    club = night.club
    known = club.rulesets.filter(preset=preset).first()
    rules = known or adopt_preset(club, preset=preset, by=TEST)
    people = people or list(club.members.order_by("pk")[: rules.players])
    night.tables.update(is_live=False)
    for table in night.tables.all():
        table.seats.update(seated=False)
    table = a_table(night, people, rules, totals_only=totals is not None)
    if totals is not None:
        write_totals(table, totals, **BY)
    return table


def figures(table, code) -> list[Fraction]:
    """A column by name: Rose, Ann, Ted."""
    measure = MEASURES[code]
    of = {table.people[who].name: tallies for who, tallies in table.tallies.items()}
    return [measure.figure(of[name]) for name in ("Rose", "Ann", "Ted")]


def test_the_credit_is_in_games_won_and_not_in_wins_above_average() -> None:
    one = [Tally(games=1, won=Fraction(1, 2), credit=Fraction(1, 2), expected=Fraction(1, 3))]
    found = {code: MEASURES[code].figure(one) for code in ("won", "win_rate", "above")}
    assert found == {"won": 1, "win_rate": 1, "above": Fraction(1, 6)}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("credit", "won", "rate"),
    [("games", [2, 1, 0], [1, Fraction(1, 2), 0]), ("full", [2, 1, 0], [1, Fraction(1, 2), 0]),
     ("shared", [Fraction(3, 2), Fraction(1, 2), 0], [Fraction(3, 4), Fraction(1, 4), 0])],
)  # fmt: skip
def test_an_evening_of_kellers_game(credit, won, rate) -> None:
    """Rose and Ann win one game together, Rose the next alone."""
    night = an_evening((KELLER, TOGETHER), (KELLER, (5, 4, 2)), credit=credit)
    table = session_standings(night, at=EIGHT)
    assert figures(table, "won") == won
    assert figures(table, "win_rate") == rate
    above = [Fraction(5, 6), Fraction(-1, 6), Fraction(-2, 3)]
    assert figures(table, "above") == above
    assert table.credits_in_full == (credit != "shared")


@pytest.mark.django_db
def test_hands_count_as_a_final_score_does() -> None:
    """Ted is euchred three times: Rose and Ann have 6 each [001:25]."""
    night = an_evening()
    table = played(night, totals=None)
    for number in range(3):
        record_hand(table, EUCHRE | {"dealer": number}, client_id=f"hand-000{number}", **BY)
    assert figures(session_standings(night, at=EIGHT), "won") == [1, 1, 0]


@pytest.mark.django_db
def test_who_came_in_during_the_game_and_wins_it_together_has_the_whole_of_it_too() -> None:
    """Bill takes Rose's chair for the last euchre: of her six points he has made two."""
    night = an_evening()
    table = played(night, totals=None)
    for number in range(3):
        if number == 2:
            bill = night.club.members.create(name="Bill")
            arrive(night, bill, **BY)
            substitute(table, 0, bill, by=TEST)
        record_hand(table, EUCHRE | {"dealer": number}, client_id=f"hand-000{number}", **BY)
    standings = session_standings(night, at=EIGHT)
    won = {standings.people[line.who].name: line.values["won"] for line in standings.lines}
    assert {name: won[name] for name in ("Bill", "Ann", "Ted")} == {"Bill": 1, "Ann": 1, "Ted": 0}


@pytest.mark.django_db
def test_another_three_handed_game_of_the_evening_makes_them_share() -> None:
    night = an_evening((KELLER, TOGETHER))
    assert figures(session_standings(night, at=EIGHT), "won") == [1, 1, 0]
    open_table = played(night, NANAIMO, None)  # counts once it has ended
    assert figures(session_standings(night, at=EIGHT), "won") == [1, 1, 0]
    open_table.totals_only = True
    open_table.save()
    write_totals(open_table, (2, 3, 10), **BY)
    half = Fraction(1, 2)
    assert figures(session_standings(night, at=EIGHT), "won") == [half, half, 1]


@pytest.mark.django_db
def test_games_of_four_and_other_evenings_change_nothing() -> None:
    night = an_evening((KELLER, TOGETHER))
    people = [*night.club.members.order_by("pk"), night.club.members.create(name="Bill")]
    played(night, "standard-four-handed", (10, 3), people)
    other = a_session(night.club, people, name="Another")
    played(other, NANAIMO, (2, 3, 10), people[:3])
    assert figures(session_standings(night, at=EIGHT), "won") == [2, 1, 1]


@pytest.mark.django_db
def test_a_draw_is_shared_however_the_club_counts() -> None:
    """Level below the target, by time or by the score alone: nobody has won the game."""
    night = an_evening((KELLER, (3, 3, 1)), credit="full")
    table, half = played(night, totals=None), Fraction(1, 2)
    record_hand(table, EUCHRE, client_id="hand-0001", **BY)
    call_time(table, **BY)
    assert figures(session_standings(night, at=EIGHT), "won") == [2 * half, 2 * half, 0]
    assert not session_standings(night, at=EIGHT).credits_in_full


@pytest.mark.django_db
def test_whom_an_organiser_gives_a_game_together_each_win_it() -> None:
    night = an_evening((KELLER, (5, 4, 2)))
    table = night.tables.get()
    settle_game(table, "decided", reason="the sheet was wrong", winners=[0, 1], **BY)
    assert figures(session_standings(night, at=EIGHT), "won") == [1, 1, 0]


@pytest.mark.django_db
def test_a_season_counts_each_evening_by_its_own_games() -> None:
    night = an_evening((KELLER, TOGETHER))
    club = night.club
    season = Season.objects.create(club=club, name="Autumn", starts_on="2026-09-01")
    other = a_session(club, list(club.members.all()), name="Another")
    played(other, KELLER, (6, 5, 2))
    played(other, NANAIMO, (10, 3, 2))
    club.sessions.update(season=season)
    half = Fraction(1, 2)
    assert figures(season_standings(season, at=EIGHT), "won") == [2 + half, 1 + half, 0]
    Season.objects.update(counts="best_games", counted_number=1)
    season.refresh_from_db()
    assert figures(season_standings(season, at=EIGHT), "won") == [1, 1, 0]


@pytest.mark.django_db
def test_a_players_page_counts_as_the_standings_do_and_the_trend_above_average_shares() -> None:
    night = an_evening((KELLER, TOGETHER))
    rose = night.club.members.get(name="Rose")
    career = career_of(rose)
    assert (career.won.count, career.trend[0].won.count) == (1, 1)
    assert career.trend[0].above == Fraction(1, 6)
    assert {one.who: one.against.count for one in career.company} == dict.fromkeys(
        night.club.members.exclude(pk=rose.pk).values_list("pk", flat=True), 1
    )
    assert record_of(rose)[0].values["won"] == 1
    assert {row.win_share for row in Result.objects.filter(member=rose)} == {0.5}


@pytest.mark.django_db
def test_head_to_head_is_games_won_too() -> None:
    night = an_evening((KELLER, TOGETHER), (KELLER, (2, 3, 5)), measures=["win_rate"])
    night.measures = ["euchres", "head_to_head"]
    night.save()
    table = session_standings(night, at=EIGHT)
    # Rose and Ann took a game off Ted and he one off each of them: all are level.
    assert {line.rank for line in table.lines} == {1}
    change_settings(night.club, by=TEST, co_winners_credit="shared")
    table = session_standings(Session.objects.get(pk=night.pk), at=EIGHT)
    assert table.people[table.lines[0].who].name == "Ted"


@pytest.mark.django_db
def test_the_page_the_print_and_the_embedded_table_say_why_there_are_more_wins_than_games() -> None:
    night = an_evening((KELLER, TOGETHER))
    browser = Client()
    browser.force_login(a_user(club=night.club))
    sentence = "games won can add up to more than games played"
    views = ("session_standings", "print_standings", "session_embed")
    pages = [reverse(view, args=[night.club.slug, night.public_id]) for view in views]
    assert [sentence in browser.get(page).content.decode() for page in pages] == [True] * 3
    change_settings(night.club, by=TEST, co_winners_credit="shared")
    assert [sentence in browser.get(page).content.decode() for page in pages] == [False] * 3


@pytest.mark.django_db
def test_programs_read_it_too() -> None:
    night = an_evening((KELLER, TOGETHER))
    program = Program(a_token(night.club))
    answer = program.get(f"/sessions/{night.public_id}/standings").json()
    assert answer["co_winners_in_full"]
    assert [place["values"]["won"] for place in answer["places"]] == [1, 1, 0]
    assert program.get("/club").json()["co_winners_credit"] == "games"


@pytest.mark.django_db
@pytest.mark.parametrize(("credit", "worst_of_ted"), [("games", 3), ("shared", 2)])
def test_who_can_still_win_counts_two_winners_at_a_table(credit, worst_of_ted) -> None:
    """Ted has won twice. One more game: Rose and Ann may both reach him, or only one of them."""
    scores = ((5, 4, 2), (3, 5, 2), (2, 1, 5), (2, 1, 5))
    games = [(KELLER, score) for score in scores]
    night = an_evening(*games, rounds_planned=5, credit=credit)
    for number, table in enumerate(night.tables.order_by("pk"), 1):
        table.round, _made = night.rounds.get_or_create(
            number=number, defaults={"state": "published", "seed": 1}
        )
        table.save()
    found = session_outlook(night, at=EIGHT)
    places = {found.people[who].name: (best, worst) for who, best, worst in found.rows}
    assert places["Ted"] == (1, worst_of_ted)


@pytest.mark.django_db
def test_a_tournament_of_single_players_counts_as_the_standings_do() -> None:
    """The places that its session stores are those of the new setting at once."""
    club = a_club()
    rulesets_of(club)
    adopt_preset(club, preset=KELLER, by=TEST, default=True)
    cup = a_tournament(3, "rotation", club=club, unit="game")
    for number in range(3):
        published(cup, seed=number)
        table = tables(cup).get()
        table.totals_only = True
        table.save()
        seats = table.seats.filter(until_hand=None).order_by("position")
        by_name = {"Rose": (6, 0), "Ann": (5, 0), "Ted": (4, 5)}
        totals = [by_name[seat.member.name][number == 2] for seat in seats]
        write_totals(table, totals, **BY)
    by_credit, first = {}, {}
    by_credit = {}
    for credit in ("games", "shared"):
        change_settings(club, by=TEST, co_winners_credit=credit)
        standing = standing_of(state_of(cup))
        by_credit[credit] = [line.values["won"] for line in standing.lines]
        assert standing.credits_in_full == (credit == "games")
        first[credit] = club.sessions.get().player_places.get(place=1).member.name
        assert list(wrong_places(club)) == []
    assert by_credit == {"games": [2, 2, 1], "shared": [1, 1, 1]}
    assert first == {"games": "Rose", "shared": "Ted"}
