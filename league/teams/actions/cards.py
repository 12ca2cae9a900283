"""Save a match's card: its games, seats and scores."""

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from league.errors import Refused
from league.members.audit import Actor, club_language, log_action
from league.members.models import Member
from league.play.actions import abandon_game, recount_table, settle_game, write_totals
from league.play.actions.confirm import SCORE
from league.play.models import Game
from league.ranking.team_league.match import AWAY, HOME
from league.seating.models import Round, Seat, Table
from league.sessions.actions import bump, lock
from league.sessions.models import Attendance, Session
from league.sessions.queries import local_date
from league.teams.actions.confirming import (
    accept_card,
    answer_dispute,
    game_tables,
    may_correct,
    refuse_closed_card,
    save_second_copy,
)
from league.teams.actions.cups import update_cup
from league.teams.actions.leagues import actor_name, as_player, lock_league
from league.teams.card import (
    Card,
    card_entries,
    card_of,
    changed_games,
    decided_games,
    game_line_ups,
    is_decided,
    meetings_of,
    seats_on,
    start_scores,
)
from league.teams.eligibility import borrowed_by_side, line_up_sentences
from league.teams.models import TeamLeague, TeamMatch
from league.teams.queries import PLANNER, match_records, rules_of
from league.teams.text import late_costs

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
    reason: str = "",
) -> None:
    """Save the games of a card, by (turn, home pair), as the games of the match.

    New games are created and existing ones corrected; a game that is no longer on the card is
    abandoned. `starts` are the points at which games started, `reason` why a card that counts is
    corrected.
    """
    if held_on > local_date(league.club, at):
        message = _("This day is still to come. Enter the day of the match.")
        raise Refused("in-future", message, fields={"held_on": [message]})
    session = _locked_session(match, league, held_on, by=by, at=at)
    tables = {(table.round.number, table.number): table for table in _tables(session)}
    for key, people in seated.items():
        table = tables.get(key)
        if table is None:
            table = _new_table(session, league, key, people, at=at)
        else:
            _change_seats(table, people, at=at)
            _reopen_abandoned_game(table)
        _set_carried_points(table, starts.get(key, (0, 0)), at=at)
        _save_score(table, scores[key], reason, by=by, at=at)
    for key, table in tables.items():
        if key not in seated:
            abandon_game(table, reason=_("not on the card"), by=by, at=at)
    _save_attendance(session, {member for people in seated.values() for member in people}, at)
    bump(session)


def _save_score(
    table: Table, score: tuple[int, int], reason: str, *, by: Actor, at: datetime
) -> None:
    """Save the score of a game; a correction of one that counts is a decision, with its reason."""
    confirmed_games = Game.objects.filter(table=table, state=State.CONFIRMED)
    if reason and (confirmed := confirmed_games.first()):
        if confirmed.totals != list(score):
            settle_game(table, SCORE, reason=reason, by=by, at=at, score=score)
        return
    write_totals(table, score, by=by, at=at, as_organiser=True, awaits_confirmation=True)


