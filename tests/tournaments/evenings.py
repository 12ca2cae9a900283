"""Whole tournaments over HTTP: every format of a session's tables, and all that happens in it.

After round 1 somebody comes late, in round 2 somebody leaves, and after it a hand of round 1 is
put right. What must hold is asserted on the way.
"""

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from random import Random

from django.test import Client

from league.pairing.seating import composition
from league.seating.models import Table
from league.tournaments.draws import rounds_due
from league.tournaments.draws.groups import groups_of
from league.tournaments.models import Tournament
from league.tournaments.standing import standing_of
from tests.tournaments.hall import Hall
from tests.tournaments.playing import state_of

PROGRESSIVE = {
    "movement": "winners-up",
    "rounds": 3,
    "unit": "hands",
    "hands": 1,
    "bell_points": 5,
    "tie": "extra_hand",
}
FORMATS = {
    "progressive": PROGRESSIVE,
    "rotation": {"rounds": 3},
    "round_robin": {"games": 1},
    "swiss": {"rounds": 4, "games": 1},
    "knockout": {"games": 1, "third_place": "on", "consolation": "on"},
    "double": {"games": 1},
    "groups": {"groups": 2, "through": 2, "games": 1},
}
SINGLE = ("progressive", "rotation")
MOST_ROUNDS = 40


@dataclass(frozen=True)
class Seen:
    """What came of an evening, for the table of figures."""

    rounds: int
    matches: int
    hands: int
    late: str = ""
    standings: str = ""


def evening(client: Client, format: str, entrants: int, **options: object) -> Seen:
    """A tournament of one format from its set-up to its close. Into a full bracket somebody comes
    before its matches have begun."""
    hall = Hall(client, entrants if format in SINGLE else 2 * entrants)
    hall.sets_up(format, **{**FORMATS[format], **options})
    if format not in SINGLE:
        hall.presses("draw_partners")
    assert len(state_of(hall.cup).entries) == entrants
    late = plays_out(hall, Random(1))
    return closes(hall, late)


def whole_rotation(client: Client, entrants: int, *, calm: bool = False) -> Seen:
    """A rotation until everybody who is in it has partnered everybody; `calm`: nobody comes late
    or leaves. The organiser adds a round while somebody is still to be met."""
    hall = Hall(client, entrants)
    rounds = rounds_of_a_rotation(entrants)
    hall.sets_up("rotation", rounds=rounds)
    late = plays_out(hall, Random(1), calm=calm)
    while to_partner(hall) and rounds < MOST_ROUNDS:
        rounds += 1
        changed = {"name": "Cup", "rounds": rounds}
        page = client.post(hall.address("tournament_edit"), changed, follow=True)
        assert [str(message) for message in page.context["messages"]] == ["Saved."]
        plays_round(hall, Random(rounds))
    assert to_partner(hall) == set()
    return closes(hall, late)


