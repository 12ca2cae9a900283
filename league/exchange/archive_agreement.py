"""Checks the rows of an archive against each other, and its games against their rules."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

from league.exchange.archive_checking import Fault, Rows, name_of
from league.exchange.archive_writing import archived, pointers
from league.members.models import ClubRuleset, Member
from league.play.game_log import GAME_NUMBER, rules_of
from league.play.models import Confirmation, Game, Hand, Result, Ruling
from league.seasons.models import Champion, Division, Placement
from league.seating.models import Seat, SeatingRequest, Table
from league.teams.models import (
    CardCopy,
    CupPair,
    CupPlace,
    LeagueDecision,
    PairsMatch,
    PlayOff,
    PlayOffPlace,
    Team,
    TeamCup,
    TeamDivision,
    TeamLeague,
    TeamMatch,
    TeamPlayer,
    Transfer,
)
from league.tournaments.models import (
    Bye,
    Entry,
    Match,
    MatchSide,
    Stage,
    StageRound,
    Tournament,
)
from scoring import Ruleset, check_hand

Row = dict[str, Any]
Model = type[models.Model]

# Two paths from a row that must lead to the same value, unless one of them is empty.
SAME: tuple[tuple[Model, str, str], ...] = (
    (Table, "session", "round__session"),
    (Table, "players", "ruleset__players"),
    (Seat, "session", "table__session"),
    (Game, "session", "table__session"),
    (Game, "ruleset__players", "table__players"),
    (Result, "session", "game__session"),
    (Result, "players", "game__table__players"),
    (Placement, "season", "division__season"),
    (Champion, "season", "division__season"),
    (MatchSide, "match__stage_round__stage__tournament", "entry__tournament"),
    (Entry, "tournament", "bye_of__tournament"),
    (Bye, "stage_round__stage__tournament", "entry__tournament"),
    (TeamPlayer, "league", "team__league"),
    (Team, "league", "division__league"),
    (Transfer, "league", "source__league"),
    (Transfer, "league", "target__league"),
    (PlayOffPlace, "play_off__league", "team__league"),
    (LeagueDecision, "league", "match__league"),
    (CardCopy, "match__league", "team__league"),
    (CupPlace, "cup__league", "team__league"),
    (CupPair, "cup__league", "team__league"),
    (PairsMatch, "cup", "home__cup"),
    (PairsMatch, "cup", "away__cup"),
    (PairsMatch, "cup", "through__cup"),
    (TeamMatch, "league", "home__league"),
    (TeamMatch, "league", "away__league"),
    (TeamMatch, "league", "cup__league"),
    (TeamMatch, "held_on", "session__held_on"),
)
# Two paths from a row that must lead to different values.
DIFFERENT: tuple[tuple[Model, str, str], ...] = (
    (TeamMatch, "home", "away"),
    (Transfer, "source", "target"),
    (Entry, "member", "partner"),
    (SeatingRequest, "first", "second"),
)
# Models numbered from 1 without gaps, and the field that groups their rows.
NUMBERED: tuple[tuple[Model, str], ...] = (
    (Stage, "tournament"),
    (StageRound, "stage"),
    (Division, "season"),
    (TeamDivision, "league"),
)
# Models whose rows need parts: the part's model, its field, and the least number of parts.
NEEDED: tuple[tuple[Model, Model, str, int], ...] = (
    (Tournament, Stage, "tournament", 1),
    (Match, MatchSide, "match", 1),
    (TeamCup, CupPlace, "cup", 2),
    (PlayOff, PlayOffPlace, "play_off", 2),
)


class Index:
    """The rows of an archive by model and id, and the pointers between them."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self.by_id = {m: {row["id"]: row for row in rows[m.__name__]} for m in archived()}
        self._targets = {m: dict(pointers(m)) for m in archived()}

    def at(self, model: Model, row: Row, path: str) -> Any:
        """The value that a path from a row leads to; None where a pointer on it is empty."""
        for name in path.split("__"):
            value = row[name]
            target = self._targets[model].get(name)
            if value is None or target is None:
                return value
            model, row = target, self.by_id[target][value]
        return value

    def every(self, model: Model) -> Iterator[tuple[str, Row]]:
        """Each row of a model, with its name for error messages."""
        for place, row in enumerate(self.rows[model.__name__], 1):
            yield name_of(model, place), row

    def grouped(self, model: Model, by: str) -> dict[Any, list[tuple[str, Row]]]:
        groups: dict[Any, list[tuple[str, Row]]] = defaultdict(list)
        for where, row in self.every(model):
            groups[row[by]].append((where, row))
        return groups