def _locked_session(
    match: TeamMatch, league: TeamLeague, held_on: date, *, by: Actor, at: datetime
) -> Session:
    """Return the closed session that holds the games of the match; create it if necessary.

    An existing session is locked first, as in every action on its games.
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
    match.session.club.confirm = league.confirms  # how games of this league are confirmed
    return match.session


def _tables(session: Session) -> list[Table]:
    tables = Table.objects.filter(session=session, round__planner=PLANNER)
    rows = list(tables.select_related("round", "ruleset").order_by("pk"))
    for table in rows:
        table.session = session
    return rows


def _new_table(
    session: Session, league: TeamLeague, key: tuple[int, int], people: Iterable[Member], *,
    at: datetime,
) -> Table:  # fmt: skip
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
        Seat(session=session, table=table, position=place, member=member)
        for place, member in enumerate(people)
    )
    return table


def _change_seats(table: Table, people: Iterable[Member], *, at: datetime) -> None:
    """Seat the players on the card; the results go to them."""
    seats = {seat.position: seat for seat in table.seats.filter(until_hand=None)}
    changed = []
    for place, member in enumerate(people):
        if seats[place].member_id != member.pk:
            seats[place].member = member
            changed.append(seats[place])
    if changed:
        Seat.objects.bulk_update(changed, ["member"])
        recount_table(table, at=at)


def _set_carried_points(table: Table, start: tuple[int, int], *, at: datetime) -> None:
    """Set the points carried over from the game before; they do not count as points scored."""
    carried = list(start) if any(start) else []
    if table.carried != carried:
        table.carried = carried
        table.save(update_fields=["carried"])
        recount_table(table, at=at)


def _reopen_abandoned_game(table: Table) -> None:
    """Reopen the table's game if it had been abandoned and is on the card again."""
    Game.objects.filter(table=table, state=State.ABANDONED).update(
        state=State.PLAYING, totals=None, finished_at=None
    )


def _save_attendance(session: Session, people: set[Member], at: datetime) -> None:
    """Record the players of the match as the attendance of its session."""
    attendance = Attendance.objects.filter(session=session)
    attendance.exclude(member__in=people).delete()
    recorded = set(attendance.values_list("member", flat=True))
    Attendance.objects.bulk_create(
        Attendance(session=session, member=person, arrived_at=at)
        for person in sorted(people, key=lambda member: member.pk)
        if person.pk not in recorded
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
    reason: str = "",
    is_moved: bool = False,
) -> TeamMatch:
    """Save the card of a match, or a new version of it: its games are those of its own session.
    `side` is the side of the captain who writes the card, or None for an organiser, whose card
    counts at once. A captain may change it until it is confirmed, also while the other captain
    disputes it: then it waits to be confirmed again. If the other captain's card is
    waiting or disputed, the same scores confirm it; different ones are saved as a copy, which that
    captain may change until an organiser decides. Games that an organiser has decided stay decided.
    `reason` is why an organiser corrects a card that counts: it stays the card of those who filled
    it in and confirmed it. A card that `is_moved` here from another match, or that is saved once
    more as it is, is not logged as a correction.

    Refuses a card that does not decide the match, a player entered twice, and a line-up that breaks
    the squad rules, unless an organiser says `anyway`, also one who writes it as a captain.
    """
    league = lock_league(match.league)
    match.refresh_from_db()
    if match.is_given:
        raise Refused("given", _("This match was awarded. Undo the award first."), status=409)
    is_second = side is not None and _is_second_card(match, side)
    if not is_second and not is_moved and _is_resent(match, league, card, side):
        return match
    if side is not None and not is_second:
        if _counts_already(match, league, card):
            return match
        if not may_correct(match, league, side) or _corrects_nothing(match, league, card):
            refuse_closed_card(match)
    _refuse_people(league, match, card, anyway=anyway)
    _refuse_undecided(league, card)
    if side is not None and is_second:
        return save_second_copy(match, league, card, side=side, by=by, at=at)
    is_new, decided = match.session_id is None, decided_games(match, league)
    before = _log_data(match, league)
    by = as_player(by, league.club) if reason else by
    save_games(
        match,
        league,
        card.held_on,
        seats_on(card, league),
        card.scores,
        starts=start_scores(card, league),
        by=by,
        at=at,
        reason=reason,
    )
    if not reason:
        match.written_by = None if side is None else (match.home, match.away)[side]
        match.written_as = actor_name(by, league.club)
    _save_card(match, league, card, decided, at=at)
    if side is None:
        accept_card(match, by=by, at=at)
    else:
        answer_dispute(match, league, by=by, at=at)
    if not is_moved:
        _log_card(match, league, before, is_new=is_new, reason=reason, by=by)
    update_cup(match)
    return match


