"""Where somebody sits tonight: the table, the chair, with whom, and when they move on."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.live.room import Chair, Room, Tile
from league.members.models import Member

NORTH, EAST, SOUTH, WEST = (
    gettext_lazy("North"),
    gettext_lazy("East"),
    gettext_lazy("South"),
    gettext_lazy("West"),
)
COMPASS = {2: (NORTH, SOUTH), 3: (NORTH, EAST, WEST), 4: (NORTH, EAST, SOUTH, WEST)}
"""The chairs by name, clockwise, as the movements and the scorekeeper's keys have them."""


@dataclass(frozen=True, slots=True)
class Place:
    """Somebody's chair. `left`: how many tables more are done before people sit down anew."""

    tile: Tile
    chair: Chair
    left: int

    @property
    def where(self) -> str:
        """ "Table 7, North"; a big table's chairs have no names."""
        number, chairs = self.tile.table.number, COMPASS.get(self.tile.table.players)
        if chairs is None:
            return _("table %(n)d") % {"n": number}
        seat = chairs[self.chair.seat.position]
        return _("table %(n)d, %(seat)s") % {"n": number, "seat": seat}

    @property
    def partners(self) -> list[Member]:
        return [one.member for one in self._side() if one is not self.chair]

    @property
    def others(self) -> list[list[Member]]:
        """The people of each other side."""
        mine = self._side()
        return [[one.member for one in side] for side in self.tile.sides if side != mine]

    @property
    def next(self) -> str:
        """When people are seated anew, in words."""
        if self.left < 1 and self.tile.is_over:
            return _("New seats come any moment.")
        if self.left < 1:
            return _("You move on once your game is done.")
        return ngettext(
            "New seats when %(n)d more table is done.",
            "New seats when %(n)d more tables are done.",
            self.left,
        ) % {"n": self.left}

    def _side(self) -> list[Chair]:
        return next(side for side in self.tile.sides if self.chair in side)


def place_of(now: Room, player: Member | None, *, whole_round: bool) -> Place | None:
    """Where a member sits; None for who sits nowhere. A tournament's next round waits for every
    table (`whole_round`), an evening's next seats only for as many as make a change."""
    wanted = len(now.tiles) if whole_round else min(now.release_at, len(now.tiles))
    for tile in now.tiles:
        for chair in tile.chairs:
            if chair.member == player:
                return Place(tile, chair, wanted - len(now.over))
    return None
