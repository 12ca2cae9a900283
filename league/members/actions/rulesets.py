"""Actions on a club's rulesets: adopting presets, revising, going back, defaults and archiving."""

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from typing import Any

from django.db import transaction
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.errors import Refused
from league.members.actions.people import field_refusal, lock_club
from league.members.audit import Actor, log_action, name_in_log
from league.members.languages import in_language
from league.members.models import Club, ClubRuleset
from league.members.queries import latest_rulesets
from league.members.rule_changes import words_for_changes
from league.members.rule_options import (
    differences,
    option_field,
    plain_name,
    title,
)
from league.members.rule_texts import RULES
from scoring import Ruleset, RulesetError, reshaped, ruleset
from scoring.rulesets.options import TURN_UP

MOST_OF_NAME, MOST_OF_CHANGES = 72, 44  # letters in the name of a variant, which may get a number


@transaction.atomic
def adopt_preset(
    club: Club,
    *,
    preset: str,
    by: Actor,
    like: ClubRuleset | None = None,
    name: str = "",
    options: Mapping[str, Any] | None = None,
    shape: Mapping[str, Any] | None = None,
    special: Sequence[Mapping[str, Any]] | None = None,
    default: bool = False,
) -> ClubRuleset:
    """Create a club's ruleset from a preset, with some options changed, as version 1.

    `like` is a ruleset of the club, made from this preset, to begin with instead. `shape` replaces
    the deck, the hand or the table size, and `special` the special bids. A name in use for the
    table size is refused. `default` makes it the default for its table size.
    """
    lock_club(club)
    source = preset if like is None else like.body
    rules = build_ruleset(_reshaped_data(ruleset(source), shape, special) or source, options)
    with in_language(club.language):
        name = name.strip() or plain_name(rules)
    _refuse_name(club, name, rules.players)
    created = ClubRuleset.objects.create(
        club=club,
        name=name,
        players=rules.players,
        preset=preset,
        body={**rules.to_dict(), "name": name},
        made_by=by.user,
    )
    log_action(
        club, by, "take up ruleset", created, new={"preset": preset, **_json_values(options or {})}
    )
    if default:
        make_default(created, by=by)
    return created


@transaction.atomic
def adopt_variant(base: ClubRuleset, *, options: Mapping[str, Any], by: Actor) -> ClubRuleset:
    """The club's ruleset that is `base` with these options changed, found or created.

    A created one is named for what differs: "House rules: to 7". An archived one is brought back.
    """
    club = base.club
    lock_club(club)
    rules = build_ruleset(base.body, options)
    if not differences(base.rules, rules):
        return base
    name = _variant_name(base, rules)
    # Other archived rules may be those of tournaments, which the club does not see.
    archived = (one for one in latest_rulesets(club, retired=True) if one.name == name)
    for known in (*latest_rulesets(club), *archived):
        if known.players == rules.players and not differences(known.rules, rules):
            if known.retired:
                restore_ruleset(known, by=by)
            return known
    return adopt_preset(
        club,
        preset=base.preset,
        like=base,
        name=_free_name(name, club, base.players),
        options=options,
        by=by,
    )


def _variant_name(base: ClubRuleset, rules: Ruleset) -> str:
    """A name for what differs from `base`, or from the rules that it is a variant of."""
    start_of_name = base.name.partition(":")[0].strip()
    same_size = base.club.rulesets.filter(players=base.players)
    original = same_size.filter(name=start_of_name).first() or base
    with in_language(base.club.language):
        words = words_for_changes(original.rules, rules)
        changes = ", ".join(words) or _("changed")
        if len(changes) > MOST_OF_CHANGES:
            changes = ngettext("%(n)d change", "%(n)d changes", len(words)) % {"n": len(words)}
        start = Truncator(original.name).chars(MOST_OF_NAME - len(changes))
        return _("%(rules)s: %(changes)s") % {"rules": start, "changes": changes}


def _free_name(name: str, club: Club, players: int) -> str:
    """The name, with a number if the club has it already for this table size."""
    known = club.rulesets.filter(players=players).values_list("name", flat=True)
    taken = {one.casefold() for one in known}
    numbered = (name if n == 1 else f"{name} ({n})" for n in count(1))
    return next(free for free in numbered if free.casefold() not in taken)


