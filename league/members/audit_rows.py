"""The words of a row of the activity log, and others by which it is found."""

import re
from collections.abc import Sequence

from django.utils.translation import gettext, pgettext_lazy

from league.labels import as_label
from league.members.audit_changes import (
    LeagueInLog,
    action_word,
    changes,
    version_words,
)
from league.members.audit_hands import TableInLog
from league.members.audit_words import PAYMENTS, TABLE_SUBJECT
from league.members.languages import dated_near
from league.members.models import AuditEntry
from league.members.presets import folded

NUMBER = re.compile(r"\d+")
JOINED = re.compile(r"\w+(?:[-'’]\w+)+")

# Words by which actions are searched for, besides those that the log shows.
WORDS_OF_ACTIONS = {
    ("accept invitation", "change role", "give role"): pgettext_lazy(
        "words to find in the activity log", "permission rights owner admin made promoted demoted"
    ),
    ("remove role",): pgettext_lazy(
        "words to find in the activity log",
        "permission rights owner admin took away lost access threw thrown out banned",
    ),
    ("add guest",): pgettext_lazy("words to find in the activity log", "visitor newcomer new"),
    ("add member", "add people"): pgettext_lazy(
        "words to find in the activity log", "new members newcomers"
    ),
    ("agree to mail", "stop mail"): pgettext_lazy(
        "words to find in the activity log", "consent reminders unsubscribe"
    ),
    ("call off team league",): pgettext_lazy(
        "words to find in the activity log", "cancelled abandoned closed stopped scrapped dropped"
    ),
    ("cancel session", "cancel tournament"): pgettext_lazy(
        "words to find in the activity log", "called off scrapped abandoned dropped"
    ),
    ("change league rules", "change team league", "change ruleset"): pgettext_lazy(
        "words to find in the activity log",
        "altered edited amended updated new promotion relegation",
    ),
    ("decline invitation",): pgettext_lazy(
        "words to find in the activity log", "refused rejected turned down invite"
    ),
    ("renamed",): pgettext_lazy(
        "words to find in the activity log", "new name changed saved became"
    ),
    ("write match card", "write totals", "confirm match card"): pgettext_lazy(
        "words to find in the activity log", "entered wrote sent score scores result results"
    ),
    ("late",): pgettext_lazy(
        "words to find in the activity log", "late deduction penalty lost lose loses docked points"
    ),
    ("import team league",): pgettext_lazy(
        "words to find in the activity log", "entered results scores spreadsheet file"
    ),
    ("import people", "import evening", "import tournament"): pgettext_lazy(
        "words to find in the activity log", "uploaded spreadsheet file list put in names"
    ),
    ("make team league",): pgettext_lazy(
        "words to find in the activity log", "created started new"
    ),
    ("close session",): pgettext_lazy("words to find in the activity log", "finished ended"),
    ("open session", "reopen season", "reopen team league", "reopen tournament"): pgettext_lazy(
        "words to find in the activity log", "opened again undid closing"
    ),
    ("close season", "close team league", "finish tournament"): pgettext_lazy(
        "words to find in the activity log", "finished ended champion"
    ),
    ("correct hand", "correct match card", "undo hand"): pgettext_lazy(
        "words to find in the activity log",
        "mistake wrong score result changed altered amended fixed undone overruled correction "
        "after it was confirmed",
    ),
    ("add points", "deduct points", "give back points"): pgettext_lazy(
        "words to find in the activity log",
        "fine fined penalty penalised deduction docked took off lost points",
    ),
    ("decide in league", "settle disputed card", "settle game"): pgettext_lazy(
        "words to find in the activity log",
        "decided decision ruling ruled appeal overruled settled",
    ),
    (
        "delete session",
        "drop cup",
        "drop entry",
        "drop pot",
        "drop team",
        "drop team league",
    ): pgettext_lazy("words to find in the activity log", "deleted removed dropped got rid"),
    ("dispute game", "dispute match card"): pgettext_lazy(
        "words to find in the activity log", "complaint complained protest objection objected"
    ),
    ("draft round", "draw tournament round"): pgettext_lazy(
        "words to find in the activity log", "seating pairings draw"
    ),
    ("edit member",): pgettext_lazy("words to find in the activity log", "renamed name change"),
    ("erase person",): pgettext_lazy(
        "words to find in the activity log", "privacy deleted removed"
    ),
    ("export club",): pgettext_lazy(
        "words to find in the activity log", "last backup download copy of everything"
    ),
    ("restore club",): pgettext_lazy("words to find in the activity log", "backup upload"),
    ("give games", "give team match", "take team match back"): pgettext_lazy(
        "words to find in the activity log", "walk-over forfeit no-show void gave given got"
    ),
    ("hold standings",): pgettext_lazy(
        "words to find in the activity log", "hold withheld hidden hid"
    ),
    ("invite",): pgettext_lazy("words to find in the activity log", "invitation"),
    ("leave",): pgettext_lazy("words to find in the activity log", "went home checked out"),
    ("lift late card",): pgettext_lazy(
        "words to find in the activity log", "cancelled let off fine"
    ),
    ("make fixtures",): pgettext_lazy(
        "words to find in the activity log", "schedule draw drew drawn"
    ),
    ("make table cards", "replace table code"): pgettext_lazy(
        "words to find in the activity log", "qr codes"
    ),
    ("order replay",): pgettext_lazy(
        "words to find in the activity log", "void rematch play again"
    ),
    ("merge members",): pgettext_lazy(
        "words to find in the activity log", "same person twice joined"
    ),
    ("move team match", "move league round"): pgettext_lazy(
        "words to find in the activity log",
        "rearranged rescheduled postponed put off delayed changed new day date",
    ),
    ("open club link",): pgettext_lazy("words to find in the activity log", "turned on invitation"),
    ("close club link",): pgettext_lazy(
        "words to find in the activity log", "turned off invitation"
    ),
    PAYMENTS: pgettext_lazy(
        "words to find in the activity log", "payment money fee refund got back"
    ),
    ("withdraw payment",): pgettext_lazy(
        "words to find in the activity log",
        "payment money fee refund undone undid reversed deleted",
    ),
    ("replace player", "substitute", "undo substitute"): pgettext_lazy(
        "words to find in the activity log", "substitution"
    ),
    ("retire member",): pgettext_lazy(
        "words to find in the activity log",
        "inactive left club banned removed deleted took off list threw thrown out",
    ),
    ("retire ruleset",): pgettext_lazy(
        "words to find in the activity log", "deleted removed got rid"
    ),
    ("return member",): pgettext_lazy("words to find in the activity log", "active again"),
    ("return team",): pgettext_lazy("words to find in the activity log", "came let back in again"),
    ("rule",): pgettext_lazy(
        "words to find in the activity log", "renege revoke ruling gave given"
    ),
    ("send card photograph",): pgettext_lazy("words to find in the activity log", "picture upload"),
    ("sign player on", "transfer player"): pgettext_lazy(
        "words to find in the activity log",
        "registered registration joined moved switched changed teams",
    ),
    ("start clock", "pause clock", "extend clock", "stop clock"): pgettext_lazy(
        "words to find in the activity log", "timer stopped"
    ),
    ("strike hand",): pgettext_lazy("words to find in the activity log", "removed"),
    ("swap",): pgettext_lazy("words to find in the activity log", "exchanged switched seats"),
    ("withdraw",): pgettext_lazy("words to find in the activity log", "withdrawn absent"),
    ("withdraw dispute",): pgettext_lazy(
        "words to find in the activity log",
        "take took back dropped withdrew complaint protest objection",
    ),
    ("withdraw entry",): pgettext_lazy(
        "words to find in the activity log", "withdrawn left pulled dropped out"
    ),
    ("withdraw team",): pgettext_lazy(
        "words to find in the activity log",
        "withdrawn left leave league pulled dropped out quit resigned folded gave up expelled "
        "threw thrown removed cancelled void voided matches",
    ),
}
SEARCH_WORDS = {one: words for actions, words in WORDS_OF_ACTIONS.items() for one in actions}


