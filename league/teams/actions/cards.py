"""A match's card: who played in which pair, every score; confirmed, disputed, saved."""

from collections.abc import Iterable, Mapping
from copy import copy
from datetime import date, datetime

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.labels import as_partners
from league.members.audit import Actor, club_language, log_action
from league.members.models import Member
from league.play.actions import (
    abandon_game,
    dispute_game,
    recount_table,
    write_totals,
)
from league.play.models import Game
from league.ranking.team_league.match import AWAY, HOME
from league.seating.models import Round, Seat, Table
from league.sessions.actions import bump, lock
from league.sessions.models import Attendance, Session
from league.sessions.queries import local_date
from league.teams.actions.confirming import accept_card, refuse_captain, tables_of
from league.teams.actions.cups import update_cup
from league.teams.actions.leagues import locked, name_of
from league.teams.card import (
    Card,
    card_of,
    decided_games,
    entries_on,
    is_decided,
    meetings_of,
    starts_of,
)
from league.teams.eligibility import line_up_sentences
from league.teams.models import CardCopy, MatchMessage, TeamLeague, TeamMatch
from league.teams.queries import PLANNER, match_records

Seated = Mapping[tuple[int, int], tuple[Member, ...]]
Scores = Mapping[tuple[int, int], tuple[int, int]]
State = Game.State


def save_games(
    match: TeamMatch,
    league: TeamLeague,
    held_on: date,
    seated: Seated,
    scores: Scores,
    *,
    starts: Mapping[tuple[int, int], tuple[int, int]],
    by: Actor,
    at: datetime,
) -> None:
    """Make the games of a match those of its card, by (turn, home pair): new ones are written,
    others corrected, and one that is no longer on the card was not played. `starts` are the points
    that pairs began with."""
    if held_on > local_date(league.club, at):
        message = _("This day is still to come. Enter the day of the match.")
        raise Refused("in-future", message, fields={"held_on": [message]})
    session = _session(match, league, held_on, by=by, at=at)
    there = {(one.round.number, one.number): one for one in _tables(session)}
    for key, people in seated.items():
        table = there.get(key)
        if table is None:
            table = _new_table(session, league, key, people, at=at)
        else:
            _change_seats(table, people, at=at)
        _play_after_all(table)
        _begin_at(table, starts.get(key, (0, 0)), at=at)
        write_totals(table, scores[key], by=by, at=at, as_organiser=True, awaits_confirmation=True)
    for key, table in there.items():
        if key not in seated:
            abandon_game(table, reason=_("not on the card"), by=by, at=at)
    _save_attendance(session, {one for people in seated.values() for one in people}, at)
    bump(session)


def _session(
    match: TeamMatch, league: TeamLeague, held_on: date, *, by: Actor, at: datetime
) -> Session:
    """The session of the match, closed: nobody is seated in it, and nothing is played live.

    One that is there is locked first, as in every order about its games.
    """
    if match.session is None:
        match.session = Session.objects.create(
            club=league.club,
            season=league.season,
            name=f"{match.home.name} – {match.away.name}"[:80],
            held_on=held_on,
            state=Session.State.CLOSED,
            closed_at=at,
            of_team_match=True,
            made_by=by.user,
            made_at=at,
        )
    else:
        match.session = lock(match.session, to_change=False)
        if match.session.held_on != held_on:
            match.session.held_on = held_on
            match.session.save(update_fields=["held_on"])
    match.session.club = copy(league.club)
    match.session.club.confirm = league.confirms  # what the games of this league end by
    return match.session


def _tables(session: Session) -> list[Table]:
    tables = Table.objects.filter(session=session, round__planner=PLANNER)
    rows = list(tables.select_related("round", "ruleset").order_by("pk"))
    for table in rows:
        table.session = session
    return rows


def _new_table(
    session: Session,
    league: TeamLeague,
    key: tuple[int, int],
    people: Iterable[Member],
    *,
    at: datetime,
) -> Table:
    turn, pair = key
    round_, _made = Round.objects.get_or_create(
        session=session,
        number=turn,
        defaults={
            "state": Round.State.PUBLISHED,
            "seed": 0,
            "planner": PLANNER,
            "by_tournament": True,
            "published_at": at,
        },
    )
    table = Table.objects.create(
        session=session,
        round=round_,
        number=pair,
        players=4,
        ruleset=league.ruleset,
        totals_only=True,
    )
    Seat.objects.bulk_create(
        Seat(session=session, table=table, position=place, member=one)
        for place, one in enumerate(people)
    )
    return table


