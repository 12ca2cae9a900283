"""Who has played for which team, and what the league's rules say about line-ups and transfers."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from league.members.models import Member
from league.ranking.team_league.match import AWAY, HOME
from league.ranking.team_league.squads import (
    Appearance,
    LineUp,
    SquadPlace,
    SquadRules,
    Transfers,
    keeps_division,
    line_up_faults,
    squad_faults,
    transfer_faults,
)
from league.seating.models import Seat
from league.teams.card import GameLineUp, card_of
from league.teams.models import Team, TeamLeague, TeamMatch, TeamPlayer, Transfer
from league.teams.text import squad_sentence
from league.teams.validators import squad_rules_from
from league.tournaments.queries import NameOf


def squad_rules_of(league: TeamLeague) -> SquadRules:
    """The league's squad rules, with this season's dates. One query."""
    second_half = league.matches.filter(cup=None, half=2, held_on__isnull=False)
    first_day = second_half.order_by("held_on").values_list("held_on", flat=True).first()
    return squad_rules_from(league.squad_rules, borrowed=league.borrowed, second_half=first_day)


@dataclass(frozen=True, slots=True)
class LineUpFault:
    """A squad rule that a line-up breaks: its code, the sentence, and the player concerned."""

    code: str
    sentence: str
    member: Member | None = None


def line_up_sentences(
    league: TeamLeague, match: TeamMatch, line_ups: Mapping[Team, Collection[Member]], day: date
) -> list[LineUpFault]:
    """Every squad rule that the line-ups of both teams break on a day, leaving out a line-up that
    is on the saved card of that day. Nine queries at most."""
    rules, squads = squad_rules_of(league), squads_on(league, day)
    played = appearances(league, without=match)
    members = {member.pk: member for people in line_ups.values() for member in people}
    teams = dict(league.teams.values_list("pk", "name"))
    saved = _saved_line_ups(match, league, day)
    faults = []
    for team, people in line_ups.items():
        if set(people) == saved.get(team):
            continue
        line_up = LineUp(team.pk, day, tuple(person.pk for person in people), match.cup_id)
        for fault in line_up_faults(line_up, squads, played, rules):
            other = teams.get(fault.team or team.pk, "")
            member = members.get(fault.player or 0)
            names = [members[key].name for key in fault.others] or [member.name if member else ""]
            sentence = squad_sentence(fault, ", ".join(names), other)
            faults.append(LineUpFault(fault.code, sentence, member))
    return faults


def _saved_line_ups(match: TeamMatch, league: TeamLeague, day: date) -> dict[Team, set[Member]]:
    """The line-ups on the match's saved card, if it is of that day."""
    if match.session_id is None or match.held_on != day:
        return {}
    card = card_of(match, league)
    return {match.home: set(card.line_up(HOME)), match.away: set(card.line_up(AWAY))}


def players_by_seat(pairs: Sequence[tuple[Member, Member] | None]) -> dict[tuple[int, int], Member]:
    """The players of one side of a card, by (pair, seat)."""
    numbered = enumerate(pairs, 1)
    return {(n, seat): member for n, pair in numbered for seat, member in enumerate(pair or (), 1)}


SPARE = 2
"""How many spare players a squad may have and still be filled in on its first card."""


