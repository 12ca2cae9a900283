"""Who may open which page of a club: one line a page, read by `tests/members/test_access.py`.

A new address under `/c/<slug>/` fails there until it has its line here. `least` is the lowest rank
that gets in (`PUBLIC` for everybody, where the club shows itself); `ids` gives the address its
parts beside the slug, from the scene of the test; `method` and `data` how the page is asked.
`answers` are the statuses of a visitor who gets in: redirects and refused empty forms count.
`of_the_club` is false where the parts of the address are nobody's own (a preset, a day).
`guards_itself` says why a page does without `club_page`; it turns everybody else away with 404.
"""

import gzip
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any

from django.utils import timezone

from league.access import PUBLIC
from league.members.actions import adopt_preset
from league.members.actions.accounts import make_token
from league.members.actions.roles import invite
from league.members.models import Club, new_public_id
from league.play.actions import game_at, rule_penalty
from league.seating.models import Wish
from league.standings.actions import add_pot, record_payment
from league.teams.actions import deduct, make_cup
from league.tournaments.actions import (
    ask_to_enter,
    draw_round,
    enter,
    offer_places,
    publish_draw,
    start_tournament,
)
from league.tournaments.models import Match
from league.tournaments.parameters import Chosen
from tests.builders import (
    EIGHT,
    TEST,
    a_club,
    a_ruleset,
    a_session,
    a_table,
    a_user,
    members_of,
    rulesets_of,
)
from tests.teams.leagues import with_fixtures

MEMBER, SCOREKEEPER, ORGANISER, OWNER = "member", "scorekeeper", "organiser", "owner"
NOBODY_NAMED = frozenset({404})  # the page is open, but the empty form names nobody
ONLY_CAPTAINS = frozenset({403})  # a member who leads neither team is told so
WHERE_PUBLIC = frozenset({200, 403})  # a club that is not public is told that it has to be
IN = frozenset({200, 302, 304, 409, 422})


class Scene:
    """A club with one of everything, each thing made when a page first asks for it."""

    def __init__(self, visibility: str) -> None:
        self.club: Club = a_club(visibility=visibility)
        self.owner = a_user("owner", club=self.club, rank="owner")

    @cached_property
    def member(self) -> Any:
        return members_of(self.club, 1)[0]

    @cached_property
    def session(self) -> Any:
        return a_session(self.club, [self.member])

    @cached_property
    def season(self) -> Any:
        return self.club.seasons.create(name="Autumn", starts_on=date(2026, 9, 1))

    @property
    def pot(self) -> Any:
        told = {"source": "entry", "amount": Decimal(2), "payout": "kept"}
        return add_pot(self.session, name="Entry", by=TEST, at=timezone.now(), **told)

    @cached_property
    def role(self) -> Any:
        return self.club.roles.get(user=a_user("bob", club=self.club, rank="member"))

    @cached_property
    def invitation(self) -> Any:
        return invite(self.club, rank="member", by=TEST, at=timezone.now())[0]

    @cached_property
    def token(self) -> Any:
        return make_token(self.club, name="Screen", scope="read", by=TEST, at=timezone.now())[0]

    @cached_property
    def table(self) -> Any:
        return a_table(self.session, members_of(self.club, 4), a_ruleset(self.club))

    @cached_property
    def game(self) -> Any:
        return game_at(self.table)

    @property
    def wish(self) -> Any:
        first, second = members_of(self.club, 2)
        return Wish.objects.create(club=self.club, kind="avoid", first=first, second=second)

    @cached_property
    def tournament(self) -> Any:
        return start_tournament(
            self.session, name="Cup", format="progressive", choice=Chosen(), seed=1, by=TEST
        )

    @cached_property
    def open_tournament(self) -> Any:
        night = a_session(self.club, name="Open night", held_on=date(2026, 12, 3))
        form = {"format": "progressive", "choice": Chosen(), "seed": 1}
        return offer_places(start_tournament(night, name="Open", **form, by=TEST), 8, by=TEST)

    @cached_property
    def drawn_tournament(self) -> Any:
        rulesets_of(self.club)
        for member in members_of(self.club, 4):
            enter(self.tournament, member, by=TEST, at=EIGHT)
        draw_round(self.tournament, by=TEST, seed=1)
        return self.tournament

    @cached_property
    def job(self) -> Any:
        """Long work that any member may do, ended with a file."""
        return self.club.jobs.create(
            kind="export-results",
            task="league.exchange.export_jobs.write_results",
            least="member",
            user=self.owner,
            state="done",
            file=gzip.compress(b"name"),
            file_kind="csv",
        )

    @cached_property
    def ruleset(self) -> Any:
        return adopt_preset(self.club, preset="nanaimo-four-handed", by=TEST)

    @cached_property
    def team_league(self) -> Any:
        return with_fixtures(2, club=self.club)

    @cached_property
    def cup(self) -> Any:
        return make_cup(self.team_league, name="Cup", third_place=False, seed=1, by=TEST)


