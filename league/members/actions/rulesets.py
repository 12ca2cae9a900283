"""A club's rulesets: taking up a preset, changing options as a new version, defaults, retiring."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.actions.people import field_refusal, lock_club
from league.members.audit import Actor, log_action
from league.members.languages import in_language
from league.members.models import Club, ClubRuleset
from league.members.rule_options import option_field, plain_name, title
from league.members.rule_texts import RULES
from scoring import Ruleset, RulesetError, reshaped, ruleset
from scoring.rulesets.options import TURN_UP


@transaction.atomic
def adopt_preset(
    club: Club,
    *,
    preset: str,
    by: Actor,
    name: str = "",
    options: Mapping[str, Any] | None = None,
    shape: Mapping[str, Any] | None = None,
    special: Sequence[Mapping[str, Any]] | None = None,
    default: bool = False,
) -> ClubRuleset:
    """A ruleset of the club's own that begins as a preset, with some options changed.

    `shape` and `special` are other decks, hands, table sizes and special bids. Version 1 of that
    name; a name in use for the table size is refused. `default` makes it the ruleset of its table
    size.
    """
    lock_club(club)
    rules = resolved(_reshaped(ruleset(preset), shape, special) or preset, options)
    with in_language(club.language):
        name = name.strip() or plain_name(rules)
    _free_name(club, name, rules.players)
    made = ClubRuleset.objects.create(
        club=club,
        name=name,
        players=rules.players,
        preset=preset,
        body={**rules.to_dict(), "name": name},
        made_by=by.user,
    )
    log_action(club, by, "take up ruleset", made, new={"preset": preset, **_plain(options or {})})
    if default:
        make_default(made, by=by)
    return made


def _free_name(club: Club, name: str, players: int) -> None:
    """Refuse a name that is too long, or that other rules for this table size have."""
    if len(name) > 80:
        raise field_refusal("name", "name-long", _("A name has at most 80 letters."))
    if club.rulesets.filter(name__iexact=name, players=players).exists():
        sentence = _("The club already has house rules with this name. Choose another name.")
        raise field_refusal("name", "name-known", sentence)


@transaction.atomic
def rename_ruleset(chosen: ClubRuleset, name: str, *, by: Actor) -> None:
    """Call these rules otherwise, in all their versions: also where games of them are shown."""
    lock_club(chosen.club)
    name, before = name.strip(), chosen.name
    if not name or name == before:
        return
    if name.casefold() != before.casefold():
        _free_name(chosen.club, name, chosen.players)
    chosen.club.rulesets.filter(name=before, players=chosen.players).rename(name=name)
    chosen.name = name
    log_action(chosen.club, by, "rename ruleset", chosen, old=before, new=name)


@transaction.atomic
def revise_ruleset(
    latest: ClubRuleset,
    *,
    options: Mapping[str, Any],
    by: Actor,
    shape: Mapping[str, Any] | None = None,
    special: Sequence[Mapping[str, Any]] | None = None,
) -> ClubRuleset:
    """A new version with these options changed; games begun under the old one keep it.

    `latest` has to be the newest version: a change of an older one is refused (`newer-version`),
    so that two people at once do not undo each other. No change makes no version. `shape` and
    `special` are another deck or hand, and all the special bids where one of them changed.
    """
    club = latest.club
    lock_club(club)
    newest = club.rulesets.filter(name=latest.name, players=latest.players).first()
    if newest is None or newest.pk != latest.pk:
        raise Refused(
            "newer-version",
            _("These rules were changed after you opened this page. Open the new version."),
            status=409,
        )
    before = ruleset(latest.body)
    rules = resolved(_reshaped(before, shape, special) or latest.body, options)
    changed = {
        name: value for name, value in rules.options.items() if before.options.get(name) != value
    }
    if not (changed or shape or special is not None):
        return latest
    made = ClubRuleset.objects.create(
        club=club,
        name=latest.name,
        players=latest.players,
        version=latest.version + 1,
        preset=latest.preset,
        body=rules.to_dict(),
        made_by=by.user,
    )
    if latest.is_default:
        make_default(made, by=by)
    log_action(
        club,
        by,
        "change ruleset",
        made,
        old=_plain({name: before.options.get(name) for name in changed}) | _outline(before, shape),
        new=_plain(changed) | _outline(rules, shape),
    )
    return made


def _reshaped(
    rules: Ruleset,
    shape: Mapping[str, Any] | None,
    special: Sequence[Mapping[str, Any]] | None,
) -> dict[str, Any] | None:
    """The data of the rules with another shape or other special bids; None where both stay."""
    return reshaped(rules, shape or {}, special) if shape or special is not None else None


def _outline(rules: Ruleset, shape: Mapping[str, Any] | None) -> dict[str, Any]:
    """The parts of a ruleset's shape that were changed, for the log."""
    held = rules.to_dict()["shape"]
    return {name: held.get(name) for name in shape or ()}


