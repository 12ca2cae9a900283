"""Hands in the activity log: what was played at the table of an entry, in words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from league.labels import as_partners
from league.members.rule_options import VALUES
from league.members.rule_texts import SPECIAL_BIDS

OUTCOMES = {"march": lazy("march"), "made": lazy("made"), "euchred": lazy("euchred")}

Players = Mapping[int, str]
"""The players' names by seat, as far as known."""
NO_PLAYERS: Players = {}


def hand_words(record: dict[str, Any], players: Players = NO_PLAYERS) -> str:
    """A hand in words, with dealer, call and result: "Ann deals; seat 2: hearts, alone; march"."""
    parts = [_("%(name)s deals") % {"name": player_name(record["dealer"], players)}]
    call = record.get("contract") or _last_call(record.get("auction") or [])
    parts.append(_call_words(call, players))
    parts.append(_result_words(record, players))
    if record.get("tricks"):
        parts.append(_("every card recorded"))
    return "; ".join(part for part in parts if part)


def _last_call(auction: list[dict[str, Any]]) -> dict[str, Any] | None:
    calls = [call for call in auction if call.get("call") != "pass"]
    return calls[-1] if calls else None


def player_name(position: int, players: Players) -> str:
    return players.get(position) or _("seat %(n)d") % {"n": position + 1}


def _call_words(call: dict[str, Any] | None, players: Players) -> str:
    if not call:
        return _("passed out")
    words = [str(VALUES.get(call["trump"], call["trump"]))] if call.get("trump") else []
    words += [str(call["tricks"])] if call.get("tricks") else []
    if special := call.get("special"):
        words.append(str(SPECIAL_BIDS.get(special, special)))
    words += [_("alone")] if call.get("alone") else []
    called = ", ".join(words) or _("makes trump")
    return _("%(name)s: %(call)s") % {"name": player_name(call["seat"], players), "call": called}


def _result_words(record: dict[str, Any], players: Players) -> str:
    if record.get("outcome"):
        return str(OUTCOMES.get(record["outcome"], record["outcome"]))
    won = record.get("tricks_won")
    if isinstance(won, dict):
        return _("the makers take %(n)s") % {"n": won.get("makers", "?")}
    by_seat = [(player_name(seat, players), count) for seat, count in enumerate(won or ()) if count]
    taken = ", ".join(_("%(name)s: %(call)s") % {"name": name, "call": n} for name, n in by_seat)
    return _("tricks %(won)s") % {"won": taken} if taken else ""


def score_words(score: Sequence[int], players: Mapping[int, str]) -> str:
    """A score with the sides' names, where the players are known by their seats.

    >>> score_words([10, 7], {0: "Rose", 1: "Ann", 2: "Ted", 3: "Bill"}), score_words([10, 7], {})
    ('Rose & Ted 10, Ann & Bill 7', '10 – 7')
    """
    count = len(score)
    sides = [[players[seat] for seat in sorted(players) if seat % count == n] for n in range(count)]
    if not all(sides):
        return " – ".join(map(str, score))
    named = zip(map(as_partners, sides), score, strict=True)
    return ", ".join(f"{side} {points}" for side, points in named).replace(" -", " −")


class TableInLog(NamedTuple):
    """The table of an entry: the title of its round in a tournament or league, if any, its
    players, the number of its game in a league's match, else 0, how its hands are put into words,
    by its rules where they are known, and the id of the game that was played at that moment."""

    round_title: str
    players: Players
    game: int = 0
    say_hand: Callable[[dict[str, Any], Players], str] = hand_words
    game_id: str = ""


NO_TABLE = TableInLog("", NO_PLAYERS)
