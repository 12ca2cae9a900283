"""Knock-outs: the bracket as the results have it, and its matches that can be played now."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext as _

from league.errors import pairing_refusals
from league.pairing.formats.knockout import Bracket, Part, bracket
from league.pairing.formats.pairings import EntryId
from league.tournaments.draws.drawn import Drawn, Sizes, no_more_rounds
from league.tournaments.draws.pairs import meeting
from league.tournaments.draws.redrawn import NEWCOMER
from league.tournaments.models import Stage
from league.tournaments.picture import BRACKETS, Picture


def knockout(picture: Picture, seed: int, sizes: Sizes) -> Drawn:
    """Every match whose two sides are known, the main bracket first; at most one for each pair."""
    return drawn_bracket(picture, bracket_of(picture))


def drawn_bracket(picture: Picture, now: Bracket) -> Drawn:
    """What can be played now in this bracket."""
    tables = tuple(meeting(one) for one in now.ready() if one.second is not None)
    if not tables:
        raise no_more_rounds(_("The bracket is played out. Close the tournament."))
    playing = {one for table in tables for _place, one in table.sides}
    byes = tuple(int(one) for one in now.entries if one not in playing)
    return Drawn(tables, () if picture.in_bracket else byes, label=_stage_name(now))


def bracket_of(picture: Picture) -> Bracket:
    """The bracket of a stage that has one: of everybody, or of those who got through."""
    if picture.stage.format not in BRACKETS:
        return bracket_for(picture, picture.cards[0]["players"])
    entries = [one for one in picture.entries.values() if one.number is not None]
    entries.sort(key=lambda one: one.number or 0)
    drawn = [one.pk for one in entries if not one.late]
    keys = {one.number or 0: one.pk for one in entries}
    late = sorted((one for one in entries if one.late), key=lambda one: one.pk)
    places = _size(len(drawn))
    met = {one.pk: keys[_opponent(one.number or 0, places)] for one in late}
    return bracket_for(picture, drawn, met)


def place_of_late(picture: Picture) -> int:
    """The number in the draw of one more entry: that of the bye which it takes.

    Refuses (`no-place-left`) where no bye is left whose holder has not played yet.
    """
    now = bracket_of(picture)
    started = [match.label for one in picture.rounds for match in one.matches]
    with pairing_refusals():
        filled = now.with_late(NEWCOMER, started=started)
    taken = next(one for one in filled.meetings if one.second.entry == NEWCOMER)
    giver = picture.entries[int(taken.first.entry or 0)].number or 0
    return _size(len([one for one in picture.entries.values() if not one.late])) + 1 - giver


def _size(entries: int) -> int:
    """The places of a bracket: the next power of two."""
    return 1 << max(1, (entries - 1).bit_length())


def _opponent(number: int, places: int) -> int:
    """Whom a late entry meets: the seeds of a first match add up to one more than the places."""
    return places + 1 - number


def bracket_for(
    picture: Picture,
    drawn: Sequence[int],
    late: Mapping[int, int] | None = None,
) -> Bracket:
    """The bracket of these entries, the best seed first, with everything decided so far.

    `late` came when it was drawn, in the order in which they came, each with whose bye it took.
    """
    with pairing_refusals():
        now = bracket(
            list(drawn),
            double=picture.stage.format == Stage.Format.DOUBLE,
            consolation=picture.chosen.consolation,
            third_place=picture.chosen.third_place,
        )
        for newcomer, met in (late or {}).items():
            now = now.with_late(newcomer, instead_of=met)
    gone = [key for key, entry in picture.entries.items() if entry.withdrawn_at is not None]
    return replace(now, results=_results(picture), withdrawn=frozenset(gone))


def _results(picture: Picture) -> dict[str, tuple[EntryId, EntryId]]:
    """Winner and loser of every match decided, by its key in the bracket."""
    return {
        match.label: (match.sides[match.first], match.sides[1 - match.first])
        for match in picture.matches
        if match.over and match.first is not None
    }


def _stage_name(now: Bracket) -> str:
    """What the round is called when only matches of one main round are played in it."""
    matches = [now.matches[one.label] for one in now.ready()]
    ready = {(one.part, one.round) for one in matches if one.part is not Part.THIRD_PLACE}
    parts = {one.part for one in now.meetings}
    if len(ready) != 1 or Part.FINAL in parts:
        return ""
    part, number = ready.pop()
    if part is not Part.MAIN:
        return ""
    main = [m for m in now.matches.values() if m.part is Part.MAIN and m.round == number]
    return round_name(len(main))


def round_name(matches: int) -> str:
    """A main round by how many matches it has."""
    names = {1: _("Final"), 2: _("Semi-finals"), 4: _("Quarter-finals")}
    return names.get(matches) or _("Last %(n)d") % {"n": 2 * matches}