def NO_IDS(scene: Scene) -> dict[str, Any]:
    """For an address with nothing but the club's slug."""
    return {}


@dataclass(frozen=True)
class Page:
    """How one address is asked, and who gets in."""

    least: str
    ids: Callable[[Scene], dict[str, Any]] = NO_IDS
    method: str = "get"
    data: dict[str, str] = field(default_factory=dict)
    answers: frozenset[int] = IN
    guards_itself: str = ""
    of_the_club: bool = True


def of(thing: str) -> Callable[[Scene], dict[str, Any]]:
    """The public id of one thing of the scene."""
    return lambda scene: {"public_id": getattr(scene, thing).public_id}


def at_a_table(scene: Scene) -> dict[str, Any]:
    """A table of the session."""
    return {"public_id": scene.session.public_id, "table": scene.table.public_id}


def a_ruling(scene: Scene) -> dict[str, Any]:
    """A penalty ruled in the game."""
    ruling = rule_penalty(
        scene.game.table,
        by_seat=0,
        client_id=new_public_id(),
        by=TEST,
        at=timezone.now(),
        as_organiser=True,
    )
    return {"public_id": scene.game.public_id, "ruling": ruling.pk}


def a_payment(scene: Scene) -> dict[str, Any]:
    """A payment into a pot."""
    pot = scene.pot
    told = {"out": False, "amount": Decimal(2), "by": TEST, "at": timezone.now()}
    return {
        "public_id": pot.public_id,
        "payment": record_payment(pot, scene.member, **told).pk,
    }


def a_round(scene: Scene) -> dict[str, Any]:
    """The first round of a tournament that is on."""
    if not scene.drawn_tournament.stages.get().rounds.filter(seating__state="published").exists():
        publish_draw(scene.drawn_tournament, by=TEST, at=EIGHT)
    return {"public_id": scene.drawn_tournament.public_id, "number": 1}


def an_entry(scene: Scene) -> dict[str, Any]:
    """An entry of a tournament that is drawn."""
    entry = scene.drawn_tournament.entries.first()
    return {"public_id": scene.drawn_tournament.public_id, "entry": entry.pk}


def a_request(scene: Scene) -> dict[str, Any]:
    """Somebody who asked to enter a tournament."""
    cup = scene.open_tournament
    asked = ask_to_enter(cup, name="Vera", partner="", contact="", by=TEST, at=EIGHT)
    return {"public_id": cup.public_id, "asked": asked.pk}


def a_match(scene: Scene) -> dict[str, Any]:
    """A match of a tournament that is drawn."""
    match = Match.objects.filter(stage_round__stage__tournament=scene.drawn_tournament).first()
    return {"public_id": scene.drawn_tournament.public_id, "match": match.pk}


def a_team(scene: Scene) -> dict[str, Any]:
    """A team of a league."""
    team = scene.team_league.teams.first()
    return {"public_id": scene.team_league.public_id, "team": team.public_id}


def a_deduction(scene: Scene) -> dict[str, Any]:
    """Points taken off a team of a league."""
    team = scene.team_league.teams.first()
    taken = deduct(team, 1, reason="Late", by=TEST, at=timezone.now())
    return a_team(scene) | {"deduction": taken.pk}


def a_team_match(scene: Scene) -> dict[str, Any]:
    """A fixture of a league."""
    match = scene.team_league.matches.first()
    return {"public_id": scene.team_league.public_id, "match": match.public_id}


def a_team_cup(scene: Scene) -> dict[str, Any]:
    """A cup of a league."""
    return {"public_id": scene.team_league.public_id, "cup": scene.cup.public_id}


def a_sheet_of(thing: str) -> Callable[[Scene], dict[str, Any]]:
    """One thing of the scene as a CSV file."""
    return lambda scene: {"public_id": getattr(scene, thing).public_id, "kind": "csv"}


