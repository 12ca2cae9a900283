"""Penalties and rulings: what an infraction costs, and whom."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from scoring.auction.terms import Terms, side_of
from scoring.faults import Fault, fault
from scoring.points import Result, at_stake, is_made, points
from scoring.records import Penalty
from scoring.rulesets import Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A director's ruling on a game, made apart from its hands.

    `after` counts the hands already recorded when it takes effect (0 = before the first); `hand`
    is the hand it is about, from 1. Of `kind` "renege", `by` is the guilty seat, `form` "add" or
    "deduct", `lone` whether someone played alone in that hand (None = look it up). Of `kind`
    "adjustment", `points` by side (by seat where every seat has its own score) are added unchanged.

    >>> Ruling(after=3, kind="renege", by=2, form="deduct").kind
    'renege'
    """

    after: int
    kind: str = "renege"
    by: int | None = None
    hand: int | None = None
    form: str | None = None
    lone: bool | None = None
    points: tuple[int, ...] | None = None
    note: str = ""


def renege_effect(
    rules: Ruleset,
    by: int,
    *,
    lone: bool,
    form: str | None,
    makers: tuple[int, ...],
    out: Collection[int] = (),
) -> tuple[int, ...]:
    """Points by seat of one proved renege (004:137-138, D-24).

    Added to the innocent side or taken from the guilty one, at the claimant's choice unless the
    rules fix it. Where every seat has its own score, a guilty maker's opponents all gain (not the
    partner called, nor who dropped out), a guilty defender's makers do; a deduction falls on the
    guilty seat alone. Where the score counts down the signs are turned.
    """
    amount = rules.options["renege_points_lone" if lone else "renege_points"]
    if rules.counts_down:
        amount = -amount
    guilty = side_of(rules, by)
    if chosen_form(rules, form) == "deduct":
        return tuple(-amount if seat in guilty else 0 for seat in range(rules.players))
    own = makers if by in makers else guilty
    gains = set(range(rules.players)) - set(own) - set(out)
    if not rules.partnership and by not in makers and makers:
        gains = set(makers)
    return tuple(amount if seat in gains else 0 for seat in range(rules.players))


def chosen_form(rules: Ruleset, form: str | None) -> str:
    """`add` or `deduct`: what the rules fix, else what the claimant chose, else add."""
    fixed = str(rules.options["renege_form"])
    return fixed if fixed in ("add", "deduct") else form or "add"


# Penalties in addition to the score of the hand: kind -> the option with their points.
BESIDE = {"false-claim": "false_claim_points", "table-talk": "table_talk_points"}
RENEGE, ABANDONED = "renege", "abandoned"
_HOFFMANN = 100


def replaces_score(penalties: Iterable[Penalty]) -> bool:
    """Whether a penalty replaces the hand's score."""
    return any(penalty.kind not in BESIDE for penalty in penalties)


def beside_effect(rules: Ruleset, penalties: Iterable[Penalty]) -> tuple[int, ...]:
    """Points by seat for false claims and table talk, which go to all other sides (D-95)."""
    total = [0] * rules.players
    for penalty in penalties:
        if penalty.kind in BESIDE:
            amount = rules.options[BESIDE[penalty.kind]] * (-1 if rules.counts_down else 1)
            guilty = side_of(rules, penalty.by)
            total = [p + amount * (seat not in guilty) for seat, p in enumerate(total)]
    return tuple(total)


def penalties_effect(
    rules: Ruleset,
    terms: Terms,
    penalties: Iterable[Penalty],
    by_seat: tuple[int, ...] | None,
    makers_tricks: int | None,
) -> tuple[int, ...] | Fault:
    """Points by seat of a hand whose penalties replace its score (D-24).

    A fault if the penalty depends on the tricks of the hand and these are unknown.
    """
    penalties = tuple(penalties)
    total = beside_effect(rules, penalties)
    for penalty in penalties:
        if penalty.kind not in BESIDE:
            effect = _penalty_effect(rules, terms, penalty, by_seat, makers_tricks)
            if effect is None:
                return fault("bad-format/renege-tricks", rules.players, field="tricks_won")
            total = tuple(sum(pair) for pair in zip(total, effect, strict=True))
    return total


def _penalty_effect(
    rules: Ruleset,
    terms: Terms,
    penalty: Penalty,
    by_seat: tuple[int, ...] | None,
    makers_tricks: int | None,
) -> tuple[int, ...] | None:
    if penalty.kind == ABANDONED:
        amount = rules.options["abandon_points"]
        return tuple(amount if seat in terms.makers else 0 for seat in range(rules.players))
    if own_revoke(rules):
        tricks = makers_tricks
        result = None if tricks is None else Result(rules, terms, tricks, by_seat)
        if rules.options.get("level_payment"):
            return _level_revoke(rules, terms, penalty.by, result)
        return _revoke_500(rules, terms, penalty.by, result)
    return renege_effect(
        rules,
        penalty.by,
        lone=terms.lone is not None or terms.lone_defender is not None,
        form=penalty.form,
        makers=terms.makers,
        out=terms.out,
    )


