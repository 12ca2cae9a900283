"""The session's own page: what to do next, and links to everything else. What it says of the reader
is in `place`."""

from dataclasses import dataclass, replace
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext
from django.views.decorators.http import require_POST, require_safe

from league.access import ClubRequest, club_page, reaches
from league.errors import Refused
from league.live.board import is_later_round, seatless_count, unsettled_earlier
from league.live.place import panel, result_panel, tables_note
from league.live.room import Room, room
from league.members.audit import actor_of
from league.members.models import Club, Role
from league.members.queries import player_of
from league.play.models import Game
from league.play.queries import Unfinished, games_of, to_decide, unfinished_of
from league.seating.actions import late_arrivals
from league.seating.models import Round
from league.seating.queries import draft_of, latest_published, played_rules
from league.sessions.links import has_wall
from league.sessions.models import Session
from league.sessions.queries import (
    may_repeat,
    next_planned,
    present,
    session_of,
    sign_ups_of,
    takes_sign_ups,
    to_check_in,
)
from league.standings.actions import repeat_with_pots
from league.standings.cached_tables import Part
from league.standings.queries import has_winners
from league.standings.views.tables import session_table
from league.tournaments.draws import rounds_due
from league.tournaments.models import Tournament
from league.tournaments.next_step import may_end_in_final, next_action
from league.tournaments.queries import (
    has_rounds_to_play,
    stage_of,
    tournaments_in,
    waits_for_correction,
)
from league.tournaments.session_places import shown_in
from league.tournaments.stage_state import load_stage


@dataclass(frozen=True, slots=True)
class Step:
    """The next thing for an organiser to do: a sentence, and a button with its URL."""

    title: str
    text: str
    label: str
    url: str
    urgent: bool = False  # comes before what a tournament would do next
    reopens: bool = False  # the session can be reopened instead
    final_url: str = ""  # a final can be set up instead


def _public_standings_url(club: Club, public_id: str) -> str:
    """The page to which visitors of a session are sent: its standings, or before there are any,
    when and where it is; empty for one that does not exist."""
    exists = club.sessions.filter(public_id=public_id).exists()
    return reverse("session_standings", args=[club.slug, public_id]) if exists else ""


