"""The tournament's own page, its draws, its standings, and paper."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import PUBLIC, ClubRequest, club_page, reaches
from league.members.languages import in_clubs_language
from league.members.models import Club, Member, Role
from league.members.public import namer
from league.sessions.models import Session
from league.sessions.queries import is_held_from, refuse_held
from league.standings.labels import Label, rule
from league.tournaments.bracket_page import bracket_parts
from league.tournaments.draws import rounds_due
from league.tournaments.draws.groups import group_states
from league.tournaments.draws.knockout import corrections
from league.tournaments.models import Stage, Tournament
from league.tournaments.queries import (
    NameOf,
    entry_name,
    round_sheet,
    rules_played,
    stage_of,
    takes_requests,
    tournament_of,
)
from league.tournaments.stage_state import BRACKETS, StageState, load_stage
from league.tournaments.standing import standing_of
from league.tournaments.tables import Row, columns_of, cross_table, prizes, rows_of
from league.tournaments.text import explanation, next_thing


def opened(request: ClubRequest, club: Club, public_id: str) -> tuple[StageState, dict[str, Any]]:
    """A tournament as every page of it needs it."""
    tournament = tournament_of(club, public_id)
    state = load_stage(stage_of(tournament))
    organiser = reaches(request.rank, Role.Rank.ORGANISER)
    people = [one for entry in state.entries.values() for one in entry.people]
    name_of = namer(people, club, request.rank)
    return state, {
        "club": club,
        "here": "tournaments",
        "tournament": tournament,
        "club_session": tournament.session,
        "state": state,
        "organiser": organiser,
        "scorekeeper": reaches(request.rank, Role.Rank.SCOREKEEPER),
        "name_of": name_of,
        "bracket": bracket_parts(state, name_of),
        "groups": group_tables(state, name_of),
    }


def group_tables(state: StageState, name_of: NameOf) -> list[tuple[list[Label], list[Row], Any]]:
    """Each group's headings, table and cross-table; empty for other formats."""
    if state.stage.format != Stage.Format.GROUPS or not state.published:
        return []
    shown_groups = []
    for one in group_states(state):
        standing = standing_of(one)
        rows, cross = rows_of(one, standing, name_of), cross_table(one, standing, name_of)
        shown_groups.append((columns_of(one, standing), rows, cross))
    return shown_groups