def _refuse_name(club: Club, name: str, players: int) -> None:
    """Refuse a name that is too long, or in use for this table size."""
    if len(name) > 80:
        raise field_refusal("name", "name-long", _("A name has at most 80 letters."))
    if club.rulesets.filter(name__iexact=name, players=players).exists():
        sentence = _("The club already has house rules with this name. Choose another name.")
        raise field_refusal("name", "name-known", sentence)


@transaction.atomic
def rename_ruleset(club_ruleset: ClubRuleset, name: str, *, by: Actor) -> None:
    """Rename a ruleset in all its versions, so also for games played by it."""
    lock_club(club_ruleset.club)
    name, old_name = name.strip(), club_ruleset.name
    if not name or name == old_name:
        return
    if name.casefold() != old_name.casefold():
        _refuse_name(club_ruleset.club, name, club_ruleset.players)
    club_ruleset.club.rulesets.filter(name=old_name, players=club_ruleset.players).rename(name=name)
    club_ruleset.name = name
    log_action(club_ruleset.club, by, "rename ruleset", club_ruleset, old=old_name, new=name)


@transaction.atomic
def revise_ruleset(
    latest: ClubRuleset,
    *,
    options: Mapping[str, Any],
    by: Actor,
    shape: Mapping[str, Any] | None = None,
    special: Sequence[Mapping[str, Any]] | None = None,
) -> ClubRuleset:
    """Create a new version with these options changed; games keep the version they began with.

    `latest` has to be the newest version: otherwise the change is refused (`newer-version`), so
    that two users don't undo each other's changes. Without changes, `latest` is returned. `shape`
    replaces the deck or the hand, and `special` all special bids.
    """
    lock_club(latest.club)
    _refuse_older(latest)
    old_rules = ruleset(latest.body)
    rules = build_ruleset(_reshaped_data(old_rules, shape, special) or latest.body, options)
    if rules.options == old_rules.options and not (shape or special is not None):
        return latest
    return _add_version(latest, rules, shape or (), by=by)


@transaction.atomic
def return_to_version(older: ClubRuleset, *, by: Actor) -> ClubRuleset:
    """Create a new version with the rules of an older one, so that the newest is always in use."""
    lock_club(older.club)
    newest = _newest_version(older)
    if newest.retired:
        raise Refused("retired", _("These rules are archived. Bring them back first."), status=409)
    if not differences(older.rules, newest.rules):
        return newest
    shape, newest_shape = (one.rules.to_dict()["shape"] for one in (older, newest))
    changed_shape = [part for part in shape if shape[part] != newest_shape.get(part)]
    return _add_version(newest, older.rules, changed_shape, by=by)


def _newest_version(club_ruleset: ClubRuleset) -> ClubRuleset:
    same_name = ClubRuleset.objects.filter(
        club=club_ruleset.club_id, name=club_ruleset.name, players=club_ruleset.players
    )
    return same_name.first() or club_ruleset


def _refuse_older(club_ruleset: ClubRuleset) -> None:
    """Refuse a version that has a newer one."""
    if _newest_version(club_ruleset).pk != club_ruleset.pk:
        raise Refused(
            "newer-version",
            _("These rules were changed after you opened this page. Open the new version."),
            status=409,
        )


def _add_version(
    latest: ClubRuleset, rules: Ruleset, changed_shape: Iterable[str], *, by: Actor
) -> ClubRuleset:
    """Create the version after `latest`; it takes its place as the default.

    A name that `adopt_variant` gave follows the change.
    """
    old_rules = ruleset(latest.body)
    created = ClubRuleset.objects.create(
        club=latest.club,
        name=latest.name,
        players=latest.players,
        version=latest.version + 1,
        preset=latest.preset,
        body=rules.to_dict(),
        made_by=by.user,
    )
    if latest.is_default:
        make_default(created, by=by)
    changed = [n for n, value in rules.options.items() if old_rules.options.get(n) != value]
    log_action(
        latest.club,
        by,
        "change ruleset",
        created,
        old=_json_values({name: old_rules.options.get(name) for name in changed})
        | _shape_data(old_rules, changed_shape),
        new=_json_values({name: rules.options.get(name) for name in changed})
        | _shape_data(rules, changed_shape),
    )
    if re.sub(r" \(\d+\)$", "", latest.name) == _variant_name(latest, old_rules):
        name = _free_name(_variant_name(latest, rules), latest.club, latest.players)
        rename_ruleset(created, name, by=by)
    return created