@transaction.atomic
def make_default(chosen: ClubRuleset, *, by: Actor) -> None:
    """Play tables of this size by this version from the next seating on."""
    lock_club(chosen.club)
    chosen.refresh_from_db()
    if chosen.retired:
        raise Refused("retired", _("These rules are archived. Bring them back first."), status=409)
    if chosen.is_default:
        return
    before = chosen.club.rulesets.filter(players=chosen.players, is_default=True).first()
    if before is not None:
        before.is_default = False
        before.save(update_fields=["is_default"])
    chosen.is_default = True
    chosen.save(update_fields=["is_default"])
    log_action(chosen.club, by, "set default ruleset", chosen, old=str(before) if before else None)


@transaction.atomic
def archive_ruleset(chosen: ClubRuleset, *, by: Actor) -> None:
    """Take a ruleset off the lists, all its versions; games that used it keep it."""
    _set_retired(chosen, by=by, retired=True)


@transaction.atomic
def restore_ruleset(chosen: ClubRuleset, *, by: Actor) -> None:
    """Put a retired ruleset back on the lists."""
    _set_retired(chosen, by=by, retired=False)


def _set_retired(chosen: ClubRuleset, *, by: Actor, retired: bool) -> None:
    lock_club(chosen.club)
    versions = chosen.club.rulesets.filter(name=chosen.name, players=chosen.players)
    if retired and versions.filter(is_default=True).exists():
        raise Refused(
            "is-default",
            _("Tables play by these rules. Choose other rules for this table size first."),
            status=409,
        )
    if versions.update(retired=retired):
        log_action(chosen.club, by, "retire ruleset" if retired else "return ruleset", chosen)


def resolved(source: str | Mapping[str, Any], options: Mapping[str, Any] | None) -> Ruleset:
    """The engine's ruleset, or a refusal with each of its sentences at the option's field."""
    try:
        return ruleset(source, dict(options or {}))
    except RulesetError as error:
        fields: dict[str, list[str]] = {}
        for fault in error.faults:
            sentence = fault.say(translate=_)
            for value in dict(fault.values).values():
                sentence = sentence.replace(value, title(value)) if value in RULES else sentence
            fields.setdefault(_field_of(fault.field or "", source), []).append(sentence)
        raise Refused("bad-ruleset", _("These rules don't fit together."), fields=fields) from error


def _field_of(place: str, source: str | Mapping[str, Any]) -> str:
    """The form's field for a place in a ruleset's data: turn-up games choose their deck whole."""
    shape = {} if isinstance(source, str) else source.get("shape", {})
    if place == "hand" and shape.get("family") == TURN_UP:
        return option_field("deck")
    if place == "sides":
        return "players"
    bid = re.fullmatch(r"special\[(\d+)\]", place)
    return f"bid_{bid[1]}_tricks" if bid else option_field(place)


def _plain(options: Mapping[str, Any]) -> dict[str, Any]:
    """Option values as JSON holds them."""
    return {name: list(v) if isinstance(v, tuple) else v for name, v in options.items()}
