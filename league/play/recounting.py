"""Proving what is stored for speed: every game derived anew from its hands and compared.

`differing` looks thoroughly only at games that `proving` has not found right in its quick way.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice

from django.db import transaction
from django.db.models import Prefetch, QuerySet

from league.play.actions.keeping import keep_rows, lock_book
from league.play.book import Book, answer_of
from league.play.derived import figures, stored_rows
from league.play.models import Game, Hand, Result, Ruling
from league.play.proving import unproved
from league.seating.models import Seat
from league.sessions.models import Session

AT_A_TIME = 500  # games in memory

SHOWN = ("session_id", "provisional", *(
    name.name
    for name in Result._meta.concrete_fields
    if name.name not in ("id", "session", "game", "member", "position", "provisional")
))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """One game whose stored figures are not what its hands say. `lost`: hands are missing, so
    that nobody can say what the figures should be."""

    game: Game
    what: list[str] = field(default_factory=list)
    lost: bool = False


def differing(games: QuerySet[Game], *, deep: bool = False) -> Iterator[Difference]:
    """The games that differ from a recount. `deep`: look thoroughly at every one.

    A hand may be written down between two of our questions, so a game that seems to differ is
    looked at once more while nobody can write in its session.
    """
    every = games.order_by("pk").values_list("pk", flat=True)
    ids = every.iterator(chunk_size=AT_A_TIME) if deep else unproved(games)
    while part := list(islice(ids, AT_A_TIME)):
        for found in differences(with_everything(Game.objects.filter(pk__in=part).order_by("pk"))):
            yield from _looked_at_again(found.game)


@transaction.atomic
def _looked_at_again(game: Game) -> list[Difference]:
    Session.objects.select_for_update().get(pk=game.session_id)
    return list(differences(with_everything(Game.objects.filter(pk=game.pk))))


def differences(games: Iterable[Game]) -> Iterator[Difference]:
    """The games that differ from a recount, each with what differs."""
    for game in games:
        book = prefetched_book(game)
        missing = missing_hands(book)
        if missing:
            yield Difference(game, missing, lost=True)
            continue
        what = [*_hands(book), *_figures(book), *_rows(book)]
        if what:
            yield Difference(game, what)


def missing_hands(book: Book) -> list[str]:
    """Gaps that no order leaves behind: a hand or a version of one that somebody deleted."""
    told = []
    versions: dict[int, list[int]] = {}
    for hand in book.versions:
        versions.setdefault(hand.number, []).append(hand.version)
    for number in range(1, max(versions, default=0) + 1):
        found = sorted(versions.get(number, []))
        if found != list(range(1, len(found) + 1)) or not found:
            told.append(f"hand {number}: versions {found} are there")
    if len(book.versions) != book.game.hands_written:
        told.append(f"{len(book.versions)} of {book.game.hands_written} entries are there")
    if len(book.rulings) != book.game.rulings_written:
        told.append(f"{len(book.rulings)} of {book.game.rulings_written} rulings are there")
    current = [hand.number for hand in book.hands]
    if current != list(range(1, len(current) + 1)):
        told.append(f"the hands that count are {current}")
    return told


@transaction.atomic
def rebuild(game: Game) -> None:
    """Store what the hands say. The way a game was ended stays: that is no derived figure.

    Raises the session's revision, so that no page keeps showing what was wrong.
    """
    book = lock_book(game.table, open_only=False)
    told = figures(book)
    for name, value in told.items():
        setattr(book.game, name, value)
    book.game.save(update_fields=list(told))
    for hand in book.hands:
        hand.points, hand.outcome = worth(book, hand)
        hand.save(update_fields=["points", "outcome"])
    keep_rows(book)


def with_everything(games: QuerySet[Game]) -> QuerySet[Game]:
    """Games with all that their figures follow from and all that is stored, in few queries."""
    hands = Hand.objects.order_by("number", "version")
    seats = Seat.objects.select_related("member").order_by("position", "from_hand")
    return games.select_related(
        "table__session__club", "table__ruleset", "ruleset"
    ).prefetch_related(
        Prefetch("hands", queryset=hands),
        Prefetch("rulings", queryset=Ruling.objects.order_by("id")),
        Prefetch("table__seats", queryset=seats),
        "results",
    )


def prefetched_book(game: Game) -> Book:
    """The book of a game that came `with_everything`: no query."""
    return Book(
        game.table,
        game,
        list(game.hands.all()),
        list(game.rulings.all()),
        list(game.table.seats.all()),
    )


def worth(book: Book, hand: Hand) -> tuple[list[int], str]:
    """What a hand is to have stored: its points by seat and its outcome."""
    if hand.struck:
        return [0] * book.rules.players, "struck"
    answer = answer_of(book.state, hand.number)
    return list(answer.points or ()), answer.outcome or ""


def _hands(book: Book) -> Iterator[str]:
    for hand in book.hands:
        counted = worth(book, hand)
        if (hand.points, hand.outcome) != counted:
            stored = f"{hand.outcome} {hand.points}"
            yield f"hand {hand.number}: stored {stored}, counted {counted[1]} {counted[0]}"


def _figures(book: Book) -> Iterator[str]:
    for name, value in figures(book).items():
        stored = getattr(book.game, name)
        if stored != value:
            yield f"{name}: stored {stored}, counted {value}"


def _rows(book: Book) -> Iterator[str]:
    counted = {(row.member_id, row.position): row for row in stored_rows(book)}
    stored = {(row.member_id, row.position): row for row in book.game.results.all()}
    for key in counted.keys() | stored.keys():
        yield from _row(key, stored.get(key), counted.get(key))


def _row(key: tuple[int, int], stored: Result | None, counted: Result | None) -> Iterator[str]:
    where = f"member {key[0]} on chair {key[1]}"
    if stored is None or counted is None:
        yield f"{where}: {'no row is stored' if stored is None else 'a row too many'}"
        return
    for name in SHOWN:
        was, now = getattr(stored, name), getattr(counted, name)
        if was != now:
            yield f"{where}, {name}: stored {was}, counted {now}"
