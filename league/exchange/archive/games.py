"""What a game's rows say of one another: seats, hands, rulings and scores by its own rules."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from league.exchange.archive.agreement import Index, Row
from league.exchange.archive.checking import Fault
from league.members.models import ClubRuleset
from league.play.book import GAME_NUMBER, rules_of
from league.play.models import Confirmation, Game, Hand, Ruling
from league.seating.models import Seat, Table
from scoring import Ruleset, check_hand

FORMS = ("", "add", "deduct")


def game_faults(index: Index) -> Iterator[Fault]:
    """What is wrong at the tables."""
    rules = {row["id"]: rules_of(row["body"]) for _where, row in index.every(ClubRuleset)}
    yield from _seats(index)
    for where, row in index.every(Table):
        yield from _seat(where, row, "first_dealer", row["players"])
    for where, row in index.every(Game):
        yield from _game(where, row, rules[row["ruleset"]])
    for model, judge in (
        (Hand, _hand),
        (Ruling, _ruling),
        (Confirmation, _confirmation),
    ):
        for where, row in index.every(model):
            yield from judge(where, row, rules[index.at(model, row, "game__ruleset")])


def _seats(index: Index) -> Iterator[Fault]:
    """Each seat of a table has one player to the end, and spans that make sense."""
    by_table = index.grouped(Seat, "table")
    for where, table in index.every(Table):
        there = by_table.get(table["id"], [])
        last = [row["position"] for _where, row in there if row["until_hand"] is None]
        if sorted(last) != list(range(table["players"])):
            yield Fault(where, "players", _("Not every seat of this table has a player."))
        for at, row in there:
            yield from _seat(at, row, "position", table["players"])
            until = row["until_hand"]
            if row["from_hand"] < 1 or (until is not None and until < row["from_hand"] - 1):
                yield Fault(at, "until_hand", _("Somebody leaves a seat before taking it."))


def _seat(where: str, row: Row, name: str, players: int) -> Iterator[Fault]:
    if row[name] is not None and not 0 <= row[name] < players:
        yield Fault(where, name, _("There is no such seat at this table."))


def _game(where: str, row: Row, rules: Ruleset) -> Iterator[Fault]:
    sides = len(rules.sides)
    if row["number"] != GAME_NUMBER:
        yield Fault(where, "number", _("A table has one game, its number is 1."))
    for name in ("first_dealer", "ended_seat"):
        yield from _seat(where, row, name, rules.players)
    for name in ("score", "totals"):
        if row[name] is not None and len(row[name]) != sides:
            yield Fault(where, name, _("Every side has a score."))
    for name in ("winners", "decided_winners"):
        if row[name] and not _whole_sides(row[name], rules):
            yield Fault(where, name, _("These are not the seats of a side."))
    if row["ended_by"] == Game.EndedBy.CONCEDED and row["ended_seat"] is None:
        yield Fault(where, "ended_seat", _("It does not say who conceded."))


def _whole_sides(seats: list[int], rules: Ruleset) -> bool:
    won = [side for side in rules.sides if set(side) & set(seats)]
    return sorted(seats) == sorted(seat for side in won for seat in side)


def _hand(where: str, row: Row, rules: Ruleset) -> Iterator[Fault]:
    for found in check_hand(row["record"], rules).faults:
        yield Fault(where, "record", found.message)
    if row["points"] and len(row["points"]) != rules.players:
        yield Fault(where, "points", _("Every seat has its points."))


def _ruling(where: str, row: Row, rules: Ruleset) -> Iterator[Fault]:
    yield from _seat(where, row, "by_seat", rules.players)
    if row["kind"] == Ruling.Kind.RENEGE and row["by_seat"] is None:
        yield Fault(where, "by_seat", _("It does not say who reneged."))
    if row["form"] not in FORMS:
        yield Fault(where, "form", _("There is no such penalty."))
    if row["points"] is not None and len(row["points"]) != len(rules.sides):
        yield Fault(where, "points", _("Every side has a score."))
    if row["kind"] == Ruling.Kind.ADJUSTMENT and row["points"] is None:
        yield Fault(where, "points", _("Every side has a score."))


def _confirmation(where: str, row: Row, rules: Ruleset) -> Iterator[Fault]:
    yield from _seat(where, row, "seat", rules.players)