@require_safe
@club_page(PUBLIC)
def tournament(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """What happens now: the next thing to do, my table, the round that is on, the leaders."""
    state, context = opened(request, club, public_id)
    rounds = rounds_due(state)
    context["followed_by"] = state.stage.tournament.followed_by.first()
    if context["organiser"]:
        context["next"] = next_thing(state, rounds)
        context["may_pair"] = may_play_on_as_pairs(state) and not context["followed_by"]
    context |= _now(request, state, context["name_of"])
    standing = standing_of(state)
    held = is_held_from(state.stage.tournament.session, request.rank)
    context["rows"] = [] if held else rows_of(state, standing, context["name_of"])
    context |= {"columns": columns_of(state, standing), "in_full": standing.credits_in_full}
    context["begun"] = len(state.published) > 1 or (state.last is not None and not state.untouched)
    context |= {"held": True, "groups": []} if held else {}
    if state.stage.tournament.state == Tournament.State.FINISHED and not held:
        context["may_end_in_final"] = context["organiser"] and may_end_in_final(state)
        context["prizes"] = prizes(state, standing, context["name_of"])
    context["corrections"] = correction_rows(state, context["name_of"])
    context |= {"rounds": rounds, "explanation": explanation(state.stage.format, state.chosen)}
    context["played_by"] = rules_played(state)
    context["may_ask"] = takes_requests(state.stage.tournament)
    context["redrawn"] = joined_since(state, context["name_of"])
    part = request.headers.get("HX-Request")
    return render(request, "tournaments/_hub.html" if part else "tournaments/hub.html", context)


def may_end_in_final(state: StageState) -> bool:
    """Whether its best can go into a knock-out tonight: it was none, and its session is open."""
    ended = state.stage.format in (Stage.Format.KNOCKOUT, Stage.Format.DOUBLE) or state.in_bracket
    return not ended and state.stage.tournament.session.state == Session.State.OPEN


def joined_since(state: StageState, name_of: NameOf) -> list[tuple[str, int, int]]:
    """For whom the rounds to come were redrawn: the pair, after which round, in which group."""
    numbered = {entry.number: entry for entry in state.entries.values()}
    return [
        (entry_name(numbered[one["late"]], name_of), one["after"], one["group"])
        for one in state.stage.redrawn
    ]


def may_play_on_as_pairs(state: StageState) -> bool:
    """Whether individuals have played their rounds, which can order them to find partners."""
    if state.of_pairs or state.draft is not None or state.last is None:
        return False
    if len(state.published) < state.chosen.rounds:
        return False
    cancelled = state.stage.tournament.state == Tournament.State.CANCELLED
    return not state.last.open_matches and not cancelled


def correction_rows(state: StageState, name_of: NameOf) -> list[dict[str, Any]]:
    """Matches put right after they were played on: the pair that won, and what that undoes."""
    names = {key: entry_name(entry, name_of) for key, entry in state.entries.items()}
    played = {match.key: match for match in state.matches}
    return [
        {
            "key": correction.key,
            "names": " – ".join(names[entry] for entry in played[correction.key].entries),
            "winner": names[correction.entry],
            "undone": [
                " – ".join(names[entry] for entry in played[key].entries)
                for key in correction.undone
            ],
        }
        for correction in corrections(state)
    ]


def _now(request: ClubRequest, state: StageState, name_of: NameOf) -> dict[str, Any]:
    """The round that is on, and where the reader sits in it."""
    if state.last is None:
        return {"round": None}
    mine = my_key(request, state.stage.tournament)
    now = round_sheet(state, state.last, name_of, mine)
    mine_now = next((m for m in now.matches if m.is_mine), None)
    return {"round": now, "my_match": mine_now, "untouched": state.untouched}


def my_key(request: ClubRequest, tournament: Tournament) -> int | None:
    """The player who is looking, where she has an account of her own."""
    if not request.user.is_authenticated:
        return None
    mine = Member.objects.filter(club=tournament.club_id, user=request.user)
    return mine.values_list("pk", flat=True).first()


@require_safe
@club_page(PUBLIC)
def tournament_round(request: ClubRequest, club: Club, public_id: str, number: int) -> HttpResponse:
    """One round that was published: who met whom and how it ended."""
    state, context = opened(request, club, public_id)
    one = next((one for one in state.published if one.number == number), None)
    if one is None:
        raise Http404
    if state.stage.format not in BRACKETS:  # by points: its rounds add up to the standings
        refuse_held(state.stage.tournament.session, request.rank)
    mine = my_key(request, context["tournament"])
    context["round"] = round_sheet(state, one, context["name_of"], mine)
    return render(request, "tournaments/round.html", context)


@require_safe
@club_page(PUBLIC)
def tournament_standings(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The whole table with its reasons, the cross-table of pairs, the prizes."""
    state, context = opened(request, club, public_id)
    refuse_held(state.stage.tournament.session, request.rank)
    standing = standing_of(state)
    context["rows"] = rows_of(state, standing, context["name_of"])
    context |= {"columns": columns_of(state, standing), "in_full": standing.credits_in_full}
    if is_played_out(state):
        context["prizes"] = prizes(state, standing, context["name_of"])
    context["cross"] = cross_table(state, standing, context["name_of"])
    context["rule"] = [] if state.in_bracket else rule(standing.measures)
    return render(request, "tournaments/standings.html", context)


def is_played_out(state: StageState) -> bool:
    """Whether it is over, so that prizes can be given."""
    if state.stage.tournament.state == Tournament.State.FINISHED:
        return True
    due = rounds_due(state)
    all_drawn = due is not None and len(state.published) >= due
    return all_drawn and state.last is not None and not state.last.open_matches


@require_safe
@club_page("member")
@in_clubs_language
def print_draw(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The round that is on, for the wall by the door: by table and by name; then the bracket, the
    standings, the cross-table."""
    state, context = opened(request, club, public_id)
    refuse_held(state.stage.tournament.session, request.rank)
    last = state.last
    context["round"] = round_sheet(state, last, context["name_of"]) if last else None
    standing = standing_of(state)
    context["rows"] = rows_of(state, standing, context["name_of"])
    context |= {"columns": columns_of(state, standing), "in_full": standing.credits_in_full}
    context["cross"] = cross_table(state, standing, context["name_of"])
    return render(request, "tournaments/print.html", context)