def agreement_faults(index: Index) -> Iterator[Fault]:
    """Where rows that are each valid contradict each other."""
    yield from _duplicates(index)
    yield from _cycles(index)
    for pairs, agree in ((SAME, lambda a, b: a == b), (DIFFERENT, lambda a, b: a != b)):
        for model, first, second in pairs:
            yield from _path_faults(index, model, first, second, agree)
    yield from _group_faults(index)
    yield from _league_faults(index)
    yield from _erased_faults(index)
    for where, row in index.every(SeatingRequest):
        if (row["second"] is None) != (row["kind"] == SeatingRequest.Kind.STAYS):
            yield Fault(where, "second", _("It is about another number of players."))


def _group_faults(index: Index) -> Iterator[Fault]:
    """Rows numbered with gaps, and rows that lack the parts they need."""
    for model, within in NUMBERED:
        for group in index.grouped(model, within).values():
            if sorted(row["number"] for _where, row in group) != list(range(1, len(group) + 1)):
                yield Fault(
                    group[-1][0], "number", _("These are not numbered from 1 without gaps.")
                )
    for model, part, field, least in NEEDED:
        parts = index.grouped(part, field)
        for where, row in index.every(model):
            if len(parts.get(row["id"], ())) < least:
                yield Fault(
                    where, "", _("It has too few rows of %(kind)s.") % {"kind": part.__name__}
                )


def _erased_faults(index: Index) -> Iterator[Fault]:
    """Erased players have an anonymous name and no other personal data. In older backups the name
    has the letters of the alias from before."""
    for where, row in index.every(Member):
        if row["erased_at"] is None:
            continue
        ids = (row["public_id"], index.at(Member, row, "merged_into__public_id"))
        codes = [
            Member(public_id=public_id, erased_at=erased_at).alias_code
            for public_id in ids
            for erased_at in (row["erased_at"], None)
            if public_id
        ]
        if row["email"] or row["former_names"] or not row["name"].endswith(tuple(codes)):
            yield Fault(where, "erased_at", _("This player is erased, but the name is there."))


def _league_faults(index: Index) -> Iterator[Fault]:
    for where, row in index.every(TeamLeague):
        if index.at(TeamLeague, row, "ruleset__players") != 4:
            yield Fault(where, "ruleset", _("A league plays at tables of four."))
    for where, row in index.every(TeamMatch):
        for name in ("written_by", "given_to"):
            if row[name] not in (None, row["home"], row["away"]):
                yield Fault(where, name, _("This team does not play in the match."))


def _path_faults(
    index: Index, model: Model, first: str, second: str, agree: Callable[[Any, Any], bool]
) -> Iterator[Fault]:
    """Rows on which two paths lead to values that do not `agree`."""
    for where, row in index.every(model):
        values = index.at(model, row, first), index.at(model, row, second)
        if None not in values and not agree(*values):
            sentence = _("This does not agree with %(other)s.") % {
                "other": second.replace("__", ".")
            }
            yield Fault(where, first.replace("__", "."), sentence)


def _duplicates(index: Index) -> Iterator[Fault]:
    """Rows that break a uniqueness constraint of the database."""
    for model in archived():
        for names, condition in _uniques(model):
            seen: set[tuple[Any, ...]] = set()
            for where, row in index.every(model):
                key = tuple(row[name] for name in names)
                if None in key or not _holds(condition, row):
                    continue
                if key in seen:
                    yield Fault(where, ", ".join(names), _("Another row has the same."))
                seen.add(key)


def _uniques(model: Model) -> Iterator[tuple[tuple[str, ...], Q]]:
    for field in model._meta.local_fields:
        if field.unique and not field.primary_key:
            yield (field.name,), Q()
    for constraint in model._meta.constraints:
        if isinstance(constraint, models.UniqueConstraint) and "user" not in constraint.fields:
            yield tuple(constraint.fields), constraint.condition or Q()


def _holds(condition: Q, row: Row) -> bool:
    """Whether a row meets the condition of a constraint: all its fields have the given values."""
    is_met = all(row[name] == value for name, value in condition.children)  # type: ignore[misc]
    return is_met != condition.negated


def _cycles(index: Index) -> Iterator[Fault]:
    """Rows that lead back to themselves by pointers within their own model."""
    for model in archived():
        for name in (name for name, target in pointers(model) if target is model):
            for where, row in index.every(model):
                if _is_in_cycle(index.by_id[model], row, name):
                    yield Fault(where, name, _("It leads back to itself."))


def _is_in_cycle(rows: dict[int, Row], row: Row, name: str) -> bool:
    seen: set[int] = set()
    row_id = row[name]
    while row_id is not None and row_id not in seen:
        if row_id == row["id"]:
            return True
        seen.add(row_id)
        row_id = rows[row_id][name]
    return False


FORMS = ("", "add", "deduct")


