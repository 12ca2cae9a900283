"""Evenings written down elsewhere: what a sheet of hands would do, then all of it or nothing."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time

from django.db import transaction
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _

from league.errors import Refused
from league.exchange.hands_sheet import SheetGame, games_on
from league.exchange.reading import Row
from league.exchange.sheet_trouble import Trouble, refuse_bad_lines
from league.exchange.sheet_words import POINTS
from league.members.actions.people import lock_club
from league.members.audit import Actor, note
from league.members.models import Club, ClubRuleset, Member
from league.members.names import name_key
from league.members.queries import people_of
from league.play.actions import confirm_game, game_at, record_hand
from league.play.book import rules_of
from league.play.models import Game, Hand
from league.seating.actions import end_table
from league.seating.models import Round, Seat, Table
from league.sessions.actions import arrive, close_session, start_session
from league.sessions.models import Session
from scoring import play_game


@dataclass(frozen=True, slots=True)
class HandsPreview:
    """What a sheet of hands would do: the games that are new, how many are here already, and
    every trouble with its line."""

    new: list[SheetGame]
    known: int
    troubles: list[Trouble]

    @property
    def agreed(self) -> str:
        """Stands for what was shown."""
        told = [(str(g.day), g.session, g.game, g.table, g.players, g.records) for g in self.new]
        return hashlib.sha256(repr(told).encode()).hexdigest()[:32]

    @property
    def hands(self) -> int:
        return sum(len(game.records) for game in self.new)


def preview_hands(club: Club, rows: Sequence[Row], *, at: datetime) -> HandsPreview:
    """What the sheet would do. Changes nothing; a game that is here already stays as it is."""
    games, troubles = games_on(rows)
    here = _Here(club, games, club.local(at).date())
    new = [game for game in games if not here.has(game)]
    for game in games:
        troubles += here.differs(game) if here.has(game) else here.cannot(game)
    troubles.sort(key=lambda trouble: trouble.line)
    return HandsPreview(new, len(games) - len(new), troubles)


@transaction.atomic
def import_hands(
    club: Club, rows: Sequence[Row], *, agreed: str, by: Actor, at: datetime
) -> list[Session]:
    """Write every new game down, as its table would have, in closed sessions of its own."""
    lock_club(club)
    found = preview_hands(club, rows, at=at)
    refuse_bad_lines(found.troubles)
    if not constant_time_compare(agreed, found.agreed):
        sentence = _("Something changed since you looked. Here is the list again.")
        raise Refused("list_changed", sentence, fields={"file": [sentence]}, status=409)
    nights: dict[tuple[date, str], list[SheetGame]] = {}
    for game in found.new:
        nights.setdefault(game.night, []).append(game)
    made = [_night(club, games, by=by) for games in nights.values()]
    if made:
        note(club, by, "import hands", found.hands, new={"games": len(found.new)})
    return made


class _Here:
    """What the club has: its people, its rules, its sessions, and the games of the sheet that
    were written down before. A fixed number of queries."""

    def __init__(self, club: Club, games: Sequence[SheetGame], today: date) -> None:
        self.today = today
        self.people = people_by_name(club)
        self.rules = default_rules(club)
        self.nights = set(club.sessions.values_list("held_on", "name"))
        ids = [hand_id(club, game, 1) for game in games]
        codes = [game.game for game in games]
        ours = Hand.objects.filter(game__session__club=club, current=True, struck=False)
        written = Game.objects.filter(session__club=club)
        self.by_code = {g.public_id: g.pk for g in written.filter(public_id__in=codes)}
        first = ours.filter(client_id__in=ids).values_list("client_id", "game")
        self.by_id = dict(first)
        self.kept: dict[int, dict[int, object]] = {}
        known = [*self.by_code.values(), *self.by_id.values()]
        for pk, number, record in ours.filter(game__in=known).values_list(
            "game", "number", "record"
        ):
            self.kept.setdefault(pk, {})[number] = record
        self.club = club

    def _pk(self, game: SheetGame) -> int | None:
        return self.by_code.get(game.game) or self.by_id.get(hand_id(self.club, game, 1))

    def has(self, game: SheetGame) -> bool:
        return self._pk(game) is not None

    def differs(self, game: SheetGame) -> Iterator[Trouble]:
        """A game that is here already has to be the same one."""
        kept = self.kept.get(self._pk(game) or 0, {})
        for row, record in zip(game.rows, game.records, strict=True):
            if kept.get(int(row["hand"])) != record:
                yield Trouble(row.line, "hand", _("This hand is here already, and is another."))

    def cannot(self, game: SheetGame) -> Iterator[Trouble]:
        """Why a new game cannot be written down."""
        line = game.rows[0].line
        if game.day > self.today:
            yield Trouble(line, "date", _("This day has not come yet."))
        if game.night in self.nights:
            yield Trouble(line, "session", _("There is a session of this name on this day."))
        yield from self._who(game)
        rules = self.rules.get(len(game.players))
        if rules is None:
            yield Trouble(line, "player 1", _("The club has no rules for so many players."))
        else:
            yield from _folded(game, rules)

    def _who(self, game: SheetGame) -> Iterator[Trouble]:
        line, found = game.rows[0].line, set()
        for name in game.players:
            member = self.people.get(name_key(name))
            if member is None:
                sentence = _("%(name)s is not among the club's people.") % {"name": name}
                yield Trouble(line, "player 1", sentence)
            elif member.pk in found:  # by a name of now and by an earlier one
                yield Trouble(line, "player 1", _("Nobody sits on two chairs."))
            else:
                found.add(member.pk)


def _folded(game: SheetGame, rules: ClubRuleset) -> Iterator[Trouble]:
    """What the club's rules say of the hands, and of the points beside them."""
    state = play_game(rules_of(rules.body), game.records, first_dealer=game.records[0]["dealer"])
    for found in state.faults:
        row = game.rows[(found.hand or 1) - 1]
        yield Trouble(row.line, "record", found.message)
    for row, answer in zip(game.rows, state.answers, strict=False):
        told = [row[column] for column in POINTS if row[column]]
        if told and answer.points is not None and told != [str(p) for p in answer.points]:
            paid = ", ".join(map(str, answer.points))
            sentence = _("By the club's rules this hand pays %(points)s.") % {"points": paid}
            yield Trouble(row.line, "points 1", sentence)
    if not state.over:
        yield Trouble(game.rows[-1].line, "hand", _("After this hand the game is not over."))


