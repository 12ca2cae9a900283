"""The recorded games a journey enters: those handed over beside the checkout, else our own."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.egn import GameAnswer, check_game, read_game

ROOT = Path(__file__).resolve().parent.parent.parent
HANDED_OVER = ROOT.parent / "shared" / "egn"
OURS = ROOT / "fixtures" / "games"


@dataclass(frozen=True)
class Recorded:
    """One game: its hands as records, what the engine says of each, the score it starts from."""

    name: str
    records: list[dict[str, Any]]
    answer: GameAnswer
    start: tuple[int, ...]


def recorded_games() -> list[Recorded]:
    folder = HANDED_OVER if HANDED_OVER.is_dir() else OURS
    return [read_recorded(path) for path in sorted(folder.glob("*.egn"))]


def read_recorded(path: Path) -> Recorded:
    game = read_game(json.loads(path.read_text()))
    records = [deal.record.to_json() for deal in game.deals if deal.record is not None]
    assert len(records) == len(game.deals), path
    return Recorded(path.stem, records, check_game(game), tuple(game.initial_score))
