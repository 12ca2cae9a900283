"""What tests of the seating's pages and orders share."""

import pytest

from league.pairing.seating import evening_search, planner


@pytest.fixture
def short_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """For tests of what is done with a plan: any plan that keeps the rules will do."""
    monkeypatch.setitem(planner.STEPS, "first", 500)
    monkeypatch.setitem(planner.STEPS, "quick", 1_000)
    monkeypatch.setitem(evening_search.STEPS, "glance", 2_000)
