"""Which final scores a game's rules allow, and who can have won with one.

One truth for score sheets without hands, league cards, the API and spreadsheets. What an organiser
decided beside the rules is no matter of this.
"""

from collections.abc import Iterator, Sequence
from math import gcd

from django.utils.translation import gettext as _

from scoring import Ruleset, bid_value

TURN_UP = "turn_up"
PLAYED_ON = 2  # hands in which a tie at the target is still not broken: more are not believed
FAR = 2  # targets: a game in which only some hands can win goes no further
PAID = (
    "made", "march", "euchre", "lone_made", "lone_march", "lone_euchred", "lone_def_euchre",
    "lone_def_march", "super_euchre", "renege_points", "renege_points_lone", "moon_two_cards",
    "moon_one_card", "jambone", "jamboree",
)  # fmt: skip
PAID_BY_VALUES = (
    "trick_points", "no_trick_costs", "all_tricks_least", "set_costs", "score_floor", "start",
    "false_claim_points", "table_talk_points",
)  # fmt: skip
VALUES = 10  # what all values of bids in Five Hundred are multiples of
PAID_FOR_SMITTY = ("smitty_solo", "smitty_game")


def score_faults(rules: Ruleset, totals: Sequence[int]) -> Iterator[tuple[int, str]]:
    """The sides whose points no game by these rules can end with, each with a sentence."""
    most, least, step = highest(rules), lowest(rules), step_of(rules)
    for side, points in enumerate(totals):
        if points > most:
            sentence = _("By these rules no game ends with more than %(most)d points.")
            yield side, sentence % {"most": most}
        elif points < least:
            sentence = _("By these rules no game ends with fewer than %(least)d points.")
            yield side, sentence % {"least": least}
        elif points % step:
            sentence = _("By these rules every score is a multiple of %(step)d.")
            yield side, sentence % {"step": step}
    there = reached(rules, totals)
    if len(there) > _most_at_target(rules):
        sentence = _("By these rules not every side can reach %(target)d.")
        if len(rules.sides) == 2:
            sentence = _("By these rules only one side can reach %(target)d.")
        lowest_of_them = min(there, key=lambda side: totals[side])
        yield lowest_of_them, sentence % {"target": rules.target}
    elif there and not possible_winners(rules, totals):
        sentence = _("By these rules a tie is played on until one side is ahead.")
        yield there[0], sentence


def is_short(rules: Ruleset, totals: Sequence[int]) -> bool:
    """Whether a game with this final score has ended before anybody was at the target."""
    return rules.target is not None and not reached(rules, totals) and not _sunk(rules, totals)


def possible_winners(rules: Ruleset, totals: Sequence[int]) -> list[list[int]]:
    """The sides that can have won a game in which somebody reached the target, as lists of those
    that win together; more than one list where the score does not say it."""
    there = reached(rules, totals)
    if not there:
        return _sunk(rules, totals)
    alone = [[side] for side in there]
    if len(there) == 1:
        return alone
    if rules.options["tie_rule"] == "co_winners":
        return [there, *(alone if _a_hand_decides(rules) else [])]
    if _a_hand_decides(rules):
        return alone
    leaders = _ahead(rules, totals, there)
    return [leaders] if len(leaders) == 1 else []


def _ahead(rules: Ruleset, totals: Sequence[int], sides: Sequence[int]) -> list[int]:
    """The sides with the best score: the highest or, counting down, the lowest."""
    best = (min if rules.counts_down else max)(totals[side] for side in sides)
    return [side for side in sides if totals[side] == best]


def _sunk(rules: Ruleset, totals: Sequence[int]) -> list[list[int]]:
    """Who has won because somebody fell to the score that loses; nobody where there is none."""
    least = rules.options.get("lose_at", "none")
    if least == "none" or min(totals) > least:
        return []
    return [_ahead(rules, totals, range(len(totals)))]


