"""The session's own page: what to do next, where somebody sits, the way to all the rest."""

from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_page, reaches
from league.labels import COMPASS
from league.live.room import Room, Tile, TileSeat, room
from league.members.models import Club, Member, Role
from league.members.queries import player_of
from league.play.models import Game
from league.play.queries import TO_DECIDE, to_decide, unfinished_of
from league.seating.actions import late_arrivals
from league.seating.models import Round
from league.seating.queries import draft_of, latest_published
from league.sessions.models import Session
from league.sessions.queries import (
    next_planned,
    present,
    session_of,
    sign_ups_of,
    takes_sign_ups,
)
from league.standings.cached_tables import Part
from league.standings.views.tables import session_table
from league.tournaments.models import Tournament
from league.tournaments.queries import latest_in


@dataclass(frozen=True, slots=True)
class Place:
    """Somebody's seat. `left`: how many tables more are done before people sit down again."""

    tile: Tile
    tile_seat: TileSeat
    left: int

    @property
    def where(self) -> str:
        """ "Table 7, North"; a big table's seats have no names."""
        number = self.tile.table.number
        if self.tile.table.players not in COMPASS:
            return _("table %(n)d") % {"n": number}
        seat = self.tile_seat.seat_name
        return _("table %(n)d, %(seat)s") % {"n": number, "seat": seat}

    @property
    def partners(self) -> list[Member]:
        return [one.member for one in self._side() if one is not self.tile_seat]

    @property
    def others(self) -> list[list[Member]]:
        """The people of each other side."""
        mine = self._side()
        return [[one.member for one in side] for side in self.tile.sides if side != mine]

    @property
    def next(self) -> str:
        """When people are seated anew, in words."""
        if self.left < 1 and self.tile.is_over:
            return _("Your next seat will appear any moment.")
        if self.left < 1:
            return _("You move when your game is finished.")
        return ngettext(
            "New seats when %(n)d more table is done.",
            "New seats when %(n)d more tables are done.",
            self.left,
        ) % {"n": self.left}

    def _side(self) -> list[TileSeat]:
        return next(side for side in self.tile.sides if self.tile_seat in side)


def place_of(now: Room, player: Member | None, *, whole_round: bool) -> Place | None:
    """Where a member sits; None for who sits nowhere. A tournament's next round waits for every
    table (`whole_round`), an evening's next seats only for as many as make a change."""
    wanted = len(now.tiles) if whole_round else min(now.release_at, len(now.tiles))
    for tile in now.tiles:
        for tile_seat in tile.current_seats:
            if tile_seat.member == player:
                return Place(tile, tile_seat, wanted - len(now.over))
    return None


def tables_note(now: Room) -> str:
    """What the tables do that are not playing: "1 not started · 2 done"."""
    ready, over, decide = now.not_started, len(now.over), len(now.to_decide)
    parts = [
        ready and ngettext("%(n)d not started", "%(n)d not started", ready) % {"n": ready},
        over and ngettext("%(n)d done", "%(n)d done", over) % {"n": over},
        decide and ngettext("%(n)d to decide", "%(n)d to decide", decide) % {"n": decide},
    ]
    return " · ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Step:
    """What an organiser does next: a sentence, a button, where it leads."""

    title: str
    text: str
    label: str
    url: str
    urgent: bool = False  # comes before what a tournament would do next
    reopens: bool = False  # the session can be opened again instead


def _public_standings(club: Club, public_id: str) -> str:
    """Where visitors find a session that is closed."""
    closed = club.sessions.filter(public_id=public_id, state=Session.State.CLOSED).exists()
    return reverse("session_standings", args=[club.slug, public_id]) if closed else ""


