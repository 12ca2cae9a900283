"""The words of the activity log: names of actions, fields and sources.

Entries store the English words; these are translated for each reader.
"""

import re
from collections.abc import Mapping, Sequence

from django.utils.translation import gettext, pgettext_lazy

from league.labels import as_partners

# Actions, by the `action` of `log_action`.
ACTIONS = {
    "abandon game": pgettext_lazy("activity log", "marked game as not played"),
    "accept game": pgettext_lazy("activity log", "confirmed game automatically"),
    "accept invitation": pgettext_lazy("activity log", "accepted invitation"),
    "add guest": pgettext_lazy("activity log", "added guest"),
    "add member": pgettext_lazy("activity log", "added player"),
    "add or take points": pgettext_lazy("activity log", "added or took points"),
    "add people": pgettext_lazy("activity log", "added players"),
    "add pot": pgettext_lazy("activity log", "added pot"),
    "add season": pgettext_lazy("activity log", "added season"),
    "add seating request": pgettext_lazy("activity log", "added seating request"),
    "agree to mail": pgettext_lazy("activity log", "agreed to mail"),
    "answer call": pgettext_lazy("activity log", "answered call"),
    "arrive": pgettext_lazy("activity log", "checked in"),
    "ask after table": pgettext_lazy("activity log", "nudged table"),
    "ask to enter": pgettext_lazy("activity log", "applied to enter"),
    "call organiser": pgettext_lazy("activity log", "called organiser"),
    "call time": pgettext_lazy("activity log", "called time"),
    "cancel session": pgettext_lazy("activity log", "cancelled session"),
    "cancel tournament": pgettext_lazy("activity log", "cancelled tournament"),
    "change league rules": pgettext_lazy("activity log", "changed league rules"),
    "change role": pgettext_lazy("activity log", "changed role"),
    "change ruleset": pgettext_lazy("activity log", "changed house rules"),
    "change season": pgettext_lazy("activity log", "changed season"),
    "change session": pgettext_lazy("activity log", "changed session"),
    "change settings": pgettext_lazy("activity log", "changed settings"),
    "change team league": pgettext_lazy("activity log", "changed team league"),
    "change tournament": pgettext_lazy("activity log", "changed tournament"),
    "choose measures": pgettext_lazy("activity log", "chose ranking"),
    "choose outcomes": pgettext_lazy("activity log", "chose promotion and relegation"),
    "choose tournament ranking": pgettext_lazy("activity log", "chose tournament ranking"),
    "close club link": pgettext_lazy("activity log", "closed club link"),
    "close season": pgettext_lazy("activity log", "closed season"),
    "close team league": pgettext_lazy("activity log", "closed league"),
    "close session": pgettext_lazy("activity log", "closed session"),
    "concede": pgettext_lazy("activity log", "conceded"),
    "confirm game": pgettext_lazy("activity log", "confirmed game"),
    "confirm match card": pgettext_lazy("activity log", "confirmed match card"),
    "correct hand": pgettext_lazy("activity log", "corrected hand"),
    "correct match card": pgettext_lazy("activity log", "corrected match card"),
    "cut for a tie": pgettext_lazy("activity log", "cut for a tie"),
    "decide cup match": pgettext_lazy("activity log", "decided cup match"),
    "decide in league": pgettext_lazy("activity log", "decided in league"),
    "take back play-off": pgettext_lazy("activity log", "took back play-off"),
    "take back walk-over": pgettext_lazy("activity log", "took back walk-over"),
    "unseat game": pgettext_lazy("activity log", "removed game from table"),
    "decide match": pgettext_lazy("activity log", "decided match"),
    "decline entry": pgettext_lazy("activity log", "declined entry"),
    "decline invitation": pgettext_lazy("activity log", "declined invitation"),
    "deduct points": pgettext_lazy("activity log", "deducted points"),
    "discard draft": pgettext_lazy("activity log", "discarded draft"),
    "discard fixtures": pgettext_lazy("activity log", "discarded fixtures"),
    "discard tournament draw": pgettext_lazy("activity log", "discarded tournament draw"),
    "dispute game": pgettext_lazy("activity log", "disputed game"),
    "dispute match card": pgettext_lazy("activity log", "disputed match card"),
    "draft round": pgettext_lazy("activity log", "made tables"),
    "reschedule for a late entry": pgettext_lazy("activity log", "rescheduled for a late entry"),
    "draw cup": pgettext_lazy("activity log", "drew cup"),
    "draw partners": pgettext_lazy("activity log", "drew partners"),
    "draw tournament round": pgettext_lazy("activity log", "drew tournament round"),
    "drop cup": pgettext_lazy("activity log", "deleted cup"),
    "drop entry": pgettext_lazy("activity log", "removed entry"),
    "change pot": pgettext_lazy("activity log", "changed pot"),
    "drop pot": pgettext_lazy("activity log", "deleted pot"),
    "drop team": pgettext_lazy("activity log", "removed team"),
    "drop seating request": pgettext_lazy("activity log", "removed seating request"),
    "edit member": pgettext_lazy("activity log", "edited player"),
    "end table": pgettext_lazy("activity log", "ended table"),
    "enter tournament": pgettext_lazy("activity log", "entered tournament"),
    "erase person": pgettext_lazy("activity log", "erased personal data"),
    "export club": pgettext_lazy("activity log", "exported club"),
    "extend clock": pgettext_lazy("activity log", "extended clock"),
    "finish tournament": pgettext_lazy("activity log", "closed tournament"),
    "first dealer": pgettext_lazy("activity log", "set first dealer"),
    "fix cup matches": pgettext_lazy("activity log", "set days of cup matches"),
    "follow correction": pgettext_lazy("activity log", "followed correction"),
    "force tournament round": pgettext_lazy("activity log", "ended tournament round early"),
    "found club": pgettext_lazy("activity log", "created club"),
    "give back points": pgettext_lazy("activity log", "gave back points"),
    "give games": pgettext_lazy("activity log", "awarded games"),
    "give role": pgettext_lazy("activity log", "assigned role"),
    "give team match": pgettext_lazy("activity log", "awarded match"),
    "hold standings": pgettext_lazy("activity log", "held back standings"),
    "import evening": pgettext_lazy("activity log", "imported session"),
    "import people": pgettext_lazy("activity log", "imported players"),
    "import team league": pgettext_lazy("activity log", "imported team league"),
    "import tournament": pgettext_lazy("activity log", "imported tournament"),
    "invite": pgettext_lazy("activity log", "invited"),
    "join by link": pgettext_lazy("activity log", "joined by link"),
    "join fixtures drawn anew": pgettext_lazy("activity log", "redrew fixtures for a late team"),
    "join fixtures": pgettext_lazy("activity log", "added to fixtures"),
    "join table": pgettext_lazy("activity log", "joined table"),
    "keep entries apart": pgettext_lazy("activity log", "set entries apart"),
    "keep unplaced hand": pgettext_lazy("activity log", "stored unplaced hand"),
    "leave match message": pgettext_lazy("activity log", "sent match message"),
    "leave": pgettext_lazy("activity log", "left"),
    "let entries meet": pgettext_lazy("activity log", "let entries meet"),
    "lift late card": pgettext_lazy("activity log", "waived late-card penalty"),
    "link account": pgettext_lazy("activity log", "linked account"),
    "lock seat": pgettext_lazy("activity log", "locked seat"),
    "make calendar link": pgettext_lazy("activity log", "made calendar link"),
    "make fixtures": pgettext_lazy("activity log", "made fixtures"),
    "make table cards": pgettext_lazy("activity log", "made table cards"),
    "make team league": pgettext_lazy("activity log", "made team league"),
    "make token": pgettext_lazy("activity log", "made token"),
    "make tournament": pgettext_lazy("activity log", "made tournament"),
    "merge members": pgettext_lazy("activity log", "merged duplicates"),
    "move match card": pgettext_lazy("activity log", "moved match card"),
    "move team match": pgettext_lazy("activity log", "moved or postponed team match"),
    "move tournament": pgettext_lazy("activity log", "moved tournament"),
    "move up": pgettext_lazy("activity log", "moved up from the waiting list"),
    "offer places": pgettext_lazy("activity log", "offered places"),
    "open club link": pgettext_lazy("activity log", "opened club link"),
    "open session": pgettext_lazy("activity log", "opened or reopened session"),
    "part partners": pgettext_lazy("activity log", "split pair"),
    "pause clock": pgettext_lazy("activity log", "paused clock"),
    "pay in": pgettext_lazy("activity log", "paid in"),
    "pay out": pgettext_lazy("activity log", "paid out"),
    "pick partner": pgettext_lazy("activity log", "picked partner"),
    "place members": pgettext_lazy("activity log", "placed players in divisions"),
    "plan session": pgettext_lazy("activity log", "planned session"),
    "play again": pgettext_lazy("activity log", "played again"),
    "play on as pairs": pgettext_lazy("activity log", "played on as pairs"),
    "publish round": pgettext_lazy("activity log", "published tables"),
    "record hand": pgettext_lazy("activity log", "recorded hand"),
    "record misdeal": pgettext_lazy("activity log", "recorded misdeal"),
    "record play-off": pgettext_lazy("activity log", "recorded play-off"),
    "redraw round": pgettext_lazy("activity log", "redrew tables"),
    "release standings": pgettext_lazy("activity log", "released standings"),
    "remove role": pgettext_lazy("activity log", "removed role"),
    "rename ruleset": pgettext_lazy("activity log", "renamed house rules"),
    "reopen season": pgettext_lazy("activity log", "reopened season"),
    "reopen team league": pgettext_lazy("activity log", "reopened league"),
    "reopen tournament": pgettext_lazy("activity log", "reopened tournament"),
    "replace player": pgettext_lazy("activity log", "replaced player"),
    "replace table code": pgettext_lazy("activity log", "replaced table code"),
    "rest": pgettext_lazy("activity log", "sat out"),
    "restore club": pgettext_lazy("activity log", "restored club"),
    "resume game": pgettext_lazy("activity log", "resumed game"),
    "retire member": pgettext_lazy("activity log", "deactivated player"),
    "retire ruleset": pgettext_lazy("activity log", "archived house rules"),
    "return entry": pgettext_lazy("activity log", "undid withdrawal of entry"),
    "return member": pgettext_lazy("activity log", "reactivated player"),
    "return ruleset": pgettext_lazy("activity log", "brought back house rules"),
    "return team": pgettext_lazy("activity log", "brought back team"),
    "revoke calendar link": pgettext_lazy("activity log", "revoked calendar link"),
    "revoke door code": pgettext_lazy("activity log", "revoked door code"),
    "revoke token": pgettext_lazy("activity log", "revoked token"),
    "revoke wall link": pgettext_lazy("activity log", "revoked wall link"),
    "ring bell": pgettext_lazy("activity log", "rang bell"),
    "rule": pgettext_lazy("activity log", "applied penalty"),
    "save team": pgettext_lazy("activity log", "saved team"),
    "seed entries": pgettext_lazy("activity log", "seeded entries"),
    "seed entry": pgettext_lazy("activity log", "seeded entry"),
    "draw pairs cup": pgettext_lazy("activity log", "drew pairs cup"),
    "fix pairs matches": pgettext_lazy("activity log", "set days of pairs cup matches"),
    "record pairs result": pgettext_lazy("activity log", "recorded pairs result"),
    "send card photograph": pgettext_lazy("activity log", "sent card photograph"),
    "set default ruleset": pgettext_lazy("activity log", "set default house rules"),
    "set divisions": pgettext_lazy("activity log", "set divisions"),
    "set session rules": pgettext_lazy("activity log", "set session rules"),
    "set session table sizes": pgettext_lazy("activity log", "set session table sizes"),
    "set table rules": pgettext_lazy("activity log", "set table rules"),
    "settle call": pgettext_lazy("activity log", "settled call"),
    "settle disputed card": pgettext_lazy("activity log", "settled disputed card"),
    "settle game": pgettext_lazy("activity log", "decided result"),
    "sign player on": pgettext_lazy("activity log", "added player to team"),
    "sign up": pgettext_lazy("activity log", "signed up"),
    "start clock": pgettext_lazy("activity log", "started clock"),
    "start next league": pgettext_lazy("activity log", "started next league"),
    "start next season": pgettext_lazy("activity log", "started next season"),
    "start second competition": pgettext_lazy("activity log", "started second competition"),
    "start session": pgettext_lazy("activity log", "started session"),
    "stop clock": pgettext_lazy("activity log", "removed clock"),
    "stop mail": pgettext_lazy("activity log", "stopped mail"),
    "strike hand": pgettext_lazy("activity log", "deleted hand"),
    "substitute": pgettext_lazy("activity log", "seated substitute"),
    "swap in tournament draw": pgettext_lazy("activity log", "swapped players in tournament draw"),
    "swap": pgettext_lazy("activity log", "swapped players"),
    "take back round": pgettext_lazy("activity log", "unpublished tables"),
    "take team match back": pgettext_lazy("activity log", "undid award of match"),
    "seat late match": pgettext_lazy("activity log", "started match of late entry"),
    "take tournament draw back": pgettext_lazy("activity log", "unpublished tournament draw"),
    "take up ruleset": pgettext_lazy("activity log", "added house rules"),
    "transfer player": pgettext_lazy("activity log", "transferred player"),
    "turn team league": pgettext_lazy("activity log", "closed or reopened league"),
    "undo hand": pgettext_lazy("activity log", "undid hand"),
    "unlock seat": pgettext_lazy("activity log", "unlocked seat"),
    "withdraw dispute": pgettext_lazy("activity log", "took back dispute"),
    "withdraw entry": pgettext_lazy("activity log", "withdrew entry"),
    "withdraw invitation": pgettext_lazy("activity log", "withdrew invitation"),
    "withdraw payment": pgettext_lazy("activity log", "withdrew payment"),
    "withdraw ruling": pgettext_lazy("activity log", "withdrew penalty or points"),
    "withdraw team": pgettext_lazy("activity log", "withdrew team"),
    "withdraw": pgettext_lazy("activity log", "withdrew"),
    "write match card": pgettext_lazy("activity log", "filled in match card"),
    "write totals": pgettext_lazy("activity log", "entered final score"),
}

