"""The time zones one may choose, by part of the world."""

from functools import cache
from zoneinfo import available_timezones

PARTS = ("Africa", "America", "Asia", "Atlantic", "Australia", "Europe", "Indian", "Pacific")


@cache
def zone_choices() -> list[tuple[str, list[tuple[str, str]]]]:
    """Choices for a form: every zone named after a place, under its part of the world."""
    parts: dict[str, list[tuple[str, str]]] = {part: [] for part in PARTS}
    for zone in sorted(available_timezones()):
        part, _, place = zone.partition("/")
        if part in parts:
            parts[part].append((zone, place.replace("_", " ").replace("/", ", ")))
    return [("", [("UTC", "UTC")]), *parts.items()]
