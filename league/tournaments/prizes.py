"""The prizes of a stage: who is honoured at its end."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.ranking.measures import total
from league.standings.labels import spoken
from league.standings.text import decided_by
from league.tournaments.draws.knockout import bracket_of, corrections
from league.tournaments.models import Stage
from league.tournaments.queries import NameOf, entry_name
from league.tournaments.stage_state import StageState
from league.tournaments.standing import Standing

FIRST_THREE = 3


@dataclass(frozen=True, slots=True)
class Prize:
    """A prize: its title, the winners, and the figure that earned it.

    A `special` one goes only to entries that have no other prize.
    """

    title: str
    names: tuple[str, ...]
    figure: str
    special: bool = False


def prizes(state: StageState, standing: Standing, name_of: NameOf) -> list[Prize]:
    """First to third, most lone marches, best game, in Progressive Euchre also last: nobody takes
    a second prize.

    Entries that share a place share its prize.
    """
    names = {key: entry_name(entry, name_of) for key, entry in state.entries.items()}
    if not state.published or not any(standing.tallies.values()):
        return []
    if state.in_bracket:
        return _bracket_prizes(state, names)
    if state.of_pairs:
        return _podium_prizes(standing, names)
    honoured = {line.who for line in standing.lines if line.rank <= FIRST_THREE}
    special = _special_prizes(standing, names, honoured, _targets_of(state))
    if state.stage.format == Stage.Format.PROGRESSIVE:
        special += _booby_prize(standing, names, honoured, state.active_entries)
    return _podium_prizes(standing, names) + special


def _targets_of(state: StageState) -> set[int]:
    """The scores at which games of a stage are won."""
    return {game.target for match in state.matches for game in match.games}


def _podium_prizes(standing: Standing, names: dict[int, str]) -> list[Prize]:
    awarded: list[Prize] = []
    code = standing.measures[0].code
    ranked = [line for line in standing.lines if line.who not in standing.struck]
    podium = [line for line in ranked if line.rank <= FIRST_THREE]
    level = Counter(line.values[code] for line in ranked)
    for rank, title in {1: _("First"), 2: _("Second"), 3: _("Third")}.items():
        winners = [line for line in podium if line.rank == rank]
        if winners:
            value = winners[0].values[code]
            label = spoken(code, value)
            if level[value] > len(winners):  # another place has the same figure
                label = f"{label}; {decided_by(winners[0])}"
            awarded.append(Prize(title, tuple(names[line.who] for line in winners), label))
    return awarded


def _bracket_prizes(state: StageState, names: dict[int, str]) -> list[Prize]:
    if corrections(state):
        return []
    bracket = bracket_of(state)
    champions = [
        (_("First"), bracket.champion),
        (_("Consolation"), bracket.consolation_champion),
    ]
    titles = [
        Prize(title, (names[int(entry)],), "") for title, entry in champions if entry is not None
    ]
    runners_up: list[Prize] = []
    for rank, title in ((2, _("Second")), (3, _("Third"))) if bracket.champion is not None else ():
        placed = tuple(
            names[int(entry)] for entry, place in bracket.places().items() if place == rank
        )
        if placed:
            runners_up.append(Prize(title, placed, ""))
    return titles[:1] + runners_up + titles[1:]


def _special_prizes(
    standing: Standing, names: dict[int, str], honoured: set[int], targets: set[int]
) -> list[Prize]:
    """The special prizes, each for entries that are not among the `honoured`; adds them there.

    A best game that several share because each won theirs at the target is no feat.
    """
    lone_marches = {
        entry: int(total(rows, "lone_marches")) for entry, rows in standing.tallies.items()
    }
    contests = [
        (
            _("Most lone marches"),
            lone_marches,
            lambda n: ngettext("%(n)d lone march", "%(n)d lone marches", n),
        ),
        (
            _("Best single game"),
            standing.best_game,
            lambda n: ngettext("%(n)d point", "%(n)d points", n),
        ),
    ]
    awarded = []
    for title, counts, figure_text in contests:
        best, winners = _best_entries(counts, honoured)
        is_usual = counts is standing.best_game and len(winners) > 1 and best in targets
        if best and not is_usual:
            honoured.update(winners)
            text = figure_text(best) % {"n": best}
            awarded.append(
                Prize(title, tuple(names[entry] for entry in winners), text, special=True)
            )
    return awarded


def _booby_prize(
    standing: Standing,
    names: dict[int, str],
    honoured: Collection[int],
    active: Collection[int],
) -> list[Prize]:
    """The prize for the last of those who played to the end, a custom of Progressive Euchre."""
    tallies = standing.tallies
    lines = [x for x in standing.lines if x.who in active and total(tallies[x.who], "games")]
    line = lines[-1] if lines else None
    if line is None or line.who in honoured or line.rank <= FIRST_THREE or line.shared:
        return []
    return [Prize(_("Booby prize"), (names[line.who],), _("last"), special=True)]


def _best_entries(counts: Mapping[int, int], excluded: Collection[int]) -> tuple[int, list[int]]:
    """The highest count and the entries that have it; 0 and nobody if all counts are 0."""
    candidates = {key: count for key, count in counts.items() if key not in excluded and count}
    best = max(candidates.values(), default=0)
    return best, [key for key, count in candidates.items() if count == best]
