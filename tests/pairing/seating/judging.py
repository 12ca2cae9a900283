"""Who judges a plan: the independent checker where it is at hand, else a plain recount here."""

import importlib.util
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path
from types import ModuleType
from typing import Any

CHECKER = Path(__file__).parents[4] / "shared" / "seating_check.py"


def checker() -> ModuleType | None:
    """The checker that shares no code with the planner; None where it is not at hand."""
    if not CHECKER.exists():
        return None
    spec = importlib.util.spec_from_file_location("seating_check", CHECKER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def document(rounds: Iterable[Any], policy: str = "club", **constraints: Any) -> dict[str, Any]:
    """Rounds (anything with tables and out) as the checker reads them."""
    listed = [
        {
            "tables": [list(table) for table in one.tables],
            "out": list(one.out),
            "present": [*(who for table in one.tables for who in table), *one.out],
        }
        for one in rounds
    ]
    players = sorted({who for one in listed for who in one["present"]}, key=str)
    return {"players": players, "rounds": listed, "policy": policy, **constraints}


def judge(rounds: Iterable[Any], policy: str = "club", **constraints: Any) -> dict[str, Any]:
    """What the checker says of these rounds, or the same few figures counted here.

    Fails the test for a round that is not valid. Constraints are the checker's: fixed, apart,
    apart_partner as lists of pairs.
    """
    wanted = document(rounds, policy, **constraints)
    module = checker()
    report = module.check(wanted) if module else recount(wanted)
    assert report["valid"], report["violations"]
    return report


def recount(wanted: dict[str, Any]) -> dict[str, Any]:
    """Validity and repeats, counted in the plainest way."""
    partners: Counter = Counter()
    opponents: Counter = Counter()
    broken = 0
    fixed, apart, apart_partner = (
        {frozenset(pair) for pair in wanted.get(key, [])}
        for key in ("fixed", "apart", "apart_partner")
    )
    for one in wanted["rounds"]:
        placed = [who for table in one["tables"] for who in table] + one["out"]
        assert len(placed) == len(set(placed)), "somebody is placed twice"
        assert set(placed) == set(one["present"]), "somebody is forgotten"
        assert {len(table) for table in one["tables"]} <= {2, 3, 4}
        for table in one["tables"]:
            for first, second in combinations(table, 2):
                pair = frozenset((first, second))
                together = _partners(table, first, second)
                broken += pair in apart or (together and pair in apart_partner)
                broken += pair in fixed and not together
                if pair not in fixed:
                    (partners if together else opponents)[pair] += 1
    meetings = partners + opponents
    return {
        "valid": not broken,
        "violations": broken,
        **{
            name: {"F": sum(times * (times - 1) // 2 for times in counts.values())}
            for name, counts in (
                ("partner", partners),
                ("opponent", opponents),
                ("meeting", meetings),
            )
        },
    }


def _partners(table: Sequence[Any], first: Any, second: Any) -> bool:
    return len(table) == 4 and abs(table.index(first) - table.index(second)) == 2
