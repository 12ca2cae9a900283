"""The activity log: who acts, writing down what they do inside each action, and its words."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Any

from django import forms
from django.apps import apps
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from league.compiled_sql import insert
from league.database import LAST, write_only_to_ours
from league.members.audit_words import ACTIONS, LABELS
from league.members.languages import dated, in_language, zone_place
from league.members.models import AuditEntry, Club, User
from league.members.rule_options import VALUES, plain_name, title, value_words
from league.members.rule_texts import RULES, SPECIAL_BIDS
from scoring import preset_ids, ruleset

if TYPE_CHECKING:
    from league.sessions.models import Session


@dataclass(frozen=True, slots=True)
class Actor:
    """The one who acts: an account, a table's phone, or the program itself.

    `label` is how the log names them, in `club_language` ("Rose", "phone at table 3"); `source`
    where from (an address, "command line"). `user` is None for a phone without an account.
    """

    label: str
    user: User | None = None
    source: str = ""


def club_language(club: Club | None) -> Any:
    """A block whose texts are to be stored: in the language of the club (the site's own where it
    has chosen none), and not in that of the browser which happens to ask."""
    return in_language(club.language if club else "")


def name_in_log(club: Club | None, what: object) -> str:
    """How the activity log names a thing, the same for every reader and writer."""
    if isinstance(what, str):
        return what
    with club_language(club):
        return str(what)


PROGRAM = Actor("Right Bower", source="program")

# What the areas call their own fields: by the labels and words of their forms. This area knows
# none of them: league/log_words.py names them.
Words = Mapping[Any, Any]


@dataclass(frozen=True, slots=True)
class Named:
    """A choice: its label, "" for none, and the words of its values as far as they are codes."""

    label: Any
    values: Words | forms.ChoiceField

    def words(self, value: Any) -> str | None:
        """A value in words; None if it has none."""
        values = self.values
        if isinstance(values, forms.ChoiceField):
            choices: Iterable[Any] = values.choices  # type: ignore[assignment]
            values = {code: text for code, text in choices if code != ""}
        label = values.get(value) if isinstance(value, str | int) else None
        return None if label is None else str(label)


_NAMED: dict[str, dict[str, Named]] = {}


def name_fields(
    actions: Iterable[str],
    fields: Mapping[str, forms.Field],
    more: Mapping[str, tuple[Any, Words]] | None = None,
) -> None:
    """Name what entries of these actions are about, by the path to it ("rules.late.points"): as a
    field of a form, or as `more` has it, with a label and the words of its values."""
    labelled = {path: field for path, field in fields.items() if field.label}
    named = {path: Named(field.label, _values(field)) for path, field in labelled.items()}
    named |= {path: Named(label, values) for path, (label, values) in (more or {}).items()}
    for action in actions:
        _NAMED.setdefault(action, {}).update(named)


def _values(field: forms.Field) -> Words | forms.ChoiceField:
    chooses = isinstance(field, forms.ChoiceField) and not hasattr(field, "queryset")
    return field if chooses else {}  # type: ignore[return-value]


def named(action: str, path: str) -> Named | None:
    """What the log calls what stands at a path of such an entry; None if nothing of its own."""
    return _NAMED.get(action, {}).get(path)


def actor_of(request: Any, label: str = "") -> Actor:
    """The actor behind a web request."""
    user = request.user if request.user.is_authenticated else None
    source = request.META.get("REMOTE_ADDR", "") or ""
    return Actor(label or str(user or "visitor"), user, source)


def log_action(
    club: Club,
    by: Actor,
    action: str,
    subject: object = "",
    *,
    session: "Session | None" = None,
    old: object = None,
    new: object = None,
) -> AuditEntry:
    """Add one entry: `action` is a short verb ("record hand"), `subject` what it was done to.

    What is written to a database of another version is refused here, where every action passes
    when it has written all else: an action that had to wait for a migration sees it.
    """
    entry = _entry(club, by, action, subject, session=session, old=old, new=new)
    write_only_to_ours(insert(entry, returning=LAST))
    return entry


def log_actions(
    club: Club,
    by: Actor,
    action: str,
    subjects: Sequence[object],
    *,
    session: "Session | None" = None,
) -> None:
    """One entry for each subject of the same action; see `log_action`."""
    if subjects:
        AuditEntry.objects.bulk_create(
            _entry(club, by, action, one, session=session) for one in subjects[:-1]
        )
        log_action(club, by, action, subjects[-1], session=session)


def _entry(club: Club, by: Actor, action: str, subject: object, **more: Any) -> AuditEntry:
    return AuditEntry(
        club=club,
        user=by.user,
        actor=by.label[:80],
        source=by.source[:60],
        action=action,
        subject=name_in_log(club, subject)[:120],
        **more,
    )


NOTED_TABLE = re.compile(r"table (\d+)")
RULINGS = {
    "adjustment": lazy("adjustment"),
    "misdeal": lazy("misdeal"),
    "renege": lazy("renege"),
}
OUTCOMES = {"march": lazy("march"), "made": lazy("made"), "euchred": lazy("euchred")}


Players = Mapping[int, str]
"""Who sat on which seat, as far as it is known."""
UNNAMED: Players = {}

SEATED: list[Callable[[Sequence[AuditEntry]], Mapping[int, Players]]] = []
"""Who played at the tables that entries are about, by the key of each: areas to the right know."""


def players_in(entries: Sequence[AuditEntry]) -> dict[int, Players]:
    return {key: players for find in SEATED for key, players in find(entries).items()}


def hand_words(record: dict[str, Any], players: Players = UNNAMED) -> str:
    """Who dealt, who called what, what came of it: "Ann deals; seat 2: hearts, alone; march"."""
    parts = [_("%(name)s deals") % {"name": _player(record["dealer"], players)}]
    call = record.get("contract") or _last_call(record.get("auction") or [])
    parts.append(_call(call, players))
    parts.append(_result(record))
    if record.get("tricks"):
        parts.append(_("with every card"))
    return "; ".join(part for part in parts if part)


def _last_call(auction: list[dict[str, Any]]) -> dict[str, Any] | None:
    calls = [call for call in auction if call.get("call") != "pass"]
    return calls[-1] if calls else None


def _player(position: int, players: Players) -> str:
    return players.get(position) or _("seat %(n)d") % {"n": position + 1}


def _call(call: dict[str, Any] | None, players: Players) -> str:
    if not call:
        return _("passed out")
    words = [str(VALUES.get(call["trump"], call["trump"]))] if call.get("trump") else []
    words += [str(call["tricks"])] if call.get("tricks") else []
    if special := call.get("special"):
        words.append(str(SPECIAL_BIDS.get(special, special)))
    words += [_("alone")] if call.get("alone") else []
    called = ", ".join(words) or _("calls")
    return _("%(name)s: %(call)s") % {"name": _player(call["seat"], players), "call": called}


def _result(record: dict[str, Any]) -> str:
    if record.get("outcome"):
        return str(OUTCOMES.get(record["outcome"], record["outcome"]))
    won = record.get("tricks_won")
    if isinstance(won, dict):
        return _("the makers take %(n)s") % {"n": won.get("makers", "?")}
    return _("tricks %(won)s") % {"won": " – ".join(map(str, won))} if won else ""


LONGEST = 160
NUMBERED = re.compile(r" \d+")
DAY = re.compile(r"\d{4}-[01]\d-[0-3]\d")
CODE = re.compile(r"[a-z0-9]+(_[a-z0-9]+)+")
LIST = re.compile(r"\[('[\d.]+'(, )?)*\]")
PARTS = re.compile(r"'([\d.]+)'")
OF_SEATS = ("seat", "winners")
AS_STRINGS = {"True": lazy("yes"), "False": lazy("no"), "None": ""}
CODES = {**SPECIAL_BIDS, **dict(Club.SeatingPolicy.choices)}


@dataclass(frozen=True, slots=True)
class Change:
    """One line of an entry: what changed, from what, to what; "" where there was nothing."""

    label: str
    old: str
    new: str


def action_word(action: str) -> str:
    """The action as shown: translated where there is a translation, else as noted."""
    return sentence_case(ACTIONS.get(action, action))


def subject_words(subject: str) -> str:
    """What it was done to: a name as it was noted, a table in the reader's language."""
    table = NOTED_TABLE.fullmatch(subject)
    return _("table %(n)s") % {"n": table[1]} if table else subject