# Fields that changed, if they aren't fields of a model.
LABELS = {
    "after": pgettext_lazy("label in the activity log", "after"),
    "after hand": pgettext_lazy("label in the activity log", "after hand"),
    "agreed": pgettext_lazy("label in the activity log", "agreed"),
    "arrived at": pgettext_lazy("label in the activity log", "arrived at"),
    "away": pgettext_lazy("label in the activity log", "away"),
    "cards": pgettext_lazy("label in the activity log", "cards"),
    "champions": pgettext_lazy("label in the activity log", "champions"),
    "code": pgettext_lazy("label in the activity log", "code"),
    "custom": pgettext_lazy("label in the activity log", "custom"),
    "day": pgettext_lazy("label in the activity log", "day"),
    "decided": pgettext_lazy("label in the activity log", "decided"),
    "decision": pgettext_lazy("label in the activity log", "decision"),
    "division": pgettext_lazy("label in the activity log", "division"),
    "divisions": pgettext_lazy("label in the activity log", "divisions"),
    "ended by": pgettext_lazy("label in the activity log", "ended by"),
    "entry": pgettext_lazy("label in the activity log", "entry"),
    "first dealer": pgettext_lazy("label in the activity log", "first dealer"),
    "follows": pgettext_lazy("label in the activity log", "follows"),
    "form": pgettext_lazy("label in the activity log", "form"),
    "from": pgettext_lazy("label in the activity log", "from"),
    "from hand": pgettext_lazy("label in the activity log", "from hand"),
    "game": pgettext_lazy("label in the activity log", "game"),
    "games": pgettext_lazy("label in the activity log", "games"),
    "given to": pgettext_lazy("label in the activity log", "given to"),
    "hand": pgettext_lazy("label in the activity log", "hand"),
    "hands": pgettext_lazy("label in the activity log", "hands"),
    "home": pgettext_lazy("label in the activity log", "home"),
    "how": pgettext_lazy("label in the activity log", "how"),
    "into": pgettext_lazy("label in the activity log", "into"),
    "kind": pgettext_lazy("label in the activity log", "kind"),
    "match": pgettext_lazy("label in the activity log", "match"),
    "matches": pgettext_lazy("label in the activity log", "matches"),
    "member": pgettext_lazy("label in the activity log", "member"),
    "minutes": pgettext_lazy("label in the activity log", "minutes"),
    "more": pgettext_lazy("label in the activity log", "more"),
    "moved": pgettext_lazy("label in the activity log", "moved"),
    "name": pgettext_lazy("label in the activity log", "name"),
    "names": pgettext_lazy("label in the activity log", "names"),
    "new end": pgettext_lazy("label in the activity log", "new end"),
    "of": pgettext_lazy("label in the activity log", "belongs to"),
    "order": pgettext_lazy("label in the activity log", "order"),
    "partner": pgettext_lazy("label in the activity log", "partner"),
    "partners": pgettext_lazy("label in the activity log", "partners"),
    "people": pgettext_lazy("label in the activity log", "people"),
    "planner": pgettext_lazy("label in the activity log", "planner"),
    "player": pgettext_lazy("label in the activity log", "player"),
    "players": pgettext_lazy("label in the activity log", "players"),
    "points": pgettext_lazy("label in the activity log", "points"),
    "pot": pgettext_lazy("label in the activity log", "pot"),
    "preset": pgettext_lazy("label in the activity log", "preset"),
    "reason": pgettext_lazy("label in the activity log", "reason"),
    "record": pgettext_lazy("label in the activity log", "record"),
    "rounds": pgettext_lazy("label in the activity log", "rounds"),
    "round": pgettext_lazy("label in the activity log", "round"),
    "rounds added": pgettext_lazy("label in the activity log", "rounds added"),
    "rules": pgettext_lazy("label in the activity log", "rules"),
    "ruleset": pgettext_lazy("label in the activity log", "ruleset"),
    "score": pgettext_lazy("label in the activity log", "score"),
    "scores": pgettext_lazy("label in the activity log", "scores"),
    "season": pgettext_lazy("label in the activity log", "season"),
    "seat": pgettext_lazy("label in the activity log", "player"),
    "second": pgettext_lazy("label in the activity log", "second"),
    "seed": pgettext_lazy("label in the activity log", "seed"),
    "seeds": pgettext_lazy("label in the activity log", "seeds"),
    "session": pgettext_lazy("label in the activity log", "session"),
    "short apart": pgettext_lazy("label in the activity log", "short apart"),
    "source": pgettext_lazy("label in the activity log", "source"),
    "squad rules": pgettext_lazy("label in the activity log", "squad rules"),
    "squads": pgettext_lazy("label in the activity log", "squads"),
    "state": pgettext_lazy("label in the activity log", "state"),
    "tables": pgettext_lazy("label in the activity log", "tables"),
    "table": pgettext_lazy("label in the activity log", "table"),
    "target": pgettext_lazy("label in the activity log", "target"),
    "team": pgettext_lazy("label in the activity log", "team"),
    "teams": pgettext_lazy("label in the activity log", "teams"),
    "text": pgettext_lazy("label in the activity log", "text"),
    "to": pgettext_lazy("label in the activity log", "to"),
    "undone": pgettext_lazy("label in the activity log", "void"),
    "user": pgettext_lazy("label in the activity log", "user"),
    "version": pgettext_lazy("label in the activity log", "version"),
    "was": pgettext_lazy("label in the activity log", "was"),
    "way": pgettext_lazy("label in the activity log", "way"),
    "void matches": pgettext_lazy("label in the activity log", "matches made void"),
    "why": pgettext_lazy("label in the activity log", "reason"),
    "winner": pgettext_lazy("label in the activity log", "winner"),
    "winners": pgettext_lazy("label in the activity log", "winners"),
}

