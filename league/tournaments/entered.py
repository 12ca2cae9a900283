"""What is said of an entry: to its player before the first round, and when it plays."""

from collections.abc import Iterable

from django.db.models import Q
from django.utils.translation import gettext as _

from league.labels import one_stop
from league.members.models import Member
from league.seating.models import Round
from league.sessions.models import Session
from league.tournaments.models import Entry, Stage, Tournament
from league.tournaments.next_step import PLAYS_EVERY_ROUND
from league.tournaments.stage_state import StageState


def entered_in(sessions: Iterable[Session], player: Member | None) -> dict[int, str]:
    """That a player has entered the tournament of one of these sessions, and with whom, by the
    session's key. One query."""
    sessions = list(sessions)
    if player is None or not sessions:
        return {}
    own = Q(member=player) | Q(partner=player)
    entries = Entry.objects.filter(own, tournament__session__in=sessions, withdrawn_at=None)
    entries = entries.filter(tournament__state=Tournament.State.SETUP).select_related(
        "tournament", "member", "partner"
    )
    return {entry.tournament.session_id: _entered_text(entry, player) for entry in entries}


def _entered_text(entry: Entry, player: Member) -> str:
    partner = next((one for one in entry.people if one != player), None)
    if partner is None:
        return _("You are entered.")
    return one_stop(_("You are entered with %(name)s.") % {"name": partner.name})


def entered_texts(state: StageState, entry: int | None) -> list[str]:
    """What an entered player reads until the first round is published; empty for others."""
    is_over = state.stage.tournament.state in (
        Tournament.State.FINISHED,
        Tournament.State.CANCELLED,
    )
    if entry is None or state.published or is_over:
        return []
    texts = [_("Your table is shown here when the organiser publishes the first round.")]
    if state.of_pairs and state.entries[entry].partner_id is None:
        texts.insert(0, _("You have no partner yet: pairs are made before the draw."))
    return [*texts, _("If you can't play, tell an organiser.")]


def plays_from(stage: Stage) -> str:
    """From which round an entry plays that comes late, where every round has all entries; empty
    before the first, and in other formats."""
    published = stage.rounds.exclude(seating__state=Round.State.DRAFT).count()
    if stage.format not in PLAYS_EVERY_ROUND or not published:
        return ""
    return _("They play from round %(n)d on.") % {"n": published + 1}