def _change_seats(table: Table, people: Iterable[Member], *, at: datetime) -> None:
    """Put others in the seats where the card names others; results go with them."""
    seats = {seat.position: seat for seat in table.seats.filter(until_hand=None)}
    changed = []
    for place, member in enumerate(people):
        if seats[place].member_id != member.pk:
            seats[place].member = member
            changed.append(seats[place])
    if changed:
        Seat.objects.bulk_update(changed, ["member"])
        recount_table(table, at=at)


def _begin_at(table: Table, start: tuple[int, int], *, at: datetime) -> None:
    """Let a table's game begin with points carried over from the game before, which are no part
    of what its players took."""
    carried = list(start) if any(start) else []
    if table.carried != carried:
        table.carried = carried
        table.save(update_fields=["carried"])
        recount_table(table, at=at)


def _play_after_all(table: Table) -> None:
    """A game that was abandoned is on the card again."""
    Game.objects.filter(table=table, state=State.ABANDONED).update(
        state=State.PLAYING, totals=None, finished_at=None
    )


def _save_attendance(session: Session, people: set[Member], at: datetime) -> None:
    """Who sat at a table of the match was there."""
    here = Attendance.objects.filter(session=session)
    here.exclude(member__in=people).delete()
    known = set(here.values_list("member", flat=True))
    Attendance.objects.bulk_create(
        Attendance(session=session, member=person, arrived_at=at)
        for person in sorted(people, key=lambda one: one.pk)
        if person.pk not in known
    )


@transaction.atomic
def write_card(
    match: TeamMatch,
    card: Card,
    *,
    side: int | None,
    by: Actor,
    at: datetime,
    anyway: bool = False,
) -> TeamMatch:
    """Save the card of a match, or a new version of it: its games are those of its own session.

    `side` is that of the captain who writes; None for an organiser, whose word counts at once.
    A captain may change it until the card is confirmed. Refuses a card that decides nothing, a
    person twice, and a line-up that the league's rules of squads do not allow, unless an organiser
    says `anyway`. Where the other captain has written a card that waits, the same scores confirm
    it, and others are kept beside it for an organiser to decide. A game that was decided stays so.
    """
    league = locked(match.league)
    match.refresh_from_db()
    if match.is_given:
        raise Refused("given", _("This match was awarded. Undo the award first."), status=409)
    if side is not None:
        if _is_the_same(match, league, card):
            return match
        refuse_captain(match)
    _refuse_people(league, match, card, anyway=anyway and side is None)
    _refuse_undecided(league, card)
    if side is not None and _other_waits(match, side):
        return _second_copy(match, league, card, side=side, by=by, at=at)
    first, kept = match.session_id is None, decided_games(match, league)
    starts = starts_of(card, league)
    seated = _seated(league, card)
    save_games(match, league, card.held_on, seated, card.scores, starts=starts, by=by, at=at)
    _save_card(match, league, card, kept, side=side, by=by, at=at)
    if side is None:
        accept_card(match, by=by, at=at)
    (now,) = match_records([match], league)
    new = {"games": "–".join(str(won) for won in now.met.won)}
    action = "write match card" if first else "correct match card"
    log_action(league.club, by, action, match, session=match.session, new=new)
    update_cup(match)
    return match


def _save_card(
    match: TeamMatch,
    league: TeamLeague,
    card: Card,
    kept: Mapping[int, str],
    *,
    side: int | None,
    by: Actor,
    at: datetime,
) -> None:
    marks = [
        card.mark(one.home_pair, one.away_pair) or kept.get(number)
        for number, one in enumerate(meetings_of(league))
    ]
    match.written_by = None if side is None else (match.home, match.away)[side]
    if match.held_on != card.held_on and match.first_date is None:
        match.first_date = match.held_on
    match.written_as, match.held_on, match.totals_only = (
        name_of(by, match.league.club),
        card.held_on,
        False,
    )
    match.received_at = match.received_at or card.received or at
    match.card = marks
    match.revision += 1
    match.save(update_fields=WRITTEN)