RENAMED = ("save team", "change team league")


def entry_action(entry: AuditEntry) -> str:
    """The action of an entry for display."""
    return action_word(entry.action, kind_of(entry))


def kind_of(entry: AuditEntry) -> str:
    """What tells entries of one action apart: see `BY_KIND`."""
    old, new = entry.old, entry.new
    if entry.action in RENAMED and isinstance(old, dict) and isinstance(new, dict):
        return "renamed" if old.get("name") not in (None, new.get("name")) else ""
    if entry.action == "close team league":
        return str(new)
    values = new or old
    if isinstance(values, dict) and "late" in values:
        return "late"
    return str(values.get("kind") if isinstance(values, dict) else old)


# Actions whose subject is the number of a round, or of a table.
OF_ROUNDS = (
    *("draft round", "redraw round", "discard draft", "publish round", "take back round"),
    *("swap", "lock seat", "unlock seat"),
)
OF_TABLES = ("set table rules",)


def numbered_words(action: str, subject: str) -> str:
    """The subject for display where it is stored as a number: "round 1", else as it is."""
    if subject.isdecimal() and action in OF_ROUNDS:
        return gettext("round %(n)s") % {"n": subject}
    if subject.isdecimal() and action in OF_TABLES:
        return gettext("table %(n)s") % {"n": subject}
    return subject


