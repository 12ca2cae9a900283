"""Template tags for suits, cards, scores shown as spare cards, badges and icons."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from math import cos, radians, sin
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext, gettext_lazy, ngettext, pgettext

from league.labels import COMPASS, one_stop
from league.members.game_facts import in_short, in_short_with_deck
from league.members.presets import name_with_changes
from league.members.rule_options import title, value_of
from scoring import Ruleset, idle_options

register = template.Library()
register.filter("in_short", in_short)
register.filter("one_stop", one_stop, is_safe=True)
register.filter("in_short_with_deck", in_short_with_deck)
register.filter("name_with_changes", name_with_changes)


@register.filter
def rules_about(rules: Ruleset, names: str) -> list[tuple[str, str]]:
    """The title and value of each of these rules that the game has and that counts in it."""
    options, idle = rules.options, idle_options(rules)
    shown = [name for name in names.split() if name in options and name not in idle]
    return [(title(name), value_of(rules, name, options[name])) for name in shown]


ICONS = Path(__file__).resolve().parent.parent / "static" / "vendor" / "lucide-static-1.62.0"
SUITS = {
    "s": ("spade", "♠", gettext_lazy("spades")),
    "h": ("heart", "♥", gettext_lazy("hearts")),
    "d": ("diamond", "♦", gettext_lazy("diamonds")),
    "c": ("club", "♣", gettext_lazy("clubs")),
}
NO_SUIT_SHORT = {"nt": gettext_lazy("NT"), "ntl": gettext_lazy("Low")}
NO_SUIT = {"nt": gettext_lazy("no trump"), "ntl": gettext_lazy("no trump, low")}
RANKS = {
    "A": gettext_lazy("ace"),
    "K": gettext_lazy("king"),
    "Q": gettext_lazy("queen"),
    "J": gettext_lazy("jack"),
}
BADGE_ICONS = {"good": "check", "warn": "triangle-alert", "bad": "circle-alert"}
STATES = {
    "planned": ("", "clock"),
    "open": ("good", "play"),
    "closed": ("", "lock"),
    "cancelled": ("bad", "x"),
    "draft": ("warn", "pencil"),
    "published": ("good", "check"),
    "withdrawn": ("", "undo-2"),
    "playing": ("", "play"),
    "finished": ("warn", "hourglass"),
    "disputed": ("bad", "flag"),
    "confirmed": ("good", "check"),
    "abandoned": ("", "x"),
}
# Pips in a box of ten by ten units around the origin.
PIP_SHAPES = {
    "spade": "M0-5C2-2.2 4.6-.8 4.6 1.3 4.6 3.4 1.9 3.9.6 2.3.7 3.5 1.1 4.3 1.8 5H-1.8"
    "C-1.1 4.3-.7 3.5-.6 2.3-1.9 3.9-4.6 3.4-4.6 1.3-4.6-.8-2-2.2 0-5Z",
    "heart": "M0 4.8C-5.9.7-5.2-4.4-2.5-4.4-1.1-4.4-.3-3.4 0-2.6.3-3.4 1.1-4.4 2.5-4.4 "
    "5.2-4.4 5.9.7 0 4.8Z",
    "diamond": "M0-5 3.9 0 0 5-3.9 0Z",
    "club": "M-2.4-2.6a2.4 2.4 0 1 1 4.8 0 2.4 2.4 0 1 1-4.8 0zM-4.8 1a2.4 2.4 0 1 1 4.8 0 "
    "2.4 2.4 0 1 1-4.8 0zM0 1a2.4 2.4 0 1 1 4.8 0 2.4 2.4 0 1 1-4.8 0zM-.6 0H.6L1.8 5H-1.8z",
}


@register.simple_tag
def compass(position: int, players: int) -> SafeString:
    """The attribute with the letter of a seat in a picture; empty at tables of more than four."""
    if players not in COMPASS:
        return mark_safe("")
    return format_html(' data-compass="{}"', str(COMPASS[players][position])[0])


@register.simple_tag
def suit_key(code: str) -> SafeString:
    """A suit (or no trump) for a small key: the glyph, with its word for screen readers only."""
    if code in NO_SUIT:
        return format_html(
            '<span class="suit" aria-hidden="true">{}</span><span class="only-heard">{}</span>',
            NO_SUIT_SHORT[code],
            NO_SUIT[code],
        )
    name, glyph, word = SUITS[code]
    return format_html(
        '<span class="suit {}" aria-hidden="true">{}</span><span class="only-heard">{}</span>',
        name,
        glyph,
        word,
    )


@register.simple_tag
def suit(code: str | None) -> SafeString:
    """A suit (or no trump) as glyph and word: `{% suit "h" %}`. Empty for no suit."""
    key = str(code or "").lower()
    if key in NO_SUIT:
        return format_html('<span class="suit">{}</span>', NO_SUIT[key])
    if key not in SUITS:
        return mark_safe("")
    name, glyph, word = SUITS[key]
    return format_html(
        '<span class="suit {}"><span class="glyph" aria-hidden="true">{}</span> {}</span>',
        name,
        glyph,
        word,
    )


@register.simple_tag
def card(text: str | None) -> SafeString:
    """A playing card from its code: `{% card "Jh" %}`, `B` for the joker. Empty for no card."""
    code = str(text or "")
    if code == "B":
        return _card_face("", gettext("Joker"), gettext("joker"))
    if len(code) < 2 or code[-1] not in SUITS:
        return format_html('<span class="playing-card">{}</span>', code) if code else mark_safe("")
    rank = {"T": "10"}.get(code[:-1], code[:-1])
    name, glyph, word = SUITS[code[-1]]
    spoken = pgettext("a playing card", "%(rank)s of %(suit)s") % {
        "rank": RANKS.get(rank, rank),
        "suit": word,
    }
    letter = gettext(rank) if rank in RANKS else rank
    return _card_face(name, f"{letter}{glyph}", spoken)


def _card_face(name: str, face: str, spoken: str) -> SafeString:
    return format_html(
        '<span class="playing-card {}"><span aria-hidden="true">{}</span>'
        '<span class="only-heard">{}</span></span>',
        name,
        face,
        spoken,
    )


@register.simple_tag
def pips(
    points: int | float | None,
    target: int | None = 10,
    *,
    suit: str = "h",
    american: bool = True,
    hidden: bool = False,
) -> SafeString:
    """The score as two spare cards: `{% pips 7 10 %}`, `{% pips 4 10 suit="s" %}`.

    Use it beside the number, never instead of it: it is empty for scores that pips cannot show.
    `american=False` uses a six and a four. `hidden=True` hides it from screen readers, where they
    read the same score beside it.
    """
    total, goal = int(points or 0), int(target or 10)
    name = SUITS.get(suit, SUITS["h"])[0]
    label = ""
    if not hidden:
        words = ngettext("%(points)s point of %(target)s", "%(points)s points of %(target)s", total)
        label = words % {"points": total, "target": goal}
    return _spare_cards(total, goal, american, name, label)


@lru_cache(maxsize=512)
def _spare_cards(points: int, target: int, american: bool, suit: str, label: str) -> SafeString:
    """The picture of two spare cards; cached, since every page shows some at its top."""
    cards = lay(points, target, american=american)
    if not cards:
        return SafeString("")
    left, right = reach(cards)
    box = f"{left:.4g} -8 {right - left:.4g} 74"
    context = {"cards": cards, "box": box, "suit": suit, "shape": PIP_SHAPES[suit], "label": label}
    return render_to_string("parts/pips.html", context)


@cache
def _strokes(name: str) -> str:
    """The SVG elements of an icon, from the vendored file."""
    root = ElementTree.parse(ICONS / f"{name}.svg").getroot()  # noqa: S314 - our own file
    shapes = []
    for element in root:
        attributes = "".join(f' {key}="{value}"' for key, value in element.attrib.items())
        shapes.append(f"<{element.tag.rpartition('}')[2]}{attributes}/>")
    return "".join(shapes)


@register.simple_tag
def icon(name: str, label: str = "") -> SafeString:
    """A Lucide icon beside a word: `{% icon "undo-2" %}`. Give it a label if it has no word."""
    return _icon(name, str(label))


@lru_cache(maxsize=512)
def _icon(name: str, label: str) -> SafeString:
    spoken = mark_safe('aria-hidden="true"')
    if label:
        spoken = format_html('role="img" aria-label="{}"', label)
    return format_html(
        '<svg class="icon" viewBox="0 0 24 24" width="20" height="20" fill="none" '
        'stroke="currentColor" {} focusable="false">{}</svg>',
        spoken,
        mark_safe(_strokes(name)),  # noqa: S308 - the vendored file's own shapes
    )


@register.simple_tag
def badge(text: str, kind: str = "", icon_name: str = "") -> SafeString:
    """A state as a word and an icon, not by colour alone: `{% badge "Done" "good" %}`.

    `kind` is good, warn, bad or "" for neutral; each kind has an icon, which `icon_name` replaces.
    """
    name = icon_name or BADGE_ICONS.get(kind, "")
    image = icon(name) if name else ""
    return format_html('<span class="badge {}">{}{}</span>', kind, image, text)


@register.simple_tag
def state_badge(subject: Any) -> SafeString:
    """The badge of a session, round or game from its `state`: `{% state_badge game %}`."""
    kind, name = STATES.get(subject.state, ("", ""))
    return badge(subject.get_state_display(), kind, name)


@register.simple_tag
def score(*points: int | None, big: bool = False) -> SafeString:
    """A score line, our side first: `{% score 7 4 %}` is 7 – 4, three sides 5 – 5 – 6."""
    numerals = [(str(0 if number is None else number),) for number in points]
    dash = mark_safe("<i>–</i>")
    return format_html(
        '<span class="score{}">{}</span>',
        " big" if big else "",
        format_html_join(dash, "{}", numerals),
    )


@register.filter
def signed(number: int | float | None) -> str:
    """A difference with its sign, using a real minus sign: +3, 0, −2."""
    if number is None:
        return ""
    text = f"{abs(number):g}" if isinstance(number, float) else str(abs(number))
    return f"+{text}" if number > 0 else f"−{text}" if number < 0 else text


@register.filter
def minus(number: int | float | str | None) -> str:
    """A number, with a real minus sign if it is negative: 3, −2; "" for None."""
    return "" if number is None else str(number).replace("-", "−", 1)


@register.filter
def most_signs(sides: Iterable[Any]) -> int:
    """The signs of a score's longest number: the digits are as large as it leaves room for."""
    return max((len(minus(side.points)) for side in sides), default=1)


