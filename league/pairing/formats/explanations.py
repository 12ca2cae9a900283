"""Explanations of the formats of fixed pairs and teams, in sentences for players."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

__all__ = ["Choices", "Sentence", "explain", "picking_explained"]

# gettext and ngettext are named like Django's so that their sentences are collected.


@dataclass(frozen=True, slots=True)
class Sentence:
    """A message id and its values; a sentence that counts has a plural and its `count`."""

    singular: str
    plural: str = ""
    count: int = 0
    values: dict[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the sentence in English, untranslated."""
        return (self.plural if self.plural and self.count != 1 else self.singular) % self.values


def gettext(sentence: str, **values: object) -> Sentence:
    return Sentence(sentence, values=values)


def ngettext(singular: str, plural: str, n: int) -> Sentence:
    """Return a sentence about `%(n)d` things."""
    return Sentence(singular, plural, n, {"n": n})


Sentences = Iterator[Sentence]


class Format(StrEnum):
    """The formats of fixed pairs and teams."""

    ROUND_ROBIN = "round_robin"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    DOUBLE = "double"
    GROUPS = "groups"


@dataclass(frozen=True, slots=True)
class Choices:
    """The organiser's choices; each format uses those that concern it.

    `rounds` is for a Swiss; a match is the best of `games`; `twice`: all meet twice; `through` is
    how many of each of the `groups` go through.
    """

    rounds: int = 5
    games: int = 1
    twice: bool = False
    consolation: bool = False
    third_place: bool = False
    groups: int = 2
    through: int = 2


def explain(format: str, choices: Choices) -> tuple[Sentence, ...]:
    """Return the sentences that explain a format, in reading order."""
    return tuple(EXPLANATIONS[Format(format)](choices))


def picking_explained(way: str) -> tuple[Sentence, ...]:
    """Return the sentences about partners chosen after a seeding round.

    The `way` is `picked`, `drawn` or `folded`.
    """
    return (
        gettext("First everyone plays for themselves, in a seeding round with changing partners."),
        {
            "picked": gettext(
                "Then the best placed picks a partner, then the best placed without one, "
                "until everyone has a partner."
            ),
            "drawn": gettext(
                "Then each player in the upper half draws a partner from the lower half at random."
            ),
            "folded": gettext("Then first plays with last, second with last but one, and so on."),
        }[way],
        gettext("With an odd number, one player has no partner and can be a substitute."),
    )


def _match(choices: Choices) -> Sentence:
    if choices.games == 1:
        return gettext("A match is one game.")
    return gettext(
        "A match is the best of %(n)d games: it is over when one side has won more than half.",
        n=choices.games,
    )


def _round_robin(choices: Choices) -> Sentences:
    yield gettext("You keep your partner.")
    if choices.twice:
        yield gettext("You meet every other pair twice.")
    else:
        yield gettext("You meet every other pair once.")
    yield _match(choices)
    yield gettext("With an odd number of pairs, one has a bye each round, in turn.")
    yield gettext(
        "Most match points wins: one for a match won, half for a tie. If pairs are level, the "
        "matches between them count first."
    )
    yield gettext(
        "If a pair leaves before half its matches, its results are void; if it leaves later, "
        "the others win the matches it doesn't play."
    )


def _swiss(choices: Choices) -> Sentences:
    yield gettext("You keep your partner. No one is knocked out: everyone plays every round.")
    yield ngettext("%(n)d round is played.", "%(n)d rounds are played.", choices.rounds)
    yield gettext(
        "The first round is drawn at random. After that you meet a pair with the same match "
        "points, or close: winners meet winners, losers meet losers."
    )
    yield gettext("No one meets the same pair twice if it can be avoided.")
    yield _match(choices)
    yield gettext(
        "With an odd number of pairs, one has a bye: the lowest placed without a bye so far. "
        "It counts as a match won, but ranks below one won at a table."
    )
    yield gettext(
        "Most match points wins: one for a match won, half for a tie. If pairs are level, their "
        "opponents' match points decide."
    )
    yield gettext(
        "If you come late, you play from the next round, and have a bye only if no one else can. "
        "If you leave, you are not drawn again."
    )


def _knockout(choices: Choices) -> Sentences:
    yield gettext("You keep your partner. Win and you go on; lose and you're out.")
    yield _match(choices)
    yield gettext(
        "The bracket is drawn so that the best seeds meet last. If the number of pairs does not"
        " fill it, the best seeds start one round later."
    )
    yield gettext("If your opponents don't come, you go on without playing.")
    if choices.third_place:
        yield gettext("Semi-final losers play for third place.")
    if choices.consolation:
        yield gettext("If you lose your first match, you go into a consolation bracket.")


def _double(choices: Choices) -> Sentences:
    yield gettext("You keep your partner. Lose twice and you're out.")
    yield _match(choices)
    yield gettext(
        "After your first loss you move to the losers' bracket and play on there. You"
        " won't meet the pair that beat you again until late in the tournament."
    )
    yield gettext("The winners of both brackets meet in the final.")
    yield gettext(
        "If the unbeaten pair loses there, both have lost once, so a second final decides."
    )
    yield gettext("If your opponents don't come, you go on without playing.")


def _groups(choices: Choices) -> Sentences:
    yield gettext("You keep your partner.")
    yield ngettext(
        "There is %(n)d group; everyone in it meets everyone else.",
        "There are %(n)d groups; everyone in a group meets everyone else.",
        choices.groups,
    )
    yield gettext("The best seeds are in different groups.")
    yield _match(choices)
    yield ngettext(
        "The first %(n)d of each group goes on to a knock-out.",
        "The first %(n)d of each group go on to a knock-out.",
        choices.through,
    )
    yield gettext(
        "There, group winners meet lower-placed pairs from other groups, and pairs from the "
        "same group meet as late as possible. Lose and you're out."
    )
    if choices.third_place:
        yield gettext("Semi-final losers play for third place.")


EXPLANATIONS = {
    Format.ROUND_ROBIN: _round_robin,
    Format.SWISS: _swiss,
    Format.KNOCKOUT: _knockout,
    Format.DOUBLE: _double,
    Format.GROUPS: _groups,
}
