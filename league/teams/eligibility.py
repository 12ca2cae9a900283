"""Who has played for whom in a league; what its rules say of line-ups and transfers."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from league.members.models import Member
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
from league.teams.card import LinedUp
from league.teams.models import Team, TeamLeague, TeamMatch, TeamPlayer, Transfer
from league.teams.text import squad_sentence
from league.teams.validators import squad_rules_from
from league.tournaments.queries import NameOf


def squad_rules_of(league: TeamLeague) -> SquadRules:
    """The league's rules of squads, with the days of this season. One query."""
    second = league.matches.filter(cup=None, half=2, held_on__isnull=False)
    first_day = second.order_by("held_on").values_list("held_on", flat=True).first()
    return squad_rules_from(league.squad_rules, borrowed=league.borrowed, second_half=first_day)


@dataclass(frozen=True, slots=True)
class LineUpFault:
    """A rule of squads that a line-up breaks: its code, the sentence, whom it is about."""

    code: str
    sentence: str
    member: Member | None = None


def line_up_sentences(
    league: TeamLeague, match: TeamMatch, line_ups: Mapping[Team, Collection[Member]], day: date
) -> list[LineUpFault]:
    """Everything that is wrong with who plays for both teams on a day. Five queries."""
    rules, squads = squad_rules_of(league), squads_on(league, day)
    played = appearances(league, without=match)
    known = {one.pk: one for people in line_ups.values() for one in people}
    teams = dict(league.teams.values_list("pk", "name"))
    sentences = []
    for team, people in line_ups.items():
        line_up = LineUp(team.pk, day, tuple(person.pk for person in people), match.cup_id)
        for fault in line_up_faults(line_up, squads, played, rules):
            other, member = teams.get(fault.team or team.pk, ""), known.get(fault.player or 0)
            sentence = squad_sentence(fault, member.name if member else "", other)
            sentences.append(LineUpFault(fault.code, sentence, member))
    return sentences


SPARE = 2
"""How many players more than a line-up a squad has that still fills in its first card."""


