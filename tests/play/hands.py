"""Hands to write down in tests: short to say, one for each way a hand can go."""

from league.play.actions import record_hand
from league.play.book import open_book
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
        book = book_of(table)
        number = book.next_number if book else 1
        dealer = book.state.next_dealer if book else 0
        record = made(maker, tricks, dealer)
        hands.append(record_hand(table, record, client_id=f"hand-{number:04}", by=TEST, at=at))
    return hands


def book_of(table):
    book = open_book(table)
    return book if book.game.pk else None
