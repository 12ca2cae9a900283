"""A club's own table of numbers: how many people make which tables. Pure.

Written one number a line, "11: 4 4 3"; who is left over sits out. Numbers not listed follow the
usual rule (nobody sits out, as many fours as can be).
"""

import re

SIZES = (2, 3, 4)
LEAST, MOST = 2, 200
_LINE = re.compile(r"(\d{1,3})\s*[:=]\s*(\d(?:[\s,+]+\d)*)")


class BadTable(ValueError):
    """A line that cannot be read; `code` says why: line, number, size, many or twice."""

    def __init__(self, code: str, line: int) -> None:
        super().__init__(code, line)
        self.code, self.line = code, line


def read_table(text: str) -> dict[str, list[int]]:
    """The table as stored: the number of people (as text, for JSON) to its table sizes."""
    table: dict[str, list[int]] = {}
    for number, row in enumerate(text.splitlines(), 1):
        if row.strip():
            people, sizes = _read_line(row.strip(), number)
            if people in table:
                raise BadTable("twice", number)
            table[people] = sizes
    return dict(sorted(table.items(), key=lambda item: int(item[0])))


def _read_line(row: str, number: int) -> tuple[str, list[int]]:
    match = _LINE.fullmatch(row) if row.isascii() else None
    if match is None:
        raise BadTable("line", number)
    people = int(match[1])
    sizes = sorted((int(digit) for digit in re.findall(r"\d", match[2])), reverse=True)
    if not LEAST <= people <= MOST:
        raise BadTable("number", number)
    if not set(sizes) <= set(SIZES):
        raise BadTable("size", number)
    if sum(sizes) > people:
        raise BadTable("many", number)
    return str(people), sizes


def write_table(table: dict[str, list[int]]) -> str:
    """The table as a person writes it."""
    return "\n".join(f"{people}: {' '.join(map(str, sizes))}" for people, sizes in table.items())