def game_faults(index: Index) -> Iterator[Fault]:
    """What is wrong with tables, seats, games and hands."""
    rules = {row["id"]: rules_of(row["body"]) for _where, row in index.every(ClubRuleset)}
    yield from _span_faults(index)
    for where, row in index.every(Table):
        yield from _seat_faults(where, row, "first_dealer", row["players"])
        for seat, _card in row["dealer_draw"].get("cards", ()):
            if not 0 <= seat < row["players"]:
                yield Fault(where, "dealer_draw", _("There is no such seat at this table."))
    for where, row in index.every(Game):
        yield from _game_row_faults(where, row, rules[row["ruleset"]])
    for model, row_faults in (
        (Hand, _hand_faults),
        (Ruling, _ruling_faults),
        (Confirmation, _confirmation_faults),
    ):
        for where, row in index.every(model):
            yield from row_faults(where, row, rules[index.at(model, row, "game__ruleset")])
    yield from _after_hand_faults(index)


def _after_hand_faults(index: Index) -> Iterator[Fault]:
    """A ruling follows a hand that its game has, or comes before the first."""
    last_hands: dict[int, int] = defaultdict(int)
    for _where, row in index.every(Hand):
        last_hands[row["game"]] = max(last_hands[row["game"]], row["number"])
    for where, row in index.every(Ruling):
        if row["after_hand"] > last_hands[row["game"]]:
            yield Fault(where, "after_hand", _("Its game has no such hand."))


def _span_faults(index: Index) -> Iterator[Fault]:
    """Each seat of a table has one player at the end, and every player sits for a valid span of
    hands."""
    seats_by_table = index.grouped(Seat, "table")
    for table_name, table in index.every(Table):
        seats = seats_by_table.get(table["id"], [])
        positions = [row["position"] for _where, row in seats if row["until_hand"] is None]
        if sorted(positions) != list(range(table["players"])):
            yield Fault(table_name, "players", _("Not every seat of this table has a player."))
        for where, row in seats:
            yield from _seat_faults(where, row, "position", table["players"])
            until = row["until_hand"]
            if row["from_hand"] < 1 or (until is not None and until < row["from_hand"] - 1):
                yield Fault(where, "until_hand", _("A player leaves a seat before taking it."))


def _seat_faults(where: str, row: Row, name: str, players: int) -> Iterator[Fault]:
    if row[name] is not None and not 0 <= row[name] < players:
        yield Fault(where, name, _("There is no such seat at this table."))


def _game_row_faults(where: str, row: Row, rules: Ruleset) -> Iterator[Fault]:
    sides = len(rules.sides)
    if row["number"] != GAME_NUMBER:
        yield Fault(where, "number", _("A table has one game, numbered 1."))
    for name in ("first_dealer", "ended_seat"):
        yield from _seat_faults(where, row, name, rules.players)
    for name in ("score", "totals"):
        if row[name] is not None and len(row[name]) != sides:
            yield Fault(where, name, _("Every side needs a score."))
    for name in ("winners", "decided_winners"):
        if row[name] and not _whole_sides(row[name], rules):
            yield Fault(where, name, _("These are not the seats of a side."))
    if row["ended_by"] == Game.EndedBy.CONCEDED and row["ended_seat"] is None:
        yield Fault(where, "ended_seat", _("It does not say who conceded."))


def _whole_sides(seats: list[int], rules: Ruleset) -> bool:
    won = [side for side in rules.sides if set(side) & set(seats)]
    return sorted(seats) == sorted(seat for side in won for seat in side)


def _hand_faults(where: str, row: Row, rules: Ruleset) -> Iterator[Fault]:
    for fault in check_hand(row["record"], rules).faults:
        yield Fault(where, "record", fault.say(translate=_))
    if row["points"] and len(row["points"]) != rules.players:
        yield Fault(where, "points", _("Every seat needs its points."))


def _ruling_faults(where: str, row: Row, rules: Ruleset) -> Iterator[Fault]:
    yield from _seat_faults(where, row, "by_seat", rules.players)
    if row["kind"] == Ruling.Kind.RENEGE and row["by_seat"] is None:
        yield Fault(where, "by_seat", _("It does not say who reneged."))
    if row["form"] not in FORMS:
        yield Fault(where, "form", _("There is no such penalty."))
    if row["points"] is not None and len(row["points"]) != len(rules.sides):
        yield Fault(where, "points", _("Every side needs a score."))
    if row["kind"] == Ruling.Kind.ADJUSTMENT and row["points"] is None:
        yield Fault(where, "points", _("Every side needs a score."))


def _confirmation_faults(where: str, row: Row, rules: Ruleset) -> Iterator[Fault]:
    yield from _seat_faults(where, row, "seat", rules.players)
