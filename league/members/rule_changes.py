"""What a change of rules changes, in words, and the questions it raises."""

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.labels import as_label
from league.members.game_facts import card_count, key_facts
from league.members.models import ClubRuleset
from league.members.rule_options import NO_VALUE, asked_first, differences, title, value_words
from scoring import Ruleset, idle_options, preset_ids, ruleset
from scoring.rulesets.options import OPTIONS, TURN_UP

# A changed rule in few words, by the rule or by its new value.
CHANGED_TO = {
    "march": _("a march pays %(n)s"),
    "lone_march": _("a lone march pays %(n)s"),
    "euchre": _("a euchre pays %(n)s"),
    "renege_points": _("a renege costs %(n)s"),
    "set_costs": _("a failed bid costs %(n)s"),
    "set_costs=bid": _("a failed bid costs what was bid"),
    "set_costs=nothing": _("a failed bid costs nothing"),
    "stick_the_dealer=False": _("the dealer can pass"),
    "partner_order_alone=False": _("no Canadian loner"),
    "no_trump=never": _("every hand has a trump suit"),
    "farmers=off": _("no farmer's hand"),
    "defend_alone=never": _("no defending alone"),
    "defend_alone=always": _("any defender can play alone"),
    "defend_alone=v_lone_maker": _("a defender can play alone against a loner"),
    "dealer_may_equal=False": _("the dealer has to bid higher"),
    "r2_exclude_turned=True": _("the suit turned down is barred"),
    "r2_exclude_turned=False": _("the suit turned down can be named"),
    "alone_window=with_call": _("“alone” only with the call"),
    "alone_window=before_lead": _("“alone” until the first card is led"),
    "no_ace_no_face=redeal": _("a hand with no ace and no face can be dealt again"),
    "upcard_goes_to=dealer": _("the dealer takes the up-card"),
    "upcard_goes_to=orderer": _("the player who orders up takes the up-card"),
}


def words_for_changes(old: Ruleset, new: Ruleset) -> list[str]:
    """What clubs ask first in which a new ruleset differs, in few words: "to 7", "a march pays 3".
    If only other rules differ, those."""
    return in_few_words(new, changed_options(old, new))


def changed_options(old: Ruleset, new: Ruleset) -> list[str]:
    """The changed options that clubs ask about first; if there are none, the other changed ones."""
    changed = [n for n in OPTIONS if old.options.get(n) != new.options.get(n)]
    in_front = [n for n in ("target", "hands", *asked_first(new)) if n in changed]
    return in_front or [n for n in changed if n in new.options]


def in_few_words(rules: Ruleset, names: Iterable[str]) -> list[str]:
    """The values of these options in few words, each once."""
    facts = key_facts(rules, with_deck=True)
    facts["target"] = facts["hands"] = facts["target"][:1].lower() + facts["target"][1:]
    return list(dict.fromkeys(_changed_to(name, rules, facts) for name in names))


def _changed_to(name: str, rules: Ruleset, facts: Mapping[str, str]) -> str:
    """The value of a changed rule in few words; `facts` are those of its rules."""
    value = rules.options.get(name)
    words = CHANGED_TO.get(f"{name}={value}") or CHANGED_TO.get(name) or facts.get(name)
    if name == "euchre" and "euchre" in facts:  # it costs the makers
        words = facts["euchre"]
    if words is None:
        return f"{as_label(title(name))} {value_words(name, value)}"
    return str(words) % {"n": value}


MOST_CHANGES = 3


def unlike_usual(usual: ClubRuleset | None, other: ClubRuleset) -> str:
    """In what rules differ from the club's usual ones of their size, in few words, what clubs ask
    first in front; "" if they are the same or another game."""
    if usual is None or usual.preset != other.preset:
        return ""
    old, new = usual.rules, other.rules
    names = dict.fromkeys([*changed_options(old, new), *new.options])
    changed = [n for n in names if old.options.get(n) != new.options.get(n)]
    if "hands" in changed and "passout_dealer" in changed:  # a fixed number of hands sets it
        changed.remove("passout_dealer")
    words = in_few_words(new, changed)
    few = ", ".join(words[:MOST_CHANGES])
    return gettext("%(changes)s and more") % {"changes": few} if len(words) > MOST_CHANGES else few


