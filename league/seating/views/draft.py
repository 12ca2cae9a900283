"""Pages of the draft: its floor plan, swaps, publishing and unpublishing; its certificate."""

import secrets
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import club_page, reaches
from league.errors import Refused
from league.members.audit import actor_of
from league.members.models import Club, Member, Role, number_namesakes
from league.pairing.seating import certificate
from league.seating import actions, draft_queries
from league.seating.jobs import is_large, start_drawing
from league.seating.models import Round, Seat, Table
from league.seating.planner_adapter import alternative_policies, choices_for, games_for
from league.seating.queries import (
    can_take_back,
    draft_of,
    latest_published,
    live_tables,
    members_at,
    played_rules,
    published_rounds,
    tables_left_out,
    use_newest_rules,
    waiting,
)
from league.sessions.models import Session
from league.sessions.queries import session_of

MOST_TABLES = 300
SIZES = ["2", "3", "4", "5", "6", "7", "8"]


def read_sizes(text: str) -> list[int] | None:
    """Parse "4+4+3" into sizes; None if empty. The planner checks whether they fit."""
    if not text.strip():
        return None
    parts = text.split("+")
    if len(parts) > MOST_TABLES or any(part.strip() not in SIZES for part in parts):
        raise Refused("bad-sizes", _("Tables seat 2 to 8: write them as 4+4+3."))
    return [int(part) for part in parts]


def read_numbers(texts: Sequence[str]) -> list[int]:
    """Table numbers ticked in a form."""
    if len(texts) > MOST_TABLES or any(not text.isdecimal() or len(text) > 4 for text in texts):
        raise Refused("bad-tables", _("Tick the tables that get a next round."))
    return [int(text) for text in texts]


OfSession = Callable[[HttpRequest, Session], HttpResponse]


def refused_on(page: OfSession) -> Callable[[OfSession], Callable[..., HttpResponse]]:
    """Turn an action on a session into a view; if it is refused, show `page` with the reason."""

    def decorate(action: OfSession) -> Callable[..., HttpResponse]:
        @wraps(action)
        def view(request: HttpRequest, club: Club, public_id: str, **kwargs: Any) -> HttpResponse:
            club_session = session_of(club, public_id)
            try:
                return action(request, club_session, **kwargs)
            except Refused as refused:
                messages.error(request, refused.message)
                response = page(request, club_session)
                response.status_code = refused.status
                return response

        return view

    return decorate


SEEDS = 2**31


def seating_page(request: HttpRequest, club_session: Session) -> HttpResponse:
    """The draft, for organisers; for others, and without a draft, the live tables. The draft of a
    tournament is on the page of its draw, which alone changes it."""
    is_organiser = reaches(getattr(request, "rank", None), Role.Rank.ORGANISER)
    draft = draft_of(club_session) if is_organiser else None
    draft = None if draft and draft.by_tournament else draft
    context: dict[str, Any] = {
        "club": club_session.club,
        "here": "sessions",
        "club_session": club_session,
        "organiser": is_organiser,
        "waiting": draft_queries.without_out(club_session, waiting(club_session)),
    }
    if draft is None:
        context |= _live_tables_context(club_session)
        number_namesakes([*members_at(context["tables"]), *context["waiting"]])
        if is_organiser:
            context |= next_tables(club_session, context["tables"])
            context["can_make"] = len(context["waiting"]) > 1 and not context["cannot_seat"]
    else:
        draft.session = club_session
        layout = draft_queries.load_draft(draft)
        if not all(table.current_seats for table in layout.tables):
            return seating_page(request, club_session)  # discarded between two queries
        context |= _draft_context(request, layout)
    part = "_seating" if request.headers.get("HX-Request") else "seating"
    return render(request, f"seating/{part}.html", context)


def _draft_context(request: HttpRequest, layout: draft_queries.DraftLayout) -> dict[str, Any]:
    draft = layout.round
    use_newest_rules(draft.session.club, layout.tables)
    people = members_at(layout.tables) + layout.bench
    picked_member = next((one for one in people if one.public_id == request.GET.get("pick")), None)
    swap_costs = layout.swap_costs(picked_member) if picked_member else {}
    placed_ids = {member.pk for member in people}
    free_members = actions.free_people(draft.session, draft.releases.all())
    choices = choices_for(draft.session, len(free_members))
    return {
        "draft": draft,
        "tables": layout.tables,
        "bench": layout.bench,
        "picked": picked_member,
        "picked_seat": _seat_of(layout.tables, picked_member),
        "prices": swap_costs,
        "broken": layout.broken(),
        "certificate": layout.certificate(),
        "choices": choices,
        "sizes": sorted((table.players for table in layout.tables), reverse=True),
        "played_rules": played_rules(layout.tables),
        "late": [member for member in free_members.values() if member.pk not in placed_ids],
        "gone": draft_queries.missing_in_words(draft.session, people, free_members),
        "free": len(free_members),
        "free_sizes": choices[:1],
        "again": swapped_people(request, people),
        "changes": draft_queries.changes_since_taken_back(draft),
        "left_out": tables_left_out(draft),
    }