WRITTEN = [
    "session", "written_by", "written_as", "held_on", "first_date", "received_at", "card",
    "totals_only", "revision",
]  # fmt: skip


def _other_waits(match: TeamMatch, side: int) -> bool:
    """Whether the other captain has written a card that is still to be confirmed."""
    other = (match.away_id, match.home_id)[side]
    return match.written_by_id == other and bool(tables_of(match, State.FINISHED))


def _is_the_same(match: TeamMatch, league: TeamLeague, card: Card) -> bool:
    """Whether this very card counts already: a phone that sends it once more changes nothing."""
    if match.session_id is None or tables_of(match, State.FINISHED, State.DISPUTED):
        return False
    (now,) = match_records([match], league)
    return now.met.has_card and entries_on(card, league) == list(now.entries)


def _second_copy(
    match: TeamMatch, league: TeamLeague, card: Card, *, side: int, by: Actor, at: datetime
) -> TeamMatch:
    """The other captain's own copy: equal scores confirm the first, others are kept beside it."""
    (now,) = match_records([match], league)
    games = entries_on(card, league)
    _note_other_pairs(match, league, card, side, by=by, at=at)
    if games == list(now.entries):
        accept_card(match, by=by, at=at, side=side)
        log_action(league.club, by, "confirm match card", match, session=match.session)
        return match
    team = (match.home, match.away)[side]
    CardCopy.objects.update_or_create(
        match=match,
        team=team,
        defaults={"games": games, "said_as": name_of(by, match.league.club), "at": at},
    )
    reason = _("The captains' cards differ.")
    for table in tables_of(match, State.FINISHED):
        dispute_game(table, reason=reason, by=by, at=at, seat=side, after_closing=True)
    log_action(league.club, by, "dispute match card", match, session=match.session, new=reason)
    return match


def _note_other_pairs(
    match: TeamMatch, league: TeamLeague, card: Card, side: int, *, by: Actor, at: datetime
) -> None:
    """Where a captain's own copy has other pairs of their team than the card, a message on the
    match says which."""

    def pairs_on(one: Card) -> set[frozenset[Member]]:
        there = [frozenset(pair) for pair in (one.home, one.away)[side] if pair]
        return {*there, frozenset(one.line_up(side))}

    if pairs_on(card) == pairs_on(card_of(match, league)):
        return
    team = (match.home, match.away)[side].name
    with club_language(league.club):
        pairs = ", ".join(as_partners(pair) for pair in (card.home, card.away)[side] if pair)
        words = {"team": team, "pairs": pairs}
        text = (_("Pairs of %(team)s on our card: %(pairs)s") % words)[:300]
    MatchMessage.objects.create(match=match, text=text, said_as=name_of(by, league.club), at=at)


def _refuse_people(league: TeamLeague, match: TeamMatch, card: Card, *, anyway: bool) -> None:
    seen: set[int] = set()
    for member in card.people:
        if member.pk in seen:
            message = _("%(name)s is in two pairs.") % {"name": member.name}
            raise Refused("twice", message)
        seen.add(member.pk)
    if anyway:
        return
    line_ups = {match.home: card.line_up(HOME), match.away: card.line_up(AWAY)}
    for fault in line_up_sentences(league, match, line_ups, card.held_on):
        raise Refused(fault.code, fault.sentence, asks="anyway")


def _refuse_undecided(league: TeamLeague, card: Card) -> None:
    if not is_decided(card, league):
        message = _(
            "No one has won more than half of the games yet. Enter every game that was played."
        )
        raise Refused("undecided", message)


def _seated(league: TeamLeague, card: Card) -> dict[tuple[int, int], tuple[Member, ...]]:
    """Who sits in the four seats of each game written down."""
    seated: dict[tuple[int, int], tuple[Member, ...]] = {}
    for turn, pair in card.scores:
        home = card.pair_at(HOME, pair, turn)
        away = card.pair_at(AWAY, (pair + turn - 2) % league.pairs + 1, turn)
        if home is None or away is None:
            message = _("A pair that didn't come has no scores.")
            raise Refused("missing-pair", message)
        seated[turn, pair] = (home[0], away[0], home[1], away[1])
    return seated