def last_line_up(team: Team, squad: Sequence[Member]) -> dict[tuple[int, int], Member]:
    """The team's last line-up by (pair, seat), without players who left the squad; two queries.

    Seats of borrowed players go to the rest of the squad, if that fills them exactly. Before its
    first match it is the squad in order, if that has few players to spare.
    """
    pairs, own_players = team.league.pairs, {player.pk: player for player in squad}
    matches = team.league.matches.filter(Q(home=team) | Q(away=team)).exclude(session=None)
    last = matches.order_by("-held_on", "-pk").first()
    seats = [(pair, seat) for pair in range(1, pairs + 1) for seat in (1, 2)]
    if last is None:
        is_full = 0 <= len(squad) - len(seats) <= SPARE
        return dict(zip(seats, squad, strict=False)) if is_full else {}
    side = 0 if last.home_id == team.pk else 1
    rows = Seat.objects.filter(session=last.session_id, until_hand=None)
    rows = rows.filter(position__in=(side, side + 2))
    line_up = {}
    for turn, table, position, member in rows.order_by("-table__round__number").values_list(
        "table__round__number", "table__number", "position", "member"
    ):
        pair = table if side == 0 else (table + turn - 2) % pairs + 1
        if member in own_players:
            line_up[pair, 1 + position // 2] = own_players[member]
    free = [seat for seat in seats if seat not in line_up]
    rest = [player for player in squad if player not in line_up.values()]
    return {**line_up, **(dict(zip(free, rest, strict=True)) if len(free) == len(rest) else {})}


def last_pairs(league: TeamLeague) -> dict[int, list[tuple[int, int]]]:
    """The pairs that began each team's last match, as keys of members; two queries."""
    last: dict[int, tuple[int | None, int]] = {}
    for match in league.matches.exclude(session=None).order_by("held_on", "pk"):
        last |= {match.home_id: (match.session_id, 0), match.away_id: (match.session_id, 1)}
    team_at = {place: team for team, place in last.items()}
    seats = Seat.objects.filter(
        session__in={session for session, _side in team_at},
        until_hand=None,
        table__round__number=1,
    ).order_by("session", "table__number", "position")
    members: dict[tuple[int, int, int], list[int]] = defaultdict(list)
    for session, table, position, member in seats.values_list(
        "session", "table__number", "position", "member"
    ):
        members[session, table, position % 2].append(member)
    pairs: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for (session, _table, side), pair in members.items():
        if (session, side) in team_at and len(pair) == 2:
            pairs[team_at[session, side]].append((pair[0], pair[1]))
    return pairs


def squads_on(league: TeamLeague, day: date) -> list[SquadPlace]:
    """The team of each player on a day, undoing transfers made since; two queries."""
    places = {place.member_id: place for place in TeamPlayer.objects.filter(league=league)}
    squads = {
        key: SquadPlace(key, place.team_id, place.registered_on) for key, place in places.items()
    }
    for transfer in league.transfers.filter(day__gt=day).order_by("-day", "-pk"):
        squads[transfer.member_id] = SquadPlace(transfer.member_id, transfer.source_id)
    return list(squads.values())


def appearances(league: TeamLeague, *, without: TeamMatch | None = None) -> list[Appearance]:
    """Every player of every card, once per match; four queries."""
    matches = {
        match.session_id: match
        for match in league.matches.exclude(session=None)
        if without is None or match.pk != without.pk
    }
    seats = Seat.objects.filter(session__in=matches, until_hand=None)
    rows = seats.values_list("session", "member", "position").distinct()
    sides = {(session, member, place % 2) for session, member, place in rows}
    squads = {place.player: place for place in squads_on(league, date.max)}
    transfers: dict[int, list[Transfer]] = {}
    for transfer in league.transfers.order_by("day", "pk"):
        transfers.setdefault(transfer.member_id, []).append(transfer)
    listed = []
    for session, member, side in sorted(sides):
        match = matches[session]
        team = (match.home_id, match.away_id)[side]
        day = match.held_on or date.min
        place = squads.get(member)
        team_then = next((t.source_id for t in transfers.get(member, []) if t.day > day), None)
        is_own = team == (team_then or (place.team if place else None))
        listed.append(Appearance(member, team, day, is_own, match.cup_id))
    return listed


def transfer_sentences(league: TeamLeague, member: Member, day: date) -> list[tuple[str, str]]:
    """The squad rules against a member's transfer, as (code, sentence). Two queries."""
    counts = league.transfers.values_list("member").annotate(n=Count("pk"))
    faults = transfer_faults(member.pk, day, Transfers(dict(counts)), squad_rules_of(league))
    return [(fault.code, squad_sentence(fault, member.name)) for fault in faults]


def small_squad(team: Team) -> str:
    """A warning if a team has too few players by the league's rules, or "". Two queries."""
    players = team.players.filter(member__erased_at=None)
    rules, n = squad_rules_of(team.league), players.count()
    return _small_squad_sentence(team.name, n, rules) if squad_faults(n, rules) else ""


def _small_squad_sentence(team: str, n: int, rules: SquadRules) -> str:
    words = {"team": team, "n": n, "least": rules.least}
    return _("%(team)s has %(n)d players; a squad needs at least %(least)d.") % words


def squad_notes(league: TeamLeague) -> list[str]:
    """Warnings before the draw: squads that are too small, and teams that too few players stayed
    with to keep their division. Four queries."""
    rules = squad_rules_of(league)
    squads, old_squads = _squads(league), _squads(league.before) if league.before else {}
    sentences = []
    for name, people in squads.items():
        if squad_faults(len(people), rules):
            sentences.append(_small_squad_sentence(name, len(people), rules))
        old = old_squads.get(name)
        if old is not None and not keeps_division(old, people, rules):
            words = {"team": name, "n": len(old & people), "least": rules.keeps_place}
            text = _(
                "Players of %(team)s who stayed: %(n)d; it takes %(least)d to keep its division."
            )
            sentences.append(text % words)
    return sentences


def _squads(league: TeamLeague) -> dict[str, set[int]]:
    """The players of each team that has not left: {team name: player keys}."""
    teams = league.teams.filter(withdrawn_at=None).order_by("name").prefetch_related("players")
    return {team.name: {place.member_id for place in team.players.all()} for team in teams}


def borrowed_counts(league: TeamLeague) -> Counter[int]:
    """How often each player has been borrowed this season, cup matches aside."""
    return Counter(
        appearance.player
        for appearance in appearances(league)
        if not appearance.own and appearance.cup is None
    )


def borrowed_by_side(match: TeamMatch, lines: Sequence[GameLineUp]) -> list[list[Member]]:
    """The borrowed players of the home and the away side on a card, without erased players, whose
    team is not known any more. Two queries."""
    places = squads_on(match.league, match.held_on or date.max)
    team_of = {place.player: place.team for place in places}
    sides = []
    for side, team in enumerate((match.home, match.away)):
        people = dict.fromkeys(member for line in lines for member in (line.home, line.away)[side])
        sides.append([p for p in people if not p.erased_at and team_of.get(p.pk) != team.pk])
    return sides


def borrowed_shown(match: TeamMatch, lines: Sequence[GameLineUp], name_of: NameOf) -> list[str]:
    """The borrowed players on a card, one sentence per team. Two queries."""
    return [
        _("Borrowed by %(team)s: %(names)s.")
        % {"team": team.name, "names": ", ".join(map(name_of, borrowed))}
        for team, borrowed in zip(
            (match.home, match.away), borrowed_by_side(match, lines), strict=True
        )
        if borrowed
    ]