# What only programs need of an entry: its action, and the field.
RANDOM = (
    *("draft round", "redraw round", "draw tournament round", "draw partners", "cut for a tie"),
    *("reschedule for a late entry", "draw cup", "draw pairs cup", "make fixtures"),
    *("join fixtures", "join fixtures drawn anew"),
)
RULINGS = ("rule", "add or take points", "record misdeal", "withdraw ruling")
HANDS = ("record hand", "correct hand", "strike hand", "undo hand", "keep unplaced hand")
FOR_PROGRAMS = {(action, "seed") for action in RANDOM} | {(action, "version") for action in HANDS}
FOR_PROGRAMS |= {
    *((action, "kind") for action in RULINGS),
    ("merge members", "public_id"),
    ("merge members", "moved"),
    ("pay in", "out"),
    ("pay out", "out"),
    # Keys, in entries of earlier versions:
    ("close season", "champions"),
    ("reopen season", "champions"),
    ("follow correction", "undone"),
}

# Actions whose word depends on the kind of ruling, or on the state that was changed; points were a
# penalty in earlier versions.
BY_KIND = {
    ("open session", "planned"): pgettext_lazy("activity log", "opened session"),
    ("open session", "closed"): pgettext_lazy("activity log", "reopened session"),
    ("open session", "cancelled"): pgettext_lazy("activity log", "reopened session"),
    ("rule", "adjustment"): ACTIONS["add or take points"],
    ("withdraw ruling", "adjustment"): pgettext_lazy("activity log", "withdrew points"),
    ("withdraw ruling", "misdeal"): pgettext_lazy("activity log", "deleted misdeal"),
    ("withdraw ruling", "renege"): pgettext_lazy("activity log", "withdrew penalty"),
}

