"""Which player a name on the public entry form may be. The organiser says who it is."""

from collections import defaultdict

from league.members.models import Club, Member
from league.members.names import Spellings, name_key
from league.members.queries import was_erased
from league.tournaments.models import EntryRequest

NEW = "new"  # instead of a player's public id: a guest nobody has on the list
MOST_SHOWN = 5


class RequestedNames:
    """Everybody of a club, by every spelling of their names. Two queries."""

    def __init__(self, club: Club) -> None:
        self._by_spelling: dict[str, list[Member]] = defaultdict(list)
        for one in club.members.filter(erased_at=None).select_related("merged_into"):
            for spelling in (one.name, *one.former_names):
                self._by_spelling[name_key(spelling)].append(one.merged_into or one)
        self._spellings = Spellings(self._by_spelling)
        self._was_erased = was_erased(club)

    def players(self, name: str) -> list[Member]:
        """Whose name it is, else whose it is like."""
        keys = [name_key(name)]
        if keys[0] not in self._by_spelling:
            keys = self._spellings.like(keys[0])
        found = [one for key in keys for one in self._by_spelling[key]]
        return list(dict.fromkeys(found))[:MOST_SHOWN]

    def asks(self, name: str) -> bool:
        """Whether somebody has to say who it is: not where one active player has just this name,
        nor where it is like nobody's."""
        found = self.players(name)
        sure = len(found) == 1 and found[0].name_key == name_key(name)
        if sure and found[0].retired_at is None:
            return False
        return bool(found) or self._was_erased(name)


def names_in(request: EntryRequest) -> dict[str, str]:
    """The names of a request by their field."""
    both = {"name": request.name, "partner": request.partner}
    return {field: name for field, name in both.items() if name}
