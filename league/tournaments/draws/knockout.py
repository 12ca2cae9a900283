"""Knock-outs: the bracket so far, the matches ready to play, what a correction undoes."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from league.errors import Refused, pairing_refusals
from league.pairing.formats import EntryId, Pairing
from league.pairing.formats.knockout import Bracket, Part
from league.pairing.formats.knockout import bracket as new_bracket
from league.ranking.match_facts import MatchFacts
from league.tournaments.draws.rounds import table_for
from league.tournaments.models import Stage
from league.tournaments.stage_state import (
    BRACKETS,
    NEWCOMER,
    DrawnTable,
    RoundDraw,
    Sizes,
    StageState,
    no_more_rounds,
)


def knockout(state: StageState, seed: int, sizes: Sizes) -> RoundDraw:
    """All matches whose two sides are known, main bracket first; at most one for each pair."""
    return drawn_bracket(state, bracket_of(state))


def drawn_matches(bracket: Bracket, pairings: Iterable[Pairing]) -> tuple[DrawnTable, ...]:
    """These pairings of a bracket as matches to be played."""
    numbers = match_numbers(bracket)
    return tuple(
        replace(table_for(pairing), place=pairing.label, number=numbers[pairing.label])
        for pairing in pairings
        if pairing.second is not None
    )


def drawn_bracket(state: StageState, bracket: Bracket) -> RoundDraw:
    """The matches of this bracket that are ready to play."""
    tables = drawn_matches(bracket, bracket.ready())
    if not tables:
        raise no_more_rounds(_("All matches are played. Close the tournament."))
    playing = {entry for table in tables for _position, entry in table.sides}
    byes = tuple(int(entry) for entry in bracket.entries if entry not in playing)
    return RoundDraw(
        tables,
        () if state.in_bracket else byes,
        field_size=field_size(bracket, [table.place for table in tables]),
    )


def match_numbers(bracket: Bracket) -> dict[str, int]:
    """The number of each match by its key. Byes of the main bracket count, so that a late entry has
    a number waiting; what nobody plays in other parts comes last, so that no number is missing."""
    sides = bracket.side_counts
    order = sorted(bracket.meetings, key=lambda m: m.part is not Part.MAIN and sides[m.key] != 2)
    return {meeting.key: number for number, meeting in enumerate(order, 1)}


def bracket_of(state: StageState) -> Bracket:
    """The bracket of a stage that has one: of all entries, or of those that got through."""
    if state.stage.format not in BRACKETS:
        return bracket_for(state, state.cards[0]["players"])
    numbered = [entry for entry in state.entries.values() if entry.number is not None]
    drawn = [entry for entry in numbered if not entry.late]
    drawn.sort(key=lambda entry: entry.number or 0)
    late = [entry for entry in numbered if entry.late]
    late.sort(key=lambda entry: entry.pk)
    bye_holders = {entry.pk: entry.bye_of_id for entry in late if entry.bye_of_id is not None}
    return bracket_for(state, [entry.pk for entry in drawn], bye_holders)


def late_matches(state: StageState) -> list[Pairing]:
    """The matches, not drawn yet, of late entries with the entries whose byes they took."""
    if state.stage.format not in BRACKETS:
        return []
    drawn = {match.place for facts in state.rounds for match in facts.matches}
    bracket = bracket_of(state)
    return [p for p in bracket.ready() if p.label not in drawn and _is_late(state, bracket, p)]


def _is_late(state: StageState, bracket: Bracket, pairing: Pairing) -> bool:
    """Whether a late entry, always the second side, meets the entry whose bye it took."""
    match = bracket.matches[pairing.label]
    is_first_round = match.part is Part.MAIN and match.round == 1
    return is_first_round and state.entries[int(match.second or 0)].late


def bye_to_take(state: StageState) -> int:
    """The entry whose bye a late entry takes.

    Refuses (`no-place-left`) if no bye is left whose holder has not played yet.
    """
    started = [m.place for facts in state.rounds for m in facts.matches if m.place]
    with pairing_refusals():
        filled = bracket_of(state).with_late(NEWCOMER, started=started)
    meeting = next(meeting for meeting in filled.meetings if meeting.second.entry == NEWCOMER)
    return int(meeting.first.entry or 0)


def available_bye(state: StageState) -> tuple[int, int] | None:
    """The bye that a late entry would take in a bracket; None if there is none.

    Returns the entry that holds it and the number of the match the two would play.
    """
    if state.stage.format not in BRACKETS:
        return None
    try:
        holder = bye_to_take(state)
    except Refused:
        return None
    bracket = bracket_of(state)
    meeting = next(meeting for meeting in bracket.meetings if meeting.first.entry == holder)
    return holder, match_numbers(bracket)[meeting.key]


def bracket_for(
    state: StageState,
    drawn: Sequence[int],
    late: Mapping[int, int] | None = None,
) -> Bracket:
    """The bracket of these entries, best seed first, with all results so far.

    `late` maps each late entry, in the order of entering, to the entry whose bye it took.
    """
    with pairing_refusals():
        bracket = new_bracket(
            list(drawn),
            double=state.stage.format == Stage.Format.DOUBLE,
            consolation=state.options.consolation,
            third_place=state.options.third_place,
        )
        for newcomer, bye_holder in (late or {}).items():
            bracket = bracket.with_late(newcomer, instead_of=bye_holder)
    withdrawn = [key for key, entry in state.entries.items() if entry.withdrawn_at is not None]
    return replace(
        bracket,
        results=_results(state),
        withdrawn=frozenset(withdrawn),
        never_played=frozenset(state.entries) - _players(state),
    )


def _players(state: StageState) -> set[int]:
    """The entries that have played a game, or a hand of one."""
    return {
        entry
        for match in state.matches
        if match.played or any(game.hands for game in match.games)
        for entry in match.entries
    }


def _results(state: StageState) -> dict[str, tuple[EntryId, EntryId]]:
    """Winner and loser of every decided match, by its key in the bracket."""
    return {
        match.place: (match.sides[match.first], match.sides[1 - match.first])
        for match in state.matches
        if match.place and match.over and match.first is not None
    }


def field_size(bracket: Bracket, places: Iterable[str]) -> int | None:
    """The number of entries that begin the round of these matches; None unless they are all of
    one main round."""
    matches = [bracket.matches[place] for place in places]
    rounds = {(match.part, match.round) for match in matches if match.part is not Part.THIRD_PLACE}
    parts = {meeting.part for meeting in bracket.meetings}
    if len(rounds) != 1 or Part.FINAL in parts:
        return None
    part, number = rounds.pop()
    if part is not Part.MAIN:
        return None
    return 2 * sum(m.part is Part.MAIN and m.round == number for m in bracket.matches.values())


@dataclass(frozen=True, slots=True)
class Correction:
    """A match whose games now give a different winner from the one the bracket went on with.

    `winner` is the new winner's position and `entry` its key; `undone` are the keys of the matches
    that relied on the old result, played or not.
    """

    key: int
    winner: int
    entry: int
    undone: tuple[int, ...]


def corrections(state: StageState) -> list[Correction]:
    """All corrections that the bracket does not follow yet."""
    if not state.in_bracket:
        return []
    bracket = bracket_of(state)
    pending = []
    for match in _latest_by_place(state).values():
        winner = match.by_games
        if not match.corrected_since or winner is None or not is_bracket_match(match, bracket):
            continue
        try:
            undone_keys = undone_by(state, match, winner)
        except Refused:
            continue
        pending.append(Correction(match.key, winner, match.sides[winner], undone_keys))
    return pending


def being_played(state: StageState, keys: Collection[int]) -> list[int]:
    """The keys of those of these matches that have begun and are not over."""
    open_matches = state.last.open_matches if state.last else ()
    return [m.key for m in open_matches if m.games and m.key in keys and m.key not in state.unbegun]


def undone_by(state: StageState, match: MatchFacts, winner: int) -> tuple[int, ...]:
    """The keys of the later matches whose two sides change if this position wins a match."""
    bracket = bracket_of(state)
    with pairing_refusals():
        changed = bracket.with_result(match.place, match.sides[winner])
    return tuple(
        later.key
        for later in _latest_by_place(state).values()
        if is_bracket_match(later, bracket) and not is_bracket_match(later, changed)
    )


def _latest_by_place(state: StageState) -> dict[str, MatchFacts]:
    return {match.place: match for match in state.matches if match.place}


def is_bracket_match(match: MatchFacts, bracket: Bracket) -> bool:
    """Whether the two entries of a match are those that meet at its place in the bracket."""
    bracket_match = bracket.matches.get(match.place)
    return bracket_match is not None and set(match.entries) == set(bracket_match.sides)