def own_revoke(rules: Ruleset) -> bool:
    """Whether the game has its own penalty for a renege, without a form to choose."""
    options = rules.options
    return options.get("revoke_500", "off") != "off" or bool(options.get("level_payment"))


def _level_revoke(
    rules: Ruleset, terms: Terms, by: int, result: Result | None
) -> tuple[int, ...] | None:
    """A guilty caller loses the stakes; a guilty opponent pays for everyone the result of the
    hand, played again (D-99)."""
    opponents = rules.players - 1
    if by in terms.makers:
        stake = at_stake(Result(rules, terms, 0, None), False)
        return tuple(-stake * opponents if seat == by else stake for seat in range(rules.players))
    if result is None:
        return None
    won = is_made(result)
    stake = at_stake(result, won)
    if won:
        gains = {terms.maker: stake * opponents}
    else:
        gains = {s: stake for s in range(rules.players) if s not in (by, terms.maker)}
    gains[by] = -sum(gains.values())
    return tuple(gains.get(seat, 0) for seat in range(rules.players))


def _revoke_500(
    rules: Ruleset, terms: Terms, by: int, result: Result | None
) -> tuple[int, ...] | None:
    """A guilty bidder loses the value of the bid; for a guilty opponent the bidder gets the value,
    or the hand is played again and the opponent pays a fixed amount."""
    guilty = side_of(rules, by)
    scores = None if result is None else points(result)
    by_bidder = by in terms.makers or not terms.makers
    if by_bidder and terms.makers and terms.special is not None and terms.special.lose_all:
        scores = (0,) * rules.players
    if not by_bidder and rules.options["revoke_500"] == "american":
        value = at_stake(Result(rules, terms, 0, None), True)
        return tuple(value if seat in terms.makers else 0 for seat in range(rules.players))
    if scores is None:
        return None
    lost = _HOFFMANN
    if by_bidder:
        lost = at_stake(Result(rules, terms, 0, None), False) if terms.makers else 0
    return tuple(-lost if s in guilty else scores[s] for s in range(rules.players))


def penalty_faults(
    rules: Ruleset, terms: Terms | None, penalties: tuple[Penalty, ...]
) -> Iterator[Fault]:
    """What is wrong with the penalties of a hand, regardless of its cards."""
    players, ruled = rules.players, set()
    for place, penalty in enumerate(penalties):
        field = f"penalties[{place}]"
        if not 0 <= penalty.by < players:
            yield fault("bad-seat/none-such", players, field=f"{field}.by")
            continue
        if terms is None:
            yield fault("bad-penalty/thrown-in", players, field=field)
            continue
        if penalty.trick is not None and not 1 <= penalty.trick <= rules.hand_size:
            yield fault(
                "bad-penalty/trick", players, field=field, seat=penalty.by, found=penalty.trick
            )
        if (penalty.kind, penalty.by, penalty.trick) in ruled:
            yield fault("bad-penalty/twice", players, field=field, seat=penalty.by)
        ruled.add((penalty.kind, penalty.by, penalty.trick))
        yield from _kind_faults(rules, terms, penalty, field)
        if penalty.kind == RENEGE and penalty.by in terms.sitting_out:
            yield fault("bad-penalty/sits-out", players, field=field, seat=penalty.by)
        fixed = rules.options["renege_form"]
        if penalty.form is not None and (penalty.kind != RENEGE or own_revoke(rules)):
            yield fault("bad-penalty/no-form", players, field=field, seat=penalty.by)
        elif fixed in ("add", "deduct") and penalty.form not in (None, fixed):
            yield fault("bad-penalty/form-rule", players, field=field, seat=penalty.by, form=fixed)


def _kind_faults(rules: Ruleset, terms: Terms, penalty: Penalty, field: str) -> Iterator[Fault]:
    """A penalty that these rules do not have, or that is impossible in this hand."""
    players, by = rules.players, penalty.by
    option = BESIDE.get(penalty.kind, "abandon_points" if penalty.kind == ABANDONED else "")
    if option and not rules.options.get(option):
        yield fault("bad-penalty/kind-rule", players, field=field, seat=by)
    elif penalty.kind == ABANDONED and (terms.lone is None or by in terms.makers):
        yield fault("bad-penalty/abandoned", players, field=field, seat=by)


def penalty_warnings(
    rules: Ruleset, penalties: tuple[Penalty, ...], tricks_played: int
) -> Iterator[Fault]:
    """Warnings about penalties that count but are unusual."""
    has_window = rules.options["renege_window"] == "trick"
    for place, penalty in enumerate(penalties):
        field = f"penalties[{place}]"
        if penalty.kind != RENEGE or own_revoke(rules):
            continue
        if penalty.form is None and rules.options["renege_form"] == "claimant_choice":
            yield fault("form-assumed/add", rules.players, field=field, seat=penalty.by)
        if has_window and penalty.trick is not None and penalty.trick < tricks_played:
            yield fault("late-claim/renege", rules.players, field=field, seat=penalty.by)
