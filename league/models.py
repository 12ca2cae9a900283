"""Collects every area's models for Django. A test checks that none is missing."""

from league.members.models import *  # noqa: F403
from league.play.models import *  # noqa: F403
from league.seasons.models import *  # noqa: F403
from league.seating.models import *  # noqa: F403
from league.sessions.models import *  # noqa: F403
from league.standings.models import *  # noqa: F403
from league.teams.models import *  # noqa: F403
from league.tournaments.models import *  # noqa: F403
