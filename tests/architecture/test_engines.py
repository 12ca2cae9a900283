"""Within an engine: what stands on what. A file imports those of its own row and the rows above."""

import pytest

from tests.architecture.source import imports, modules

# Each engine's files from the ground up; "room." stands for every file of a room.
ROWS = {
    "scoring": (
        "cards sentences faults",
        "rulesets rulesets.",
        "reading records",
        "auction auction.terms auction.bid_calls auction.turn_up_calls",
        "play play.deal play.pickup play.tricks",
        "auction.bid_game auction.turn_up points endings penalties settling",
        "play.checking particulars checks",
        "games matches",
        "playouts playouts. egn egn. files",
    ),
    "league.pairing": (
        "errors rng",
        "seating seating.",
        "formats formats. movements progressive",
    ),
    "league.ranking": (
        "measures rating statistics",
        "match_facts reachable tie_breaks",
        "tables",
        "pots season",
        "team_league.rules team_league.squads",
        "team_league.match",
        "team_league.table",
        "team_league.moves team_league.places",
        "team_league",
    ),
}


def row_of(engine, module):
    """The number of the row that names a file; None where none does. The front door is last."""
    name = module.removeprefix(f"{engine}.")
    rows = [row.split() for row in ROWS[engine]]
    if module == engine:
        return len(rows)
    named = [n for n, row in enumerate(rows) if name in row]
    room = f"{name.rpartition('.')[0]}."
    return next(iter(named), next((n for n, row in enumerate(rows) if room in row), None))


@pytest.mark.parametrize("engine", ROWS)
def test_every_file_of_an_engine_stands_in_a_row_and_imports_nothing_of_a_later_one(engine):
    files = [m for m in modules() if m == engine or m.startswith(f"{engine}.")]
    assert [m for m in files if row_of(engine, m) is None] == []
    later = {
        (module, name)
        for module in files
        for name in imports(module) & set(files)
        if row_of(engine, name) > row_of(engine, module)
    }
    assert later == set()
