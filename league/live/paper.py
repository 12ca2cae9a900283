"""Print-outs: table cards, score sheets, tickets, the seating chart, the movement of a round."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from django.contrib import messages
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from league.access import PUBLIC, ClubRequest, club_page, rank_of
from league.errors import Refused
from league.labels import as_partners
from league.live.room import Room, room
from league.members.audit import actor_of
from league.members.game_facts import in_short
from league.members.languages import in_clubs_language
from league.members.models import Club, ClubRuleset, Member
from league.members.queries import default_rulesets, versions_of
from league.members.rule_changes import unlike_usual
from league.members.rule_options import differences
from league.members.views.rulesets import print_page, ruleset_context
from league.network import address_for_phones
from league.play.auth import TableAccess, card_link, links_of, table_page, table_qr
from league.play.game_log import open_game_log
from league.play.questions import questions_of
from league.play.sheet import round_titles
from league.seating.actions import make_cards_up_to
from league.seating.models import Round, Table
from league.seating.queries import (
    PlayedRules,
    coming_rules,
    latest_published,
    live_tables,
    moves_in_round,
    played_rules,
)
from league.sessions.models import Session
from league.sessions.queries import session_of
from league.standings.models import Pot
from league.tournaments.games_of_matches import people_with_bye, people_without_match
from league.tournaments.queries import stage_of_round, title_of_round
from league.tournaments.stage_state import load_stage
from scoring import Ruleset, ruleset


@require_safe
@club_page("organiser")
def paper(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """All print-outs of a session."""
    return render(request, "live/paper.html", _context(club, session_of(club, public_id)))


@require_safe
@club_page("organiser")
@in_clubs_language
def print_cards(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Permanent table cards: for tonight's tables, or for tables from 1 to the number in `to`."""
    club_session = session_of(club, public_id)
    last_number = request.GET.get("to", "")
    if last_number.isdecimal() and len(last_number) < 5:
        cards = club.table_cards.filter(number__lte=int(last_number))
        links = {card.number: (card_link(card), card.typed) for card in cards}
    else:
        tiles = room(club_session, at=timezone.now()).tiles
        links = links_of([tile.table for tile in tiles], club)
    contexts = [
        _card(number, typed, address_for_phones(request, link))
        for number, (link, typed) in sorted(links.items())
    ]
    context = {"club": club, "club_session": club_session, "here": "sessions", "cards": contexts}
    return render(request, "live/print_cards.html", context)


def _card(number: int, typed: str, address: str) -> dict[str, Any]:
    qr = mark_safe(table_qr(address))  # noqa: S308 - segno's own SVG
    return {"number": number, "typed": typed, "qr": qr, "door": address.partition("#")[0]}


