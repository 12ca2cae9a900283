"""A tournament's standings on the wall: who leads it, or each of its groups, a panel a table."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from league.sessions.models import Session
from league.tournaments.draws.groups import group_pictures
from league.tournaments.models import Stage
from league.tournaments.picture import Picture, picture_of
from league.tournaments.queries import NameOf, latest_in, stage_of
from league.tournaments.standing import standing_of
from league.tournaments.tables import Row, columns_of, rows_of

COLUMNS = 4


@dataclass(frozen=True, slots=True)
class Places:
    """A ranked table of a tournament, the first figures of each row alone."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Row]


def tournament_places(club_session: Session, name_of: NameOf) -> list[Places]:
    """The tables of the session's tournament; empty where it has none, or none is played yet."""
    tournament = latest_in(club_session)
    if tournament is None:
        return []
    picture = picture_of(stage_of(tournament))
    if not picture.published:
        return []
    if picture.stage.format == Stage.Format.GROUPS and not picture.in_bracket:
        return [
            _places(one, name_of, _("Group %(n)d") % {"n": number})
            for number, one in enumerate(group_pictures(picture), 1)
        ]
    return [_places(picture, name_of, tournament.name)]


def _places(picture: Picture, name_of: NameOf, title: str) -> Places:
    standing = standing_of(picture)
    rows = rows_of(picture, standing, name_of)
    return Places(title, columns_of(picture, standing)[:COLUMNS], rows)
