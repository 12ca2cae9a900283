"""Who may play for a team: registration, transfers, borrowed players, cups. Pure.

Checks answer every fault as a code with who it is about; the sentence is made at the edge.
Transfers count from their date: what was played before stays good.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

__all__ = [
    "Appearance",
    "LineUp",
    "SquadFault",
    "SquadPlace",
    "SquadRules",
    "Transfers",
    "keeps_division",
    "line_up_faults",
    "registration_faults",
    "squad_faults",
    "transfer_faults",
]


@dataclass(frozen=True, slots=True)
class SquadRules:
    """What a league asks of its squads; None where it sets no limit.

    `least` players in a squad; at least `minimum` of them to play at all; `borrowed` from outside
    in one match and `borrowed_season` times a season for one player; `transfers` a season for one
    player, until `transfer_until`; new players until `register_until`. `keeps_place`: so many of a
    squad must stay for it to keep its division.
    """

    least: int = 0
    minimum: int = 0
    borrowed: int | None = None
    borrowed_season: int | None = None
    transfers: int | None = None
    transfer_until: date | None = None
    register_until: date | None = None
    cup_tied: bool = False
    one_team_a_week: bool = True
    keeps_place: int = 0


@dataclass(frozen=True, slots=True)
class Appearance:
    """Somebody played for a team on a day: `own` as one of its squad, else borrowed; in a `cup`,
    or in the league (None)."""

    player: int
    team: int
    day: date
    own: bool = True
    cup: int | None = None


@dataclass(frozen=True, slots=True)
class SquadPlace:
    """Somebody is registered with a team from a day on."""

    player: int
    team: int
    since: date | None = None


@dataclass(frozen=True, slots=True)
class SquadFault:
    """A rule that a line-up or a transfer breaks: its code, whom it is about, what it counts."""

    code: str
    player: int | None = None
    number: int = 0
    team: int | None = None


@dataclass(frozen=True, slots=True)
class LineUp:
    """Who plays for a team on a day; in a `cup`, or in the league (None)."""

    team: int
    day: date
    players: tuple[int, ...]
    cup: int | None = None


def line_up_faults(
    line_up: LineUp,
    squads: Collection[SquadPlace],
    played: Collection[Appearance],
    rules: SquadRules,
) -> list[SquadFault]:
    """What is wrong with these people playing. `played` are all other appearances of the season."""
    present = list(dict.fromkeys(line_up.players))
    own = {
        place.player
        for place in squads
        if place.team == line_up.team and (place.since is None or place.since <= line_up.day)
    }
    outside = [one for one in present if one not in own]
    faults = []
    if len(present) < rules.minimum:
        faults.append(SquadFault("too-few", number=rules.minimum))
    if rules.borrowed is not None and len(outside) > rules.borrowed:
        faults.append(SquadFault("borrowed", number=rules.borrowed))
    before: dict[int, list[Appearance]] = {}
    for one in played:
        before.setdefault(one.player, []).append(one)
    for player in present:
        mine = before.get(player, [])
        if player in outside:
            faults += _of_borrowed(player, mine, rules)
        faults += _of_cup(player, line_up, mine, rules)
        faults += _of_week(player, line_up, mine, rules)
    return faults


def _of_borrowed(player: int, mine: Sequence[Appearance], rules: SquadRules) -> list[SquadFault]:
    """The count is per player per season over all teams."""
    times = sum(not one.own and one.cup is None for one in mine)
    if rules.borrowed_season is None or times < rules.borrowed_season:
        return []
    return [SquadFault("borrowed-often", player, rules.borrowed_season)]


def _of_cup(
    player: int, line_up: LineUp, mine: Sequence[Appearance], rules: SquadRules
) -> list[SquadFault]:
    """Who has played in this cup for one team plays for no other in it."""
    if line_up.cup is None or not rules.cup_tied:
        return []
    others = [one.team for one in mine if one.cup == line_up.cup and one.team != line_up.team]
    return [SquadFault("cup-tied", player, team=others[0])] if others else []


def _of_week(
    player: int, line_up: LineUp, mine: Sequence[Appearance], rules: SquadRules
) -> list[SquadFault]:
    """A player can't play for two teams in one week of fixtures, cup weeks aside."""
    if not rules.one_team_a_week or line_up.cup is not None:
        return []
    week = _week(line_up.day)
    there = (o for o in mine if o.cup is None and _week(o.day) == week and o.team != line_up.team)
    clash = next(there, None)
    return [SquadFault("two-teams-a-week", player, team=clash.team)] if clash else []


def _week(day: date) -> date:
    """The Monday of a day's week."""
    return day - timedelta(days=day.weekday())


@dataclass(frozen=True, slots=True)
class Transfers:
    """The transfers of a season so far: how many each player has made."""

    made: Mapping[int, int] = field(default_factory=dict)


def transfer_faults(
    player: int, day: date, transfers: Transfers, rules: SquadRules
) -> list[SquadFault]:
    """What stands against a player's transfer on a day."""
    faults = []
    if rules.transfers is not None and transfers.made.get(player, 0) >= rules.transfers:
        faults.append(SquadFault("transferred-often", player, rules.transfers))
    if rules.transfer_until is not None and day > rules.transfer_until:
        faults.append(SquadFault("transfer-late", player))
    return faults


def registration_faults(player: int, day: date, rules: SquadRules) -> list[SquadFault]:
    """What stands against a new player on a day."""
    if rules.register_until is not None and day > rules.register_until:
        return [SquadFault("registration-closed", player)]
    return []


def squad_faults(size: int, rules: SquadRules) -> list[SquadFault]:
    """What is wrong with a squad of this size when the season begins."""
    return [SquadFault("squad-small", number=rules.least)] if size < rules.least else []


def keeps_division(before: Collection[int], after: Collection[int], rules: SquadRules) -> bool:
    """Whether enough of last season's squad stay for the team to keep its division."""
    return len(set(before) & set(after)) >= rules.keeps_place
