"""Who may play for a team: registration, transfers, borrowed players, cups. Pure.

Each check returns all faults, as codes with the players concerned; the callers turn them into
sentences. Transfers count from their date: earlier appearances remain valid.
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
    """What a league requires of its squads; None where it sets no limit.

    A squad has at least `least` players, and at least `minimum` take part in a match. A match
    allows `borrowed` players from outside the squad; one player may be borrowed `borrowed_season`
    times a season. A player may make `transfers` a season, until `transfer_until`; new players may
    register until `register_until`. `keeps_place` is how many players of a squad must stay for it
    to keep its division.
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
    """A player played for a team on a day: `own` as one of its squad, else borrowed; in a `cup`,
    or in the league (None)."""

    player: int
    team: int
    day: date
    own: bool = True
    cup: int | None = None


@dataclass(frozen=True, slots=True)
class SquadPlace:
    """A player is registered with a team from a day on."""

    player: int
    team: int
    since: date | None = None


@dataclass(frozen=True, slots=True)
class SquadFault:
    """A rule that a line-up or a transfer breaks: its code, the player concerned, the limit.

    `others` are all players concerned where a number of them breaks the rule; `since` is the day on
    which the player joined the team.
    """

    code: str
    player: int | None = None
    number: int = 0
    team: int | None = None
    others: tuple[int, ...] = ()
    since: date | None = None


@dataclass(frozen=True, slots=True)
class LineUp:
    """The players of a team on a day; in a `cup`, or in the league (None)."""

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
    """The rules that this line-up breaks. `played` are all other appearances of the season."""
    present = list(dict.fromkeys(line_up.players))
    appearances: dict[int, list[Appearance]] = {player: [] for player in present}
    for appearance in played:
        appearances.setdefault(appearance.player, []).append(appearance)
    faults = []
    if len(present) < rules.minimum:
        faults.append(SquadFault("too-few", number=rules.minimum))
    faults += _outsider_faults(line_up, squads, appearances, rules)
    for player in present:
        faults += _cup_faults(player, line_up, appearances[player], rules)
        faults += _week_faults(player, line_up, appearances[player], rules)
    return faults


def _outsider_faults(
    line_up: LineUp,
    squads: Collection[SquadPlace],
    appearances: Mapping[int, Sequence[Appearance]],
    rules: SquadRules,
) -> list[SquadFault]:
    """The faults of players who were not in the squad on that day: borrowed ones, and those who
    joined it later. The latter count as borrowed, and the fault is the day on which they joined."""
    present = dict.fromkeys(line_up.players)
    since = {place.player: place.since for place in squads if place.team == line_up.team}
    borrowed = [player for player in present if player not in since]
    joined_later = [player for player in present if (since.get(player) or date.min) > line_up.day]
    faults = []
    if rules.borrowed and len(borrowed) > rules.borrowed:
        faults.append(SquadFault("borrowed", number=rules.borrowed, others=tuple(borrowed)))
    for player in borrowed:
        faults += _borrowed_faults(player, appearances[player], rules)
    most = rules.borrowed or len(line_up.players)
    are_too_many = len(borrowed) + len(joined_later) > most
    for player in joined_later:
        if are_too_many or _borrowed_faults(player, appearances[player], rules):
            faults.append(SquadFault("joined-later", player, since=since[player]))
    return faults


def _borrowed_faults(
    player: int, appearances: Sequence[Appearance], rules: SquadRules
) -> list[SquadFault]:
    """The fault of a player borrowed although no one may be, or too often this season, counted
    over all teams."""
    if 0 in (rules.borrowed, rules.borrowed_season):
        return [SquadFault("none-borrowed", player)]
    times = sum(not appearance.own and appearance.cup is None for appearance in appearances)
    if rules.borrowed_season is None or times < rules.borrowed_season:
        return []
    return [SquadFault("borrowed-often", player, rules.borrowed_season)]


def _cup_faults(
    player: int, line_up: LineUp, appearances: Sequence[Appearance], rules: SquadRules
) -> list[SquadFault]:
    """A player who has played for one team in a cup plays for no other in it."""
    if line_up.cup is None or not rules.cup_tied:
        return []
    other_teams = [
        appearance.team
        for appearance in appearances
        if appearance.cup == line_up.cup and appearance.team != line_up.team
    ]
    return [SquadFault("cup-tied", player, team=other_teams[0])] if other_teams else []


def _week_faults(
    player: int, line_up: LineUp, appearances: Sequence[Appearance], rules: SquadRules
) -> list[SquadFault]:
    """A player can't play for two teams in one week of fixtures, cup weeks aside."""
    if not rules.one_team_a_week or line_up.cup is not None:
        return []
    week = _monday_of(line_up.day)
    clashes = (
        appearance
        for appearance in appearances
        if appearance.cup is None
        and _monday_of(appearance.day) == week
        and appearance.team != line_up.team
    )
    clash = next(clashes, None)
    return [SquadFault("two-teams-a-week", player, team=clash.team)] if clash else []


def _monday_of(day: date) -> date:
    """The Monday of a day's week."""
    return day - timedelta(days=day.weekday())


@dataclass(frozen=True, slots=True)
class Transfers:
    """The number of transfers each player has made so far this season."""

    made: Mapping[int, int] = field(default_factory=dict)


def transfer_faults(
    player: int, day: date, transfers: Transfers, rules: SquadRules
) -> list[SquadFault]:
    """The rules that forbid a player's transfer on this day."""
    faults = []
    if rules.transfers is not None and transfers.made.get(player, 0) >= rules.transfers:
        faults.append(SquadFault("transferred-often", player, rules.transfers))
    if rules.transfer_until is not None and day > rules.transfer_until:
        faults.append(SquadFault("transfer-late", player))
    return faults


def registration_faults(player: int, day: date, rules: SquadRules) -> list[SquadFault]:
    """The rules that forbid registering a new player on this day."""
    if rules.register_until is not None and day > rules.register_until:
        return [SquadFault("registration-closed", player)]
    return []


def squad_faults(size: int, rules: SquadRules) -> list[SquadFault]:
    """The rules that a squad of this size breaks when the season begins."""
    return [SquadFault("squad-small", number=rules.least)] if size < rules.least else []


def keeps_division(before: Collection[int], after: Collection[int], rules: SquadRules) -> bool:
    """Whether enough of last season's squad stay for the team to keep its division."""
    return len(set(before) & set(after)) >= rules.keeps_place