@register.filter
def by_side(points: Iterable[int]) -> str:
    """A score by side: 7 – 4, or −2 to 10, since a dash beside a minus could be misread."""
    numbers = [minus(point) for point in points]
    if len(numbers) == 2 and "−" in "".join(numbers):
        return gettext("%(first)s to %(second)s") % {"first": numbers[0], "second": numbers[1]}
    return (", " if "−" in "".join(numbers) else " – ").join(numbers)


@register.filter
def score_line(game: Any, sides: Iterable[Any] = ()) -> str:
    """The score of a game in a list, in the order of `sides` if given; or that it was conceded.
    Empty for a walk-over."""
    if game.is_walkover:
        return ""
    if game.is_conceded_unplayed:
        return gettext("conceded")
    return by_side([side.points for side in sides] or game.score)


# Euchre players keep score with two cards that are not in play. Up to the number of pips on one
# card, the other lies face down over the pips that do not count yet; beyond it, the second card is
# turned face up and covers part of the first. American players use two fives for a game to ten,
# others a six and a four. Lengths are in units of which a card is 40 wide and 56 high.
WIDTH, HEIGHT = 40.0, 56.0
BACK = 0
Point = tuple[float, float]

PIPS: dict[int, tuple[Point, ...]] = {
    4: ((10, 12), (30, 12), (10, 44), (30, 44)),
    5: ((10, 12), (30, 12), (20, 28), (10, 44), (30, 44)),
    6: ((10, 12), (30, 12), (10, 28), (30, 28), (10, 44), (30, 44)),
}

