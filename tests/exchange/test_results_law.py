"""The law of results: what leaves as a sheet makes the same standings in an empty club."""

from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from league.exchange.results_sheet import ended_games, import_results, preview_results, result_rows
from league.exchange.sheet_reading import Columns, read_sheet
from league.exchange.sheets import RESULTS, sheet
from league.play.models import Game, Result
from league.play.recount import differences, with_everything
from league.standings.queries import session_standings
from tests.builders import EIGHT, TEST, a_club, members_of, rulesets_of

PEOPLE = 9
FIRST = date(2026, 9, 3)


@st.composite
def games(draw):
    """A game's line after its day, its evening and its code: people, points, how it ended."""
    people = draw(st.permutations(range(PEOPLE)))[: draw(st.integers(2, 4))]
    sides = 2 if len(people) == 4 else len(people)
    scores = draw(st.lists(st.integers(-2, 13), min_size=sides, max_size=sides))
    ended, winners = "time", ""
    reached = [side for side, points in enumerate(scores) if points >= 10]
    best = [side for side in reached if scores[side] == max(scores)]
    if len(reached) == 1 or (len(best) == 1 and sides == 3):
        ended = ""
    elif reached or draw(st.booleans()):  # no game ends so, but an organiser may say so
        ended, winners = "decision", "1"
    return people, [scores[seat % sides] for seat in range(len(people))], ended, winners


NIGHTS = st.lists(st.lists(games(), min_size=1, max_size=4), min_size=1, max_size=3)


def lines_of(nights, names):
    for week, played in enumerate(nights):
        for number, (people, points, ended, winners) in enumerate(played, 1):
            row = dict.fromkeys(RESULTS, "")
            row |= {f"player {n}": names[one] for n, one in enumerate(people, 1)}
            row |= {f"points {n}": one for n, one in enumerate(points, 1)}
            row |= {"date": FIRST + timedelta(7 * week), "session": f"Week {week}"}
            row |= {"game": f"G{number}", "table": (number + 1) // 2}
            row |= {"ended": ended, "winners": winners}
            yield [row[column] for column in RESULTS]


def take(club, content):
    rows = read_sheet(content, Columns(RESULTS, ("date",)))
    found = preview_results(club, rows, at=EIGHT)
    assert found.troubles == []
    return import_results(club, rows, agreed=found.agreed, by=TEST, at=EIGHT)


def written(club, kind):
    played = ended_games(Game.objects.filter(session__club=club))
    return sheet(RESULTS, result_rows(played, lambda member: member.name), kind=kind)


def standing(club):
    """Who stands where with which figures, evening by evening."""
    for night in club.sessions.order_by("held_on"):
        table = session_standings(night, at=EIGHT)
        lines = ((table.people[one.who].name, one.rank, one.values) for one in table.lines)
        yield night.name, sorted(lines, key=lambda line: line[0])


def results(club):
    rows = Result.objects.filter(session__club=club).select_related("member", "session")
    columns = ("games", "win_share", "expected", "points", "points_against", "target", "position")
    return sorted(
        (str(row.session.held_on), row.member.name, *(getattr(row, name) for name in columns))
        for row in rows
    )


def a_hall(slug):
    club = a_club(slug=slug)
    members_of(club, PEOPLE)
    rulesets_of(club)
    return club


class Law(TestCase):
    @settings(max_examples=5, deadline=None)
    @given(nights=NIGHTS, kind=st.sampled_from(["csv", "xlsx"]))
    def test_exported_results_make_equal_standings_in_an_empty_club(self, nights, kind):
        one, other = a_hall("one"), a_hall("other")
        names = list(one.members.order_by("pk").values_list("name", flat=True))
        take(one, sheet(RESULTS, lines_of(nights, names), kind=kind))
        take(other, written(one, kind))
        assert results(other) == results(one)
        assert list(standing(other)) == list(standing(one))
        assert take(other, written(one, kind)) == take(one, written(one, kind)) == []
        assert not any(differences(with_everything(Game.objects.all())))
