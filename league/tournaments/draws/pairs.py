"""Fixed pairs: the round robin's fixtures and the Swiss draw, put to the pure formats."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from league.pairing.formats.pairings import EntryId, Pairing, Played
from league.pairing.formats.round_robin import Rounds
from league.pairing.formats.round_robin import round_robin as fixtures
from league.pairing.formats.swiss import swiss_round
from league.ranking.match import MatchFacts
from league.tournaments.draws.drawn import Drawn, DrawnTable, Sizes, no_more_rounds
from league.tournaments.draws.progressive import refuse_after_the_last
from league.tournaments.draws.redrawn import redrawn_rounds
from league.tournaments.picture import Picture
from league.tournaments.standing import struck_out


def round_robin(picture: Picture, seed: int, sizes: Sizes) -> Drawn:
    """The next round of the fixtures; whoever would meet a pair that has left gets the match."""
    rounds = fixtures_of(picture)
    number = len(picture.published)
    if number >= len(rounds):
        raise no_more_rounds(_("Every round has been played. Close the tournament."))
    return round_of_fixtures(picture, rounds[number], struck_out(picture))


def round_of_fixtures(
    picture: Picture, pairings: Sequence[Pairing], struck: frozenset[int]
) -> Drawn:
    """A round of fixtures with the walk-overs and byes of those who have left."""
    tables, byes = [], []
    for pairing in pairings:
        table = _fixture(picture, pairing)
        here = [one for one in _both(pairing) if one in picture.playing]
        if table is not None and not struck & set(_both(pairing)):
            tables.append(table)
        else:
            byes += here
    return Drawn(tuple(tables), tuple(byes))


def rounds_of(picture: Picture) -> int:
    """How many rounds the fixtures have."""
    return len(fixtures_of(picture))


def fixtures_of(picture: Picture) -> Rounds:
    """The fixtures by the Berger tables; of those drawn anew only the rounds since then."""
    return redrawn_rounds(picture) or fixtures(numbered(picture), double=picture.chosen.twice)


def swiss(picture: Picture, seed: int, sizes: Sizes) -> Drawn:
    """The nearest in match points meet, nobody twice while it can be helped."""
    refuse_after_the_last(picture)
    pairings = swiss_round(
        tuple(picture.entries),
        [met_in(match) for match in picture.matches if len(match.sides) == 2],
        byes=dict[EntryId, int](picture.byes_had().items()),
        withdrawn=[key for key in picture.entries if key not in picture.playing],
        seed=seed,
    )
    tables = (meeting(one) for one in pairings if one.second is not None)
    byes = (int(one.first) for one in pairings if one.second is None)
    return Drawn(tuple(tables), tuple(byes))


def meeting(pairing: Pairing) -> DrawnTable:
    """Two pairs at a table."""
    assert pairing.second is not None
    return DrawnTable(((0, int(pairing.first)), (1, int(pairing.second))), label=pairing.label)


def met_in(match: MatchFacts) -> Played:
    """A match as the formats know it."""
    first, second = match.sides[0], match.sides[1]
    return Played(
        first=first,
        second=second,
        first_points=match.points(0),
        second_points=match.points(1),
        winner=None if match.first is None else match.sides[match.first],
        walkover=not match.games,
    )


def numbered(picture: Picture) -> list[int]:
    """Everybody who ever entered, in the order of the draw."""
    entries = sorted(picture.entries.values(), key=lambda one: (one.number or 0, one.pk))
    return [one.pk for one in entries]


def _both(pairing: Pairing) -> list[int]:
    return [int(one) for one in (pairing.first, pairing.second) if one is not None]


def _fixture(picture: Picture, pairing: Pairing) -> DrawnTable | None:
    """The match of a fixture: a walk-over where one has left; None where nobody can win it."""
    if pairing.second is None:
        return None
    here = [place for place, one in enumerate(_both(pairing)) if one in picture.playing]
    if len(here) == 2:
        return meeting(pairing)
    if not here:
        return None
    walked = meeting(pairing)
    return DrawnTable(walked.sides, label=walked.label, winner=here[0])
