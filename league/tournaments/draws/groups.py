"""Groups, then a knock-out of the best of each: first the fixtures, then the bracket."""

from copy import copy
from dataclasses import replace

from django.utils.translation import gettext as _

from league.errors import Refused, pairing_refusals
from league.pairing.formats.groups import (
    joined,
    knockout_seeds,
    side_by_side,
    snake,
    with_late,
)
from league.pairing.formats.round_robin import Rounds, round_robin
from league.tournaments.draws.drawn import Drawn, Sizes
from league.tournaments.draws.knockout import bracket_for, drawn_bracket
from league.tournaments.draws.pairs import numbered, round_of_fixtures
from league.tournaments.draws.redrawn import NEWCOMER, group_joined, redrawn_rounds
from league.tournaments.models import Stage
from league.tournaments.picture import Picture
from league.tournaments.standing import standing_of

Groups = tuple[tuple[int, ...], ...]


def groups_then_knockout(picture: Picture, seed: int, sizes: Sizes) -> Drawn:
    """The next round of all groups side by side; when they are done, of the bracket."""
    number = len(picture.published)
    rounds = rounds_of_groups(picture)
    if number < len(rounds):
        return round_of_fixtures(picture, rounds[number], _struck(picture))
    if picture.bracket_from is not None:
        return drawn_bracket(picture, bracket_for(picture, picture.cards[0]["players"]))
    players = list(seeds_of(picture))
    card = {"from": number + 1, "to": number + 1, "players": players, "seed": seed}
    return replace(drawn_bracket(picture, bracket_for(picture, players)), card=card)


def rounds_of_groups(picture: Picture) -> Rounds:
    """The fixtures of all groups; of a group drawn anew only the rounds since then."""
    return side_by_side(
        [
            redrawn_rounds(picture, number) or round_robin(group, double=picture.chosen.twice)
            for number, group in enumerate(groups_of(picture), 1)
        ]
    )


def groups_of(picture: Picture) -> Groups:
    """The groups, of even strength by the seeding. Who came late is in the place of a bye, or in
    the group whose rounds to come were drawn anew for them."""
    order = numbered(picture)
    late = [one for one in order if picture.entries[one].late]
    with pairing_refusals():
        made = snake([one for one in order if one not in late], picture.chosen.groups)
        drawn_anew: set[int] = set()
        for one in late:
            group = group_joined(picture, one)
            if group is None:
                made = with_late(made, [one], full=drawn_anew)
            else:
                drawn_anew.add(group)
                made = joined(made, one, group)
    return tuple(tuple(int(one) for one in group) for group in made)


def group_with_late(picture: Picture) -> tuple[int, ...]:
    """The group in which one more entry takes the place of the bye, with it.

    Refuses where no group has a bye to give up, or that group is played out.
    """
    full = {n for n in range(1, picture.chosen.groups + 1) if redrawn_rounds(picture, n)}
    with pairing_refusals():
        made = with_late(groups_of(picture), [NEWCOMER], full=full)
    grown = next(one for one in made if NEWCOMER in one)
    played = len(picture.published)
    if played >= len(round_robin(grown, double=picture.chosen.twice)):
        message = _("The matches of the groups are drawn, so nobody can come in any more.")
        raise Refused("groups-drawn", message, status=409)
    return tuple(int(one) for one in grown)


def group_pictures(picture: Picture) -> list[Picture]:
    """Each group as a round robin of its own."""
    return [
        _alone(picture, str(number), group) for number, group in enumerate(groups_of(picture), 1)
    ]


def seeds_of(picture: Picture) -> tuple[int, ...]:
    """Who goes through, in the order of the bracket's seeding; who has left does not.

    If fewer are left of a group than were to get through, so many of each group do.
    """
    ranked = [
        tuple(line.who for line in standing_of(one).lines if line.who in picture.playing)
        for one in group_pictures(picture)
    ]
    left = tuple(one for one in ranked if one)
    through = min([picture.chosen.through, *map(len, left)])
    with pairing_refusals():
        seeds = knockout_seeds(left, through)
    return tuple(int(one) for one in seeds)


def _alone(picture: Picture, label: str, group: tuple[int, ...]) -> Picture:
    stage = copy(picture.stage)
    stage.format = Stage.Format.ROUND_ROBIN
    rounds = tuple(
        replace(
            one,
            matches=tuple(match for match in one.matches if match.label == label),
            byes=tuple(entry for entry in one.byes if entry in group),
        )
        for one in picture.rounds
    )
    entries = {key: picture.entries[key] for key in group}
    return replace(picture, stage=stage, entries=entries, rounds=rounds)


def _struck(picture: Picture) -> frozenset[int]:
    """Those who left their group before half their matches."""
    return frozenset(one for each in group_pictures(picture) for one in standing_of(each).struck)
