"""Penalties as rulings: what a renege costs whom, always an entry of its own beside the hand."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scoring.auction.terms import Terms, side_of
from scoring.faults import Fault, fault
from scoring.records import Penalty
from scoring.rulesets import Ruleset


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A director's ruling that stands beside the hands of a game, made when he learned of it.

    `after` counts the hands already recorded when it takes effect (0 = before the first); `hand`
    is the hand it is about, from 1. Of `kind` "renege", `by` is the guilty seat, `form` "add" or
    "deduct", `lone` whether somebody played alone in that hand (None = look it up). Of `kind`
    "adjustment", `points` by side (by seat where every seat has its own score) are added as they
    stand.

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
    rules: Ruleset, by: int, *, lone: bool, form: str | None, makers: tuple[int, ...]
) -> tuple[int, ...]:
    """Points by seat of one proved renege (004:137-138, D-24).

    Added to the innocent side or taken from the guilty one, at the claimant's choice unless the
    rules fix it. Where every seat has its own score, a guilty maker's opponents both gain, a
    guilty defender's maker does; a deduction falls on the guilty seat alone.
    """
    amount = rules.options["renege_points_lone" if lone else "renege_points"]
    guilty = side_of(rules, by)
    if chosen_form(rules, form) == "deduct":
        return tuple(-amount if seat in guilty else 0 for seat in range(rules.players))
    gains = set(range(rules.players)) - set(guilty)
    if not rules.partnership and by not in makers and makers:
        gains = set(makers)
    return tuple(amount if seat in gains else 0 for seat in range(rules.players))


def chosen_form(rules: Ruleset, form: str | None) -> str:
    """`add` or `deduct`: what the rules fix, else what the claimant chose, else add."""
    fixed = str(rules.options["renege_form"])
    return fixed if fixed in ("add", "deduct") else form or "add"


def penalties_effect(rules: Ruleset, terms: Terms, penalties: Iterable[Penalty]) -> tuple[int, ...]:
    """Points by seat of a hand that ended in proved reneges: they replace its score (D-24)."""
    total = [0] * rules.players
    lone = terms.lone is not None or terms.lone_defender is not None
    for penalty in penalties:
        effect = renege_effect(rules, penalty.by, lone=lone, form=penalty.form, makers=terms.makers)
        total = [sum(pair) for pair in zip(total, effect, strict=True)]
    return tuple(total)


def penalty_faults(
    rules: Ruleset, terms: Terms | None, penalties: tuple[Penalty, ...]
) -> Iterator[Fault]:
    """What is wrong with the penalties of a hand, whatever its cards show."""
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
        if (penalty.by, penalty.trick) in ruled:
            yield fault("bad-penalty/twice", players, field=field, seat=penalty.by)
        ruled.add((penalty.by, penalty.trick))
        if penalty.by in terms.sitting_out:
            yield fault("bad-penalty/sits-out", players, field=field, seat=penalty.by)
        fixed = rules.options["renege_form"]
        if fixed in ("add", "deduct") and penalty.form not in (None, fixed):
            yield fault("bad-penalty/form-rule", players, field=field, seat=penalty.by, form=fixed)


def penalty_warnings(
    rules: Ruleset, penalties: tuple[Penalty, ...], tricks_played: int
) -> Iterator[Fault]:
    """Rulings that stand but that nobody would expect."""
    late = rules.options["renege_window"] == "trick"
    for place, penalty in enumerate(penalties):
        field = f"penalties[{place}]"
        if penalty.form is None and rules.options["renege_form"] == "claimant_choice":
            yield fault("form-assumed/add", rules.players, field=field, seat=penalty.by)
        if late and penalty.trick is not None and penalty.trick < tricks_played:
            yield fault("late-claim/renege", rules.players, field=field, seat=penalty.by)