def changes(entry: AuditEntry, players: Players = UNNAMED) -> list[Change]:
    """What the entry says of old and new, one line a field, plain values under no label.

    What is the same in both is given once, and not at all where choices were changed; a hand is
    given in a few words.
    """
    old, new = dict(_flat(entry.old, players)), dict(_flat(entry.new, players))
    same = {key for key, value in old.items() if key in new and new[key] == value}
    paths = dict.fromkeys([*old, *new])
    if entry.action.startswith("change "):
        paths = dict.fromkeys(path for path in paths if path not in same)
    lines = (
        _words(entry.action, path, None if path in same else old.get(path), new.get(path))
        for path in paths
    )
    return [change for change in lines if change.old or change.new]


def _words(action: str, key: str, old: Any, new: Any) -> Change:
    if action.endswith("ruleset") and key in RULES:
        return _rule_words(key, old, new)
    own = named(action, NUMBERED.sub("", key))
    if own is None:
        return Change(_label(key), _value(key, old), _value(key, new))
    return Change(sentence_case(own.label), _chosen(own, key, old), _chosen(own, key, new))


def _chosen(own: Named, key: str, value: Any) -> str:
    """A value of a form's field, or a list of them, in the form's words."""
    several = value if isinstance(value, list) else [value]
    words = [own.words(one) for one in several]
    if several and None not in words:
        return ", ".join(map(str, words))
    return _value(key, value)