# The position of the upper card (x, y, rotation in degrees) that leaves a number of pips of the
# lower card visible, by the lower card's rank.
BESIDE = (44.0, 0.0, 0.0)
CORNER = (26.4, 0.7, 31.0)
COVERS: dict[int, dict[int, tuple[float, float, float]]] = {
    4: {1: CORNER, 2: (20, 0, 0), 3: (20, 60, -90), 4: BESIDE},
    5: {1: CORNER, 2: (15.2, 0, 0), 3: (25.2, 0, 0), 4: (25.2, 58, -90), 5: BESIDE},
    6: {
        1: (29.1, 0.9, 45),
        2: (-8, 60, -90),
        3: (20, 0, 0),
        4: (20, 60, -90),
        5: (61.3, 4.7, 45),
        6: BESIDE,
    },
}
FACE_DOWN = (9.0, 4.0, 12.0)
LARGEST = 12


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card on the table; `rank` 0 is its back."""

    rank: int
    x: float = 0.0
    y: float = 0.0
    turn: float = 0.0

    @property
    def pips(self) -> tuple[Point, ...]:
        return PIPS.get(self.rank, ())

    def place(self, point: Point) -> Point:
        """The position on the table of a point of the card."""
        x, y = point
        angle = radians(self.turn)
        return (
            self.x + x * cos(angle) - y * sin(angle),
            self.y + x * sin(angle) + y * cos(angle),
        )


def pair_for(target: int, *, american: bool = True) -> tuple[int, int] | None:
    """The ranks of the two cards for a game to `target`; None if they have too few pips."""
    if target > LARGEST:
        return None
    if target > 10:
        return (6, 6) if target == 12 else (6, 5)
    return (5, 5) if american else (6, 4)


def lay(points: int, target: int, *, american: bool = True) -> tuple[LaidCard, ...]:
    """The two cards that show `points` in a game to `target`, the lower one first.

    Points beyond the number of pips show all pips. Negative points and targets above 12 have no
    cards.

    >>> [card.rank for card in lay(7, 10)]
    [5, 5]
    >>> lay(38, 52), lay(-2, 10)
    ((), ())
    """
    pair = pair_for(target, american=american)
    if pair is None or points < 0:
        return ()
    lower, upper = pair
    visible_points = min(points, lower + upper)
    if visible_points == 0:
        return LaidCard(BACK), LaidCard(BACK, *FACE_DOWN)
    if visible_points <= lower:
        return LaidCard(lower), LaidCard(BACK, *COVERS[lower][visible_points])
    return LaidCard(lower), LaidCard(upper, *COVERS[lower][visible_points - upper])


def reach(cards: tuple[LaidCard, ...]) -> tuple[float, float]:
    """The left and right edges of the picture of the cards, with a margin."""
    corners = ((0.0, 0.0), (WIDTH, 0.0), (0.0, HEIGHT), (WIDTH, HEIGHT))
    x_positions = [card.place(corner)[0] for card in cards for corner in corners]
    return min(x_positions) - 1, max(x_positions) + 1
