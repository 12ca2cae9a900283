"""What the tests of tournaments share: rounds drawn in advance after a short search."""

import pytest

from league.pairing.seating.heuristic_search import STEPS


@pytest.fixture(autouse=True)
def _short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """How good a plan is, is tried in tests/seating; here any plan that keeps the rules will do."""
    monkeypatch.setitem(STEPS, "quick", STEPS["quick"] // 20)
