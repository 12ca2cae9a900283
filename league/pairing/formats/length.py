"""How many rounds and matches a format takes for so many entries."""

from dataclasses import dataclass, replace
from enum import StrEnum

from league.pairing.formats.knockout import bracket


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
            return _knockout(entries, choices)
        case Format.DOUBLE:
            return _double(entries)
        case Format.GROUPS:
            return _groups(entries, choices)


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


def _knockout(entries: int, choices: Choices) -> Expected:
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


def _double(entries: int) -> Expected:
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


def _groups(entries: int, choices: Choices) -> Expected:
    """The largest group sets the rounds; of the sizes some are one larger."""
    size, larger = divmod(entries, choices.groups)
    small = _all_meet(size, twice=choices.twice) if size > 1 else _all_meet(2, twice=False)
    large = _all_meet(size + 1, twice=choices.twice) if larger else small
    after = _knockout(choices.groups * choices.through, choices)
    in_groups = larger * large.matches.most + (choices.groups - larger) * small.matches.most
    return Expected(
        rounds=Span(large.rounds.most + after.rounds.least, large.rounds.most + after.rounds.most),
        matches=Span(in_groups + after.matches.least, in_groups + after.matches.most),
        each=Span(small.each.least, large.each.most + after.each.most),
    )
