"""Each format of fixed pairs and teams in words for its players: what happens, and how many
rounds and matches it takes."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum

from league.pairing.formats.knockout import bracket

__all__ = ["Choices", "Sentence", "explain", "picking_explained"]

# The functions are called like Django's so that the collector of messages finds their sentences.


@dataclass(frozen=True, slots=True)
class Sentence:
    """A message id with what fills it; one that counts has a plural and its `count`."""

    one: str
    many: str = ""
    count: int = 0
    values: dict[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        """In English, untranslated."""
        return (self.many if self.many and self.count != 1 else self.one) % self.values


def gettext(sentence: str, **values: object) -> Sentence:
    return Sentence(sentence, values=values)


def ngettext(one: str, many: str, n: int) -> Sentence:
    """A sentence about `%(n)d` of something."""
    return Sentence(one, many, n, {"n": n})


Sentences = Iterator[Sentence]


class Format(StrEnum):
    """The formats of fixed pairs and teams."""

    ROUND_ROBIN = "round_robin"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    DOUBLE = "double"
    GROUPS = "groups"
    LEAGUE = "league"


@dataclass(frozen=True, slots=True)
class Choices:
    """What an organiser chose; each format reads what means something to it.

    `rounds` of a Swiss; a match is best of `games`; `twice`: everybody meets twice; of each of
    the `groups` so many get `through`.
    """

    rounds: int = 5
    games: int = 1
    twice: bool = False
    consolation: bool = False
    third_place: bool = False
    groups: int = 2
    through: int = 2


@dataclass(frozen=True, slots=True)
class Span:
    """From the least to the most; both the same where nothing depends on results."""

    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Expected:
    """Rounds and matches altogether, and the matches of one entry."""

    rounds: Span
    matches: Span
    each: Span


def expected(format: str, entries: int, choices: Choices) -> Expected:
    """What to expect when nobody withdraws; `entries` are at least two."""
    if entries < 2:
        raise ValueError("two entries at least")
    match Format(format):
        case Format.ROUND_ROBIN | Format.LEAGUE:
            return _all_meet(entries, twice=choices.twice)
        case Format.SWISS:
            matches = choices.rounds * (entries // 2)
            byes = min(1, entries % 2) * -(-choices.rounds // entries)
            each = Span(choices.rounds - byes, choices.rounds)
            return Expected(_exactly(choices.rounds), _exactly(matches), each)
        case Format.KNOCKOUT:
            return _knockout_length(entries, choices)
        case Format.DOUBLE:
            return _double_length(entries)
        case Format.GROUPS:
            return _groups_length(entries, choices)


def doublings(entries: int) -> int:
    """How often one must double to reach as many: the rounds of a knock-out."""
    return (entries - 1).bit_length()


def _exactly(number: int) -> Span:
    return Span(number, number)


def _all_meet(entries: int, *, twice: bool) -> Expected:
    times = 2 if twice else 1
    rounds = entries - 1 + entries % 2
    return Expected(
        rounds=_exactly(times * rounds),
        matches=_exactly(times * entries * (entries - 1) // 2),
        each=_exactly(times * (entries - 1)),
    )


def _knockout_length(entries: int, choices: Choices) -> Expected:
    rounds = doublings(entries)
    byes = 2**rounds - entries
    third = int(choices.third_place and entries > 3)
    least = most = entries - 1 + third
    fewest, longest, longest_for_one = 1, rounds, rounds
    if choices.consolation and rounds > 1:
        beside = _first_losses(entries)
        least, most = least + beside.least - 1, most + beside.most - 1
        fewest = 2 if byes == 0 and beside.least > 1 else 1
        # Who has a bye and loses comes to the consolation a round late.
        # In a small field who loses a semi-final may play for third place before that.
        twice = int(choices.third_place and 3 < entries < 8)
        longest, longest_for_one = rounds + (byes > 0) + twice, rounds + twice
    return Expected(Span(rounds, longest), Span(least, most), Span(fewest, longest_for_one))


def _first_losses(entries: int) -> Span:
    """How many lose the first match they play.

    All losers of the first round; of two with a bye who meet, one; one with a bye who meets a
    winner, or not.
    """
    half = 2 ** (doublings(entries) - 1)
    played = entries - half
    byes = half - played
    both_rested = max(0, byes - half // 2)
    one_rested = byes - 2 * both_rested
    return Span(played + both_rested, played + both_rested + one_rested)


def _double_length(entries: int) -> Expected:
    """Who wins does not matter for the number of rounds, but for a final that is played again."""
    drawn, rounds = bracket(range(entries), double=True), 0
    while playable := drawn.ready():
        won = {p.label: (p.first, p.second) for p in playable if p.second is not None}
        drawn = replace(drawn, results={**drawn.results, **won})
        rounds += 1
    return Expected(
        rounds=Span(rounds, rounds + 1),
        matches=Span(2 * entries - 2, 2 * entries - 1),
        each=Span(2, rounds + 1),
    )


def _groups_length(entries: int, choices: Choices) -> Expected:
    """The largest group sets the rounds; of the sizes some are one larger."""
    size, larger = divmod(entries, choices.groups)
    small = _all_meet(size, twice=choices.twice) if size > 1 else _all_meet(2, twice=False)
    large = _all_meet(size + 1, twice=choices.twice) if larger else small
    after = _knockout_length(choices.groups * choices.through, choices)
    in_groups = larger * large.matches.most + (choices.groups - larger) * small.matches.most
    return Expected(
        rounds=Span(large.rounds.most + after.rounds.least, large.rounds.most + after.rounds.most),
        matches=Span(in_groups + after.matches.least, in_groups + after.matches.most),
        each=Span(small.each.least, large.each.most + after.each.most),
    )


def explain(format: str, choices: Choices, entries: int | None = None) -> tuple[Sentence, ...]:
    """The format in plain words, a sentence or a few on each subject, in the order to be read.

    With the number of entries it also says how many rounds and matches to expect.
    """
    sentences = [*EXPLANATIONS[Format(format)](choices)]
    if entries is not None and entries > 1:
        sentences += _to_expect(expected(format, entries, choices))
    return tuple(sentences)


def picking_explained(way: str) -> tuple[Sentence, ...]:
    """Choosing partners after a seeding round: `picked`, `drawn` or `folded`."""
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
        "Most match points wins: one for a match won, half for a draw. If tied, the matches "
        "between them count first."
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
        "It counts as a match won."
    )
    yield gettext(
        "Most match points wins: one for a match won, half for a draw. If tied, your "
        "opponents' match points decide."
    )
    yield gettext(
        "If you come late, you play from the next round. If you leave, you are not drawn again."
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
        "After your first loss you move to the losers' bracket and play on there. You will"
        " not meet the pair that beat you again until late."
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


def _league(choices: Choices) -> Sentences:
    if choices.twice:
        yield gettext("Every team meets every other twice, once at home and once away.")
    else:
        yield gettext("Every team meets every other once, alternating home and away.")
    yield gettext("The first team of a fixture is at home and provides the room and cards.")
    yield gettext("Two teams of one house are never both at home on the same day.")
    yield gettext("With an odd number of teams, one is free each round, in turn.")


EXPLANATIONS = {
    Format.ROUND_ROBIN: _round_robin,
    Format.SWISS: _swiss,
    Format.KNOCKOUT: _knockout,
    Format.DOUBLE: _double,
    Format.GROUPS: _groups,
    Format.LEAGUE: _league,
}


def _to_expect(expectation: Expected) -> Sentences:
    rounds, matches, each = expectation.rounds, expectation.matches, expectation.each
    if rounds.least == rounds.most:
        yield ngettext("Expect %(n)d round.", "Expect %(n)d rounds.", rounds.most)
    else:
        yield gettext("Expect %(least)d to %(most)d rounds.", **_ends(rounds))
    if matches.least == matches.most:
        yield ngettext(
            "%(n)d match in all.",
            "%(n)d matches in all.",
            matches.most,
        )
    else:
        yield gettext("%(least)d to %(most)d matches in all.", **_ends(matches))
    if each.least == each.most:
        yield ngettext("You play %(n)d match.", "You play %(n)d matches.", each.most)
    else:
        yield gettext("You play %(least)d to %(most)d matches.", **_ends(each))


def _ends(span: Span) -> dict[str, int]:
    return {"least": span.least, "most": span.most}
