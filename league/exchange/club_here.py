"""What a club has that a sheet of past games is looked at beside: people, rules, evenings."""

from collections import Counter
from collections.abc import Iterator
from datetime import date

from django.utils.translation import gettext as _

from league.exchange.past_games import PastGame
from league.exchange.sheet_trouble import Trouble
from league.exchange.sheet_words import PLAYERS
from league.members.models import Club, ClubRuleset, Member
from league.members.names import name_key, visible
from league.members.queries import people_of
from league.seasons.models import Season


class ClubHere:
    """The people and seasons of a club by name, its rules by size of table, its evenings. Four
    queries."""

    def __init__(self, club: Club, today: date) -> None:
        self.club, self.today = club, today
        self.people, self.shared = people_by_name(club)
        self.rules = default_rules(club)
        self.seasons = seasons_by_name(club)
        self.nights = set(club.sessions.values_list("held_on", "name"))

    @property
    def facts(self) -> tuple[object, ...]:
        """All that a verdict rests on: where it is the same, so is the verdict."""
        people = {key: (one.pk, one.retired_at) for key, one in self.people.items()}
        rules = {players: (one.pk, one.body) for players, one in self.rules.items()}
        seasons = {name: one.pk for name, one in self.seasons.items()}
        return people, rules, seasons, self.nights

    def cannot(self, game: PastGame) -> Iterator[Trouble]:
        """Why a new game cannot have been played here, whatever its score."""
        if game.day > self.today:
            yield Trouble(game.line, "date", _("This day has not come yet."))
        if game.night in self.nights:
            sentence = _("There is a session of this name on this day.")
            yield Trouble(game.line, "session", sentence)
        if game.season and name_key(game.season) not in self.seasons:
            yield Trouble(game.line, "season", no_season(game.season))
        yield from self._who(game)
        if len(game.players) not in self.rules:
            sentence = _("The club has no rules for so many players.")
            yield Trouble(game.line, "player 1", sentence)

    def _who(self, game: PastGame) -> Iterator[Trouble]:
        found = set()
        for column, name in zip(PLAYERS, game.players, strict=False):
            member = self.people.get(name_key(name))
            if name_key(name) in self.shared:
                sentence = _("%(name)s is the name of two of the club's people.")
                yield Trouble(game.line, column, sentence % {"name": visible(name)})
            elif member is None:
                sentence = _("%(name)s is not among the club's people.")
                yield Trouble(game.line, column, sentence % {"name": visible(name)})
            elif member.pk in found:  # by a name of now and by an earlier one
                yield Trouble(game.line, column, _("Nobody sits on two chairs."))
            else:
                found.add(member.pk)


def people_by_name(club: Club) -> tuple[dict[str, Member], set[str]]:
    """Everybody by the names they go or went by; and names of two people, which are nobody's."""
    found: dict[str, Member] = {}
    twice: set[str] = set()
    for member in people_of(club):
        for key in {name_key(name) for name in (member.name, *member.former_names)}:
            twice |= {key} & found.keys()
            found[key] = member
    return {key: member for key, member in found.items() if key not in twice}, twice


def seasons_by_name(club: Club) -> dict[str, Season]:
    """The club's seasons by name; a name of two seasons is nobody's."""
    listed = [(name_key(season.name), season) for season in club.seasons.all()]
    times = Counter(name for name, _season in listed)
    return {name: season for name, season in listed if times[name] == 1}


def no_season(name: str) -> str:
    """What is told of a season that cannot be found."""
    return _("The club has no season called %(name)s.") % {"name": visible(name)}


def default_rules(club: Club) -> dict[int, ClubRuleset]:
    """What each size of table plays by."""
    return {one.players: one for one in club.rulesets.filter(is_default=True)}