def said_changes(old: Ruleset, new: Ruleset, *, without: str = "") -> list[str]:
    """All in which a new ruleset differs, `without` one rule, and with what it was before:
    "March: 3 points instead of 2 points"."""
    left_out = {without}
    if old.options.get("deck") != new.options.get("deck"):  # which says it in fewer words
        left_out |= {gettext("Deck"), gettext("Left over"), gettext("Highest trumps")}
    return [
        _said_change(rule, before, after)
        for rule, before, after in differences(old, new)
        if after != NO_VALUE and rule not in left_out
    ]


def _said_change(rule: str, before: str, after: str) -> str:
    if before == NO_VALUE or gettext("no") in (before, after):
        return f"{as_label(rule)} {after}"
    values = {"rule": as_label(rule), "after": after, "before": before}
    return gettext("%(rule)s %(after)s instead of %(before)s") % values


def saved_sentence(old: Ruleset, saved: ClubRuleset) -> str:
    """What a saved change of rules changed, and from when it holds."""
    changes = said_changes(old, saved.rules)
    if not changes:
        return gettext("Saved.")
    sentence = (
        gettext(
            "Saved: %(changes)s. Published tables keep their rules; the next tables play by these."
        )
        if saved.is_default
        else gettext("Saved: %(changes)s. Published tables keep their rules.")
    )
    return sentence % {"changes": "; ".join(changes)}


USUAL_TARGETS = range(3, 33)
"""The targets to which games with a card turned up are played."""


def has_odd_target(rules: Ruleset) -> bool:
    """Whether hardly anybody plays to this target; one of a bid game is compared with its preset's.

    False for games without a target, and for those that count down to it.
    """
    if rules.target is None or rules.counts_down:
        return False
    if rules.family == TURN_UP:
        return rules.target not in USUAL_TARGETS
    preset_target = ruleset(rules.id).target if rules.id in preset_ids() else None
    return preset_target is not None and not preset_target <= 3 * rules.target <= 9 * preset_target


def odd_rules(rules: Ruleset, old: Ruleset | None = None) -> list[str]:
    """Questions about rules that are hardly ever meant: a new target that nobody plays, or a lone
    march that pays less than a march or wins the game by itself."""
    questions = []
    if rules.target != (old and old.target) and has_odd_target(rules):
        question = ngettext(
            "A game to %(n)d point is unusual. Is that right?",
            "A game to %(n)d points is unusual. Is that right?",
            rules.target or 0,
        )
        questions.append(question % {"n": rules.target})
    march, lone_march = rules.options.get("march"), rules.options.get("lone_march")
    if march is None or lone_march is None or "lone_march" in idle_options(rules):
        return questions
    if lone_march < march:
        questions.append(gettext("A lone march pays less than a march. Is that right?"))
    elif rules.target is not None and lone_march >= rules.target > march:
        questions.append(gettext("One lone march wins the game. Is that right?"))
    return questions


def other_decks(old: Ruleset, saved: ClubRuleset, usual: Iterable[ClubRuleset]) -> list[str]:
    """A question after a change of cards: whether tables of other sizes keep theirs, if any."""
    cards = len(saved.rules.deck)
    if not saved.is_default or saved.rules.family != TURN_UP or len(old.deck) == cards:
        return []
    decks = {one.players: len(one.rules.deck) for one in usual if one.rules.family == TURN_UP}
    sizes = "; ".join(
        f"{as_label(_tables_of(n))} {card_count(other)}"
        for n, other in decks.items()
        if other != cards
    )
    sentence = gettext(
        "Other tables keep their cards. %(sizes)s. If that's not right, change their rules too."
    )
    return [sentence % {"sizes": sizes}] if sizes else []


def _tables_of(n: int) -> str:
    return ngettext("Tables of %(n)d", "Tables of %(n)d", n) % {"n": n}