def next_tables(club_session: Session, tables: Sequence[Table]) -> dict[str, Any]:
    """The tables that can be made now for players waiting and those at `tables` that are done.

    `ways` are the policies that can seat them where the session's own cannot (`cannot_seat`).
    """
    done_tables = [table for table in tables if table.done and not table.disputed]  # type: ignore[attr-defined]
    free = len(actions.free_people(club_session, done_tables))
    choices = choices_for(club_session, free)
    policies = alternative_policies(club_session, free, choices)
    labels = dict(Club.SeatingPolicy.choices)
    return {
        "free": free,
        "next_round": bool(done_tables),
        "all_done": bool(tables) and len(done_tables) == len(tables),
        "choices": choices,
        "games": games_for(club_session, choices[0].sizes) if choices else [],
        "cannot_seat": bool(policies) or (free > 1 and not choices),
        "ways": [(policy, labels[policy], composition) for policy, composition in policies],
    }


def _seat_of(tables: list[Table], member: Member | None) -> Seat | None:
    """The seat of this player in the draft; None if they sit out."""
    seats = [seat for table in tables for seat in table.current_seats]
    return next((seat for seat in seats if seat.member == member), None)


def swapped_people(request: HttpRequest, people: list[Member]) -> list[Member]:
    """The two players swapped just now, for the button that swaps them back."""
    ids = request.session.pop("swapped", [])
    return [person for person in people if person.public_id in ids]


def _live_tables_context(club_session: Session) -> dict[str, Any]:
    published = latest_published(club_session)
    tables = list(live_tables(club_session))
    undoable_round = published if published is not None and can_take_back(published) else None
    return {
        "tables": tables,
        "sizes": [table.players for table in tables],
        "played_rules": played_rules(tables),
        "published": published,
        "can_undo": undoable_round is not None,
        "changes": draft_queries.changes_since_taken_back(undoable_round) if undoable_round else [],
        "rounds_played": len(draft_queries.played_tonight(club_session)),
    }