def _reshaped_data(
    rules: Ruleset,
    shape: Mapping[str, Any] | None,
    special: Sequence[Mapping[str, Any]] | None,
) -> dict[str, Any] | None:
    """The data of the rules with a new shape or new special bids; None if neither is given."""
    return reshaped(rules, shape or {}, special) if shape or special is not None else None


def _shape_data(rules: Ruleset, parts: Iterable[str]) -> dict[str, Any]:
    """These parts of a ruleset's shape, for the log."""
    current = rules.to_dict()["shape"]
    return {name: current.get(name) for name in parts}


@transaction.atomic
def make_default(club_ruleset: ClubRuleset, *, by: Actor) -> None:
    """Make this newest version the default for its table size, from the next tables on."""
    lock_club(club_ruleset.club)
    club_ruleset.refresh_from_db()
    _refuse_older(club_ruleset)
    if club_ruleset.retired:
        raise Refused("retired", _("These rules are archived. Bring them back first."), status=409)
    if club_ruleset.is_default:
        return
    previous = club_ruleset.club.rulesets.filter(
        players=club_ruleset.players, is_default=True
    ).first()
    if previous is not None:
        previous.is_default = False
        previous.save(update_fields=["is_default"])
    club_ruleset.is_default = True
    club_ruleset.save(update_fields=["is_default"])
    old: object = previous and name_in_log(club_ruleset.club, previous)
    new: object = name_in_log(club_ruleset.club, club_ruleset)
    if previous is not None and previous.name == club_ruleset.name:
        old, new = {"version": previous.version}, {"version": club_ruleset.version}
    log_action(club_ruleset.club, by, "set default ruleset", club_ruleset, old=old, new=new)


@transaction.atomic
def archive_ruleset(club_ruleset: ClubRuleset, *, by: Actor) -> None:
    """Archive a ruleset with all its versions; games that used it keep it."""
    _set_retired(club_ruleset, by=by, retired=True)


@transaction.atomic
def restore_ruleset(club_ruleset: ClubRuleset, *, by: Actor) -> None:
    """Restore an archived ruleset."""
    _set_retired(club_ruleset, by=by, retired=False)


def _set_retired(club_ruleset: ClubRuleset, *, by: Actor, retired: bool) -> None:
    lock_club(club_ruleset.club)
    versions = club_ruleset.club.rulesets.filter(
        name=club_ruleset.name, players=club_ruleset.players
    )
    if retired and versions.filter(is_default=True).exists():
        raise Refused(
            "is-default",
            _("Tables play by these rules. Choose other rules for this table size first."),
            status=409,
        )
    if versions.update(retired=retired):
        log_action(
            club_ruleset.club, by, "retire ruleset" if retired else "return ruleset", club_ruleset
        )


def build_ruleset(source: str | Mapping[str, Any], options: Mapping[str, Any] | None) -> Ruleset:
    """Build the engine's ruleset; refuse a faulty one, with each sentence at its option's field."""
    try:
        return ruleset(source, dict(options or {}))
    except RulesetError as error:
        fields: dict[str, list[str]] = {}
        for fault in error.faults:
            sentence = fault.say(translate=_)
            for value in dict(fault.values).values():
                sentence = sentence.replace(value, title(value)) if value in RULES else sentence
            fields.setdefault(_form_field(fault.field or "", source), []).append(sentence)
        raise Refused("bad-ruleset", _("These rules don't fit together."), fields=fields) from error


def _form_field(place: str, source: str | Mapping[str, Any]) -> str:
    """The form field for a place in a ruleset's data. Turn-up games choose deck and hand as one."""
    shape = {} if isinstance(source, str) else source.get("shape", {})
    if place == "hand" and shape.get("family") == TURN_UP:
        return option_field("deck")
    if place == "sides":
        return "players"
    bid = re.fullmatch(r"special\[(\d+)\]", place)
    return f"bid_{bid[1]}_tricks" if bid else option_field(place)


def _json_values(options: Mapping[str, Any]) -> dict[str, Any]:
    """Option values as JSON can store them."""
    return {name: list(v) if isinstance(v, tuple) else v for name, v in options.items()}
