"""Nights to test seating with: a club that can seat people, a draft, a room, games in any state."""

from datetime import UTC, datetime

from league.seating.actions import draft_round, publish
from league.seating.queries import live_tables, seating_of
from tests.builders import TEST, a_club, a_session, members_of, rulesets_of

AT = datetime(2026, 11, 19, 19, 0, tzinfo=UTC)


def a_seating_club(slug="thursday", **options):
    club = a_club(slug=slug)
    rulesets_of(club, **options)
    return club


def a_night(count, club=None):
    """A session with so many people here, and those people."""
    club = club or a_seating_club()
    members = members_of(club, count)
    return a_session(club, members), members


def draft(night, seed=1, **more):
    return draft_round(night, by=TEST, seed=seed, **more)


def published(night, seed=1, **more):
    return publish(draft(night, seed, **more), by=TEST, at=AT)


def sizes(round_):
    return [table.players for table in seating_of(round_)]


def names_at(round_):
    return [[seat.member.name for seat in table.current_seats] for table in seating_of(round_)]


def table_of(night, players):
    """The first live table of this size."""
    return next(table for table in live_tables(night) if table.players == players)


def a_game(table, state="confirmed", hands=0):
    """A game at a table, with so many hands that count."""
    game = table.games.create(
        session=table.session, ruleset=table.ruleset, state=state, hands_played=hands
    )
    for number in range(1, hands + 1):
        game.hands.create(
            number=number, client_id=f"c{number}", record={}, points=[], entered_as="phone"
        )
    return game