@require_safe
@club_page("member", instead=_public_standings)
def session(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The session's page, for organisers and members."""
    club_session = session_of(club, public_id)
    organiser = reaches(request.rank, Role.Rank.ORGANISER)
    now = room(club_session, at=timezone.now())
    before = takes_sign_ups(club_session, timezone.now()) and not now.tiles
    player = player_of(club, request.user)
    here = list(present(club_session))
    latest = latest_in(club_session)
    is_playing = latest is not None and latest.state != Tournament.State.FINISHED
    is_open = club_session.state == Session.State.OPEN
    context = {
        "club": club,
        "here": "sessions",
        "club_session": club_session,
        "organiser": organiser,
        "room": now,
        "people": len(here),
        "tables_note": tables_note(now),
        "published": latest_published(club_session),
        "tournament": latest,
        "step": _step(club_session, now, len(here), latest) if organiser else None,
        "you": place_of(now, player, whole_round=is_playing) if is_open else None,
        "absent": is_open and not organiser and player is not None and player not in here,
        "part": _winners(request, club_session),
        "next_session": next_planned(club_session),
        "own_rules": [rules.name for rules in club_session.rulesets.all()] if organiser else [],
        "sign_ups": before and sign_ups_of(club_session, at=timezone.now(), player=player),
    }
    part = request.headers.get("HX-Request")
    return render(request, "live/_session.html" if part else "live/session.html", context)


def _step(club_session: Session, now: Room, people: int, latest: Tournament | None) -> Step | None:
    """What the organiser does next: the session's step, or its tournament's where one leads."""
    draft = draft_of(club_session)
    step = next_step(club_session, now, people, draft)
    if step is None or latest is None:
        return step
    if latest.state == Tournament.State.FINISHED:
        is_done = is_open_and_done(club_session, now, draft)
        return after_tournament(latest) if is_done else step
    leads = step.urgent or club_session.state == Session.State.CLOSED
    return step if leads else of_tournament(latest)


def _winners(request: ClubRequest, club_session: Session) -> Part | None:
    """The final standings of a closed session, for its winners; None while they are held back,
    not final, or where nothing was played."""
    if club_session.state != Session.State.CLOSED or club_session.standings_held:
        return None
    part: Part = session_table(request, club_session)["part"]
    return part if part.podium and not part.provisional else None


def next_step(club_session: Session, now: Room, people: int, draft: Round | None) -> Step | None:
    """The one thing to do next; None for a session that was cancelled."""

    def to(name: str) -> str:
        return reverse(name, args=[club_session.club.slug, club_session.public_id])

    if club_session.state == Session.State.PLANNED:
        return Step(
            _("Planned"),
            _("Open it when the evening begins."),
            pgettext("verb", "Open"),
            to("session_edit"),
        )
    if club_session.state == Session.State.CLOSED:
        count = unfinished_of(club_session, timezone.now()).games
        return _afterwards(club_session, count, to("disputes"), to("session_standings"))
    if club_session.state != Session.State.OPEN:
        return None
    if games := list(to_decide(club_session)):
        return _decision(club_session.club, games, to("disputes"))
    if draft is not None:
        return _publish(draft, to("seating"))
    if not now.tiles:
        return _before_play(people, to("checkin"))
    return _in_play(now, to("board"))


def _publish(draft: Round, seating: str) -> Step:
    text = _("Nobody else sees them yet. Swap players, then publish.")
    if late := late_arrivals(draft):
        names = ", ".join(member.name for member in late)
        text = ngettext(
            "%(names)s arrived after this draw and would wait.",
            "%(names)s arrived after this draw and would wait.",
            len(late),
        ) % {"names": names}
    return Step(_("Your tables are ready to publish"), text, _("View the tables"), seating)


def _in_play(now: Room, board: str) -> Step:
    if now.all_done and now.free > 1:
        label = _("Next round with all %(n)d") % {"n": now.free}
        if count := now.to_confirm:
            text = ngettext(
                "%(n)s still needs to be confirmed.", "%(n)s still need to be confirmed.", count
            )
            return Step(_("All tables have finished"), text % {"n": count}, label, board)
        return Step(_("Every table is done"), _("Make the next round."), label, board)
    if now.may_release:
        count = len(now.over)
        title = ngettext("%(n)d table is done", "%(n)d tables are done", count) % {"n": count}
        text = _("Make their next round; the others play on.")
        return Step(title, text, _("Make next round"), board)
    text = _("Open the board to see every table.")
    if not (now.playing or now.over):
        return Step(_("Your tables are published"), text, _("Open the board"), board)
    return Step(_("Play is under way"), text, _("Open the board"), board)


def _decision(club: Club, games: list[Game], disputes: str) -> Step:
    """Disputed results come before everything else."""
    game = games[0]
    if len(games) > 1:
        title = _("%(n)d games need your decision") % {"n": len(games)}
        return Step(title, _("Their players wait for you."), _("Decide"), disputes, urgent=True)
    where = reverse("game", args=[club.slug, game.public_id]) + "#decide"
    title = _("Table %(n)d needs your decision") % {"n": game.table.number}
    return Step(title, _("Its players wait for you."), _("Decide"), where, urgent=True)


def decisions_of(club: Club) -> list[tuple[Session, Step]]:
    """What an organiser has to decide: a step a session, the latest first."""
    games = Game.objects.filter(TO_DECIDE, session__club=club).select_related("session", "table")
    by_night = groupby(
        games.order_by("-session__held_on", "-session_id", "table__number"),
        key=attrgetter("session"),
    )
    return [
        (night, _decision(club, list(some), reverse("disputes", args=[club.slug, night.public_id])))
        for night, some in by_night
    ]


def _afterwards(club_session: Session, unsettled: int, disputes: str, standings: str) -> Step:
    if not unsettled and club_session.standings_held:
        title = _("Closed; the standings are held back")
        text = _("Only organisers see them. Release them at the prize-giving.")
        return Step(title, text, _("To the standings"), standings)
    if not unsettled:
        text = _("The standings are final: print them, share them, or download them.")
        return Step(_("This session is closed"), text, _("Final standings"), standings)
    title = ngettext(
        "Closed with %(n)d game unfinished", "Closed with %(n)d games unfinished", unsettled
    )
    text = ngettext(
        "Decide how it counts, or reopen the session and play on.",
        "Decide how each of them counts, or reopen the session and play on.",
        unsettled,
    )
    return Step(title % {"n": unsettled}, text, _("Decide"), disputes, reopens=True)


def of_tournament(tournament: Tournament) -> Step:
    """While a tournament is on, its own page knows what comes next."""
    where = reverse("tournament", args=[tournament.club.slug, tournament.public_id])
    text = _("Draw the rounds on the tournament's page. It says what comes next.")
    return Step(tournament.name, text, _("Go to the tournament"), where)


def is_open_and_done(club_session: Session, now: Room, draft: Round | None) -> bool:
    """Whether an open session has nothing in play, nothing to decide and no draft."""
    if club_session.state != Session.State.OPEN or draft is not None:
        return False
    return now.all_done and not to_decide(club_session).exists()


def after_tournament(tournament: Tournament) -> Step:
    """A tournament is closed: its places, then the end of the session."""
    where = reverse("disputes", args=[tournament.club.slug, tournament.session.public_id])
    text = _("Its places are final. Give out the prizes, then close the session.")
    title = _("%(name)s is over") % {"name": tournament.name}
    return Step(title, text, _("Close the session…"), where)


def _before_play(people: int, checkin: str) -> Step:
    if not people:
        text = _("Check in players by name, or let them scan the self check-in code.")
        return Step(_("Who is here?"), text, _("Check-in"), checkin)
    title = ngettext("%(n)d checked in", "%(n)d checked in", people) % {"n": people}
    return Step(title, _("Check in the others, then make tables."), _("Check-in"), checkin)