def people_by_name(club: Club) -> dict[str, Member]:
    """Everybody by the names they go or went by; a name of two people is nobody's."""
    found: dict[str, Member] = {}
    twice: set[str] = set()
    for member in people_of(club):
        for key in {name_key(name) for name in (member.name, *member.former_names)}:
            twice |= {key} & found.keys()
            found[key] = member
    return {key: member for key, member in found.items() if key not in twice}


def default_rules(club: Club) -> dict[int, ClubRuleset]:
    """What each size of table plays by."""
    return {one.players: one for one in club.rulesets.filter(is_default=True)}


def hand_id(club: Club, game: SheetGame, place: int) -> str:
    """The client id of an imported hand: the same sheet again finds what it wrote before."""
    told = f"{club.pk}:{game.day}:{game.session}:{game.game}"
    return f"import-{hashlib.sha256(told.encode()).hexdigest()[:24]}-{place}"


def _night(club: Club, games: list[SheetGame], *, by: Actor) -> Session:
    """One evening from its first game to its end, at eight in the club's zone."""
    day, name = games[0].night
    at = datetime.combine(day, time(20), tzinfo=club.zone)
    night = start_session(club, by=by, at=at, name=name, held_on=day)
    people, rules = people_by_name(club), default_rules(club)
    came = {name_key(one): people[name_key(one)] for game in games for one in game.players}
    for member in {one.pk: one for one in came.values()}.values():
        if member.retired_at is None:
            arrive(night, member, by=by, at=at)
    for game in games:
        _game(night, game, came, rules[len(game.players)], by=by, at=at)
    return close_session(night, by=by, at=at)


def _game(
    night: Session,
    game: SheetGame,
    people: dict[str, Member],
    rules: ClubRuleset,
    *,
    by: Actor,
    at: datetime,
) -> None:
    """Sit the people down, write their hands down, and let them rise. A table's first game is in
    round 1, its second in round 2."""
    number = night.tables.filter(number=game.table).count() + 1
    round_, _made = Round.objects.get_or_create(
        session=night,
        number=number,
        defaults={"state": Round.State.PUBLISHED, "seed": 0, "published_at": at},
    )
    table = Table.objects.create(
        session=night,
        round=round_,
        number=game.table,
        players=len(game.players),
        ruleset=rules,
        first_dealer=game.records[0]["dealer"],
        is_live=True,
    )
    Seat.objects.bulk_create(
        Seat(session=night, table=table, position=chair, member=people[name_key(name)], seated=True)
        for chair, name in enumerate(game.players)
    )
    for place, record in enumerate(game.records, 1):
        client_id = hand_id(night.club, game, place)
        record_hand(table, record, client_id=client_id, by=by, at=at, confirm_unlikely=True)
    if game_at(table).state == Game.State.FINISHED:
        confirm_game(table, by=by, at=at)
    end_table(table, by=by)