PAGES: dict[str, Page] = {
    # members
    "club": Page(PUBLIC),
    "members": Page(MEMBER),
    "member_add": Page(ORGANISER),
    "members_paste": Page(ORGANISER),
    "member_edit": Page(ORGANISER, of("member")),
    "member_account": Page(ORGANISER, of("member"), "post"),
    "member_deactivate": Page(ORGANISER, of("member"), "post"),
    "member_reactivate": Page(ORGANISER, of("member"), "post"),
    "member_admit": Page(ORGANISER, of("member"), "post"),
    "member_merge": Page(ORGANISER, of("member")),
    "member_erase": Page(ORGANISER, of("member")),
    "roles": Page(ORGANISER),
    "role_change": Page(
        ORGANISER, lambda s: {"role_id": s.role.pk}, "post", {"rank": "scorekeeper"}
    ),
    "role_remove": Page(ORGANISER, lambda s: {"role_id": s.role.pk}, "post"),
    "role_leave": Page(MEMBER, method="post"),
    "club_link_open": Page(ORGANISER, method="post"),
    "club_link_replace": Page(ORGANISER, method="post"),
    "club_link_close": Page(ORGANISER, method="post"),
    "role_invite": Page(ORGANISER),
    "invitation_withdraw": Page(ORGANISER, lambda s: {"invitation_id": s.invitation.pk}, "post"),
    "club_settings": Page(ORGANISER),
    "guide_hide": Page(ORGANISER, method="post"),
    "audit": Page(ORGANISER),
    "tokens": Page(ORGANISER),
    "token_revoke": Page(ORGANISER, lambda s: {"token_id": s.token.pk}, "post"),
    "rulesets": Page(MEMBER),
    "ruleset_presets": Page(ORGANISER),
    "ruleset_new": Page(ORGANISER, lambda s: {"preset": "somerset"}, of_the_club=False),
    "ruleset": Page(PUBLIC, of("ruleset")),
    "ruleset_change": Page(ORGANISER, of("ruleset")),
    "ruleset_print": Page(PUBLIC, of("ruleset")),
    "rules_print": Page(PUBLIC),
    "ruleset_default": Page(ORGANISER, of("ruleset"), "post"),
    "ruleset_archive": Page(ORGANISER, of("ruleset"), "post"),
    "ruleset_restore": Page(ORGANISER, of("ruleset"), "post"),
    # seasons
    "seasons": Page(MEMBER),
    "season_new": Page(ORGANISER),
    "season_edit": Page(ORGANISER, of("season")),
    "season_divisions": Page(ORGANISER, of("season")),
    "season_place": Page(ORGANISER, of("season"), "post"),
    "season_next": Page(ORGANISER, of("season")),
    "season_outcomes": Page(ORGANISER, of("season"), "post"),
    # sessions
    "sessions": Page(MEMBER),
    "session_new": Page(ORGANISER, method="post"),
    "session_edit": Page(ORGANISER, of("session")),
    "session_open": Page(ORGANISER, of("session"), "post"),
    "session_close": Page(ORGANISER, of("session"), "post"),
    "session_cancel": Page(ORGANISER, of("session"), "post"),
    "clock_start": Page(ORGANISER, of("session"), "post"),
    "clock_pause": Page(ORGANISER, of("session"), "post"),
    "clock_extend": Page(ORGANISER, of("session"), "post"),
    "clock_stop": Page(ORGANISER, of("session"), "post"),
    "door_code": Page(ORGANISER, of("session")),
    "door_revoke": Page(ORGANISER, of("session"), "post"),
    "sign_ups": Page(MEMBER, of("session")),
    "sign_up": Page(MEMBER, of("session"), "post"),
    "sign_up_others": Page(ORGANISER, of("session"), "post", answers=NOBODY_NAMED),
    "coming": Page(MEMBER),
    "reminders": Page(MEMBER, method="post"),
    # seating
    "checkin": Page(ORGANISER, of("session")),
    "checkin_mark": Page(ORGANISER, of("session"), "post"),
    "checkin_guest": Page(ORGANISER, of("session"), "post"),
    "checkin_paste": Page(ORGANISER, of("session"), "post"),
    "checkin_everyone": Page(ORGANISER, of("session"), "post"),
    "checkin_last": Page(ORGANISER, of("session"), "post"),
    "checkin_signed_up": Page(ORGANISER, of("session"), "post"),
    "seating": Page(MEMBER, of("session")),
    "seating_draft": Page(ORGANISER, of("session"), "post"),
    "seating_sizes": Page(ORGANISER, of("session"), "post"),
    "seating_redraw": Page(ORGANISER, of("session"), "post"),
    "seating_swap": Page(ORGANISER, of("session"), "post"),
    "seating_lock": Page(ORGANISER, of("session"), "post"),
    "seating_publish": Page(ORGANISER, of("session"), "post"),
    "seating_discard": Page(ORGANISER, of("session"), "post"),
    "seating_take_back": Page(ORGANISER, of("session"), "post"),
    "certificate": Page(MEMBER, of("session")),
    "table_nudge": Page(ORGANISER, at_a_table, "post"),
    "table_join": Page(ORGANISER, at_a_table, "post", answers=NOBODY_NAMED),
    "table_dealer": Page(ORGANISER, at_a_table, "post"),
    "table_redraw_dealer": Page(ORGANISER, at_a_table, "post"),
    "table_end": Page(ORGANISER, at_a_table, "post"),
    "table_new_code": Page(ORGANISER, at_a_table, "post"),
    "session_rules": Page(ORGANISER, of("session")),
    "table_rules": Page(ORGANISER, at_a_table),
    "wishes": Page(ORGANISER),
    "wish_drop": Page(ORGANISER, lambda s: {"pk": s.wish.pk}, "post"),
    # play
    "game": Page(PUBLIC, of("game")),
    "confirm_result": Page(ORGANISER, of("game"), "post"),
    "settle_game": Page(ORGANISER, of("game"), "post"),
    "abandon_game": Page(ORGANISER, of("game"), "post"),
    "adjust_score": Page(ORGANISER, of("game"), "post"),
    "withdraw_ruling": Page(ORGANISER, a_ruling, "post"),
    "tables_to_enter": Page(SCOREKEEPER, of("session")),
    "final_scores": Page(SCOREKEEPER, of("session")),
    "disputes": Page(ORGANISER, of("session")),
    # live
    "session": Page(MEMBER, of("session")),
    "board": Page(SCOREKEEPER, of("session")),
    "table_desk": Page(SCOREKEEPER, at_a_table),
    "table_answer": Page(SCOREKEEPER, at_a_table, "post"),
    "table_substitute": Page(ORGANISER, at_a_table, "post", answers=NOBODY_NAMED),
    "wall": Page(PUBLIC, of("session")),
    "wall_made": Page(ORGANISER, of("session")),
    "wall_revoke": Page(ORGANISER, of("session"), "post"),
    "paper": Page(ORGANISER, of("session")),
    "print_cards": Page(ORGANISER, of("session")),
    "make_cards": Page(ORGANISER, of("session"), "post"),
    "print_sheets": Page(ORGANISER, of("session")),
    "print_chart": Page(MEMBER, of("session")),
    "print_movement": Page(MEMBER, of("session")),
    "session_revision": Page(PUBLIC, of("session"), guards_itself="its key saves a query"),
    # standings
    "session_standings": Page(PUBLIC, of("session")),
    "session_rule": Page(ORGANISER, of("session")),
    "session_embed": Page(PUBLIC, of("session"), answers=WHERE_PUBLIC),
    "session_picture": Page(PUBLIC, of("session"), answers=WHERE_PUBLIC),
    "season_embed": Page(PUBLIC, of("season"), answers=WHERE_PUBLIC),
    "season_picture": Page(PUBLIC, of("season"), answers=WHERE_PUBLIC),
    "session_outlook": Page(PUBLIC, of("session")),
    "season_outlook": Page(PUBLIC, of("season")),
    "standings_hold": Page(ORGANISER, of("session"), "post"),
    "standings_release": Page(ORGANISER, of("session"), "post"),
    "games_table": Page(PUBLIC, of("session")),
    "print_standings": Page(PUBLIC, of("session")),
    "standings": Page(PUBLIC),
    "standings_rule": Page(ORGANISER),
    "ratings": Page(PUBLIC),
    "season_standings": Page(PUBLIC, of("season")),
    "session_pots": Page(MEMBER, of("session")),
    "session_pot_add": Page(ORGANISER, of("session"), "post"),
    "season_pots": Page(MEMBER, of("season")),
    "season_pot_add": Page(ORGANISER, of("season"), "post"),
    "session_pot_settle": Page(ORGANISER, of("session"), "post"),
    "season_pot_settle": Page(ORGANISER, of("season"), "post"),
    "pot_drop": Page(ORGANISER, of("pot"), "post"),
    "pot_payment": Page(ORGANISER, of("pot"), "post"),
    "payment_withdraw": Page(ORGANISER, a_payment, "post"),
    "season_rule": Page(ORGANISER, of("season")),
    "season_close": Page(ORGANISER, of("season"), "post"),
    "season_reopen": Page(ORGANISER, of("season"), "post"),
    "member_record": Page(PUBLIC, of("member")),
    "member_compare": Page(PUBLIC, of("member")),
    # tournaments
    "tournaments": Page(PUBLIC),
    "tournament_new": Page(ORGANISER, of("session")),
    "tournament_final": Page(ORGANISER, of("session")),
    "tournament": Page(PUBLIC, of("tournament")),
    "tournament_edit": Page(ORGANISER, of("tournament")),
    "tournament_ranking": Page(ORGANISER, of("tournament")),
    "tournament_pairs": Page(ORGANISER, of("tournament")),
    "tournament_entries": Page(ORGANISER, of("tournament")),
    "tournament_enter": Page(ORGANISER, of("tournament"), "post"),
    "tournament_late": Page(ORGANISER, of("tournament")),
    "tournament_enter_present": Page(ORGANISER, of("tournament"), "post"),
    "tournament_draw_partners": Page(ORGANISER, of("tournament"), "post"),
    "tournament_by_places": Page(ORGANISER, of("tournament"), "post"),
    "tournament_pick": Page(ORGANISER, of("tournament"), "post"),
    "tournament_part": Page(ORGANISER, an_entry, "post"),
    "tournament_drop": Page(ORGANISER, an_entry, "post"),
    "tournament_withdraw": Page(ORGANISER, an_entry, "post"),
    "tournament_seed": Page(ORGANISER, an_entry, "post"),
    "tournament_seeds": Page(ORGANISER, of("tournament"), "post"),
    "tournament_seed_ratings": Page(ORGANISER, of("tournament"), "post"),
    "tournament_seed_season": Page(ORGANISER, of("tournament"), "post"),
    "tournament_ask": Page(PUBLIC, of("open_tournament")),
    "tournament_places": Page(ORGANISER, of("tournament"), "post"),
    "tournament_accept": Page(ORGANISER, a_request, "post"),
    "tournament_decline": Page(ORGANISER, a_request, "post"),
    "tournament_replace": Page(ORGANISER, an_entry, "post"),
    "tournament_draw_round": Page(ORGANISER, of("tournament"), "post"),
    "tournament_swap": Page(ORGANISER, of("drawn_tournament"), "post"),
    "tournament_discard": Page(ORGANISER, of("tournament"), "post"),
    "tournament_publish": Page(ORGANISER, of("tournament"), "post"),
    "tournament_take_back": Page(ORGANISER, of("tournament"), "post"),
    "tournament_bell": Page(ORGANISER, of("tournament"), "post"),
    "tournament_force": Page(ORGANISER, of("tournament"), "post"),
    "tournament_finish": Page(ORGANISER, of("tournament"), "post"),
    "tournament_cancel": Page(ORGANISER, of("tournament"), "post"),
    "tournament_move": Page(ORGANISER, of("tournament"), "post"),
    "tournament_decide": Page(ORGANISER, a_match, "post"),
    "tournament_game": Page(ORGANISER, a_match, "post"),
    "tournament_follow": Page(ORGANISER, a_match, "post"),
    "tournament_draw": Page(ORGANISER, of("drawn_tournament")),
    "tournament_round": Page(PUBLIC, a_round),
    "tournament_standings": Page(PUBLIC, of("tournament")),
    "tournament_print": Page(MEMBER, of("tournament")),
    # teams
    "team_leagues": Page(PUBLIC),
    "team_league_new": Page(ORGANISER),
    "team_league": Page(PUBLIC, of("team_league")),
    "team_league_edit": Page(ORGANISER, of("team_league")),
    "team_fixtures": Page(PUBLIC, of("team_league")),
    "team_league_close": Page(ORGANISER, of("team_league"), "post"),
    "team_league_cancel": Page(ORGANISER, of("team_league"), "post"),
    "team_league_reopen": Page(ORGANISER, of("team_league"), "post"),
    "team_fixtures_make": Page(ORGANISER, of("team_league"), "post"),
    "team_fixtures_discard": Page(ORGANISER, of("team_league"), "post"),
    "team_new": Page(ORGANISER, of("team_league")),
    "team": Page(PUBLIC, a_team),
    "team_edit": Page(ORGANISER, a_team),
    "team_drop": Page(ORGANISER, a_team, "post"),
    "team_withdraw": Page(ORGANISER, a_team, "post"),
    "team_return": Page(ORGANISER, a_team, "post"),
    "team_deduct": Page(ORGANISER, a_team, "post"),
    "team_give_back": Page(ORGANISER, a_deduction, "post"),
    "team_rules": Page(PUBLIC, of("team_league")),
    "team_rules_edit": Page(ORGANISER, of("team_league")),
    "team_league_next": Page(ORGANISER, of("team_league")),
    "team_decide": Page(ORGANISER, of("team_league"), "post"),
    "team_play_off": Page(ORGANISER, of("team_league"), "post"),
    "team_notice": Page(PUBLIC, of("team_league")),
    "team_results_text": Page(PUBLIC, of("team_league")),
    "team_records": Page(PUBLIC, of("team_league")),
    "team_sign_on": Page(MEMBER, a_team, answers=IN | ONLY_CAPTAINS),
    "team_card_draw": Page(MEMBER, a_team_match, "post", answers=IN | ONLY_CAPTAINS),
    "team_second": Page(ORGANISER, of("team_league"), "post"),
    "team_transfer": Page(ORGANISER, a_team, "post"),
    "team_match_games": Page(ORGANISER, a_team_match, "post"),
    "team_match_late": Page(ORGANISER, a_team_match, "post"),
    "team_draw": Page(ORGANISER, of("team_league")),
    "team_join": Page(ORGANISER, a_team),
    "team_cup_draw": Page(ORGANISER, of("team_league")),
    "team_cup": Page(PUBLIC, a_team_cup),
    "team_cup_round": Page(ORGANISER, a_team_cup, "post"),
    "team_cup_drop": Page(ORGANISER, a_team_cup, "post", answers=IN | NOBODY_NAMED),
    "team_match": Page(PUBLIC, a_team_match),
    "team_card": Page(MEMBER, a_team_match, answers=IN | ONLY_CAPTAINS),
    "team_card_print": Page(MEMBER, a_team_match),
    "team_match_confirm": Page(MEMBER, a_team_match, "post", answers=IN | ONLY_CAPTAINS),
    "team_match_object": Page(MEMBER, a_team_match, "post", answers=IN | ONLY_CAPTAINS),
    "team_match_move": Page(ORGANISER, a_team_match, "post"),
    "team_match_give": Page(ORGANISER, a_team_match, "post"),
    "team_match_take_back": Page(ORGANISER, a_team_match, "post"),
    # exchange
    "export_team_table": Page(MEMBER, a_sheet_of("team_league")),
    "export_team_fixtures": Page(MEMBER, a_sheet_of("team_league")),
    "export_session": Page(MEMBER, lambda s: {"public_id": s.session.public_id, "kind": "csv"}),
    "export_season": Page(MEMBER, lambda s: {"public_id": s.season.public_id, "kind": "csv"}),
    "game_egn": Page(PUBLIC, of("game")),
    "game_records": Page(PUBLIC, of("game")),
    "session_files": Page(PUBLIC, of("session")),
    "session_emn": Page(PUBLIC, of("session")),
    "session_records": Page(PUBLIC, of("session")),
    "session_hands": Page(PUBLIC, lambda s: {"public_id": s.session.public_id, "kind": "csv"}),
    "calendar": Page(MEMBER),
    "calendar_make": Page(MEMBER, method="post"),
    "calendar_revoke": Page(MEMBER, method="post"),
    "club_archive": Page(OWNER),
    "export_tournament_standings": Page(MEMBER, a_sheet_of("tournament")),
    "export_bracket": Page(MEMBER, a_sheet_of("tournament")),
    "session_results": Page(PUBLIC, a_sheet_of("session")),
    "club_results": Page(MEMBER, lambda s: {"kind": "xlsx"}, of_the_club=False),
    "export_sessions": Page(MEMBER, lambda s: {"kind": "xlsx"}, of_the_club=False),
    "club_files": Page(MEMBER),
    "job": Page(MEMBER, of("job")),
    "job_cancel": Page(MEMBER, of("job"), method="post"),
    "job_again": Page(MEMBER, of("job"), method="post"),
    "job_file": Page(MEMBER, of("job")),
    "check_import": Page(ORGANISER, of("job")),
    "example_sheet": Page(
        ORGANISER, lambda s: {"what": "results", "kind": "xlsx"}, of_the_club=False
    ),
    "import_hands": Page(ORGANISER),
    "import_results": Page(ORGANISER),
    "import_sessions": Page(ORGANISER),
    "import_people": Page(ORGANISER),
    "export_people": Page(ORGANISER, lambda s: {"kind": "xlsx"}, of_the_club=False),
}
