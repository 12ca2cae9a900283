"""What somebody answered about a file whose own words are not ours: who is who, which day, which
column is which. It travels with the file from page to page, as text."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

MOST_ANSWERS = 400
LONGEST_ANSWER = 200


@dataclass(frozen=True, slots=True)
class Match:
    """`people` says which player each name of the file is, by the name on the club's list; `day`
    is the day of games that name none (2026-11-19). `columns` says which column each heading of a
    sheet is, "" for one that is left out; `first` what stands first in 03/04/2026, `day` or
    `month`."""

    people: Mapping[str, str] = field(default_factory=dict)
    day: str = ""
    columns: Mapping[str, str] = field(default_factory=dict)
    first: str = ""

    @property
    def used(self) -> list[tuple[str, str]]:
        """The headings that mean a column of another name."""
        return [(heading, column) for heading, column in self.columns.items() if column]

    @property
    def left_out(self) -> list[str]:
        """The headings whose columns are left out."""
        return [heading for heading, column in self.columns.items() if not column]

    def to_text(self) -> str:
        """As it is carried in a hidden field; empty where nothing was answered."""
        return "" if self == NO_MATCH else json.dumps(asdict(self), ensure_ascii=False)


NO_MATCH = Match()


def match_in(text: str) -> Match:
    """The answers again. Raises ValueError for a text that holds none."""
    if not text:
        return NO_MATCH
    data = json.loads(text)
    if not isinstance(data, dict) or not set(data) <= set(asdict(NO_MATCH)):
        raise ValueError("not a match")
    people, columns = data.get("people", {}), data.get("columns", {})
    day, first = data.get("day", ""), data.get("first", "")
    return Match(_words(people), _word(day), _words(columns), _word(first))


def _words(data: object) -> dict[str, str]:
    if not isinstance(data, dict) or len(data) > MOST_ANSWERS:
        raise ValueError("not a match")
    return {_word(name): _word(answer) for name, answer in data.items()}


def _word(data: object) -> str:
    if not isinstance(data, str) or len(data) > LONGEST_ANSWER:
        raise ValueError("not a match")
    return data
