"""Which final scores a game's rules allow, and who can have won with one.

Score sheets without hands, league cards, the API and spreadsheets all use this. Decisions of an
organiser that override the rules are ignored here.
"""

from collections.abc import Iterator, Sequence
from math import gcd

from django.utils.translation import gettext as _

from scoring import Ruleset, bid_value

TURN_UP = "turn_up"
TIE_BREAK_HANDS = 2  # at most so many hands may leave a tie at the target unbroken
FAR_FACTOR = 2  # no game in which only some hands can win goes beyond so many times the target
PAID = (
    "made", "march", "euchre", "lone_made", "lone_march", "lone_euchred", "lone_def_euchre",
    "lone_def_march", "super_euchre", "renege_points", "renege_points_lone", "moon_two_cards",
    "moon_one_card", "jambone", "jamboree",
)  # fmt: skip
PAID_BY_VALUES = (
    "trick_points", "no_trick_costs", "all_tricks_least", "set_costs", "score_floor", "start",
    "false_claim_points", "table_talk_points",
)  # fmt: skip
VALUES = 10  # all values of bids in Five Hundred are multiples of this
PAID_FOR_SMITTY = ("smitty_solo", "smitty_game")


def score_faults(rules: Ruleset, totals: Sequence[int]) -> Iterator[tuple[int, str]]:
    """The sides whose points are impossible under these rules, each with a sentence."""
    maximum, minimum, step = highest(rules), lowest(rules), score_step(rules)
    for side, points in enumerate(totals):
        if points > maximum:
            sentence = _("By these rules no game ends with more than %(most)d points.")
            yield side, sentence % {"most": maximum}
        elif points < minimum:
            sentence = _("By these rules no game ends with fewer than %(least)d points.")
            yield side, sentence % {"least": minimum}
        elif points % step:
            sentence = _("By these rules every score is a multiple of %(step)d.")
            yield side, sentence % {"step": step}
    at_target = reached(rules, totals)
    if len(at_target) > _most_at_target(rules):
        sentence = _("By these rules not every side can reach %(target)d.")
        if len(rules.sides) == 2:
            sentence = _("By these rules only one side can reach %(target)d.")
        lowest_at_target = min(at_target, key=lambda side: totals[side])
        yield lowest_at_target, sentence % {"target": rules.target}
    elif at_target and not possible_winners(rules, totals):
        sentence = _("By these rules a tie is played on until one side is ahead.")
        yield at_target[0], sentence


def is_short(rules: Ruleset, totals: Sequence[int]) -> bool:
    """Whether a game with this final score ended before any side reached the target."""
    return (
        rules.target is not None
        and not reached(rules, totals)
        and not _winners_by_losing_score(rules, totals)
    )


def question_of_score(rules: Ruleset, totals: Sequence[int]) -> str:
    """What to ask before a possible score is saved with which a game can only have ended early;
    empty for any other."""
    if any(score_faults(rules, totals)) or not is_short(rules, totals):
        return ""
    sentence = _("Nobody has reached %(target)d. Did this game end early?")
    return sentence % {"target": rules.target}


def possible_winners(rules: Ruleset, totals: Sequence[int]) -> list[list[int]]:
    """The sides that can have won, as lists of those that win together. More than one list if the
    score does not determine the winners; empty if no side has won by it."""
    at_target = reached(rules, totals)
    if not at_target:
        return _winners_by_losing_score(rules, totals)
    single_winners = [[side] for side in at_target]
    if len(at_target) == 1:
        return single_winners
    if rules.options["tie_rule"] == "co_winners":
        return [at_target, *(single_winners if _last_hand_decides(rules) else [])]
    if _last_hand_decides(rules):
        return single_winners
    leaders = _leading_sides(rules, totals, at_target)
    return [leaders] if len(leaders) == 1 else []


def _leading_sides(rules: Ruleset, totals: Sequence[int], sides: Sequence[int]) -> list[int]:
    """The sides with the best score: the highest or, counting down, the lowest."""
    best = (min if rules.counts_down else max)(totals[side] for side in sides)
    return [side for side in sides if totals[side] == best]


def _winners_by_losing_score(rules: Ruleset, totals: Sequence[int]) -> list[list[int]]:
    """The winners because a side fell to the losing score; empty where the rules have none."""
    losing_score = rules.options.get("lose_at", "none")
    if losing_score == "none" or min(totals) > losing_score:
        return []
    return [_leading_sides(rules, totals, range(len(totals)))]


