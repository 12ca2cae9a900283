"""The tie-break examples worked by hand in fixtures/, one test each."""

import json
from pathlib import Path

import pytest

from league.ranking.measures import ordered
from league.ranking.tables import rank
from league.ranking.tie_breaks import meetings
from league.standings.text import explained
from tests.standings.played import Sheet, chairs_of, tallies_of

EXAMPLES = sorted(Path("fixtures/tie_breaks").glob("*.json"))


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_the_example_worked_by_hand_comes_out_with_its_reasons(path: Path) -> None:
    example = json.loads(path.read_text())
    sheets = [
        Sheet(**{key: tuple(v) if isinstance(v, list) else v for key, v in game.items()})
        for game in example["games"]
    ]
    names = sorted({name for sheet in sheets for name in sheet.seats})
    keys = {name: key for key, name in enumerate(names, 1)}
    lines = rank(
        tallies_of(sheets, keys),
        ordered(example["measures"]),
        met=meetings(chairs_of(sheets, keys)),
        seed=example.get("seed", ""),
    )
    name_of = {key: name for name, key in keys.items()}.__getitem__
    found = [[name_of(line.who), line.rank, explained(line, name_of)] for line in lines]
    assert found == example["table"]


def test_there_is_an_example_for_every_kind_of_tie_break() -> None:
    stems = {path.stem for path in EXAMPLES}
    assert {"circle-of-three", "mixed-tables", "co-winners", "partners-then-lot"} <= stems