def _log_data(match: TeamMatch, league: TeamLeague) -> tuple[Sequence[Any], dict[str, Any]]:
    """The games of the saved card, and its result, day and borrowed players for the log."""
    held_on = match.held_on.isoformat() if match.held_on else ""
    if match.session_id is None:
        return (), {"held_on": held_on}
    (record,) = match_records([match], league)
    borrowed = borrowed_by_side(match, game_line_ups(match, league))
    names = [member.name for members in borrowed for member in members]
    games = "–".join(str(won) for won in record.met.won)
    with club_language(league.club):
        late = late_costs(match, record.met, rules_of(league))
    data = {"games": games, "held_on": held_on, "borrowed": names, "late": late}
    return record.entries, data


def _log_card(
    match: TeamMatch,
    league: TeamLeague,
    before: tuple[Sequence[Any], dict[str, Any]],
    *,
    is_new: bool,
    reason: str,
    by: Actor,
) -> None:
    """Log the saved card with what has changed since `before`."""
    (entries, old_data), (new_entries, data) = before, _log_data(match, league)
    old, new = changed_games(entries, new_entries)
    if is_new:
        data["scores"], old, new = [*new.values()], {}, {}
    changed = [name for name, value in data.items() if value != old_data.get(name, [])]
    old = {name: old_data[name] for name in changed if name in old_data} | old
    new = {"games": data["games"], **{name: data[name] for name in changed}, **new}
    new |= {"why": reason} if reason else {}
    action = "write match card" if is_new else "correct match card"
    log_action(league.club, by, action, match, session=match.session, old=old or None, new=new)


def _save_card(
    match: TeamMatch,
    league: TeamLeague,
    card: Card,
    decided: Mapping[int, str],
    *,
    at: datetime,
) -> None:
    marks = [
        card.mark(meeting.home_pair, meeting.away_pair) or decided.get(number)
        for number, meeting in enumerate(meetings_of(league))
    ]
    if match.held_on != card.held_on and match.first_date is None:
        match.first_date = match.held_on
    match.held_on, match.totals_only = card.held_on, False
    match.received_at = card.received or match.received_at or at
    if not match.card:
        match.card_note = ""  # why the match is played again: nothing of the new card
    match.card = marks
    match.revision += 1
    match.save(update_fields=CARD_FIELDS)


CARD_FIELDS = [
    "session", "written_by", "written_as", "held_on", "first_date", "received_at", "card",
    "card_note", "totals_only", "revision",
]  # fmt: skip


def _is_second_card(match: TeamMatch, side: int) -> bool:
    """Whether the other captain's card waits for this side to confirm it, or is disputed."""
    other = (match.away_id, match.home_id)[side]
    is_open = bool(game_tables(match, State.FINISHED, State.DISPUTED))
    return match.written_by_id == other and is_open


def _counts_already(match: TeamMatch, league: TeamLeague, card: Card) -> bool:
    """Whether this very card counts already, for example because a phone sent it twice."""
    if match.session_id is None or game_tables(match, State.FINISHED, State.DISPUTED):
        return False
    (record,) = match_records([match], league)
    return record.met.has_card and card_entries(card, league) == list(record.entries)


def _corrects_nothing(match: TeamMatch, league: TeamLeague, card: Card) -> bool:
    """Whether the card has the scores and the players that are saved."""
    (record,), saved = match_records([match], league), card_of(match, league)
    decided = decided_games(match, league)
    entries = [decided.get(n, entry) for n, entry in enumerate(card_entries(card, league))]
    return entries == list(record.entries) and seats_on(card, league) == seats_on(saved, league)


def _is_resent(match: TeamMatch, league: TeamLeague, card: Card, side: int | None) -> bool:
    """Whether this very card is saved already, and saving it again would confirm nothing."""
    open_states = (State.DISPUTED,) if side is not None else (State.DISPUTED, State.FINISHED)
    if match.session_id is None or game_tables(match, *open_states):
        return False
    same_day = match.held_on == card.held_on and card.received in (None, match.received_at)
    return same_day and _corrects_nothing(match, league, card)


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