def _rule_words(key: str, old: Any, new: Any) -> Change:
    """An option of a ruleset, as the page of its rules says it."""
    was, now = ("" if one is None else value_words(key, one) for one in (old, new))
    return Change(title(key), was, now)


def _flat(value: Any, players: Players, path: str = "") -> Iterator[tuple[str, Any]]:
    """Each single value with the path to it; a list of plain values stays one."""
    hand = _hand(value, players)
    if hand:
        yield path, hand
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _flat(item, players, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list) and any(isinstance(item, dict | list) for item in value):
        for number, item in enumerate(value, 1):
            yield from _flat(item, players, f"{path} {number}".strip())
    elif value is not None:
        yield path, value


def _hand(value: Any, players: Players) -> str:
    """A hand in words; "" for anything else."""
    if not isinstance(value, dict) or "dealer" not in value:
        return ""
    try:
        return hand_words(value, players)
    except (AttributeError, KeyError, TypeError):  # notes are kept as they came
        return ""


def _label(path: str) -> str:
    field = _fields().get(path)
    name = field.verbose_name if field else ""
    marked = isinstance(name, Promise)
    words = str(name) if marked else ", ".join(map(_key_words, path.split(".")))
    return sentence_case(words)


def sentence_case(words: object) -> str:
    """The words with a capital first."""
    text = str(words)
    return text[:1].upper() + text[1:]


def _key_words(key: str) -> str:
    """A part of a path in words: "from_hand 2" is "from hand 2"."""
    words = key.replace("_", " ")
    name, _space, number = words.rpartition(" ")
    if name and number.isdecimal():
        return f"{LABELS.get(name, name)} {number}"
    return str(LABELS.get(words, words))


def _value(path: str, value: Any) -> str:
    field = _fields().get(path)
    if value is None or value == "":
        return ""
    if path == "preset" and str(value) in preset_ids():
        return plain_name(ruleset(value))
    if path == "time_zone":
        return zone_place(str(value))
    if path in OF_SEATS:
        return ", ".join(map(_seat, value if isinstance(value, list) else [value]))
    if path == "kind" and str(value) in RULINGS:
        return str(RULINGS[str(value)])
    if field is not None and field.choices and isinstance(value, str):
        return str(dict(field.flatchoices).get(value, value))
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(map(_plain, value))[:LONGEST]
    return _plain(value)[:LONGEST]


def _seat(position: Any) -> str:
    """A seat, counted from 1 as in the list of hands."""
    return str(position + 1) if isinstance(position, int) else str(position)


def _plain(value: Any) -> str:
    """A single value: a day as people write it, a code in the words it stands for."""
    text = str(value)
    if LIST.fullmatch(text):  # as seasons noted their points for places
        return ", ".join(PARTS.findall(text))
    if text in AS_STRINGS:
        return str(AS_STRINGS[text])
    if DAY.fullmatch(text):
        return dated(date.fromisoformat(text), _("j M Y"))
    if CODE.fullmatch(text):
        return str(CODES.get(text) or VALUES.get(text) or text.replace("_", " "))
    return text


@cache
def _fields() -> dict[str, Any]:
    """Every field of the site's models by its name: notes use the same names."""
    fields: dict[str, Any] = {}
    for model in apps.get_app_config("league").get_models():
        for field in model._meta.concrete_fields:
            if field.name not in fields or (field.choices and not fields[field.name].choices):
                fields[field.name] = field
    return fields