def seeding_round(client: Client, entrants: int, partners: str) -> Seen:
    """A seeding round, partners `picked` or `drawn`, a round robin of the pairs, a play-off."""
    hall = Hall(client, entrants)
    hall.sets_up("progressive", **{**PROGRESSIVE, "rounds": 2})
    plays_out(hall, Random(1))
    seeding = state_of(hall.cup)
    people = len(seeding.active_entries)
    options = {"groups": 1, "through": min(4, people // 2), "games": 1, "partners": partners}
    url = hall.address("tournament_pairs")
    assert client.get(url).status_code == 200
    answer = client.post(f"{url}?format=groups", {"name": "Pairs", **options})
    assert answer.status_code == 302, answer.context["form"].errors
    hall.cup = Tournament.objects.get(name="Pairs")
    find_partners(hall, partners)
    assert len(state_of(hall.cup).entries) == people // 2
    late = plays_out(hall, Random(2))
    seen = closes(hall, late)
    matches = seen.matches + len(seeding.matches)
    return Seen(seen.rounds + len(seeding.published), matches, seen.hands, seen.late)


def find_partners(hall: Hall, partners: str) -> None:
    """By the page: picks in turn, or the lot; one who is left over does not play."""
    if partners == "drawn":
        hall.presses("by_places")
    while partners == "picked":
        page = hall.client.get(hall.address("tournament_entries"))
        if not page.context["picks"]:
            break
        hall.presses("pick", partner=page.context["choices"][-1].pk)
    for entry in state_of(hall.cup).entries.values():
        if entry.partner_id is None:
            hall.presses("drop", entry=entry.pk)


def plays_out(hall: Hall, chance: Random, *, calm: bool = False) -> str:
    """Round after round to the end; why nobody could come late, where it was refused."""
    pairs, late = state_of(hall.cup).of_pairs, ""
    while not over(hall):
        number = len(state_of(hall.cup).published) + 1
        gone = plays_round(hall, chance, withdraws=number == 2 and not calm)
        if number == 1 and not calm:
            entered = set(state_of(hall.cup).entries)
            late = hall.comes_late(pairs)
            assert bool(late) != bool(set(state_of(hall.cup).entries) - entered)
        if number == 2:
            hall.corrects(first_table(hall))
            hall.sees("tournament", "tournament_standings", "tournament_print")
        assert gone is None or gone not in state_of(hall.cup).active_entries
    return late


def comes_into_a_full_bracket(hall: Hall) -> None:
    """A pair comes while nobody has played round 1 yet: all are drawn again."""
    assert hall.comes_late(pair=True) == ""
    if state_of(hall.cup).draft is not None:
        version = state_of(hall.cup).draft.row.seating.version
        assert hall.presses("publish", version=version) != []


def plays_round(hall: Hall, chance: Random, *, withdraws: bool = False) -> int | None:
    """One round drawn, published and played; who has left in it, if somebody does."""
    hall.publishes()
    if is_full_bracket(hall):
        comes_into_a_full_bracket(hall)
    seated_once(hall)
    gone = None
    if withdraws:
        gone = state_of(hall.cup).last.matches[0].entries[0]
        hall.presses("withdraw", entry=gone)
    hall.plays(chance)
    return gone


def closes(hall: Hall, late: str) -> Seen:
    """Everybody who ever entered is in the standings; the tournament is closed."""
    entered = set(state_of(hall.cup).entries)
    assert {line.who for line in standing_of(state_of(hall.cup)).lines} == entered
    all_met(hall)
    hall.presses("finish")
    hall.sees("tournament", "tournament_standings", "tournament_print", "tournament_entries")
    played = state_of(hall.cup)
    page = hall.client.get(hall.address("tournament_standings")).content.decode()
    return Seen(len(played.published), len(played.matches), hall.hands, late, page)


def is_full_bracket(hall: Hall) -> bool:
    """Whether the first round of a bracket is on in which everybody has an opponent."""
    now = state_of(hall.cup)
    first = now.stage.format in ("knockout", "double") and len(now.published) == 1
    return first and not now.last.byes and len(now.last.matches) > 1


def all_met(hall: Hall) -> None:
    """Where rounds were drawn anew for somebody late, all that play on have met once."""
    now = state_of(hall.cup)
    if not now.stage.redrawn:
        return
    groups = groups_of(now) if now.stage.format == "groups" else (tuple(now.entries),)
    until = now.bracket_from or len(now.published) + 1
    played = [m for one in now.published[: until - 1] for m in one.matches]
    met = Counter(frozenset(match.entries) for match in played)
    assert set(met.values()) == {1}
    for group in groups:
        playing = [one for one in group if one in now.active_entries]
        assert {frozenset(two) for two in combinations(playing, 2)} <= set(met)


def over(hall: Hall) -> bool:
    """Whether every round the format has is played."""
    now = state_of(hall.cup)
    if now.last is None or now.last.open_matches:
        return False
    due = rounds_due(now)
    return due is not None and len(now.published) >= due


def first_table(hall: Hall) -> Table:
    """A table of the first round at which a game was played."""
    match = next(m for m in state_of(hall.cup).published[0].matches if m.games)
    tables_ = Table.objects.select_related("session__club", "ruleset", "round")
    return tables_.get(pk=match.games[0].table)


def seated_once(hall: Hall) -> None:
    """Everybody still in it is drawn once at most, with a bye or at a table; who left is not; and
    nobody has a second bye while another, as long in it, has had none."""
    now = state_of(hall.cup)
    drawn = [one for match in now.last.matches if match.games for one in match.entries]
    assert len(drawn) == len(set(drawn))
    assert not set(drawn) & set(now.last.byes)
    assert {*drawn, *now.last.byes} <= set(now.active_entries)
    if now.stage.format in ("swiss", "progressive", "rotation"):
        had = now.byes_had()
        there = [had.get(one, 0) for one, e in now.active_entries.items() if not e.late]
        assert max(there) - min(there) <= 1


def rounds_of_a_rotation(people: int) -> int:
    """The least in which everybody can partner everybody: a table of four makes two couples."""
    fours = composition(people).sizes.count(4)
    return -(-people * (people - 1) // (4 * fours))


def to_partner(hall: Hall) -> set[frozenset[int]]:
    """Who of those in it have still to partner each other."""
    now = state_of(hall.cup)
    left = {frozenset(two) for two in combinations(now.active_entries, 2)}
    for match in now.matches:
        if match.players == 4:
            left -= {frozenset((match.sides[n], match.sides[n + 2])) for n in (0, 1)}
    return left
