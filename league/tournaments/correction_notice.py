"""The notice about corrections that a bracket does not follow yet."""

from typing import Any

from league.seating.models import Table
from league.sessions.models import Session
from league.tournaments.draws.knockout import being_played, corrections
from league.tournaments.models import Tournament
from league.tournaments.queries import NameOf, entry_name
from league.tournaments.stage_state import StageState


def what_to_reopen(tournament: Tournament) -> str:
    """What has to be reopened before the bracket can change: `tournament`, `session`, `both`."""
    is_over = tournament.state == Tournament.State.FINISHED
    if tournament.session.state == Session.State.CLOSED:
        return "both" if is_over else "session"
    return "tournament" if is_over else ""


def correction_rows(state: StageState, name_of: NameOf) -> list[dict[str, Any]]:
    """The corrections the bracket has not followed: the match, its new winner, and the later
    matches: those being played, those that become void and those that have not begun."""
    names = {key: entry_name(entry, name_of) for key, entry in state.entries.items()}
    titles = {m.key: " – ".join(names[entry] for entry in m.entries) for m in state.matches}
    found = corrections(state)
    tables = _tables_in_play(state) if found else {}
    return [
        {
            "key": one.key,
            "names": titles[one.key],
            "winner": names[one.entry],
            "playing": [(titles[key], tables[key]) for key in being_played(state, one.undone)],
            "undone": [titles[key] for key in one.undone if key not in state.unbegun],
            "unbegun": [titles[key] for key in one.undone if key in state.unbegun],
        }
        for one in found
    ]


def _tables_in_play(state: StageState) -> dict[int, str]:
    """The public id of the table of each open match of the latest round, by the match's key."""
    matches = [match for match in state.last.open_matches if match.games] if state.last else []
    tables = Table.objects.filter(pk__in=[match.games[-1].table for match in matches])
    ids = dict(tables.values_list("pk", "public_id"))
    return {match.key: ids[match.games[-1].table] for match in matches}
