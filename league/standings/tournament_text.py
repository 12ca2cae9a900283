"""The standings of a session with tournaments in sentences: what decides its places, and how."""

from django.utils.translation import gettext as _

from league.ranking.measures import MEASURES
from league.ranking.tie_breaks import PAIR_MEASURES
from league.standings.labels import LABELS, measure_list
from league.standings.queries import Standings


def ranked_by_tournaments(standings: Standings) -> str:
    """Which tournaments decide the places of a session, and what each ranks by."""
    tournaments = standings.ranking.tournaments
    if not standings.shown_columns:
        return _in_order(standings)
    if len(tournaments) > 1:
        text = _("%(tournament)s ranks by %(list)s.")
        ranked = [(name, codes) for name, codes in tournaments.items() if codes]
        sentences = [text % {"tournament": n, "list": measure_list(codes)} for n, codes in ranked]
        return " ".join([_in_order(standings), *sentences])
    if not standings.measures:
        return _("The tournament of this session decides the places.")
    values = {"list": measure_list([measure.code for measure in standings.measures])}
    return _("The tournament of this session decides the places: by %(list)s.") % values


def reason_by_tournaments(standings: Standings, player: int) -> str:
    """Why a player of a session with tournaments has this place."""
    has_several = len(standings.ranking.tournaments) > 1
    name = standings.ranking.placed_by.get(player)
    if player in standings.places and name:
        return _("This place is from %(tournament)s: its standings say why.") % {"tournament": name}
    if player in standings.places:
        return _("The place in the tournament of this session.")
    if has_several:
        return _("Did not play in a tournament of this session: ranks below everyone who did.")
    return _("Did not play in the tournament: ranks below everyone who did.")


def _in_order(standings: Standings) -> str:
    first, *others = standings.ranking.tournaments
    text = _("The tournaments of this session decide the places: first %(first)s, then %(others)s.")
    return text % {"first": first, "others": ", ".join(others)}


def games_not_matches(standings: Standings) -> str:
    """How the session counts games that its tournament of pairs counts as matches; else empty."""
    codes = {measure.code for measure in standings.measures}
    of_matches = not codes or codes & {*PAIR_MEASURES}
    if not standings.places or not of_matches or MEASURES["won"] not in standings.shown_columns:
        return ""
    text = _(
        "“%(column)s” counts games, not matches: a tied game is half a win for each side, a"
        " walk-over or a bye is none."
    )
    return text % {"column": LABELS["won"].column}
