"""A club with one of everything, and the parts of addresses that lead to each thing of it."""

import gzip
from collections.abc import Callable
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any

from django.utils import timezone

from league.members.actions import adopt_preset
from league.members.actions.roles import invite, make_token
from league.members.models import Club, new_public_id
from league.play.actions import rule_penalty
from league.seating.models import SeatingRequest
from league.standings.actions import add_pot, record_payment
from league.teams.actions import (
    deduct,
    make_cup,
    make_pairs_cup,
    send_photograph,
    set_pairs_day,
)
from league.teams.cup_forms import read_pairs, squads_in_pairs
from league.tournaments.actions import (
    draw_round,
    enter,
    offer_places,
    publish_draw,
    request_entry,
    start_tournament,
)
from league.tournaments.models import Match
from league.tournaments.parameters import StageOptions
from tests.builders import (
    EIGHT,
    TEST,
    a_club,
    a_ruleset,
    a_session,
    a_table,
    a_user,
    game_at,
    members_of,
    rulesets_of,
)
from tests.teams.leagues import with_fixtures


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
        fields = {"source": "entry", "amount": Decimal(2), "payout": "kept"}
        return add_pot(self.session, name="Entry", by=TEST, at=timezone.now(), **fields)

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
    def seating_request(self) -> Any:
        first, second = members_of(self.club, 2)
        return SeatingRequest.objects.create(
            club=self.club, kind="avoid", first=first, second=second
        )

    @cached_property
    def tournament(self) -> Any:
        return start_tournament(
            self.session, name="Cup", format="progressive", choice=StageOptions(), seed=1, by=TEST
        )

    @cached_property
    def open_tournament(self) -> Any:
        night = a_session(self.club, name="Open night", held_on=date(2026, 12, 3))
        form = {"format": "progressive", "choice": StageOptions(), "seed": 1}
        return offer_places(start_tournament(night, name="Open", **form, by=TEST), 8, by=TEST)

    @cached_property
    def drawn_tournament(self) -> Any:
        return self._drawn("Drawn", date(2026, 12, 10))

    @cached_property
    def published_tournament(self) -> Any:
        drawn = self._drawn("Published", date(2026, 12, 17))
        publish_draw(drawn, by=TEST, at=EIGHT)
        return drawn

    @cached_property
    def rulesets(self) -> Any:
        return rulesets_of(self.club)

    def _drawn(self, name: str, day: date) -> Any:
        assert self.rulesets
        form = {"format": "progressive", "choice": StageOptions(), "seed": 1}
        night = a_session(self.club, name=name, held_on=day)
        drawn = start_tournament(night, name=name, **form, by=TEST)
        for member in members_of(self.club, 4):
            enter(drawn, member, by=TEST, at=EIGHT)
        draw_round(drawn, by=TEST, seed=1)
        return drawn

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
    )
    return {"public_id": scene.game.public_id, "ruling": ruling.pk}


def a_payment(scene: Scene) -> dict[str, Any]:
    """A payment into a pot."""
    pot = scene.pot
    fields = {"kind": "stake", "amount": Decimal(2), "by": TEST, "at": timezone.now()}
    return {
        "public_id": pot.public_id,
        "payment": record_payment(pot, scene.member, **fields).pk,
    }


def a_round(scene: Scene) -> dict[str, Any]:
    """The first round of a tournament that is on."""
    return {"public_id": scene.published_tournament.public_id, "number": 1}


def an_entry(scene: Scene) -> dict[str, Any]:
    """An entry of a tournament that is drawn."""
    entry = scene.drawn_tournament.entries.first()
    return {"public_id": scene.drawn_tournament.public_id, "entry": entry.pk}


def a_request(scene: Scene) -> dict[str, Any]:
    """Somebody who asked to enter a tournament."""
    cup = scene.open_tournament
    entry_request = request_entry(cup, name="Vera", partner="", contact="", by=TEST, at=EIGHT)
    return {"public_id": cup.public_id, "entry_request": entry_request.pk}


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


def a_play_off(scene: Scene) -> dict[str, Any]:
    """A play-off of a league that is recorded."""
    made = scene.team_league.play_offs.create(kind="level", said_as="Ann")
    return {"public_id": scene.team_league.public_id, "play_off": made.pk}


def a_team_match(scene: Scene) -> dict[str, Any]:
    """A fixture of a league."""
    match = scene.team_league.matches.first()
    return {"public_id": scene.team_league.public_id, "match": match.public_id}


def a_league_round(scene: Scene) -> dict[str, Any]:
    """A round of a league's fixtures."""
    return {"public_id": scene.team_league.public_id, "number": 1}


def a_photograph(scene: Scene) -> dict[str, Any]:
    """A photograph of the card of a league's fixture."""
    match = scene.team_league.matches.first()
    send_photograph(match, b"", side=0, by=TEST, at=EIGHT)
    return a_team_match(scene) | {"team": match.home.public_id}


def a_pairs_cup(scene: Scene) -> dict[str, Any]:
    """A pairs cup beside a league, its first round on a day."""
    league = scene.team_league
    cup = league.pairs_cups.first()
    if cup is None:
        pairs = read_pairs(league, squads_in_pairs(league))[:2]
        cup = make_pairs_cup(league, name="Pairs", pairs=pairs, seed=1, by=TEST)
        set_pairs_day(cup, held_on=date(2027, 5, 1), by=TEST)
    return {"public_id": league.public_id, "pairs": cup.public_id}


def a_pairs_match(scene: Scene) -> dict[str, Any]:
    """A match of a pairs cup."""
    ids = a_pairs_cup(scene)
    return ids | {"place": scene.team_league.pairs_cups.get().matches.get().place}


def a_team_cup(scene: Scene) -> dict[str, Any]:
    """A cup of a league."""
    return {"public_id": scene.team_league.public_id, "cup": scene.cup.public_id}


def an_example_of_a_league(scene: Scene) -> dict[str, Any]:
    """A sheet of fixtures to fill in."""
    return {"public_id": scene.team_league.public_id, "what": "fixtures", "kind": "csv"}


def a_sheet_of(thing: str) -> Callable[[Scene], dict[str, Any]]:
    """One thing of the scene as a CSV file."""
    return lambda scene: {"public_id": getattr(scene, thing).public_id, "kind": "csv"}