def reached(rules: Ruleset, totals: Sequence[int]) -> list[int]:
    """The sides at the target; empty where a fixed number of hands is played."""
    if rules.target is None:
        return []
    if rules.counts_down:
        return [side for side, points in enumerate(totals) if points <= rules.target]
    return [side for side, points in enumerate(totals) if points >= rules.target]


def highest(rules: Ruleset) -> int:
    """The most points a side can have at the end."""
    most_per_hand = _most_points_of_a_hand(rules)
    if rules.counts_down:
        return rules.start * (1 + FAR_FACTOR)
    if rules.target is None:
        return most_per_hand * (rules.hands or 0)
    highest_score = rules.target - 1 + most_per_hand
    if _most_at_target(rules) > 1:
        highest_score += TIE_BREAK_HANDS * most_per_hand
    if _last_hand_decides(rules):
        return max(highest_score, FAR_FACTOR * rules.target)
    return highest_score


def lowest(rules: Ruleset) -> int:
    """The fewest points a side can have at the end, after penalties or failed bids."""
    floor = rules.options["score_floor"]
    if rules.counts_down:
        return (rules.target or 0) - rules.start  # hands that break a tie go further down
    adds = rules.family == TURN_UP and rules.options["renege_form"] == "add"
    if adds and not _euchre_deducts(rules):
        return 0  # no hand deducts points, and every penalty goes to the other side
    return -highest(rules) * FAR_FACTOR if floor == "none" else int(floor)


def keyboard(rules: Ruleset) -> str:
    """The phone's keyboard for typing a score, as `inputmode`: number keys have no minus."""
    hands_deduct = rules.family != TURN_UP or _euchre_deducts(rules)  # penalties are too rare
    return "text" if hands_deduct and lowest(rules) < 0 else "numeric"


def _euchre_deducts(rules: Ruleset) -> bool:
    return rules.options.get("euchre_pays") == "makers_lose"


def score_step(rules: Ruleset) -> int:
    """The number that every score is a multiple of: 10 in Five Hundred unless an option is not."""
    if rules.options.get("values") != "avondale":
        return 1
    names = list(PAID_BY_VALUES)
    if rules.options["revoke_500"] == "off":
        names += ["renege_points", "renege_points_lone"]
    amounts = [rules.options.get(name) for name in names]
    amounts += [points for special in rules.specials for points in (special.won, special.lost)]
    return gcd(VALUES, *(amount for amount in amounts if isinstance(amount, int)))


def _most_points_of_a_hand(rules: Ruleset) -> int:
    """The most points that one hand or one ruling gives a side."""
    names = [*PAID, *(PAID_FOR_SMITTY if rules.options.get("smitty") else ())]
    values = [rules.options.get(name) for name in names]
    amounts = [rules.target if value == "target" else value for value in values]
    amounts.append(rules.options.get("lone_march", 0) + rules.options.get("caller_bonus", 0))
    if rules.family != TURN_UP:
        points_per_trick = rules.options.get("trick_points", 1)
        amounts += [
            rules.hand_size * points_per_trick,
            *(special.won for special in rules.specials),
        ]
        if rules.options["values"] == "avondale":
            amounts.append(bid_value(rules.hand_size, "nt"))
    largest = max(value for value in amounts if isinstance(value, int))
    return largest * (rules.players - 1) if rules.options.get("level_payment") else largest


def _last_hand_decides(rules: Ruleset) -> bool:
    """Whether the winner depends on the last hand, which a final score does not show."""
    return rules.family != TURN_UP


def _most_at_target(rules: Ruleset) -> int:
    """The number of sides that can be at the target at the end."""
    if rules.family != TURN_UP or rules.counts_down:  # several sides score in one hand
        return len(rules.sides)
    if len(rules.sides) == 2:  # one side scores, and then the game is over
        return 1
    return len(rules.sides) - (rules.options["tie_rule"] == "co_winners")


def most_winners(rules: Ruleset) -> int:
    """The most players who can win a game, including co-winners."""
    winning_sides = _most_at_target(rules) if rules.options["tie_rule"] == "co_winners" else 1
    return winning_sides * len(rules.sides[0])


def winners_of_totals(rules: Ruleset, totals: Sequence[int]) -> list[int]:
    """The seats that won by a final score: the only possible winners, else all with the best score,
    who share a draw."""
    possible = possible_winners(rules, totals)
    all_sides = range(len(totals))
    winning_sides = possible[0] if len(possible) == 1 else _leading_sides(rules, totals, all_sides)
    return sorted(seat for side in winning_sides for seat in rules.sides[side])
