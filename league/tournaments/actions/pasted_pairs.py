"""Entering pairs from a pasted list, a pair per line."""

import re
from collections.abc import Collection, Sequence
from datetime import datetime

from django.db import transaction
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions.people import add_member
from league.members.audit import Actor
from league.members.models import Member
from league.members.names import name_key, sort_key
from league.members.paste import AND, BULLET, COLUMNS, COMMA, DASH, tidy
from league.sessions.attendance import arrive_all
from league.tournaments.actions.checking_in import is_early, refuse_in_other_session
from league.tournaments.actions.entering import PAIR, enter_all, refuse_drawn
from league.tournaments.actions.public_entry import RequestedNames
from league.tournaments.actions.setup import locked, touch
from league.tournaments.models import Entry, Tournament

BETWEEN = re.compile(f"{AND}|{COLUMNS}|{COMMA}|{DASH.pattern}")
"""What stands between two partners."""


class UnclearLine(Exception):
    """A line is not a pair of known players; the message says why. `unknown` are names like those
    of no player."""

    def __init__(self, message: str, unknown: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.unknown = list(unknown)


@transaction.atomic
def enter_pairs(
    tournament: Tournament,
    lines: Sequence[str],
    *,
    by: Actor,
    at: datetime,
    here_too: Collection[str] = (),
    guests: Collection[str] = (),
) -> list[Entry]:
    """Enter the pairs of a list, as "Ann & Bob", "Ann / Bob" or "Ann, Bob", and check them in,
    unless it is before the day.

    Players who had entered without a partner get the one of the list. Refuses (`unclear-pairs`) the
    whole list with a sentence for each line that is not a pair of the club's players, or that names
    somebody who is in a pair already. `here_too` are the public ids of players who may be checked
    in elsewhere, `guests` the names to add as guests if the list still has them.
    """
    fresh = locked(tournament)
    refuse_drawn(fresh)
    try:
        pairs = _read_pairs(fresh, lines)
    except Refused as refused:
        for name in refused.details["unknown"]:  # type: ignore[attr-defined]
            if name in guests:
                add_member(fresh.club, name=name, by=by, is_guest=True, same_name=True)
        pairs = _read_pairs(fresh, lines)
    people = [player for pair in pairs for player in pair]
    refuse_in_other_session(fresh, [one for one in people if one.public_id not in here_too])
    fresh.entries.filter(partner=None, member__in=people).delete()
    if not is_early(fresh, at):
        arrive_all(fresh.session, people, by=by, at=at, even_if_elsewhere=True)
    entries = enter_all(fresh, pairs, by=by, at=at)
    touch(fresh)
    return entries


def _read_pairs(fresh: Tournament, lines: Sequence[str]) -> list[tuple[Member, Member]]:
    names = RequestedNames(fresh.club)
    partners = fresh.entries.exclude(partner=None).values_list("member", "partner")
    paired_keys = {key for pair in partners for key in pair}
    pairs: list[tuple[Member, Member]] = []
    errors, unknown = [], []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            pair = _read_pair(names, line)
            _refuse_repeated(pair, paired_keys, pairs)
            pairs.append(pair)
        except UnclearLine as error:
            errors.append(_("Line %(n)d: %(why)s") % {"n": number, "why": error})
            unknown += error.unknown
    if errors:
        details = {"unknown": list(dict.fromkeys(unknown))}
        raise Refused("unclear-pairs", errors[0], fields={"pairs": errors}, details=details)
    return pairs


def _read_pair(names: RequestedNames, line: str) -> tuple[Member, Member]:
    """The two players of a line: as they are separated, else with surnames first or shared."""
    parts = [" ".join(part.split()) for part in BETWEEN.split(BULLET.sub("", line))]
    readings = [list(filter(None, parts)), tidy(line).split("\n")]
    errors = []
    for reading in readings:
        if len(reading) == PAIR:
            try:
                return _find_both(names, *reading)
            except UnclearLine as error:
                errors.append(error)
    raise (*errors, UnclearLine(_("Write the names of two players, like Rose & Ann.")))[0]


def _find_both(names: RequestedNames, one: str, other: str) -> tuple[Member, Member]:
    try:
        first = _find(names, one)
    except UnclearLine as error:
        try:
            _find(names, other)
        except UnclearLine as other_error:
            unknown = [*error.unknown, *other_error.unknown]
            raise UnclearLine(f"{error} {other_error}", unknown) from other_error
        raise
    return first, _find(names, other)


def _find(names: RequestedNames, name: str) -> Member:
    """The one active player with this name, else with it but for its accents or a surname."""
    players = names.players(name)
    namesakes = [player for player in players if player.name_key == name_key(name)]
    namesakes = namesakes or [one for one in players if one.sort_key == sort_key(name)]
    namesakes = namesakes or names.first_named(name)
    active = [player for player in namesakes if player.retired_at is None]
    if len(active) == 1:
        return active[0]
    params = {"name": name, "others": get_text_list([p.name for p in players])}
    if active:
        text = _("More than one player is called %(name)s. Enter this pair under Add an entry.")
    elif namesakes:
        text = _("%(name)s is deactivated.")
    elif players:
        text = _("No player is called %(name)s. Did you mean %(others)s?")
    else:
        text = _("No player is called %(name)s. Add them as a guest below.")
    is_unknown = not players and not namesakes
    raise UnclearLine(text % params, [name] if is_unknown else ())


def _refuse_repeated(
    pair: tuple[Member, Member], paired_keys: set[int], before: Sequence[tuple[Member, Member]]
) -> None:
    if pair[0] == pair[1]:
        raise UnclearLine(_("A pair needs two players."))
    for player in pair:
        if player.pk in paired_keys:
            raise UnclearLine(_("%(name)s is already entered.") % {"name": player.name})
        if any(player in other for other in before):
            raise UnclearLine(_("%(name)s is on another line too.") % {"name": player.name})