def reached(rules: Ruleset, totals: Sequence[int]) -> list[int]:
    """The sides at the target; none where a number of hands is played."""
    if rules.target is None:
        return []
    if rules.counts_down:
        return [side for side, points in enumerate(totals) if points <= rules.target]
    return [side for side, points in enumerate(totals) if points >= rules.target]


def highest(rules: Ruleset) -> int:
    """The most points that a side can have at the end."""
    most = _most_a_hand(rules)
    if rules.counts_down:
        return rules.start * (1 + FAR)
    if rules.target is None:
        return most * (rules.hands or 0)
    last = rules.target - 1 + most
    if _most_at_target(rules) > 1:
        last += PLAYED_ON * most
    return max(last, FAR * rules.target) if _a_hand_decides(rules) else last


def lowest(rules: Ruleset) -> int:
    """The fewest points that a side can have: what penalties, or bids that failed, take."""
    floor = rules.options["score_floor"]
    if rules.counts_down:
        return (rules.target or 0) - rules.start  # ties are played on, each hand further down
    takes = rules.options.get("euchre_pays") == "makers_lose"
    if rules.family == TURN_UP and rules.options["renege_form"] == "add" and not takes:
        return 0  # no hand takes points, and every penalty is given to the other side
    return -highest(rules) * FAR if floor == "none" else int(floor)


def step_of(rules: Ruleset) -> int:
    """What every score is a multiple of: 10 in Five Hundred, unless something pays by ones."""
    if rules.options.get("values") != "avondale":
        return 1
    own = ("renege_points", "renege_points_lone") if rules.options["revoke_500"] == "off" else ()
    paid = [rules.options.get(name) for name in (*PAID_BY_VALUES, *own)]
    paid += [points for special in rules.specials for points in (special.won, special.lost)]
    return gcd(VALUES, *(one for one in paid if isinstance(one, int)))


def _most_a_hand(rules: Ruleset) -> int:
    """The most points that one hand, or a ruling beside it, gives a side."""
    names = [*PAID, *(PAID_FOR_SMITTY if rules.options.get("smitty") else ())]
    paid = [rules.options.get(name) for name in names]
    amounts = [rules.target if one == "target" else one for one in paid]
    amounts.append(rules.options.get("lone_march", 0) + rules.options.get("caller_bonus", 0))
    if rules.family != TURN_UP:
        each = rules.options.get("trick_points", 1)
        amounts += [rules.hand_size * each, *(special.won for special in rules.specials)]
        if rules.options["values"] == "avondale":
            amounts.append(bid_value(rules.hand_size, "nt"))
    most = max(one for one in amounts if isinstance(one, int))
    return most * (rules.players - 1) if rules.options.get("level_payment") else most


def _a_hand_decides(rules: Ruleset) -> bool:
    """Whether it hangs on the last hand, which nobody wrote down, who has won."""
    return rules.family != TURN_UP


def _most_at_target(rules: Ruleset) -> int:
    """How many sides can be at the target at the end."""
    if rules.family != TURN_UP or rules.counts_down:  # several sides score in one hand
        return len(rules.sides)
    if len(rules.sides) == 2:  # one side scores, and then the game is over
        return 1
    return len(rules.sides) - (rules.options["tie_rule"] == "co_winners")


def most_winners(rules: Ruleset) -> int:
    """How many players can win a game, with those who win it together."""
    together = _most_at_target(rules) if rules.options["tie_rule"] == "co_winners" else 1
    return together * len(rules.sides[0])


def winners_of_totals(rules: Ruleset, totals: Sequence[int]) -> list[int]:
    """The seats that won by a final score written down: who alone can have won with it, else all
    with the best, sharing a draw."""
    certain = possible_winners(rules, totals)
    won = certain[0] if len(certain) == 1 else _ahead(rules, totals, range(len(totals)))
    return sorted(seat for side in won for seat in rules.sides[side])
