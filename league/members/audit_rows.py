"""The words of a row of the activity log: who acted, what on, in which league and session."""

import re
from collections.abc import Sequence

from django.utils.translation import gettext

from league.labels import as_label
from league.members.audit_changes import LeagueInLog, changes, entry_action
from league.members.audit_hands import TableInLog
from league.members.audit_words import SEARCH_WORDS, numbered_words, subject_words
from league.members.languages import dated
from league.members.models import AuditEntry
from league.members.presets import folded

NUMBER = re.compile(r"\d+")


def actor_words(entry: AuditEntry) -> str:
    """The actor of an entry of `audit_of`: the account's player, if it is logged by its name."""
    player: str | None = entry.player  # type: ignore[attr-defined]
    is_account = entry.user and entry.actor in (entry.user.username, str(entry.user))
    return player if player and is_account else entry.actor


def subject_parts(
    entry: AuditEntry, table: TableInLog, leagues: Sequence[LeagueInLog]
) -> tuple[str, str, str]:
    """What a row shows under "What": the action, its subject, and its league and session."""
    action, subject = entry_action(entry), numbered_words(entry.action, entry.subject)
    subject = subject_words(subject, table.round_title, table.game)
    league = leagues[0].name if len(leagues) == 1 else ""
    where = [league] if league not in ("", entry.subject) else []
    where += filter(None, [_session_words(entry)])
    return as_label(action) if subject else action, subject, ", ".join(where)


def _session_words(entry: AuditEntry) -> str:
    """An entry's session: its name, unless that is the subject itself, and its day, unless the
    name has it."""
    if entry.session is None:
        return ""
    name, day = entry.session.name, entry.session.held_on
    parts = [name] if name != entry.subject else []
    parts += [] if str(day.day) in NUMBER.findall(name) else [dated(day, gettext("j M Y"))]
    return ", ".join(parts)


def row_text(entry: AuditEntry, table: TableInLog, leagues: Sequence[LeagueInLog]) -> str:
    """The text of a row in plain letters, each word after a space: who, what and the values, every
    league that it may be about, and the other words by which its action is searched for."""
    action, subject, where = subject_parts(entry, table, leagues)
    searched = [league.name for league in leagues] + [str(SEARCH_WORDS.get(entry.action, ""))]
    lines = [f"{actor_words(entry)} {action} {subject} ({where})", *searched]
    for change in changes(entry, table, whole=True):
        lines += [f"{as_label(change.label)} {value}" for value in (change.old, change.new)]
    return " " + folded("\n".join(lines))