def last_line_up(team: Team, squad: Sequence[Member]) -> dict[tuple[int, int], Member]:
    """Who sat where when the team last played, by pair and seat, of those who are still in its
    squad; before its first match the squad in order, where it is one line-up and few more. Two
    queries."""
    pairs, own = team.league.pairs, {one.pk: one for one in squad}
    matches = team.league.matches.filter(Q(home=team) | Q(away=team)).exclude(session=None)
    last = matches.order_by("-held_on", "-pk").first()
    if last is None:
        seats = [(pair, seat) for pair in range(1, pairs + 1) for seat in (1, 2)]
        begins = 0 <= len(squad) - len(seats) <= SPARE
        return dict(zip(seats, squad, strict=False)) if begins else {}
    side = 0 if last.home_id == team.pk else 1
    rows = Seat.objects.filter(session=last.session_id, until_hand=None)
    rows = rows.filter(position__in=(side, side + 2))
    line_up = {}
    for turn, table, position, member in rows.order_by("-table__round__number").values_list(
        "table__round__number", "table__number", "position", "member"
    ):
        pair = table if side == 0 else (table + turn - 2) % pairs + 1
        if member in own:
            line_up[pair, 1 + position // 2] = own[member]
    return line_up


def squads_on(league: TeamLeague, day: date) -> list[SquadPlace]:
    """Who was of which team on a day: as now, but for those who went elsewhere since. Two
    queries."""
    places = {one.member_id: one for one in TeamPlayer.objects.filter(league=league)}
    squads = {m: SquadPlace(m, one.team_id, one.registered_on) for m, one in places.items()}
    for transfer in league.transfers.filter(day__gt=day).order_by("-day", "-pk"):
        squads[transfer.member_id] = SquadPlace(transfer.member_id, transfer.source_id)
    return list(squads.values())


def appearances(league: TeamLeague, *, without: TeamMatch | None = None) -> list[Appearance]:
    """Every player of every card, once a match; four queries."""
    matches = {
        one.session_id: one
        for one in league.matches.exclude(session=None)
        if without is None or one.pk != without.pk
    }
    seats = Seat.objects.filter(session__in=matches, until_hand=None)
    rows = seats.values_list("session", "member", "position").distinct()
    sides = {(session, member, place % 2) for session, member, place in rows}
    squads = {one.player: one for one in squads_on(league, date.max)}
    went: dict[int, list[Transfer]] = {}
    for transfer in league.transfers.order_by("day", "pk"):
        went.setdefault(transfer.member_id, []).append(transfer)
    seen = []
    for session, member, side in sorted(sides):
        match = matches[session]
        team = (match.home_id, match.away_id)[side]
        day = match.held_on or date.min
        place = squads.get(member)
        at_home = next((one.source_id for one in went.get(member, []) if one.day > day), None)
        own = team == (at_home or (place.team if place else None))
        seen.append(Appearance(member, team, day, own, match.cup_id))
    return seen


def transfer_sentences(league: TeamLeague, member: Member, day: date) -> list[tuple[str, str]]:
    """What stands against somebody's transfer: codes with sentences. Two queries."""
    counts = league.transfers.values_list("member").annotate(n=Count("pk"))
    faults = transfer_faults(member.pk, day, Transfers(dict(counts)), squad_rules_of(league))
    return [(fault.code, squad_sentence(fault, member.name)) for fault in faults]


def small_squad(team: Team) -> str:
    """That a team has fewer players than the league's rules say; "" for enough. Two queries."""
    rules, n = squad_rules_of(team.league), team.players.count()
    return _too_small(team.name, n, rules) if squad_faults(n, rules) else ""


def _too_small(team: str, n: int, rules: SquadRules) -> str:
    words = {"team": team, "n": n, "least": rules.least}
    return _("%(team)s has %(n)d players; a squad needs at least %(least)d.") % words


def squad_notes(league: TeamLeague) -> list[str]:
    """For the draw: squads smaller than the rules say, and teams of which too few players stayed
    to keep their division. Four queries."""
    rules = squad_rules_of(league)
    now, before = _squads(league), _squads(league.before) if league.before else {}
    sentences = []
    for name, people in now.items():
        if squad_faults(len(people), rules):
            sentences.append(_too_small(name, len(people), rules))
        old = before.get(name)
        if old is not None and not keeps_division(old, people, rules):
            words = {"team": name, "n": len(old & people), "least": rules.keeps_place}
            text = _(
                "Players of %(team)s who stayed: %(n)d; it takes %(least)d to keep its division."
            )
            sentences.append(text % words)
    return sentences


def _squads(league: TeamLeague) -> dict[str, set[int]]:
    """The people of each team that plays on, by the team's name."""
    teams = league.teams.filter(withdrawn_at=None).order_by("name").prefetch_related("players")
    return {team.name: {place.member_id for place in team.players.all()} for team in teams}


def borrowed_counts(league: TeamLeague) -> Counter[int]:
    """How often each player has been borrowed this season, cups aside."""
    return Counter(
        appearance.player
        for appearance in appearances(league)
        if not appearance.own and appearance.cup is None
    )


def borrowed_shown(match: TeamMatch, lines: Sequence[LinedUp], name_of: NameOf) -> list[str]:
    """Who on a card was of another team, or of none, a sentence a team. Two queries."""
    squads = {one.player: one.team for one in squads_on(match.league, match.held_on or date.max)}
    sentences = []
    for side, team in enumerate((match.home, match.away)):
        people = dict.fromkeys(who for line in lines for who in (line.home, line.away)[side])
        names = [name_of(who) for who in people if squads.get(who.pk) != team.pk]
        if names:
            words = {"team": team.name, "names": ", ".join(names)}
            sentences.append(_("Borrowed by %(team)s: %(names)s.") % words)
    return sentences