@require_safe
@club_page("member", instead=_public_standings_url)
def session(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The session's page, for organisers and members."""
    club_session = session_of(club, public_id)
    organiser = reaches(request.rank, Role.Rank.ORGANISER)
    the_room = room(club_session, at=timezone.now())
    player = player_of(club, request.user)
    present_members = list(present(club_session))
    published = latest_published(club_session)
    has_sign_ups = takes_sign_ups(club_session, timezone.now()) and published is None
    has_sign_ups = has_sign_ups and player not in present_members
    tournaments = tournaments_in(club_session)
    latest = tournaments[0] if tournaments else None
    seated_by = shown_in(club_session, latest)
    is_open = club_session.state == Session.State.OPEN
    table = _winners(request, club_session)
    part = table.get("part")
    context = {
        "club": club,
        "here": "sessions",
        "club_session": club_session,
        "organiser": organiser,
        "room": the_room,
        "has_begun": _has_begun(the_room, published),
        "people": len(present_members),
        "seatless_count": seatless_count(the_room, seated_by) if is_open else 0,
        "tables_note": tables_note(the_room),
        "published": published,
        "tournament": seated_by,
        "tournaments": tournaments,
        "has_wall": has_wall(club_session),
        "step": _step(club_session, the_room, len(present_members), latest) if organiser else None,
        "absent": (
            is_open
            and not reaches(request.rank, Role.Rank.SCOREKEEPER)
            and player not in [None, *present_members]
        ),
        "part": part,
        "podium": table.get("podium"),
        "player": player,
        "next_session": next_planned(club_session, at=timezone.now()),
        "may_repeat": organiser and may_repeat(club_session, timezone.now()),
        "own_rules": list(club_session.rulesets.all()),
        "played_rules": played_rules(tile.table for tile in the_room.tiles),
        "sign_ups": has_sign_ups and sign_ups_of(club_session, at=timezone.now(), player=player),
        **(
            panel(the_room, player, seated_by, latest)
            if is_open
            else result_panel(the_room, player, part, latest)
        ),
    }
    name = "_session_parts" if request.headers.get("HX-Request") else "session"
    return render(request, f"live/{name}.html", context)


@require_POST
@club_page("organiser")
def session_repeat(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Plan the same a week later and go to its page, where the week after can be planned; or to the
    session that is there already."""
    club_session = session_of(club, public_id)
    try:
        repeated = repeat_with_pots(club_session, by=actor_of(request), at=timezone.now())
    except Refused as refused:
        if refused.code != "session-planned":
            raise
        messages.warning(request, refused.message)
        return redirect("session", club.slug, refused.details["session"])
    text = _("Planned: %(name)s.")
    if pots := repeated.pots.all():
        text = _("Planned: %(name)s, with the same pots: %(pots)s.")
    words = {"name": repeated.name, "pots": ", ".join(pot.name for pot in pots)}
    messages.success(request, text % words)
    if club_session.seating_policy or club_session.rulesets.exists():
        text = _("It has the club's house rules and table sizes: the others were for one session.")
        messages.info(request, text)
    return redirect("session", club.slug, repeated.public_id)


def _has_begun(the_room: Room, published: Round | None) -> bool:
    """Whether a game was begun tonight, even if no table is in use now."""
    if not the_room.tiles:
        return published is not None
    return is_later_round(the_room) or the_room.not_started_count < len(the_room.tiles)


def _step(
    club_session: Session, the_room: Room, people: int, latest: Tournament | None
) -> Step | None:
    """The organiser's next step: that of the session, or of its tournament if that comes first."""
    draft = draft_of(club_session)
    step = next_step(club_session, the_room, people, draft)
    if latest is None:
        return step
    if latest.state == Tournament.State.FINISHED and waits_for_correction(latest):
        return step if step and step.urgent else corrected_step(latest)
    if step is None:
        return None if latest.state == Tournament.State.FINISHED else cut_short_step(latest)
    if latest.state == Tournament.State.FINISHED:
        is_done = is_open_and_done(club_session, the_room, draft)
        return after_tournament_step(latest) if is_done else step
    if club_session.state == Session.State.CLOSED:
        is_cut_short = not step.reopens and has_rounds_to_play(club_session)
        return cut_short_step(latest) if is_cut_short else step
    return step if step.urgent else tournament_step(latest)


def _winners(request: ClubRequest, club_session: Session) -> dict[str, Any]:
    """The final standings of a closed session and its winners.

    Empty while they are held back or not final, or if nothing was played; without a podium while
    they do not follow a correction yet.
    """
    if club_session.standings_held or not has_winners(club_session):
        return {}
    table = session_table(request, club_session)
    part: Part = table["part"]
    has_result = part.podium or part.outdated
    return table if has_result and not part.provisional else {}


def next_step(
    club_session: Session, the_room: Room, people: int, draft: Round | None
) -> Step | None:
    """The next step of a session; None if it was cancelled."""

    def url(name: str) -> str:
        return reverse(name, args=[club_session.club.slug, club_session.public_id])

    if club_session.state == Session.State.PLANNED:
        return Step(
            _("Planned"),
            _("Open it when the evening begins."),
            pgettext("verb", "Open"),
            url("session_edit") + "#state",
        )
    if club_session.state == Session.State.CLOSED:
        unfinished = unfinished_of(club_session, timezone.now())
        standings = url("session_standings")
        if not games_of(club_session).exists():
            title, text = _("This session is closed"), _("No game was played.")
            return Step(title, text, _("Standings"), standings, reopens=True)
        return _step_after_close(club_session, unfinished, url("disputes"), standings)
    if club_session.state != Session.State.OPEN:
        return None
    if games := list(to_decide(club_session)):
        return decision_step(club_session.club, games, url("disputes"))
    if draft is not None:
        return _publish_step(draft, url("seating"))
    if not the_room.tiles:
        return _check_in_step(club_session, people, url("checkin"), url("seating"))
    earlier = unsettled_earlier(club_session, the_room, timezone.now())
    return _play_step(the_room, len(earlier), url("board"))


def _publish_step(draft: Round, seating: str) -> Step:
    text = _("Nobody else sees them yet. Swap players, then publish.")
    if missed_members := late_arrivals(draft):
        names = ", ".join(member.name for member in missed_members)
        text = ngettext(
            "%(names)s arrived after this draw and would wait.",
            "%(names)s arrived after this draw and would wait.",
            len(missed_members),
        ) % {"names": names}
    return Step(_("Your tables are ready to publish"), text, _("View the tables"), seating)


def _play_step(the_room: Room, earlier: int, board: str) -> Step:
    if the_room.all_done and the_room.free_count > 1:
        label = _("Open the board")
        if count := the_room.to_confirm + earlier:
            text = ngettext(
                "%(n)s result needs confirming or a decision.",
                "%(n)s results need confirming or a decision.",
                count,
            )
            return Step(_("All tables have finished"), text % {"n": count}, label, board)
        return Step(_("Every table is done"), _("Make the next round."), label, board)
    if the_room.may_release:
        count = len(the_room.finished_tiles)
        title = ngettext("%(n)d table is done", "%(n)d tables are done", count) % {"n": count}
        text = _("Make their next round; the others play on.")
        return Step(title, text, _("Make next round"), board)
    text = _("Open the board to see every table.")
    if not (the_room.playing_count or the_room.finished_tiles):
        return Step(_("Your tables are published"), text, _("Open the board"), board)
    return Step(_("Play is under way"), text, _("Open the board"), board)


def decision_step(club: Club, games: list[Game], disputes: str) -> Step:
    """The step for disputed results, which come before everything else."""
    game = games[0]
    if len(games) > 1:
        title = _("%(n)d games need your decision") % {"n": len(games)}
        return Step(title, _("The players are waiting."), _("Decide"), disputes, urgent=True)
    url = reverse("game", args=[club.slug, game.public_id]) + "#decide"
    title = _("Table %(n)d needs your decision") % {"n": game.table.number}
    return Step(title, _("The players are waiting."), _("Decide"), url, urgent=True)


def _step_after_close(
    club_session: Session, unfinished: Unfinished, disputes: str, standings: str
) -> Step:
    """The step for a closed session, some games of which may have no final result."""
    unsettled = unfinished.games
    if not unsettled and club_session.standings_held:
        title = _("Closed; the standings are held back")
        text = _("Only organisers see them. Release them at the prize-giving.")
        return Step(title, text, _("To the standings"), standings)
    if not unsettled:
        text = (
            _("The standings are final. You can print or download them, or send their link.")
            if club_session.club.is_public
            else _("The standings are final. You can print or download them.")
        )
        return Step(_("This session is closed"), text, _("Final standings"), standings)
    held = _("The standings are held back: release them on their page.")
    end = f" {held}" if club_session.standings_held else ""
    to_confirm, undecided = len(unfinished.to_confirm), unfinished.undecided
    waiting = ngettext(
        "%(n)s game is waiting to be confirmed",
        "%(n)s games are waiting to be confirmed",
        to_confirm,
    ) % {"n": to_confirm}
    if not undecided:
        text = f"{_('Until then, the standings are provisional.')}{end}"
        confirm = pgettext("a result", "Confirm")
        return Step(waiting, text, confirm, disputes, reopens=True)
    title = ngettext(
        "Closed with %(n)d game unfinished", "Closed with %(n)d games unfinished", undecided
    ) % {"n": undecided}
    text = ngettext(
        "Decide how it counts, or reopen the session and play on.",
        "Decide how each of them counts, or reopen the session and play on.",
        undecided,
    )
    both = f"{title} · {waiting}" if to_confirm else title
    return Step(both, text + end, _("Decide"), disputes, reopens=True)


def tournament_step(tournament: Tournament) -> Step:
    """The step of a tournament that is on, as its own page says it."""
    state = load_stage(stage_of(tournament))
    action = next_action(state, rounds_due(state))
    step = _to_tournament(tournament)
    if action is None:
        return step
    if action.page == "board":
        url = reverse("board", args=[tournament.club.slug, tournament.session.public_id])
        return Step(action.title, action.text, action.label, url)
    return replace(step, title=action.title, text=action.text_elsewhere)


def _to_tournament(tournament: Tournament) -> Step:
    """The step that leads to a tournament's own page."""
    url = reverse("tournament", args=[tournament.club.slug, tournament.public_id])
    text = _("The tournament's page says what comes next.")
    return Step(tournament.name, text, _("Go to the tournament"), url)


def cut_short_step(tournament: Tournament) -> Step:
    """The step for a session closed or cancelled while its tournament had rounds to play."""
    title = _("Closed before %(name)s was over") % {"name": tournament.name}
    if tournament.session.state == Session.State.CANCELLED:
        title = _("Cancelled before %(name)s was over") % {"name": tournament.name}
    text = _("Continue the tournament in another session, or reopen this one.")
    return replace(_to_tournament(tournament), title=title, text=text, reopens=True)


def corrected_step(tournament: Tournament) -> Step:
    """The step for a tournament that was closed before a result of its bracket was corrected."""
    title = _("A corrected result changes the bracket")
    text = _("The places of %(name)s may change. Its page says what to do.")
    text = text % {"name": tournament.name}
    return replace(_to_tournament(tournament), title=title, text=text)


def is_open_and_done(club_session: Session, the_room: Room, draft: Round | None) -> bool:
    """Whether an open session has nothing in play, nothing to decide and no draft."""
    if club_session.state != Session.State.OPEN or draft is not None:
        return False
    return the_room.all_done and not to_decide(club_session).exists()


def after_tournament_step(tournament: Tournament) -> Step:
    """The step after a tournament is closed: give out the prizes and close the session, or play a
    final."""
    url_args = (tournament.club.slug, tournament.session.public_id)
    url, final_url = reverse("disputes", args=url_args), ""
    if may_end_in_final(load_stage(stage_of(tournament))):
        source = f"?source=tournament-{tournament.public_id}"
        final_url = reverse("tournament_final", args=url_args) + source
    text = _("Its places are final. Give out the prizes, then close the session.")
    title = _("%(name)s is over") % {"name": tournament.name}
    return Step(title, text, _("Close the session…"), f"{url}?close=1", final_url=final_url)


def _check_in_step(club_session: Session, people: int, checkin: str, seating: str) -> Step:
    if not people:
        text = _("Check in players by name, or let them scan the self check-in code.")
        return Step(_("Who is here?"), text, _("Check-in"), checkin)
    title = ngettext("%(n)d checked in", "%(n)d checked in", people) % {"n": people}
    if not to_check_in(club_session).exists():
        return Step(title, _("Everyone on the list is checked in."), _("Make tables"), seating)
    return Step(title, _("Check in the others, then make tables."), _("Check-in"), checkin)
