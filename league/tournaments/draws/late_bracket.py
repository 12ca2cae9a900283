"""How somebody can still come into a bracket in which everybody has an opponent. No database."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from league.errors import Refused
from league.pairing.formats.knockout import Bracket, Part, State
from league.ranking.match import MatchFacts
from league.seating.chance import Chance
from league.tournaments.draws.knockout import bracket_for, bracket_of
from league.tournaments.draws.redrawn import NEWCOMER
from league.tournaments.models import Entry
from league.tournaments.picture import BRACKETS, Picture


@dataclass(frozen=True, slots=True)
class LargerBracket:
    """Nobody has played yet: everybody is drawn anew, into a larger bracket with byes."""

    order: tuple[int, ...]
    bracket: Bracket
    seed: int

    kind = "larger"

    @property
    def first(self) -> list[tuple[int, int]]:
        """Who meets whom at once; two that have byes may meet in the second round at once."""
        return [(int(one.first), int(one.second or 0)) for one in self.bracket.ready()]

    @property
    def byes(self) -> list[int]:
        """Who goes on without a match of the first round, in the order of the draw."""
        main = [m for m in self.bracket.matches.values() if m.part is Part.MAIN and m.round == 1]
        free = {match.winner for match in main if match.state is State.BYE}
        return [one for one in self.order if one in free]

    @property
    def seen(self) -> str:
        return _mark(self.kind, self.order)


@dataclass(frozen=True, slots=True)
class PlayIn:
    """The newcomer meets `opponent`, whose first match has not begun; who wins plays `waits`, whom
    that match was against. It is played at the table of that match, which has this key.

    Who loses goes on to a place of this part, where a first loss leads on; that is `shared` where
    the match was the first of `waits` too: who loses that one may want the same place.
    """

    match: int
    opponent: int
    waits: int
    seed: int
    part: str = ""
    shared: bool = False

    kind = "play_in"

    @property
    def seen(self) -> str:
        return _mark(self.kind, (self.match, self.opponent, self.waits))


def _mark(kind: str, keys: Iterable[int]) -> str:
    """Tells this draw from any other: who agrees to it says which was looked at."""
    told = f"{kind}:{','.join(map(str, keys))}"
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def by_seed_and_lot(entries: Iterable[Entry], seed: int) -> list[int]:
    """The order of the draw: seeds first, in order, the others by lot."""
    drawn = sorted(entries, key=lambda one: (one.pk is None, one.pk))
    Chance(seed).shuffle(drawn)
    drawn.sort(key=lambda one: (one.seed is None, one.seed or 0))
    return [one.pk or NEWCOMER for one in drawn]


def into_full_bracket(picture: Picture, seed: int) -> LargerBracket | PlayIn:
    """A larger bracket while nobody has played; then a match before the first one, if there is
    somebody whose first match has not begun. A draft is no matter.

    Refuses where neither can be (`no_place_left`), with the reason.
    """
    picture = replace(picture, rounds=picture.published)
    if picture.stage.format not in BRACKETS:
        raise Refused("no_place_left", _("This is no bracket."), status=409)
    if len(picture.published) == 1 and picture.untouched:
        return _larger(picture, seed)
    return _play_in(picture, seed)


def _larger(picture: Picture, seed: int) -> LargerBracket:
    order = by_seed_and_lot([*picture.entries.values(), Entry()], seed)
    return LargerBracket(tuple(order), bracket_for(picture, order), seed)


def _play_in(picture: Picture, seed: int) -> PlayIn:
    """Against the lowest in the draw of those who have not begun their first match."""
    now = bracket_of(picture)
    waiting = {
        entry: match
        for match in (picture.last.matches if picture.last and picture.last.number == 1 else ())
        if _not_begun(match)
        and now.matches[match.label].part is Part.MAIN
        and all(entry in picture.playing for entry in match.entries)
        for entry in match.entries
    }
    if not waiting:
        message = _("Nobody can enter any more: every first match has begun.")
        raise Refused("no_place_left", message, status=409)
    opponent = max(waiting, key=lambda one: picture.entries[one].number or 0)
    match = waiting[opponent]
    (waits,) = (one for one in match.entries if one != opponent)
    parts = {one.part for one in now.meetings}
    part = next((one for one in (Part.LOSERS, Part.CONSOLATION) if one in parts), "")
    return PlayIn(match.key, opponent, waits, seed, part, match.label.startswith("M1-"))


def _not_begun(match: MatchFacts) -> bool:
    """Whether it is at a table at which nobody has played yet."""
    return (
        len(match.games) == 1
        and match.winner is None
        and not any(game.hands or game.over for game in match.games)
    )
