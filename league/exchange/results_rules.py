"""What a game's rules say of a final score alone: by side, how it can have ended, who won."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.exchange.results_sheet import DECISION, TIME, ResultGame
from league.exchange.sheet_trouble import Trouble
from league.exchange.sheet_words import POINTS
from league.play.final_scores import possible_winners, score_faults
from league.play.results import winners_of_totals
from scoring import Ruleset


@dataclass(frozen=True, slots=True)
class Ending:
    """A score by side and the seats that won by it."""

    totals: list[int]
    winners: list[int]


def totals_of(game: ResultGame, rules: Ruleset) -> list[int] | None:
    """The score by side; None where a side has none. A partner's cell may stay empty."""
    told = [[game.points[seat] for seat in side] for side in rules.sides]
    totals = [next((one for one in side if one is not None), None) for side in told]
    return None if None in totals else [one for one in totals if one is not None]


def ending_of(game: ResultGame, rules: Ruleset, totals: list[int]) -> Ending:
    """Who won a game whose score is good."""
    if not game.winners:
        possible = [] if game.ended else possible_winners(rules, totals)
        if len(possible) == 1:
            return Ending(totals, _seats(rules, possible[0]))
        return Ending(totals, winners_of_totals(totals, rules.sides))
    won = [side for side in rules.sides if set(side) & set(game.winners)]
    return Ending(totals, sorted(seat for side in won for seat in side))


def score_troubles(game: ResultGame, rules: Ruleset) -> Iterator[Trouble]:
    """What the rules say against a score and the word beside it."""
    missing = [side for side in rules.sides if all(game.points[seat] is None for seat in side)]
    for side in missing:
        yield Trouble(game.line, POINTS[side[0]], _("Every side has a score."))
    totals = totals_of(game, rules)
    if totals is None:
        return
    for seat, points in enumerate(game.points):
        if points not in (None, totals[seat % len(totals)]):
            yield Trouble(game.line, POINTS[seat], _("Partners have the same score."))
    if game.ended == DECISION:
        if not game.winners:
            yield Trouble(game.line, "winners", _("Say who has won."))
        return
    impossible = dict(score_faults(rules, totals))
    for number, sentence in impossible.items():
        yield Trouble(game.line, POINTS[number], sentence)
    if impossible:
        return
    if game.ended == TIME or rules.target is None:
        yield from _highest(game, rules, totals)
    else:
        yield from _reached(game, rules, totals, rules.target)


def _highest(game: ResultGame, rules: Ruleset, totals: Sequence[int]) -> Iterator[Trouble]:
    """After time, or a fixed number of hands, the highest has won."""
    ending = ending_of(game, rules, list(totals))
    if ending.winners != winners_of_totals(totals, rules.sides):
        yield Trouble(game.line, "winners", _("The highest score has won, or write decision."))


def _reached(
    game: ResultGame, rules: Ruleset, totals: Sequence[int], target: int
) -> Iterator[Trouble]:
    """Somebody came to the target; where several did, the line says who won."""
    possible = [_seats(rules, sides) for sides in possible_winners(rules, totals)]
    told = {"target": target}
    if not possible:
        sentence = _("Nobody has reached %(target)d. Write time or decision under ended.") % told
        yield Trouble(game.line, "points 1", sentence)
    elif len(possible) > 1 and not game.winners:
        sentence = _("More than one side has reached %(target)d: say who has won.") % told
        yield Trouble(game.line, "winners", sentence)
    elif ending_of(game, rules, list(totals)).winners not in possible:
        sentence = _("By these rules others have won with this score, or write decision.")
        yield Trouble(game.line, "winners", sentence)


def _seats(rules: Ruleset, sides: Sequence[int]) -> list[int]:
    return sorted(seat for side in sides for seat in rules.sides[side])


def word_of(rules: Ruleset, totals: Sequence[int], winners: Sequence[int]) -> str:
    """What a line has to say under `ended` so that its score can be read again."""
    highest = list(winners) == winners_of_totals(totals, rules.sides)
    target = rules.target
    if target is None:
        return "" if highest else DECISION
    if any(score_faults(rules, totals)):
        return DECISION
    if list(winners) in [_seats(rules, sides) for sides in possible_winners(rules, totals)]:
        return ""
    return TIME if highest else DECISION
