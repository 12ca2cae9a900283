"""The terms a record's hand is played under, asked of the engine."""

from scoring.particulars import known_before_play
from scoring.play.pickup import cards_changed
from scoring.settling import engine_of


def terms_of(record, rules):
    """Its terms, or None where the hand was thrown in."""
    return (
        engine_of(rules)
        .agree(
            record.dealer,
            record.upcard,
            record.auction,
            record.contract,
            record.thrown_in,
            record.lone_maker,
            record.lone_defender,
            cards_changed(record),
            *known_before_play(record, rules),
        )
        .terms
    )
