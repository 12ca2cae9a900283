"""Knock-outs: the bracket as the results have it, what can be played, what a correction undoes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from league.errors import Refused, pairing_refusals
from league.pairing import PairingRefused
from league.pairing.formats import EntryId
from league.pairing.formats.knockout import Bracket, Part, bracket
from league.ranking.match_facts import MatchFacts
from league.tournaments.draws.pairs import meeting
from league.tournaments.models import Stage
from league.tournaments.stage_state import (
    BRACKETS,
    NEWCOMER,
    Drawn,
    Sizes,
    StageState,
    no_more_rounds,
)


def knockout(state: StageState, seed: int, sizes: Sizes) -> Drawn:
    """Every match whose two sides are known, the main bracket first; at most one for each pair."""
    return drawn_bracket(state, bracket_of(state))


def drawn_bracket(state: StageState, now: Bracket) -> Drawn:
    """What can be played now in this bracket."""
    numbers = match_numbers(now)
    tables = tuple(
        replace(meeting(one), place=one.label, number=numbers[one.label])
        for one in now.ready()
        if one.second is not None
    )
    if not tables:
        raise no_more_rounds(_("All matches are played. Close the tournament."))
    playing = {one for table in tables for _place, one in table.sides}
    byes = tuple(int(entry) for entry in now.entries if entry not in playing)
    return Drawn(
        tables,
        () if state.in_bracket else byes,
        field_size=field_size(now, [table.place for table in tables]),
    )


def match_numbers(now: Bracket) -> dict[str, int]:
    """What each match of a bracket is called by, byes counted: it stays, no matter who comes
    late."""
    return {meeting.key: number for number, meeting in enumerate(now.meetings, 1)}


def bracket_of(state: StageState) -> Bracket:
    """The bracket of a stage that has one: of everybody, or of those who got through."""
    if state.stage.format not in BRACKETS:
        return bracket_for(state, state.cards[0]["players"])
    numbered = [entry for entry in state.entries.values() if entry.number is not None]
    drawn = sorted((one for one in numbered if not one.late), key=lambda one: one.number or 0)
    late = sorted((one for one in numbered if one.late), key=lambda one: one.pk)
    met = {one.pk: one.bye_of_id for one in late if one.bye_of_id is not None}
    return bracket_for(state, [one.pk for one in drawn], met)


def bye_to_take(state: StageState) -> int:
    """The entry whose bye one more entry takes.

    Refuses (`no-place-left`) where no bye is left whose holder has not played yet.
    """
    now = bracket_of(state)
    started = [match.place for one in state.rounds for match in one.matches]
    with pairing_refusals():
        filled = now.with_late(NEWCOMER, started=started)
    taken = next(one for one in filled.meetings if one.second.entry == NEWCOMER)
    return int(taken.first.entry or 0)


def bye_taken(state: StageState) -> tuple[int, int] | None:
    """In a bracket: whose bye one more entry would take, and the number of the match they then
    play; None where no bye is left."""
    if state.stage.format not in BRACKETS:
        return None
    try:
        holder = bye_to_take(state)
    except Refused:
        return None
    now = bracket_of(state)
    first = next(one for one in now.meetings if one.first.entry == holder)
    return holder, match_numbers(now)[first.key]


def bracket_for(
    state: StageState,
    drawn: Sequence[int],
    late: Mapping[int, int] | None = None,
) -> Bracket:
    """The bracket of these entries, the best seed first, with everything decided so far.

    `late` came when it was drawn, in the order in which they came, each with whose bye it took.
    """
    with pairing_refusals():
        now = bracket(
            list(drawn),
            double=state.stage.format == Stage.Format.DOUBLE,
            consolation=state.chosen.consolation,
            third_place=state.chosen.third_place,
        )
        for newcomer, met in (late or {}).items():
            now = now.with_late(newcomer, instead_of=met)
    gone = [key for key, entry in state.entries.items() if entry.withdrawn_at is not None]
    return replace(now, results=_results(state), withdrawn=frozenset(gone))


def _results(state: StageState) -> dict[str, tuple[EntryId, EntryId]]:
    """Winner and loser of every match decided, by its key in the bracket."""
    return {
        match.place: (match.sides[match.first], match.sides[1 - match.first])
        for match in state.matches
        if match.place and match.over and match.first is not None
    }


def field_size(now: Bracket, places: Iterable[str]) -> int | None:
    """How many begin the round of these matches, when only those of one main round are in it."""
    matches = [now.matches[place] for place in places]
    ready = {(match.part, match.round) for match in matches if match.part is not Part.THIRD_PLACE}
    parts = {one.part for one in now.meetings}
    if len(ready) != 1 or Part.FINAL in parts:
        return None
    part, number = ready.pop()
    if part is not Part.MAIN:
        return None
    return 2 * sum(m.part is Part.MAIN and m.round == number for m in now.matches.values())


@dataclass(frozen=True, slots=True)
class Correction:
    """A match whose games now say another winner (a position) than the bracket went on with.

    `undone` are the keys of the matches that were played on the strength of it.
    """

    key: int
    winner: int
    entry: int
    undone: tuple[int, ...]


def corrections(state: StageState) -> list[Correction]:
    """Every correction that the bracket has not followed."""
    if not state.in_bracket:
        return []
    now = bracket_of(state)
    latest = {match.place: match for match in state.matches if match.place}
    due = []
    for match in latest.values():
        winner = match.by_games
        if not match.corrected_since or winner is None or not is_met(match, now):
            continue
        entry = match.sides[winner]
        try:
            undone = now.undone_by(match.place, entry)
        except PairingRefused:
            continue
        keys = tuple(latest[one.key].key for one in undone if one.key in latest)
        due.append(Correction(match.key, winner, entry, keys))
    return due


def is_met(match: MatchFacts, now: Bracket) -> bool:
    """Whether the two of a match are those that meet at its place of the bracket."""
    there = now.matches.get(match.place)
    return there is not None and set(match.entries) == set(there.sides)
