"""Another deck, hand, table or set of special bids for rules that a club has already (D-59)."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.rulesets import Ruleset, preset_ids, ruleset
from scoring.rulesets.options import OPTIONS
from scoring.rulesets.resolving import option_fits

__all__ = ["reshaped"]


def reshaped(
    rules: Ruleset,
    shape: Mapping[str, Any],
    special: Sequence[Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """The data of these rules with other parts of their shape, and with other special bids.

    Options that the new game cannot have are left out; one that it has and the old had not takes
    the value of the preset all of these rules come from. Nothing is judged: `ruleset` does that.

    >>> from scoring import ruleset
    >>> len(ruleset(reshaped(ruleset("bid-racehorse"), {"ranks": "JQKA", "hand": 4})).deck)
    16
    """
    data = rules.to_dict()
    data["shape"] = {**data["shape"], **shape}
    if special is not None:
        data["special"] = [dict(one) for one in special]
    eldest = rules.lineage[0] if rules.lineage else ""
    if eldest in preset_ids():
        data["options"] = {**ruleset(eldest).to_dict()["options"], **data["options"]}
        ends = {"target", "hands"} - {"hands" if rules.target is None else "target"}
        for name in ends:
            data["options"].pop(name, None)
    data["options"] = {
        name: value
        for name, value in data["options"].items()
        if option_fits(OPTIONS[name], data["shape"], data["special"])
    }
    return data
