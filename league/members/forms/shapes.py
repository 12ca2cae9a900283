"""The fields of a ruleset's form for players, deck, hand and special bids (D-59)."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.members.game_facts import run_words
from league.members.rule_texts import special_name
from scoring import Ruleset
from scoring.rulesets.options import BID

RANKS = "23456789TJQKA"
TABLES = (2, 3, 4, 5, 6, 8)
_MOST_SPECIALS = 12
_LETTERS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s", "10": "T"}
_BID_PARTS = ("name", "tricks", "won", "lost", "exchange", "alone")


def shape_fields(rules: Ruleset, *, asks_players: bool) -> dict[str, forms.Field]:
    """The fields by name: deck and hand, and with `asks_players` the number of players."""
    fields = _shape_fields(rules, asks_players=asks_players)
    for name in fields.keys() - {"extra"}:
        fields[name].one_of_two = True  # type: ignore[attr-defined]  # never empty: not "optional"
    return fields


def _shape_fields(rules: Ruleset, *, asks_players: bool) -> dict[str, forms.Field]:
    shape, fields = rules.to_dict()["shape"], dict[str, forms.Field]()
    sizes = [n for n in TABLES if _same_sides(rules, n)]
    if asks_players and len(sizes) > 1:
        fields["players"] = forms.TypedChoiceField(
            label=_("Players at a table"),
            choices=[(n, ngettext("%(n)d player", "%(n)d players", n) % {"n": n}) for n in sizes],
            coerce=int,
            required=False,
            initial=rules.players,
            help_text=_("With more players, choose a deck with enough cards."),
        )
    if rules.family != BID:
        return fields
    runs = [RANKS[place:] for place in range(len(RANKS) - 3)]
    fields["ranks"] = forms.ChoiceField(
        label=_("Cards in each suit"),
        choices=[(run, run_words(run[0])) for run in {**dict.fromkeys(runs), shape["ranks"]: None}],
        required=False,
        initial=shape["ranks"],
    )
    fields["copies"] = forms.TypedChoiceField(
        label=_("How many of each card"),
        choices=[(n, str(n)) for n in range(1, 5)],
        coerce=int,
        required=False,
        initial=shape["copies"],
    )
    fields["joker"] = forms.BooleanField(
        label=_("A joker"), required=False, initial=bool(shape.get("joker"))
    )
    fields["extra"] = forms.CharField(
        label=_("Single cards below these"),
        required=False,
        max_length=60,
        initial=" ".join(shape.get("extra", ())),
        help_text=_("For example 4h 4d: the four of hearts and the four of diamonds."),
    )
    fields["hand"] = forms.IntegerField(
        label=_("Cards each"),
        required=False,
        initial=rules.hand_size,
        widget=forms.NumberInput(attrs={"min": "4", "max": "16", "inputmode": "numeric"}),
    )
    return fields


def _same_sides(rules: Ruleset, players: int) -> bool:
    """Whether the game can be played by this many players, with the same kind of sides."""
    if rules.partner_called:
        return players in (4, 5, 6)
    if rules.partnership:
        return players >= 4 and players % 2 == 0
    return rules.to_dict()["shape"].get("sides") == "each" or players == rules.players


def changed_shape_parts(rules: Ruleset, data: dict[str, Any]) -> dict[str, Any]:
    """The parts of the shape that differ from the ruleset's."""
    old_shape = {"joker": False, "extra": [], **rules.to_dict()["shape"]}
    shape: dict[str, Any] = {
        name: data.get(name) for name in ("players", "ranks", "copies", "hand")
    }
    if data.get("hand"):  # the form has fields for the deck
        shape |= {"joker": data["joker"], "extra": read_cards(data["extra"])}
    return {
        name: value
        for name, value in shape.items()
        if value not in (None, "") and value != old_shape[name]
    }


def read_cards(text: str) -> list[str]:
    """Parse cards as people type them: "4h, 4♦" or "10s"."""
    for symbol, letter in _LETTERS.items():
        text = text.replace(symbol, letter)
    cards = text.replace(",", " ").split()
    return [card[:-1].upper() + card[-1:].lower() for card in cards]


def special_fields(rules: Ruleset) -> dict[str, forms.Field]:
    """A row of fields for each special bid, and an empty row for a new one."""
    if rules.family != BID:
        return {}
    fields: dict[str, forms.Field] = {}
    bids: list[dict[str, Any]] = rules.to_dict()["special"]
    for place, bid in enumerate([*bids, {}][:_MOST_SPECIALS]):
        for part in _BID_PARTS if rules.partnership else _BID_PARTS[:-2]:
            field = fields[f"bid_{place}_{part}"] = _bid_field(part, bid)
            field.one_of_two = True  # type: ignore[attr-defined]  # a row is empty as a whole
    return fields


def _bid_field(part: str, bid: dict[str, Any]) -> forms.Field:
    labels = {
        "name": _("Bid"),
        "tricks": _("Tricks"),
        "won": _("Made"),
        "lost": _("Failed"),
        "exchange": _("Cards from the partner"),
        "alone": _("Alone"),
    }
    value = bid.get(part)
    is_set_by_option = isinstance(value, str) and part != "name"
    if part == "name":
        return forms.CharField(
            label=labels[part], required=False, max_length=40, initial=special_name(value or "")
        )
    if part == "alone":
        return forms.BooleanField(label=labels[part], required=False, initial=bool(value))
    if part == "exchange" and isinstance(value, list):
        value = value[-1]
    return forms.IntegerField(
        label=labels[part],
        required=False,
        disabled=is_set_by_option,
        initial=None if is_set_by_option else value,
        widget=forms.NumberInput(attrs={"min": "0", "max": "500", "inputmode": "numeric"}),
    )


def changed_special_bids(rules: Ruleset, data: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The special bids as the engine reads them; None if none was changed.

    A bid without a name is dropped. A bid of all the tricks remains one if the hand size changes.
    """
    if rules.family != BID:
        return None
    old_bids = rules.to_dict()["special"]
    new_bids = list(_edited_bids(rules, old_bids, data))
    return new_bids if new_bids != old_bids else None


def _edited_bids(
    rules: Ruleset, old_bids: list[dict[str, Any]], data: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    hand = data.get("hand") or rules.hand_size
    for place, bid in enumerate([*old_bids, {}][:_MOST_SPECIALS]):
        name = data.get(f"bid_{place}_name", "")
        if not name:
            continue
        edited = {**bid}
        if name != special_name(bid.get("name", "")):
            edited["name"] = name
        for part in ("tricks", "won", "lost"):
            if not isinstance(bid.get(part), str):
                edited[part] = data.get(f"bid_{place}_{part}")
        if edited["tricks"] == rules.hand_size == bid.get("tricks"):
            edited["tricks"] = hand
        if not bid:
            edited |= {"tricks": edited["tricks"] or hand, "step": len(old_bids) + 1}
            edited |= {"won": edited["won"] or 0, "lost": edited["lost"] or 0}
        yield edited | _changed_partner_parts(place, bid, data)


def _changed_partner_parts(place: int, bid: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    """The bid's "alone" and number of exchanged cards, if they were changed."""
    partner: dict[str, Any] = {}
    alone, cards = data.get(f"bid_{place}_alone"), data.get(f"bid_{place}_exchange")
    if alone is not None and alone != bool(bid.get("alone")):
        partner["alone"] = alone
    exchange = bid.get("exchange", 0)
    card_count = exchange[-1] if isinstance(exchange, list) else exchange
    if cards is not None and not isinstance(exchange, str) and cards != card_count:
        partner["exchange"] = cards
    return partner
