"""An entry of the activity log in words: its action, its table, and its old and new values."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from functools import cache
from itertools import takewhile
from typing import Any

from django import forms
from django.apps import apps
from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from league.members.audit_hands import NO_TABLE, Players, TableInLog, player_name, score_words
from league.members.audit_words import ACTIONS, BY_KIND, FOR_PROGRAMS, LABELS
from league.members.languages import clock, dated, in_language, money, zone_place
from league.members.models import AuditEntry, Club
from league.members.rule_options import VALUES, plain_name, title, value_words
from league.members.rule_texts import RULES, SPECIAL_BIDS
from scoring import preset_ids, ruleset

# The words for fields of other areas, from the labels and choices of their forms. This area can't
# import them: league/log_words.py registers them, league/log_pages.py the finders below.
Words = Mapping[Any, Any]


@dataclass(frozen=True, slots=True)
class FieldWords:
    """The words for a field: its label, "" for none, and words for those values that are codes."""

    label: Any
    values: Words | forms.ChoiceField

    def words(self, value: Any) -> str | None:
        """The words for a value; None if there are none."""
        values = self.values
        if isinstance(values, forms.ChoiceField):
            choices: Iterable[Any] = values.choices  # type: ignore[assignment]
            values = {code: text for code, text in choices if code != ""}
        label = values.get(value) if isinstance(value, str | int) else None
        return None if label is None else str(label)


_FIELD_WORDS: dict[str, dict[str, FieldWords]] = {}


def name_fields(
    actions: Iterable[str],
    fields: Mapping[str, forms.Field],
    extra: Mapping[str, tuple[Any, Words]] | None = None,
) -> None:
    """Register the words for fields in entries of these actions, by path ("rules.late.points").

    They come from form fields, or from `extra`: a label and the words for the values.
    """
    words = {
        path: FieldWords(field.label, _choice_values(field))
        for path, field in fields.items()
        if field.label
    }
    words |= {path: FieldWords(label, values) for path, (label, values) in (extra or {}).items()}
    for action in actions:
        _FIELD_WORDS.setdefault(action, {}).update(words)


def _choice_values(field: forms.Field) -> Words | forms.ChoiceField:
    chooses = isinstance(field, forms.ChoiceField) and not hasattr(field, "queryset")
    return field if chooses else {}  # type: ignore[return-value]


def field_words(action: str, path: str) -> FieldWords | None:
    """The words registered for a path in entries of this action; None if there are none."""
    return _FIELD_WORDS.get(action, {}).get(path)


TABLE_FINDERS: list[Callable[[Sequence[AuditEntry]], Mapping[int, TableInLog]]] = []
"""Functions that find the tables of entries, by entry key; other areas add them."""


def tables_in(entries: Sequence[AuditEntry]) -> dict[int, TableInLog]:
    return {key: table for find in TABLE_FINDERS for key, table in find(entries).items()}


PAGE_FINDERS: list[Callable[[Club, Sequence[AuditEntry]], Mapping[int, str]]] = []
"""Functions that find the pages that entries lead to, by entry key; other areas add them."""


def pages_of(club: Club, entries: Sequence[AuditEntry]) -> dict[int, str]:
    return {key: page for find in PAGE_FINDERS for key, page in find(club, entries).items()}


@dataclass(frozen=True, slots=True)
class LeagueInLog:
    """A team league that an entry is about: its name, its page, and the present names of the teams
    that the entry names."""

    name: str
    page: str
    names: Sequence[str] = ()


LEAGUE_FINDERS: list[Callable[[Club, Sequence[AuditEntry]], Mapping[int, list[LeagueInLog]]]] = []
"""Functions that find the leagues that entries may be about, by entry key."""


def leagues_in(club: Club, entries: Sequence[AuditEntry]) -> dict[int, list[LeagueInLog]]:
    return {key: row for find in LEAGUE_FINDERS for key, row in find(club, entries).items()}


NUMBERED = re.compile(r" \d+")
TIME = re.compile(r"[0-2]\d:[0-5]\d")
DAY = re.compile(r"\d{4}-[01]\d-[0-3]\d")
CODE = re.compile(r"[a-z0-9]+(_[a-z0-9]+)+")
QUOTED_LIST = re.compile(r"\[('[\d.]+'(, )?)*\]")
QUOTED_PART = re.compile(r"'([\d.]+)'")
DECIMAL = re.compile(r"-?\d+\.\d+")
SEAT_FIELDS = ("seat", "winners")
SCORES = ("score", "points")
AS_STRINGS = {"True": lazy("yes"), "False": lazy("no"), "None": ""}
CODES = {**SPECIAL_BIDS, **dict(Club.SeatingPolicy.choices)}


@dataclass(frozen=True, slots=True)
class Change:
    """A line of an entry: the label of what changed, and its old and new value ("" for none)."""

    label: str
    old: str
    new: str


def action_word(action: str, kind: object = None) -> str:
    """The action for display, translated if there is a translation, by its kind; see `BY_KIND`."""
    return sentence_case(BY_KIND.get((action, str(kind))) or ACTIONS.get(action, action))


def changes(entry: AuditEntry, table: TableInLog = NO_TABLE, whole: bool = False) -> list[Change]:
    """The old and new values of an entry, one line per field; plain values have no label.

    A value that is the same in both is shown once, or not at all in entries about changed settings.
    A hand is a few words, long texts are cut unless `whole`. What only programs need is left out,
    so is what the entry's subject says already, and of something new what it is not.
    """
    root = ROOTS.get(entry.action, "")
    old, new = (
        dict(_flatten(value, table, "" if isinstance(value, dict) else root))
        for value in (entry.old, entry.new)
    )
    _tidy(entry, old, new)
    unchanged = {key for key, value in old.items() if key in new and new[key] == value}
    paths = dict.fromkeys(path for path in [*old, *new] if not _is_for_programs(entry.action, path))
    if entry.action.startswith("change ") or entry.action == "save team":
        paths = dict.fromkeys(path for path in paths if path not in unchanged)
    lines = (
        _change(entry.action, path, None if path in unchanged else old.get(path), new.get(path))
        for path in paths
    )
    visible = [line for line in lines if line.old or line.new]
    return visible if whole else [Change(c.label, *shorten(c.old, c.new)) for c in visible]


ROOTS = {
    "write totals": "score",
    "first dealer": "seat",
    "join table": "table",
    "offer places": "places",
    "substitute": "player",
    "undo substitute": "player",
    "replace player": "player",
}
"""The field of an entry whose value is stored without one."""
KEYS = ("winner", "season")
"""Fields that hold names, but numbers of rows or seats in entries of earlier versions."""
OF_PLAYERS = ("place members", "choose outcomes")
"""Actions whose fields are players' names."""


