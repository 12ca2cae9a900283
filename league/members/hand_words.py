"""A hand's record in a few words, for the record of who did what. Pure but for translation."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from league.members.rule_words import VALUES

OUTCOMES = {"march": lazy("march"), "made": lazy("made"), "euchred": lazy("euchred")}


def hand_words(record: dict[str, Any]) -> str:
    """Who dealt, who called what, what came of it: "seat 1 deals; seat 2: hearts, alone; march"."""
    parts = [_("seat %(n)d deals") % {"n": record["dealer"] + 1}]
    parts.append(_call(record.get("contract") or _last_call(record.get("auction") or [])))
    parts.append(_result(record))
    if record.get("tricks"):
        parts.append(_("with every card"))
    return "; ".join(part for part in parts if part)


def _last_call(auction: list[dict[str, Any]]) -> dict[str, Any] | None:
    calls = [call for call in auction if call.get("call") != "pass"]
    return calls[-1] if calls else None


def _call(call: dict[str, Any] | None) -> str:
    if not call:
        return _("passed out")
    words = [str(VALUES.get(call["trump"], call["trump"]))] if call.get("trump") else []
    words += [str(call["tricks"])] if call.get("tricks") else []
    words += [str(call["special"])] if call.get("special") else []
    words += [_("alone")] if call.get("alone") else []
    called = ", ".join(words) or _("calls")
    return _("seat %(n)d: %(call)s") % {"n": call["seat"] + 1, "call": called}


def _result(record: dict[str, Any]) -> str:
    if record.get("outcome"):
        return str(OUTCOMES.get(record["outcome"], record["outcome"]))
    won = record.get("tricks_won")
    if isinstance(won, dict):
        return _("the makers take %(n)s") % {"n": won.get("makers", "?")}
    return _("tricks %(won)s") % {"won": " – ".join(map(str, won))} if won else ""