# Sources other than browsers, by `Actor.source`.
SOURCES = {
    "command line": pgettext_lazy("activity log", "command line"),
    "program": pgettext_lazy("activity log", "program"),
}


def score_words(score: Sequence[int], players: Mapping[int, str]) -> str:
    """A score with the sides' names, where the players are known by their seats.

    >>> score_words([10, 7], {0: "Rose", 1: "Ann", 2: "Ted", 3: "Bill"}), score_words([10, 7], {})
    ('Rose & Ted 10, Ann & Bill 7', '10 – 7')
    """
    count = len(score)
    sides = [[players[seat] for seat in sorted(players) if seat % count == n] for n in range(count)]
    if not all(sides):
        return " – ".join(map(str, score))
    named = zip(map(as_partners, sides), score, strict=True)
    return ", ".join(f"{side} {points}" for side, points in named).replace(" -", " −")


# The table of an entry, as `Table.name_in_log`; entries of earlier versions have no round.
TABLE_SUBJECT = re.compile(r"(?:round (?P<round>\d+), )?table (?P<table>\d+)")


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
    """The subject for display: a name as logged, a table in the reader's language, with the title
    of its round in a tournament, a game of a league's match with its number."""
    table = TABLE_SUBJECT.fullmatch(subject)
    if table is None:
        return subject
    if game:
        place = gettext("game %(n)s") % {"n": game}
        return f"{round_title}, {place}" if round_title else place
    words = table.groupdict() | {"title": round_title, "n": table["table"]}
    if round_title:
        return gettext("%(title)s, table %(n)s") % words
    if table["round"]:
        return gettext("round %(round)s, table %(table)s") % words
    return gettext("table %(n)s") % words
