"""What it costs to let somebody into a round robin, or a group, that is full. No database."""

import hashlib
from collections import Counter
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from league.errors import Refused
from league.pairing.formats.redraw import remaining_rounds
from league.pairing.formats.round_robin import Rounds, round_robin
from league.tournaments.draws.groups import group_with_late, groups_of, rounds_of_groups
from league.tournaments.draws.late_bracket import LargerBracket, larger_bracket
from league.tournaments.draws.pairs import numbered, rounds_of
from league.tournaments.draws.redrawn import NEWCOMER
from league.tournaments.models import Stage
from league.tournaments.picture import BRACKETS, Picture


@dataclass(frozen=True, slots=True)
class DrawnAnew:
    """The rounds to come as they would be: of all, or of one `group` by its number.

    The newcomer is `NEWCOMER` in them. `after` rounds stay as they are; of how many the stage (its
    groups) has had `before`.
    """

    group: int
    after: int
    rounds: Rounds
    before: int
    seed: int

    kind = "anew"

    @property
    def total(self) -> int:
        """How many rounds there are then."""
        return max(self.before if self.group else 0, self.after + len(self.rounds))

    @property
    def more(self) -> int:
        """How many rounds more than without."""
        return self.total - self.before

    @property
    def seen(self) -> str:
        """Tells this draw from any other: who agrees to it says which was looked at."""
        told = ";".join(f"{p.first}-{p.second}" for one in self.rounds for p in one)
        return hashlib.sha256(f"{self.group},{self.after}:{told}".encode()).hexdigest()[:16]


FULL = ("fixtures-full", "groups-full", "groups-drawn", "no-place-left")
"""Refusals of a late entry that drawing anew may overcome."""


def late_plan(picture: Picture, seed: int) -> DrawnAnew | LargerBracket:
    """How one entry more can come in where the draw is full, by this seed; refuses with the
    reason where it cannot."""
    if picture.stage.format in BRACKETS:
        return larger_bracket(picture, seed)
    return drawn_anew(picture, seed)


def refuse_full(picture: Picture) -> None:
    """Refuse, with the reason, where there is no way to come into a full draw."""
    if picture.stage.format in BRACKETS:
        larger_bracket(picture, 0)
    else:
        _refuse_drawn(picture)


def has_byes(picture: Picture) -> bool:
    """Whether a round robin has a place left: in each round to come one pair sits out."""
    to_come = len(picture.published) < rounds_of(picture)
    return len(picture.entries) % 2 == 1 and not picture.stage.redrawn and to_come


def missed_by_byes(picture: Picture) -> list[int]:
    """Whom one more entry would never meet if it took the byes to come: whose bye is past."""
    if picture.stage.format == Stage.Format.GROUPS and picture.bracket_from is None:
        try:
            field = group_with_late(picture)
        except Refused:
            return []
    elif picture.stage.format == Stage.Format.ROUND_ROBIN and has_byes(picture):
        field = (*numbered(picture), NEWCOMER)
    else:
        return []
    to_come = round_robin(field, double=picture.chosen.twice)[len(picture.published) :]
    mine = [both for one in to_come for both in one if NEWCOMER in (both.first, both.second)]
    meets = Counter(who for both in mine for who in (both.first, both.second))
    times = 2 if picture.chosen.twice else 1
    return [one for one in field if one in picture.playing and meets[one] < times]


def _refuse_drawn(picture: Picture) -> None:
    if not picture.published:
        raise Refused("not-begun", _("No round is published yet."), status=409)
    groups = picture.stage.format == Stage.Format.GROUPS and picture.bracket_from is None
    if not groups and picture.stage.format != Stage.Format.ROUND_ROBIN:
        message = _("The matches of the groups are drawn, so nobody can come in any more.")
        raise Refused("groups-drawn", message, status=409)


def drawn_anew(picture: Picture, seed: int) -> DrawnAnew:
    """The rounds that are not published yet drawn anew with one entry more; a draft is no matter.

    In groups it joins the smallest. Who has left and whose matches are struck out meets nobody.
    Refuses other formats, and groups when the bracket is drawn (`groups-drawn`).
    """
    _refuse_drawn(picture)
    picture = replace(picture, rounds=picture.published)
    if picture.stage.format == Stage.Format.ROUND_ROBIN:
        return _of(picture, numbered(picture), 0, rounds_of(picture), seed)
    groups = groups_of(picture)
    number = min(range(1, len(groups) + 1), key=lambda n: len(groups[n - 1]))
    before = len(rounds_of_groups(picture))
    return _of(picture, list(groups[number - 1]), number, before, seed)


def _of(picture: Picture, entries: list[int], group: int, before: int, seed: int) -> DrawnAnew:
    times = 2 if picture.chosen.twice else 1
    due = times * len(entries)
    met = [match.entries for match in picture.matches if set(match.entries) <= set(entries)]
    played = Counter(one for m in picture.matches if m.played for one in m.entries)
    struck = [one for one in entries if one not in picture.playing and 2 * played[one] < due]
    here = [one for one in entries if one not in struck]
    rounds = remaining_rounds(
        [*here, NEWCOMER],
        met,
        times=times,
        byes={one: many for one, many in picture.byes_had().items() if one in here},
        seed=seed,
    )
    return DrawnAnew(group, len(picture.published), rounds, before, seed)