def subject_words(subject: str, round_title: str = "", game: int = 0) -> str:
    """The subject for display: a name as logged, a version or table in the reader's language, the
    table with its round's title in a tournament, a game of a league's match with its number."""
    table = TABLE_SUBJECT.fullmatch(subject)
    if table is None:
        return version_words(subject)
    if game:
        place = gettext("game %(n)s") % {"n": game}
        return f"{round_title}, {place}" if round_title else place
    words = table.groupdict() | {"title": round_title, "n": table["table"]}
    if round_title:
        return gettext("%(title)s, table %(n)s") % words
    if table["round"]:
        return gettext("round %(round)s, table %(table)s") % words
    return gettext("table %(n)s") % words


def actor_words(entry: AuditEntry) -> str:
    """The actor of an entry of `audit_of`: the account's player, if it is logged by its name."""
    player: str | None = entry.player  # type: ignore[attr-defined]
    is_account = entry.user and entry.actor in (entry.user.username, str(entry.user))
    return player if player and is_account else entry.actor


def subject_parts(
    entry: AuditEntry, table: TableInLog, leagues: Sequence[LeagueInLog]
) -> tuple[str, str, str, str]:
    """What a row shows under "What": the action, its subject, its league and its session."""
    action, subject = entry_action(entry), numbered_words(entry.action, entry.subject)
    subject = subject_words(subject, table.round_title, table.game)
    league = leagues[0].name if len(leagues) == 1 else ""
    league = "" if league == entry.subject else league
    return as_label(action) if subject else action, subject, league, _session_words(entry)


def _session_words(entry: AuditEntry) -> str:
    """An entry's session: its name, unless that is the subject itself, and its day, unless the
    name has it."""
    if entry.session is None:
        return ""
    name, day = entry.session.name, entry.session.held_on
    parts = [name] if name != entry.subject else []
    parts += [] if str(day.day) in NUMBER.findall(name) else [dated_near(day, gettext("j M Y"))]
    return ", ".join(parts)


def row_text(entry: AuditEntry, table: TableInLog, leagues: Sequence[LeagueInLog]) -> str:
    """The text of a row in plain letters, each word after a space: who, what and the values, every
    league that it may be about with its teams' names today, and the other words by which its action
    is searched for."""
    action, subject, _league, session = subject_parts(entry, table, leagues)
    searched = [name for league in leagues for name in (league.name, *league.names)]
    searched += [str(SEARCH_WORDS.get(key, "")) for key in (entry.action, kind_of(entry))]
    lines = [f"{actor_words(entry)} {action} {subject} ({session})", *searched]
    for change in changes(entry, table, whole=True):
        lines += [f"{as_label(change.label)} {value}" for value in (change.old, change.new)]
    return " " + folded(searchable("\n".join(lines)))


def searchable(text: str) -> str:
    """The text, and its words with hyphens or apostrophes also without: a walk-over is a
    walkover."""
    return " ".join([text, *(re.sub("[-'’]", "", word) for word in JOINED.findall(text))])
