"""Orders about standings: what they rank by, closing a season, prizes and pots."""

from league.standings.actions.pots import (
    add_pot,
    drop_pot,
    record_payment,
    settle,
    withdraw_payment,
)
from league.standings.actions.ranking import choose_measures, choose_session_measures, end_season

__all__ = [
    "add_pot",
    "choose_measures",
    "choose_session_measures",
    "drop_pot",
    "end_season",
    "record_payment",
    "settle",
    "withdraw_payment",
]
