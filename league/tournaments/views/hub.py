"""The tournament's own page, its rounds, its standings, and print-outs."""

from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.access import PUBLIC, ClubRequest, club_page, reaches
from league.labels import unbroken_initial
from league.members.languages import in_clubs_language
from league.members.models import Club, Member, Role, namer
from league.members.names import sort_key
from league.members.queries import player_of
from league.network import address_for_phones
from league.ranking.tie_breaks import Unplayed
from league.sessions.links import has_wall
from league.sessions.queries import is_held_from, next_planned, refuse_held
from league.standings.formulas import rule
from league.standings.labels import Label
from league.tournaments.actions.public_entry import requests_naming, takes_requests
from league.tournaments.actions.redraw import games_in_the_way, may_take_back
from league.tournaments.bracket_page import bracket_parts
from league.tournaments.correction_notice import correction_rows, what_to_reopen
from league.tournaments.draws import rounds_due
from league.tournaments.draws.groups import group_states
from league.tournaments.draws.knockout import corrections
from league.tournaments.entered import entered_texts
from league.tournaments.following import finalists, following_context, may_play_on_as_pairs
from league.tournaments.games_of_matches import rules_played, undecided_matches
from league.tournaments.models import Match, Stage, Tournament
from league.tournaments.next_step import is_nearly_over, may_end_in_final, next_action
from league.tournaments.own_match import (
    final_place,
    how_it_ended,
    left_text,
    stake_text,
    text_without_match,
    tied_text,
    whats_next,
)
from league.tournaments.prizes import prizes
from league.tournaments.queries import (
    NameOf,
    entry_name,
    is_drawn_from_old_result,
    is_played_out,
    stage_of,
    tournament_of,
    unsettled_tables,
)
from league.tournaments.round_sheets import fixtures_to_come, next_seat, player_cards, round_sheet
from league.tournaments.stage_state import BRACKETS, RoundFacts, StageState, load_stage
from league.tournaments.standing import Standing, standing_of
from league.tournaments.tables import (
    Row,
    codes_of,
    columns_of,
    cross_table,
    facts_of,
    made_up_text,
    ranks_before,
    rows_of,
)
from league.tournaments.text import UNPLAYED, byes_text, explanation


def open_tournament(
    request: ClubRequest, club: Club, public_id: str
) -> tuple[StageState, dict[str, Any]]:
    """The state of a tournament, and the context that all its pages share."""
    tournament = tournament_of(club, public_id)
    state = load_stage(stage_of(tournament))
    organiser = reaches(request.rank, Role.Rank.ORGANISER)
    people = [member for entry in state.entries.values() for member in entry.people]
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
        "own_entry": own_entry(request, state),
        "bracket": bracket_parts(state, name_of),
        "groups": group_tables(state, name_of),
    }


def own_entry(request: ClubRequest, state: StageState) -> int | None:
    """The key of the reader's own entry; None if they did not enter."""
    if not request.user.is_authenticated:
        return None
    user = request.user.pk
    entries = state.entries.items()
    return next((k for k, entry in entries if user in {m.user_id for m in entry.people}), None)


def group_tables(state: StageState, name_of: NameOf) -> list[tuple[list[Label], list[Row], Any]]:
    """The headings, rows and cross-table of each group; empty for other formats."""
    if state.stage.format != Stage.Format.GROUPS or not state.published:
        return []
    tables = []
    for group in group_states(state):
        standing = standing_of(group)
        rows, cross = rows_of(group, standing, name_of), cross_table(group, standing, name_of)
        tables.append((columns_of(group, standing), rows, cross))
    return tables


