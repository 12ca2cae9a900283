"""A league's fixtures as a seed draws them: looked at before they are made."""

import hashlib
from collections.abc import Iterable
from datetime import date, timedelta

from django.utils.translation import gettext as _

from league.errors import Refused, pairing_refusals
from league.pairing.formats.league_fixtures import Team as Drawn
from league.pairing.formats.league_fixtures import fixtures
from league.teams.models import TeamLeague, TeamMatch
from league.teams.venues import Venues


def drawn_fixtures(league: TeamLeague, seed: int) -> list[TeamMatch]:
    """Every round of the league, not saved: the teams drawn by lot into the Berger tables, two
    teams of one venue never at home together. Each round has its date; a bye is no match.

    Refuses fewer than two teams (`too-few`), and three of one venue by its name.
    """
    teams = list(league.teams.filter(withdrawn_at=None))
    if len(teams) < 2:
        raise Refused("too-few", _("It takes at least two teams."), status=409)
    venues = Venues(teams)
    entered = [Drawn(one.pk, venues.of(one)) for one in teams]
    with pairing_refusals():
        rounds = fixtures(entered, double=league.twice, roomy=venues.roomy, seed=seed)
    return [
        TeamMatch(
            league=league,
            round=number,
            number=place,
            home=venues.teams[int(pairing.first)],
            away=venues.teams[int(pairing.second)],
            held_on=date_of(league, number),
        )
        for number, pairings in enumerate(rounds, 1)
        for place, pairing in enumerate([p for p in pairings if p.second is not None], 1)
        if pairing.second is not None
    ]


def date_of(league: TeamLeague, round_number: int) -> date:
    """The day of a round."""
    return league.starts_on + timedelta(days=(round_number - 1) * league.days_between)


def mark_of(matches: Iterable[TeamMatch]) -> str:
    """Tells these fixtures from any others: whoever makes them says which were looked at."""
    told = ";".join(f"{m.round},{m.held_on},{m.home_id},{m.away_id}" for m in matches)
    return hashlib.sha256(told.encode()).hexdigest()[:16]