def _is_for_programs(action: str, path: str) -> bool:
    return (action, path.split(".")[0]) in FOR_PROGRAMS


def _tidy(entry: AuditEntry, old: dict[str, Any], new: dict[str, Any]) -> None:
    """Adapt the values of an entry, by path, to how they are shown."""
    _number_hand(entry.action, old, new)
    if entry.action == "save team" and {"players"} <= old.keys() & new.keys():
        before, after = old["players"], new["players"]
        old["players"] = [name for name in before if name not in after]
        new["players"] = [name for name in after if name not in before]
    for values in (old, new):
        if ROOTS.get(entry.action) == "player" and "name" in values:
            values["player"] = values.pop("name")
        if "amount" in values:
            values["amount"] = money(int(Decimal(values["amount"]) * 100), entry.club)
        if "rounded_to" in values:
            values["rounded_to"] = money(int(values["rounded_to"]), entry.club)
    for path in [path for path in {**old, **new} if _is_needless(entry, path, old, new)]:
        old.pop(path, None)
        new.pop(path, None)


def _is_needless(entry: AuditEntry, path: str, old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Whether a field says nothing to a reader: see `changes`."""
    values = [side[path] for side in (old, new) if path in side]
    if path in KEYS:
        return any(isinstance(value, int) for value in values)
    if path == "name":
        return path not in old and new[path] == entry.subject
    if entry.action == "settle game":
        return path in ("state", "winners") and old.get(path) == new.get(path)
    if entry.action.startswith("change ") and len(values) == 1:
        return values[0] is False or values[0] in ("", [])
    return values[0] is False and not (old and new)


def _number_hand(action: str, old: dict[str, Any], new: dict[str, Any]) -> None:
    """Put a hand's number into the label of its record; a deleted hand is the old value."""
    if "record" not in old and "record" not in new:
        return
    number = f"hand {new.get('hand') or old.get('hand')}"
    for values in (old, new):
        values.pop("hand", None)
        if "record" in values:
            values[number] = values.pop("record")
    if action == "strike hand" and number in old:
        new.pop(number, None)


def _change(action: str, key: str, old: Any, new: Any) -> Change:
    if action in OF_PLAYERS:
        return Change(key, _value_words("outcome", old), _value_words("outcome", new))
    if action.endswith("ruleset") and key in RULES:
        return _rule_change(key, old, new)
    words = field_words(action, NUMBERED.sub("", key))
    if words is None:
        return Change(_path_label(key), _value_words(key, old), _value_words(key, new))
    old_words, new_words = (_choice_words(words, key, value) for value in (old, new))
    return Change(sentence_case(words.label), old_words, new_words)


def _choice_words(field: FieldWords, key: str, value: Any) -> str:
    """A value of a registered field, or a list of values, in words."""
    values = value if isinstance(value, list) else [value]
    words = [field.words(item) for item in values]
    if values and None not in words:
        return ", ".join(map(str, words))
    return _value_words(key, value)


def _rule_change(key: str, old: Any, new: Any) -> Change:
    """A change of a ruleset's option, in the words of the page with its rules."""
    words = ["" if value is None else value_words(key, value) for value in (old, new)]
    return Change(title(key), *words)


def _flatten(value: Any, table: TableInLog, path: str = "") -> Iterator[tuple[str, Any]]:
    """Each single value with its path; a list of plain values counts as one."""
    if hand := _hand_or_empty(value, table):
        yield path, hand
    elif path in SEAT_FIELDS and value is not None:
        yield path, _seat_words(value, table.players)
    elif path in SCORES and isinstance(value, list) and {int} == {*map(type, value)}:
        yield path, score_words(value, table.players)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _flatten(item, table, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        for number, item in enumerate(value, 1):
            yield from _flatten(item, table, f"{path} {number}".strip())
    elif value is not None:
        yield path, value


def _hand_or_empty(value: Any, table: TableInLog) -> str:
    """A hand in words; "" for anything else."""
    if not isinstance(value, dict) or "dealer" not in value:
        return ""
    try:
        return table.say_hand(value, table.players)
    except (AttributeError, KeyError, TypeError):  # old entries may hold anything
        return ""


def _path_label(path: str) -> str:
    field = _model_fields().get(path)
    name = field.verbose_name if field else ""
    is_translated = isinstance(name, Promise)
    words = str(name) if is_translated else ", ".join(map(_key_words, path.split(".")))
    return sentence_case(words)


def sentence_case(words: object) -> str:
    """The words with a capital first letter."""
    text = str(words)
    return text[:1].upper() + text[1:]


def _key_words(key: str) -> str:
    """A part of a path in words: "from_hand 2" becomes "from hand 2"."""
    words = key.replace("_", " ")
    name, _space, number = words.rpartition(" ")
    if name and number.isdecimal():
        return f"{LABELS.get(name, name)} {number}"
    return str(LABELS.get(words, words))


def _value_words(path: str, value: Any) -> str:
    field = _model_fields().get(path)
    if value is None or value == "":
        return ""
    if path == "preset" and str(value) in preset_ids():
        return plain_name(ruleset(value))
    if path == "time_zone":
        return zone_place(str(value))
    if field is not None and field.choices and isinstance(value, str):
        return str(dict(field.flatchoices).get(value, value))
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(map(_plain_words, value))
    return _plain_words(value)


def _seat_words(value: Any, players: Players) -> str:
    """A seat, or a list of seats, by the names of those who sit there, as far as known."""
    seats = value if isinstance(value, list) else [value]
    return ", ".join(player_name(s, players) if isinstance(s, int) else str(s) for s in seats)


def _plain_words(value: Any) -> str:
    """A single value in words: a date or time in the reader's format, a code in words."""
    text = str(value)
    if QUOTED_LIST.fullmatch(text):  # the points for places of a season, as logged
        return ", ".join(QUOTED_PART.findall(text))
    if text in AS_STRINGS:
        return str(AS_STRINGS[text])
    if DAY.fullmatch(text):
        return dated(date.fromisoformat(text), _("j M Y"))
    if TIME.fullmatch(text):
        return clock(time.fromisoformat(text))
    if DECIMAL.fullmatch(text):
        return text.rstrip("0").rstrip(".")
    if CODE.fullmatch(text):
        return str(CODES.get(text) or VALUES.get(text) or text.replace("_", " "))
    return version_words(text)


def version_words(text: str) -> str:
    """The names of rules with the number of their version in the reader's language; they are logged
    in the club's."""
    values = {"name": "", "version": r"\1"}
    return _versions().sub(_("%(name)s, version %(version)s") % values, text)


@cache
def _versions() -> re.Pattern[str]:
    """What follows the name of rules for the number of their version, in any of the languages."""
    number = {"name": "", "version": ""}
    forms_of_it = set()
    for code, _language in settings.LANGUAGES:
        with in_language(code):
            forms_of_it.add(_("%(name)s, version %(version)s") % number)
    return re.compile(rf"(?:{'|'.join(forms_of_it)})(\d+)")


@cache
def _model_fields() -> dict[str, Any]:
    """The fields of the site's models by name: entries use the same names."""
    fields: dict[str, Any] = {}
    for model in apps.get_app_config("league").get_models():
        for field in model._meta.concrete_fields:
            if field.name not in fields or (field.choices and not fields[field.name].choices):
                fields[field.name] = field
    return fields


LONGEST = 160
CONTEXT = 30


def shorten(old: str, new: str) -> tuple[str, str]:
    """Two long texts, cut so that both show where they begin to differ."""
    if max(len(old), len(new)) <= LONGEST:
        return old, new
    same = len([*takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False))])
    start = max(0, same - CONTEXT)
    start = old.find(" ", start) + 1 if start else 0
    return _cut(old, start), _cut(new, start)


def _cut(text: str, start: int) -> str:
    part = text[start : start + LONGEST]
    before, after = "… " if start else "", " …" if start + LONGEST < len(text) else ""
    return f"{before}{part.rstrip()}{after}" if text else ""