@require_POST
@club_page("organiser")
def make_cards(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Make cards for tables from 1 to a number, to be printed before anybody is seated."""
    session_of(club, public_id)
    text = request.POST.get("tables", "")
    last_number = int(text) if text.isdecimal() and len(text) < 5 else 0
    try:
        make_cards_up_to(club, last_number, by=actor_of(request))
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("paper", club.slug, public_id)
    address = reverse("print_cards", args=[club.slug, public_id])
    return redirect(f"{address}?to={last_number}")


@require_safe
@club_page("organiser")
@in_clubs_language
def print_sheets(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """A score sheet for every table, with pips to tick, for a session without phones."""
    return render(request, "live/print_sheets.html", _context(club, session_of(club, public_id)))


@require_safe
@club_page("organiser")
@in_clubs_language
def print_tickets(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """A ticket for each table to hand in, with room for the result and both sides' initials."""
    club_session = session_of(club, public_id)
    context = _context(club, club_session) | {"counts_euchres": _counts_euchres(club_session)}
    return render(request, "live/print_tickets.html", context)


def _counts_euchres(club_session: Session) -> bool:
    """Whether the ranking or a pot of the session or its season counts euchres made."""
    if "euchres" in (club_session.measures or club_session.club.measures):
        return True
    of_session = Q(session=club_session)
    if club_session.season_id:
        of_session |= Q(season=club_session.season_id)
    return Pot.objects.filter(of_session, payout=Pot.Payout.MOST_EUCHRES).exists()


@require_safe
@club_page("member")
@in_clubs_language
def print_chart(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Where everyone sits, by table and by name."""
    context = _context(club, session_of(club, public_id))
    the_room = context["room"]
    out, with_bye, context["in_bracket"] = _without_match(context["published"])
    seatless = [member for member in the_room.seatless if member.pk not in out]
    context["with_bye"] = [member for member in seatless if member in with_bye]
    context["seatless"] = [member for member in seatless if member not in with_bye]
    context["by_name"] = _tables_by_name(the_room, seatless)
    return render(request, "live/print_chart.html", context)


@require_safe
@club_page("member")
@in_clubs_language
def print_movement(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """Where everybody moves for the latest round, from table to table."""
    context = _context(club, session_of(club, public_id))
    published, the_room = context["published"], context["room"]
    moves = moves_in_round(published, the_room.seatless) if published else []
    out, context["with_bye"], _in_bracket = _without_match(published)
    context["moves"] = [one for one in moves if one.now or one.member.pk not in out]
    context["are_moving"] = any(move.before for move in moves)  # not in the first round
    return render(request, "live/print_movement.html", context)


def _without_match(published: Round | None) -> tuple[set[int], list[Member], bool]:
    """The keys of the players out of the round's tournament, also once it is closed; who has
    a bye in it; and whether the others wait in its bracket."""
    stage = stage_of_round(published) if published else None
    if stage is None:
        return set(), [], False
    state = load_stage(stage)
    byes = [member for entry in people_with_bye(state) for member in entry]
    return people_without_match(state), byes, state.in_bracket


# The rules that a table's phone names first.
FIGURES_FIRST = (
    "target", "hands", "march", "lone_march", "euchre", "stick_the_dealer", "misdeal_dealer",
    "farmers", "min", "set_costs", "all_pass",
)  # fmt: skip


class OtherRules(NamedTuple):
    """House rules other than the club's, in words: the tables that play them, and what differs, or
    where that is much, what they are."""

    where: str
    words: str


class RulesTonight(NamedTuple):
    """A session that plays other house rules than the club's, and those rules."""

    club_session: Session
    others: list[OtherRules]
    everywhere: bool
    """Whether all its tables play the same other rules."""
    are_coming: bool = False
    """Whether these are the session's own rules, which its next tables play."""


def other_rules_tonight(club: Club) -> list[RulesTonight]:
    """The open sessions that play by other rules than the club's default, also if those are only an
    older version of them. Three queries, and one for each rule of a session without tables.

    Sessions of team matches are left out: their league says what they play.
    """
    usual = _usual_rules(club)
    sessions = club.sessions.filter(state=Session.State.OPEN, of_team_match=False)
    tables = Table.objects.filter(is_live=True, session__in=sessions)
    tables = tables.select_related("session", "ruleset")
    in_order = tables.order_by("session__held_on", "session_id", "number")
    nights = []
    for club_session, its_tables in groupby(in_order, key=attrgetter("session")):
        played = played_rules(its_tables)
        others = [_in_words(one, usual) for one in played if _differs(one.ruleset, usual)]
        if others:
            nights.append(RulesTonight(club_session, others, everywhere=len(played) == 1))
    without_tables = sessions.filter(rulesets__isnull=False).exclude(tables__is_live=True)
    for club_session in without_tables.distinct().order_by("held_on", "id"):
        nights += other_rules_of(club_session, club_session.rulesets.all())
    return nights


def other_rules_of(club_session: Session, own: Iterable[ClubRuleset]) -> list[RulesTonight]:
    """A planned or open session that has its `own` rules, if its next tables play otherwise by them
    than by the club's: a list of one, or none. No query for a session without rules of its own."""
    newest = [versions_of(one)[0] for one in own]
    if not newest or club_session.state not in (Session.State.PLANNED, Session.State.OPEN):
        return []
    usual = _usual_rules(club_session.club)
    others = [_in_words(PlayedRules(one, []), usual) for one in newest if _differs(one, usual)]
    night = RulesTonight(club_session, others, everywhere=False, are_coming=True)
    return [night] if others else []


def _usual_rules(club: Club) -> dict[int, ClubRuleset]:
    return {one.players: one for one in default_rulesets(club)}


def _differs(ruleset: ClubRuleset, usual: Mapping[int, ClubRuleset]) -> bool:
    own = usual.get(ruleset.players)
    return own is None or bool(differences(own.rules, ruleset.rules))


def _in_words(played: PlayedRules, usual: Mapping[int, ClubRuleset]) -> OtherRules:
    words = unlike_usual(usual.get(played.ruleset.players), played.ruleset)
    return OtherRules(played.where, words or in_short(played.ruleset.rules))


@require_safe
@club_page(PUBLIC)
@in_clubs_language
def print_rules(request: ClubRequest, club: Club, public_id: str) -> HttpResponse:
    """The house rules that tonight's tables play; before there are tables, those they would play,
    with the session's own and the usual table size first."""
    club_session = session_of(club, public_id)
    back = reverse(
        "session" if rank_of(request) else "session_standings", args=[club.slug, public_id]
    )
    shown = partial(print_page, request, club, back=back, club_session=club_session)
    if played := played_rules(live_tables(club_session)):
        sheets = [(one.ruleset, one.where if len(played) > 1 else "") for one in played]
        return shown(sheets)
    coming = coming_rules(club_session)
    return shown([(one, "") for one in coming[:1]], coming[1:])


@table_page
@require_safe
def table_house_rules(request: HttpRequest, access: TableAccess) -> HttpResponse:
    """The rules of the game at a table, on its phone, on which nobody signs in."""
    rules = open_game_log(access.table).game.ruleset
    usual = default_rulesets(rules.club).filter(players=rules.players).first()
    about = ruleset_context(rules.rules)
    rows = {row.name: row for row in about["sourced"]}
    figures = [rows[name] for name in FIGURES_FIRST if name in rows]
    context = {"table": access.table, "chosen": rules, "figures": figures, **about}
    context["unusual"] = unlike_usual(usual, rules)
    return render(request, "live/table_house_rules.html", context)


def _context(club: Club, club_session: Session) -> dict[str, Any]:
    the_room = room(club_session, at=timezone.now())
    to_play = [tile for tile in the_room.tiles if not (tile.game and tile.game.is_walkover)]
    the_room = replace(the_room, tiles=tuple(to_play))
    titles = round_titles(tile.table for tile in the_room.tiles)
    published = latest_published(club_session)
    title = title_of_round(published) if published else ""
    return {
        "club": club,
        "here": "sessions",
        "club_session": club_session,
        "room": the_room,
        "published": published,
        "round_title": title,
        "table_titles": [
            (tile.table.number, titles[tile.table.pk])
            for tile in the_room.tiles
            if the_room.is_of_tournament and {*titles.values()} != {title}
        ],
        "cards": [{**card, "round": titles[card["tile"].table.pk]} for card in _cards(the_room)],
    }


def _tables_by_name(the_room: Room, seatless: Iterable[Member]) -> list[tuple[Member, int | None]]:
    """Everybody by name with their table's number; None for players without a seat."""
    numbers: list[tuple[Member, int | None]] = [
        (tile_seat.member, tile.table.number)
        for tile in the_room.tiles
        for tile_seat in tile.current_seats
    ]
    numbers += [(member, None) for member in seatless]
    return sorted(numbers, key=lambda entry: entry[0].sort_key)


def _cards(the_room: Room) -> list[dict[str, Any]]:
    """Each table with what its paper needs by its rules, such as the target and the columns."""
    cards = []
    for tile in the_room.tiles:
        rules = ruleset(tile.table.ruleset.body)
        target = rules.target or 0
        cards.append(
            {
                "tile": tile,
                "sides": [as_partners([seat.member.label for seat in side]) for side in tile.sides],
                "target": target,
                "hands": rules.hands,
                "start": rules.start,
                "pips": range(1, target + 1) if 0 < target <= 15 else (),
                "lines": range(1, _line_count(rules) + 1),
                "dealer": next((s.member.label for s in tile.current_seats if s.deals_first), ""),
                "columns": sheet_columns(rules),
                "counted": _counted_title(rules),
                **_player_columns(rules),
            }
        )
    return cards


def _line_count(rules: Ruleset) -> int:
    """The hands a sheet has lines for: the most that a short game can take, at a point a hand."""
    if rules.hands:
        return min(30, rules.hands)
    target = rules.target or 0
    most = len(rules.sides) * (target - 1) + 1 if 0 < target <= 15 else 0
    return max(20, min(30, most))


def sheet_columns(rules: Ruleset) -> list[str]:
    """The columns of a score sheet for one hand, before the points.

    If each player's tricks are counted, they have columns beside the scores instead.
    """
    questions = questions_of(rules)
    call = [_("Maker")] if questions.is_turn_up else [_("Bidder"), _("Bid")]
    partner = [_("Partner")] if questions.partner else []
    trump = [_("Trump")] if questions.trumps and not questions.is_turn_up else []
    alone = [_("Alone")] if questions.alone and not questions.partner else []
    lone_defender = [_("A defender alone")] if questions.lone_defender else []
    tricks = [] if questions.by_seat else [_("Tricks")]
    return [_("Dealer"), *call, *partner, *trump, *alone, *lone_defender, *tricks]


def _counted_title(rules: Ruleset) -> str:
    """The title of what a ticket counts besides points: how often the callers were beaten."""
    return _("Euchres made") if questions_of(rules).is_turn_up else _("Bids set")


def _player_columns(rules: Ruleset) -> dict[str, bool]:
    """Whether a sheet has a column of tricks for every player, and whether players drop out."""
    questions = questions_of(rules)
    return {"by_seat": questions.by_seat, "dropping": questions.dropping}