@require_safe
@club_page("member")
def seating(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """The seating page."""
    return seating_page(request, session_of(club, public_id))


@require_POST
@club_page("organiser")
@refused_on(seating_page)
def seating_draft(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Draft seats for every free player, or for the players waiting and those at chosen tables.

    Players at tables that have not begun keep their seats unless the organiser confirms.
    """
    numbers = read_numbers(request.POST.getlist("table"))
    sizes = read_sizes(request.POST.get("sizes", ""))
    has_chosen = numbers or "chosen" in request.POST  # the board's form may have no tables ticked
    tables = list(live_tables(club_session).filter(number__in=numbers)) if has_chosen else None
    unbegun = [table for table in tables or () if not table.begun]  # type: ignore[attr-defined]
    if unbegun and "unbegun_too" not in request.POST:
        return _ask_about_unbegun(request, club_session, tables or [], unbegun)
    if tables == [] and waiting(club_session).count() < 2:
        message = _("Tick the tables whose players should get new seats.")
        raise Refused("nobody-free", message, status=409)
    if is_large(club_session):
        return _start_drawing(request, club_session, sizes, numbers)
    actions.draft_round(
        club_session,
        by=actor_of(request),
        seed=secrets.randbelow(SEEDS),
        sizes=sizes,
        tables=tables,
    )
    return _redirect_to_seating(club_session)


@require_POST
@club_page("organiser")
@refused_on(seating_page)
def seating_sizes(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Change the session's table sizes and make tables by them."""
    actions.set_session_policy(club_session, request.POST.get("policy", ""), by=actor_of(request))
    if is_large(club_session):
        return _start_drawing(request, club_session, None, [])
    actions.draft_round(club_session, by=actor_of(request), seed=secrets.randbelow(SEEDS))
    return _redirect_to_seating(club_session)


def _start_drawing(
    request: HttpRequest,
    club_session: Session,
    sizes: list[int] | None,
    numbers: list[int],
    *,
    again: bool = False,
) -> HttpResponse:
    seed, by = secrets.randbelow(SEEDS), actor_of(request)
    job = start_drawing(club_session, by=by, seed=seed, sizes=sizes, numbers=numbers, again=again)
    return redirect("job", club_session.club.slug, job.public_id)


def _ask_about_unbegun(
    request: HttpRequest, club_session: Session, tables: list[Table], unbegun: list[Table]
) -> HttpResponse:
    """Ask for confirmation before reseating tables that have not begun."""
    context = {
        "club": club_session.club,
        "here": "sessions",
        "club_session": club_session,
        "unbegun": unbegun,
        "all_tables": tables,
        "others": [table for table in tables if table not in unbegun],
    }
    return render(request, "seating/unbegun.html", context)


@require_POST
@club_page("organiser")
@refused_on(seating_page)
def seating_redraw(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Redraw the draft; locked seats stay."""
    draft, sizes = _draft(club_session), read_sizes(request.POST.get("sizes", ""))
    if is_large(club_session):
        return _start_drawing(request, club_session, sizes, [], again=True)
    actions.redraw(draft, by=actor_of(request), seed=secrets.randbelow(SEEDS), sizes=sizes)
    return _redirect_to_seating(club_session)


@require_POST
@club_page("organiser")
@refused_on(seating_page)
def seating_swap(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Swap two players and report what it changed."""
    draft = _draft(club_session)
    draft.session = club_session
    first, second = (_member(request, club_session, name) for name in ("first", "second"))
    verdict = draft_queries.load_draft(draft).swap_cost(first, second)
    actions.swap(draft, first, second, by=actor_of(request))
    if verdict:
        sentence = _("Swapped %(one)s and %(other)s. %(verdict)s.") % {
            "one": first.name,
            "other": second.name,
            "verdict": verdict.headline,
        }
        messages.success(request, " ".join([sentence, *verdict.reasons[:2]]))
    request.session["swapped"] = [first.public_id, second.public_id]
    return _redirect_to_seating(club_session)


@require_POST
@club_page("organiser")
@refused_on(seating_page)
def seating_lock(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Lock or unlock a player's seat for redraws."""
    draft = _draft(club_session)
    seat = get_object_or_404(
        Seat.objects.select_related("table__round__session", "member"),
        table__round=draft,
        member__public_id=request.POST.get("member", ""),
    )
    actions.lock_seat(seat, by=actor_of(request), locked=not seat.locked)
    return _redirect_to_seating(club_session)


@require_POST
@club_page("organiser")
@refused_on(seating_page)
def seating_publish(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Publish the draft."""
    round_ = get_object_or_404(
        club_session.rounds, pk=_read_int(request.POST.get("round")), session=club_session
    )
    version = _read_int(request.POST.get("version"))
    actions.publish(round_, by=actor_of(request), at=timezone.now(), version=version)
    messages.success(request, _("Published. Phones and the wall show it now."))
    return redirect("session", club_session.club.slug, club_session.public_id)


@require_POST
@club_page("organiser")
@refused_on(seating_page)
def seating_discard(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Discard the draft."""
    actions.discard_draft(_draft(club_session), by=actor_of(request))
    return redirect("checkin", club_session.club.slug, club_session.public_id)


@require_POST
@club_page("organiser")
@refused_on(seating_page)
def seating_take_back(request: HttpRequest, club_session: Session) -> HttpResponse:
    """Unpublish the last round, as long as no hand is entered."""
    published = latest_published(club_session)
    if published is None:
        raise Refused("not-published", _("No round is published."), status=409)
    actions.take_back(published, by=actor_of(request), at=timezone.now())
    sentence = _("Round %(n)d is unpublished. Players no longer see it; it is your draft again.")
    messages.success(request, sentence % {"n": published.number})
    return _redirect_to_seating(club_session)


def _draft(club_session: Session) -> Round:
    draft = draft_of(club_session)
    if draft is None:
        raise Refused("draft-gone", _("This draft no longer exists."), status=409)
    return draft


def _member(request: HttpRequest, club_session: Session, name: str) -> Member:
    return get_object_or_404(Member, club=club_session.club, public_id=request.POST.get(name, ""))


def _read_int(text: str | None) -> int:
    if text is None or not text.isdecimal() or len(text) > 15:
        raise Refused("bad-number", _("Something is missing. Reload the page."))
    return int(text)


def _redirect_to_seating(club_session: Session) -> HttpResponse:
    return redirect("seating", club_session.club.slug, club_session.public_id)


@require_safe
@club_page("member")
def seating_certificate(request: HttpRequest, club: Club, public_id: str) -> HttpResponse:
    """The session's fairness figures, next to the best possible ones."""
    club_session = session_of(club, public_id)
    figures = certificate(draft_queries.played_tonight(club_session))
    members = Member.objects.in_bulk([int(line.player) for line in figures.players])
    number_namesakes(members.values())
    sizes = sorted({s for line in figures.players for s, times in line.had.items() if times})
    lines = [
        (members[int(line.player)], line, [line.had[size] for size in reversed(sizes)])
        for line in figures.players
    ]
    context = {
        "club": club,
        "here": "sessions",
        "club_session": club_session,
        "figures": figures,
        "sizes": sizes[::-1],
        "rounds": published_rounds(club_session),
        "lines": sorted(lines, key=lambda line: (line[0].sort_key, line[0].number)),
    }
    return render(request, "seating/certificate.html", context)
