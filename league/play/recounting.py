"""Proving what is stored for speed: every game derived anew from its hands and compared."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import Prefetch, QuerySet

from league.play.actions.keeping import keep_rows
from league.play.book import Book, game_of, open_book
from league.play.derived import figures, stored_rows
from league.play.models import Game, Hand, Result, Ruling
from league.seating.models import Seat

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


def differences(games: Iterable[Game]) -> Iterator[Difference]:
    """The games that differ from a recount, each with what differs."""
    for game in games:
        book = prefetched_book(game)
        missing = missing_hands(book)
        if missing:
            yield Difference(game, missing, lost=True)
            continue
        what = [*_figures(book), *_rows(book)]
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
    """Store what the hands say. The way a game was ended stays: that is no derived figure."""
    fresh = game_of(game.table, lock=True) or game
    book = open_book(game.table, fresh)
    told = figures(book)
    for name, value in told.items():
        setattr(fresh, name, value)
    fresh.save(update_fields=list(told))
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
