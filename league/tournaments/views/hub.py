"""The tournament's own page, its draws, its standings, and paper."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.access import PUBLIC, ClubRequest, club_page, reaches
from league.members.models import Club, Member, Role
from league.members.public import namer
from league.tournaments.bracket_page import bracket_shown
from league.tournaments.corrections import corrections
from league.tournaments.draws import rounds_due
from league.tournaments.draws.groups import group_pictures
from league.tournaments.models import Stage, Tournament
from league.tournaments.picture import Picture, picture_of
from league.tournaments.queries import NameOf, entry_name, shown, stage_of, tournament_of
from league.tournaments.standing import standing_of
from league.tournaments.tables import Row, columns_of, crossing, prizes, rows_of
from league.tournaments.words import explanation, next_thing


def opened(request: ClubRequest, club: Club, public_id: str) -> tuple[Picture, dict[str, Any]]:
    """A tournament as every page of it needs it."""
    tournament = tournament_of(club, public_id)
    picture = picture_of(stage_of(tournament))
    organiser = reaches(request.rank, Role.Rank.ORGANISER)
    people = [one for entry in picture.entries.values() for one in entry.people]
    name_of = namer(people, club, request.rank)
    return picture, {
        "club": club,
        "here": "tournaments",
        "tournament": tournament,
        "club_session": tournament.session,
        "picture": picture,
        "organiser": organiser,
        "scorekeeper": reaches(request.rank, Role.Rank.SCOREKEEPER),
        "name_of": name_of,
        "bracket": bracket_shown(picture, name_of),
        "groups": groups_shown(picture, name_of),
    }


def groups_shown(picture: Picture, name_of: NameOf) -> list[tuple[list[str], list[Row], Any]]:
    """Each group's headings, table and cross-table; empty for other formats."""
    if picture.stage.format != Stage.Format.GROUPS or not picture.published:
        return []
    shown_groups = []
    for one in group_pictures(picture):
        standing = standing_of(one)
        rows, cross = rows_of(one, standing, name_of), crossing(one, standing, name_of)
        shown_groups.append((columns_of(one, standing), rows, cross))
    return shown_groups


@require_safe
@club_page(PUBLIC)
def tournament(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """What happens now: the next thing to do, my table, the round that is on, the leaders."""
    picture, context = opened(request, club, public_id)
    rounds = rounds_due(picture)
    context["followed_by"] = picture.stage.tournament.followed_by.first()
    if context["organiser"]:
        context["next"] = next_thing(picture, rounds)
        context["may_pair"] = may_play_on_as_pairs(picture) and not context["followed_by"]
    context |= _now(request, picture, context["name_of"])
    standing = standing_of(picture)
    context["rows"] = rows_of(picture, standing, context["name_of"])
    context["columns"] = columns_of(picture, standing)
    context["corrections"] = corrections_shown(picture, context["name_of"])
    context |= {"rounds": rounds, "explanation": explanation(picture.stage.format, picture.chosen)}
    context["redrawn"] = joined_since(picture, context["name_of"])
    part = request.headers.get("HX-Request")
    return render(request, "tournaments/_hub.html" if part else "tournaments/hub.html", context)


def joined_since(picture: Picture, name_of: NameOf) -> list[tuple[str, int, int]]:
    """For whom the rounds to come were drawn anew: the pair, after which round, in which group."""
    numbered = {entry.number: entry for entry in picture.entries.values()}
    return [
        (entry_name(numbered[one["late"]], name_of), one["after"], one["group"])
        for one in picture.stage.redrawn
    ]


def may_play_on_as_pairs(picture: Picture) -> bool:
    """Whether individuals have played their rounds, which can order them to find partners."""
    if picture.of_pairs or picture.draft is not None or picture.last is None:
        return False
    if len(picture.published) < picture.chosen.rounds:
        return False
    cancelled = picture.stage.tournament.state == Tournament.State.CANCELLED
    return not picture.last.open and not cancelled


def corrections_shown(picture: Picture, name_of: NameOf) -> list[dict[str, Any]]:
    """Matches put right after they were played on: the pair that won, and what that undoes."""
    names = {key: entry_name(entry, name_of) for key, entry in picture.entries.items()}
    played = {match.key: match for match in picture.matches}
    return [
        {
            "key": one.key,
            "names": " – ".join(names[entry] for entry in played[one.key].entries),
            "winner": names[one.entry],
            "undone": [
                " – ".join(names[entry] for entry in played[key].entries) for key in one.undone
            ],
        }
        for one in corrections(picture)
    ]


def _now(request: ClubRequest, picture: Picture, name_of: NameOf) -> dict[str, Any]:
    """The round that is on, and where the reader sits in it."""
    if picture.last is None:
        return {"round": None}
    mine = my_key(request, picture.stage.tournament)
    now = shown(picture, picture.last, name_of, mine)
    mine_now = next((m for m in now.matches if m.mine), None)
    return {"round": now, "my_match": mine_now, "untouched": picture.untouched}


def my_key(request: ClubRequest, tournament: Tournament) -> int | None:
    """The player who is looking, where she has an account of her own."""
    if not request.user.is_authenticated:
        return None
    mine = Member.objects.filter(club=tournament.club_id, user=request.user)
    return mine.values_list("pk", flat=True).first()


@require_safe
@club_page("organiser")
def tournament_draw(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The drafted round, before anybody else sees it."""
    picture, context = opened(request, club, public_id)
    if picture.draft is None:
        raise Http404
    context["round"] = shown(picture, picture.draft, context["name_of"])
    return render(request, "tournaments/draw.html", context)


@require_safe
@club_page(PUBLIC)
def tournament_round(request: ClubRequest, club: Club, public_id: str, number: int) -> HttpResponse:
    """One round that was published: who met whom and how it ended."""
    picture, context = opened(request, club, public_id)
    one = next((one for one in picture.published if one.number == number), None)
    if one is None:
        raise Http404
    mine = my_key(request, context["tournament"])
    context["round"] = shown(picture, one, context["name_of"], mine)
    return render(request, "tournaments/round.html", context)


@require_safe
@club_page(PUBLIC)
def tournament_standings(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The whole table with its reasons, the cross-table of pairs, the prizes."""
    picture, context = opened(request, club, public_id)
    standing = standing_of(picture)
    context["rows"] = rows_of(picture, standing, context["name_of"])
    context["columns"] = columns_of(picture, standing)
    if is_played_out(picture):
        context["prizes"] = prizes(picture, standing, context["name_of"])
    context["cross"] = crossing(picture, standing, context["name_of"])
    return render(request, "tournaments/standings.html", context)


def is_played_out(picture: Picture) -> bool:
    """Whether it is over, so that prizes can be given."""
    if picture.stage.tournament.state == Tournament.State.FINISHED:
        return True
    due = rounds_due(picture)
    all_drawn = due is not None and len(picture.published) >= due
    return all_drawn and picture.last is not None and not picture.last.open


@require_safe
@club_page("member")
def print_draw(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The round that is on, for the wall by the door: by table and by name; then the bracket, the
    standings, the cross-table."""
    picture, context = opened(request, club, public_id)
    last = picture.last
    context["round"] = shown(picture, last, context["name_of"]) if last else None
    standing = standing_of(picture)
    context["rows"] = rows_of(picture, standing, context["name_of"])
    context["columns"] = columns_of(picture, standing)
    context["cross"] = crossing(picture, standing, context["name_of"])
    return render(request, "tournaments/print.html", context)