@require_safe
@club_page(PUBLIC)
def tournament(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The next thing to do, the reader's table, the current round, and the leaders."""
    state, context = open_tournament(request, club, public_id)
    rounds = rounds_due(state)
    tour = state.stage.tournament
    context |= following_context(state, context["own_entry"], context["name_of"])
    held = is_held_from(tour.session, request.rank)
    context["hides_seeds"] = held and tour.follows is not None
    context["finalists"] = finalists(state, context["name_of"], by_seed=not held)
    context["rounds_have_names"] = all(facts.row.label for facts in state.published)
    if context["organiser"]:
        context["next"] = next_action(state, rounds)
        context["nearly_over"] = is_nearly_over(state, rounds)
        context["drawn_from_old"] = state.draft is None and is_drawn_from_old_result(state)
        context["may_pair"] = may_play_on_as_pairs(state) and not context["followed_by"]
        context["requested"] = tour.requests.count()
    context |= _round_context(request, state, context["name_of"])
    context |= _own_context(state, context, rounds)
    context["begun"] = len(state.published) > 1 or (
        state.last is not None and not state.is_untouched
    )
    context |= _places_context(request, state, context)
    context["corrections"] = correction_rows(state, context["name_of"])
    context["reopens"] = what_to_reopen(tour)
    context |= {"rounds": rounds, "explanation": _explanation(state)}
    context["played_by"] = rules_played(state)
    context["may_ask"] = takes_requests(tour)
    if context["may_ask"] and not context["my_entry"]:
        player = player_of(club, request.user)
        context["has_requested"] = bool(requests_naming(tour, player))
    context["has_wall"] = has_wall(tour.session)
    if tour.state == Tournament.State.RUNNING:
        context["to_come"] = fixtures_to_come(state, context["name_of"])
    context["withdrawals"] = sum(bool(entry.withdrawn_at) for entry in state.entries.values())
    context["redrawn"] = joined_since(state, context["name_of"])
    is_partial = request.headers.get("HX-Request")
    return render(
        request, "tournaments/_hub.html" if is_partial else "tournaments/hub.html", context
    )


def _own_context(state: StageState, context: dict[str, Any], rounds: int | None) -> dict[str, Any]:
    """What the reader, if entered, reads of their own match, their rounds and what comes next."""
    own, name_of = context["own_entry"], context["name_of"]
    texts: dict[str, Any] = {
        "my_entry": entered_texts(state, own),
        "my_stake": _whats_at_stake(state, context),
        "my_bye": text_without_match(state, own, rounds, name_of),
    }
    if context.get("my_match"):
        texts["my_result"] = how_it_ended(context["my_match"], own)
    if texts.get("my_result"):
        texts["my_next"] = tied_text(state, own) or whats_next(state, own, name_of)
    if texts["my_entry"]:
        texts["own_name"] = entry_name(state.entries[own], name_of)
    if state.stage.tournament.state == Tournament.State.RUNNING and own:
        texts["my_rounds"] = player_cards(state, name_of)[own]
        if texts.get("my_next"):
            texts["my_seat_next"] = next_seat(state, texts["my_rounds"])
    return texts


def _places_context(
    request: ClubRequest, state: StageState, context: dict[str, Any]
) -> dict[str, Any]:
    """The standings, and at the end the prizes; nothing of them while they are held back."""
    if is_held_from(state.stage.tournament.session, request.rank):
        return {"rows": [], "held": True, "groups": []}
    standing = standing_of(state)
    places = _table_context(state, standing, context)
    places |= _prizes_context(state, standing, context["name_of"])
    if state.stage.tournament.state == Tournament.State.FINISHED:
        places["may_end_in_final"] = context["organiser"] and may_end_in_final(state)
        places |= _finished_context(request, state, context["own_entry"])
    return places


def _prizes_context(state: StageState, standing: Standing, name_of: NameOf) -> dict[str, Any]:
    """The prizes once all rounds are played, and whether a result may still change them."""
    if not is_played_out(state):
        return {}
    return {
        "prizes": prizes(state, standing, name_of),
        "not_confirmed": unsettled_tables(state),
    }


def _table_context(
    state: StageState, standing: Standing, context: dict[str, Any]
) -> dict[str, Any]:
    """The standings as a page shows them, with the reader's own line and who has moved."""
    name_of = context["name_of"]
    rows = rows_of(state, standing, lambda m: unbroken_initial(name_of(m)), ranks_before(state))
    columns = columns_of(state, standing)
    own = next((row for row in rows if row.who == context["own_entry"] and row.rank), None)
    return {
        "rows": rows,
        "columns": columns,
        "in_full": standing.credits_in_full,
        "byes_count": byes_text(state, codes_of(standing)),
        "made_up": made_up_text(standing),
        "moved": any(row.climbed for row in rows),
        "own_line": own.line(columns) if own and not state.in_bracket else None,
    }


def _whats_at_stake(state: StageState, context: dict[str, Any]) -> str:
    """What the reader's match decides, if it is to be played now."""
    match, own = context.get("my_match"), context["own_entry"]
    if match is None or own is None or match.facts.over:
        return ""
    left = left_text(state, own, context["name_of"])
    if left or not state.in_bracket:
        return left
    tables = [sheet.table for sheet in context["round"].matches if sheet.table]
    numbers = {table.pk: table.number for table in tables}
    return stake_text(state, own, context["name_of"], numbers)


def _finished_context(request: ClubRequest, state: StageState, own: int | None) -> dict[str, Any]:
    """What the page of a finished tournament adds: its size, a link to share, what comes next."""
    tournament = state.stage.tournament
    path = reverse("tournament_standings", args=[tournament.club.slug, tournament.public_id])
    return {
        "facts": facts_of(state),
        "my_place": final_place(state, own),
        "address": address_for_phones(request, path),
        "next_session": next_planned(tournament.session, at=timezone.now()),
    }


def joined_since(state: StageState, name_of: NameOf) -> list[tuple[str, int, int]]:
    """The late entries that had rounds redrawn: name, last round before the redraw, group."""
    by_number = {entry.number: entry for entry in state.entries.values()}
    return [
        (entry_name(by_number[redraw["late"]], name_of), redraw["after"], redraw["group"])
        for redraw in state.stage.redrawn
    ]


def _averages_small_tables(state: StageState) -> bool:
    """Whether rounds at small tables, or sat out, count as an average round at tables of four."""
    is_chosen = state.stage.format == Stage.Format.PROGRESSIVE and state.options.short_apart
    rounds = state.rounds if is_chosen else ()
    return any(r.byes or any(match.players < 4 for match in r.matches) for r in rounds)


def _explanation(state: StageState) -> list[str]:
    """How the format works; without small tables if the entries fill tables of four."""
    count = len(state.active_entries)
    has_small_tables = not count or count % 4 > 0
    return explanation(state.stage.format, state.options, has_small_tables=has_small_tables)


def _round_context(request: ClubRequest, state: StageState, name_of: NameOf) -> dict[str, Any]:
    """The current round, and the match in which the reader sits."""
    if state.last is None:
        return {"round": None}
    sheet = round_sheet(state, state.last, name_of, reader_key(request, state.stage.tournament))
    if is_held_from(state.stage.tournament.session, request.rank) and not state.in_bracket:
        sheet = sheet.without_scores()
    my_match = next((match for match in sheet.matches if match.is_mine), None)
    return {
        "round": sheet,
        "my_match": my_match,
        "untouched": state.is_untouched,
        "may_take_back": may_take_back(state),
        "in_the_way": _games_in_the_way(state.last),
        "undecided": undecided_matches(state),
    }


def _games_in_the_way(last: RoundFacts) -> int:
    """How many games keep a round from being unpublished; 0 once it is played to the end."""
    called_off = any(game.over and not game.counts for m in last.matches for game in m.games)
    return games_in_the_way(last) if last.open_matches or called_off else 0


def reader_key(request: ClubRequest, tournament: Tournament) -> int | None:
    """The key of the reader's player in the club; None without an account or a player."""
    if not request.user.is_authenticated:
        return None
    members = Member.objects.filter(club=tournament.club_id, user=request.user)
    return members.values_list("pk", flat=True).first()


@require_safe
@club_page(PUBLIC)
def tournament_round(request: ClubRequest, club: Club, public_id: str, number: int) -> HttpResponse:
    """A published round: its matches and how they ended."""
    state, context = open_tournament(request, club, public_id)
    facts = next((facts for facts in state.published if facts.number == number), None)
    if facts is None:
        raise Http404
    if state.stage.format not in BRACKETS:  # the rounds add up to the standings
        refuse_held(state.stage.tournament.session, request.rank)
    reader = reader_key(request, context["tournament"])
    context["round"] = round_sheet(state, facts, context["name_of"], reader)
    context["in_bracket"] = state.in_bracket and number >= (state.bracket_from or 1)
    context["is_earlier"] = state.last is not None and number < state.last.number
    context["undecided"] = undecided_matches(state)
    return render(request, "tournaments/round.html", context)


@require_safe
@club_page(PUBLIC)
def tournament_standings(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The full standings with what decided them, the cross-table of pairs, and the prizes."""
    state, context = open_tournament(request, club, public_id)
    refuse_held(state.stage.tournament.session, request.rank)
    standing = standing_of(state)
    context |= _table_context(state, standing, context)
    context |= _prizes_context(state, standing, context["name_of"])
    context["cross"] = cross_table(state, standing, context["name_of"])
    context["corrections"] = corrections(state)
    context |= following_context(state, None, context["name_of"])
    labels = rule(standing.measures, small_apart=_averages_small_tables(state))
    context["rule"] = [] if state.in_bracket else labels
    if state.stage.format == Stage.Format.SWISS:
        context["unplayed"] = UNPLAYED[Unplayed(state.options.unplayed)]
    if state.stage.tournament.state == Tournament.State.FINISHED:
        context["address"] = address_for_phones(request, request.path)
    return render(request, "tournaments/standings.html", context)


@require_safe
@club_page("member")
@in_clubs_language
def print_draw(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """A print-out of the current round by table and by name, the bracket and the standings."""
    state, context = open_tournament(request, club, public_id)
    refuse_held(state.stage.tournament.session, request.rank)
    last = state.last
    context["round"] = round_sheet(state, last, context["name_of"]) if last else None
    standing = standing_of(state)
    context["rows"] = rows_of(state, standing, context["name_of"])
    context |= {"columns": columns_of(state, standing), "in_full": standing.credits_in_full}
    context["cross"] = cross_table(state, standing, context["name_of"])
    context["corrections"] = corrections(state)
    context["byes_count"] = byes_text(state, codes_of(standing))
    context["made_up"] = made_up_text(standing)
    context["has_extra_hands"] = any(
        m.place and m.decided_by == Match.By.EXTRA_HAND for m in state.matches
    )
    if state.stage.tournament.state == Tournament.State.FINISHED:
        context |= following_context(state, None, context["name_of"])
        context |= _prizes_context(state, standing, context["name_of"])
    context["has_results"] = any(match.over for match in state.matches)
    return render(request, "tournaments/print.html", context)


@require_safe
@club_page("organiser")
@in_clubs_language
def tournament_cards(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """A print-out of each player's card: who they play with and against in each round."""
    state, context = open_tournament(request, club, public_id)
    cards = player_cards(state, context["name_of"])
    names = {key: entry_name(state.entries[key], context["name_of"]) for key in cards}
    active = [key for key in cards if key in state.active_entries]
    context["cards"] = sorted(
        ((names[key], cards[key]) for key in active), key=lambda card: sort_key(card[0])
    )
    return render(request, "tournaments/cards.html", context)
