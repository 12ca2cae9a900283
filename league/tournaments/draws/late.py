"""What it costs to let somebody into a round robin, or a group, that is full. No database."""

import hashlib
from collections import Counter
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from league.errors import Refused
from league.tournaments.draws.groups import groups_of, rounds_of_groups
from league.tournaments.draws.pairs import numbered, rounds_of
from league.tournaments.draws.redrawn import NEWCOMER
from league.tournaments.formats.redrawing import remaining_rounds
from league.tournaments.formats.round_robin import Rounds
from league.tournaments.models import Stage
from league.tournaments.picture import Picture


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


FULL = ("fixtures_full", "groups_full", "groups_drawn")
"""Refusals of a late entry that drawing anew may overcome."""


def may_be_drawn_anew(picture: Picture) -> bool:
    """Whether the rounds to come can be drawn anew for one entry more."""
    if picture.stage.format == Stage.Format.GROUPS:
        return picture.bracket_from is None
    return picture.stage.format == Stage.Format.ROUND_ROBIN


def drawn_anew(picture: Picture, seed: int) -> DrawnAnew:
    """The rounds that are not published yet drawn anew with one entry more; a draft is no matter.

    In groups it joins the smallest. Who has left and whose matches are struck out meets nobody.
    Refuses other formats, and groups when the bracket is drawn (`groups_drawn`).
    """
    picture = replace(picture, rounds=picture.published)
    if not may_be_drawn_anew(picture):
        message = _("The matches of the groups are drawn, so nobody can come in any more.")
        raise Refused("groups_drawn", message, status=409)
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
