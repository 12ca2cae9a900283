"""Hands to write down in tests: short to say, one for each way a hand can go."""

from league.play.actions import record_hand
from league.play.game_log import open_game_log
from tests.builders import EIGHT, TEST


def made(maker=0, tricks=3, dealer=0, **more):
    """A hand in which `maker` called and the makers took so many tricks."""
    contract = {"seat": maker} | {k: more.pop(k) for k in ("trump", "alone") if k in more}
    return {"dealer": dealer, "contract": contract, "tricks_won": {"makers": tricks}, **more}


def passed_out(dealer=0):
    return {"dealer": dealer, "contract": None}


def write(table, *tricks_of, at=EIGHT):
    """Write down hands one after the other, each as (maker, tricks); the deal goes round."""
    hands = []
    for maker, tricks in tricks_of:
        log = log_of(table)
        number = log.next_number if log else 1
        dealer = log.state.next_dealer if log else 0
        record = made(maker, tricks, dealer)
        hands.append(record_hand(table, record, client_id=f"hand-{number:04}", by=TEST, at=at))
    return hands


def write_records(table, *records, at=EIGHT, sure=False):
    """The same of whole records, each dealt by whom it is for to deal; `sure` of unlikely ones."""
    for record in records:
        log = open_game_log(table)
        due = log.state.next_dealer
        dealer = record.get("dealer", log.game.first_dealer if due is None else due)
        code = f"hand-{log.next_number:04}"
        whole = {**record, "dealer": dealer}
        record_hand(table, whole, client_id=code, by=TEST, at=at, confirm_unlikely=sure)


def log_of(table):
    log = open_game_log(table)
    return log if log.game.pk else None
