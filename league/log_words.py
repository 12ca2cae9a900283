"""The labels of other areas' choices, rules and states in the activity log, from their forms."""

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from typing import Any

from django.db.models import Prefetch, prefetch_related_objects
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from league.members.audit_changes import TABLE_FINDERS, name_fields
from league.members.audit_hands import Players, TableInLog, hand_words, player_name
from league.members.audit_words import TABLE_SUBJECT
from league.members.models import AuditEntry, Club, Member
from league.play.forms import FORMS
from league.play.game_log import rules_of
from league.play.models import Game
from league.play.sheet import tournament_titles
from league.play.text import gained_text, hand_text, side_name
from league.seating.models import Round, Table
from league.seating.queries import seats_with_last_hand
from league.sessions.models import Session
from league.standings.labels import LABELS
from league.standings.models import POT_SOURCES_OF_SEASONS, Payment, Pot, pot_labels
from league.teams.forms import CARRY_RULES, POINTS, LeagueForm
from league.teams.models import TeamLeague, TeamMatch
from league.teams.presets import PRESETS
from league.teams.queries import PLANNER
from league.teams.rule_fields import BONUS_SIDES
from league.teams.rules_forms import SQUAD_FLAGS, RulesForm
from league.teams.validators import HALF_WAY, NUMBERS
from league.tournaments.forms import TournamentForm
from league.tournaments.models import Match, Stage, Tournament
from scoring import check_hand

name_fields(
    ("close session", "cancel session", "open session"),
    {},
    {path: ("", dict(Session.State.choices)) for path in ("", "state")},
)
name_fields(("change session",), {}, {"state": (_("State"), dict(Session.State.choices))})
POT_WORDS = pot_labels("euchred", of_season=False) | {"once": POT_SOURCES_OF_SEASONS["once"]}
name_fields(
    ("add pot", "change pot"),
    {},
    {
        "source": (Pot._meta.get_field("source").verbose_name, POT_WORDS),
        "payout": (Pot._meta.get_field("payout").verbose_name, POT_WORDS),
        "counts_from": (Pot._meta.get_field("counts_from").verbose_name, {}),
    },
)
name_fields(
    ("withdraw payment",),
    {},
    {"kind": (Payment._meta.get_field("kind").verbose_name, dict(Payment.Kind.choices))},
)
name_fields(("write totals",), {}, {"score": ("", {})})
name_fields(("settle game", "abandon game"), {}, {"state": (_("State"), dict(Game.State.choices))})
name_fields(
    ("rule", "add or take points", "withdraw ruling"),
    {},
    {"form": (_("Penalty"), FORMS)},
)
name_fields(
    ("make tournament", "change tournament", "play on as pairs"),
    TournamentForm.base_fields,
    {
        "format": (_("Format"), dict(Stage.Format.choices)),
        "ranking": (_("Rank by"), {}),
    },
)
name_fields(
    ("choose tournament ranking", "choose measures"),
    {},
    {"": ("", {code: label.name for code, label in LABELS.items()})},
)
name_fields(
    ("finish tournament", "cancel tournament", "reopen tournament"),
    {},
    {"": ("", dict(Tournament.State.choices))},
)
MEASURES = {code: label.name for code, label in LABELS.items()}
name_fields(
    ("make team league", "change team league"),
    {
        **LeagueForm.base_fields,
        **{f"rules.points.{name}": LeagueForm.base_fields[f"points_{name}"] for name in POINTS},
        **{f"rules.{name}": LeagueForm.base_fields[name] for name in CARRY_RULES},
        "fixture_rules.match_day": LeagueForm.base_fields["match_day"],
        "fixture_rules.starts_at": LeagueForm.base_fields["starts_at"],
    },
    {
        "rules.tie_breaks": (LeagueForm.base_fields["ranking"].label, MEASURES),
    },
)
name_fields(
    (
        *("move team match", "move league round", "fix cup matches"),
        *("write match card", "correct match card"),
    ),
    {},
    {
        "held_on": (TeamMatch._meta.get_field("held_on").verbose_name, {"": _("No day yet")}),
        "borrowed": (_("Borrowed"), {}),
    },
)
name_fields(
    ("make team league",),
    {},
    {"preset": (_("Printed rules"), {preset.code: preset.name for preset in PRESETS.values()})},
)
name_fields(
    ("import team league",), {}, {"new": (_("New matches"), {}), "results": (_("Results"), {})}
)
name_fields(
    ("import tournament", "keep entries apart", "let entries meet"),
    {},
    {"entries": (_("Entries"), {})},
)
name_fields(("write match card", "correct match card"), {}, {"late": ("", {})})
name_fields(("agree to mail", "stop mail"), {}, {"confirmed_email": (_("E-mail"), {})})
name_fields(("decide in league",), {}, {"text": ("", {})})
name_fields(("start second competition",), {}, {"beside": (_("On the same nights as"), {})})
name_fields(
    ("give team match", "take team match back"),
    {},
    {"to": (_("Awarded to"), {"": _("neither team")})},
)
name_fields(("save team",), {}, {"venue": (_("plays at home at"), {})})
CALLED_OFF = pgettext_lazy("a league", "Called off")
name_fields(
    ("close team league", "call off team league", "reopen team league", "turn team league"),
    {},
    {"": ("", {**dict(TeamLeague.State.choices), "cancelled": CALLED_OFF})},
)
name_fields(
    ("decide match", "take back walk-over", "follow correction", "cut for a tie"),
    {},
    {"how": (pgettext_lazy("label in the activity log", "how"), dict(Match.By.choices))},
)
name_fields(
    ("seed entries",),
    {},
    {
        "how": (
            pgettext_lazy("label in the activity log", "how"),
            {"list": _("A pasted list"), "ratings": _("Ratings")},
        )
    },
)
name_fields(("draw partners",), {}, {"pairs": (_("Pair"), {})})
name_fields(("draw pairs cup",), {}, {"pairs": (_("Pairs"), {})})
AS_CLUB = Member.Shown.AS_CLUB.label
name_fields(("set session rules",), {}, {"": ("", {"": AS_CLUB})})
name_fields(
    ("set session table sizes",), {}, {"": ("", {"": AS_CLUB, **dict(Club.SeatingPolicy.choices)})}
)
FIELD_OF_RULE = {
    "rules.walkover.win": "walkover_win",
    "rules.walkover.loss": "walkover_loss",
    "rules.walkover.games": "walkover_games",
    "rules.walkover.points": "walkover_points",
    "rules.late.weekday": "late_day",
    "rules.late.points": "late_points",
    "rules.late.from": "late_from",
    "rules.withdrawal": "withdrawal",
    "rules.after_split": "after_split",
    "rules.section_play_off.places": "section_places",
    "rules.section_play_off.divisions": "divisions",
    "rules.moves.up": "up",
    "rules.moves.down": "down",
    "rules.moves.play_off": "play_off",
    "divisions": "divisions",
}
"""The form field of each stored rule."""
name_fields(
    ("change league rules",),
    {path: RulesForm.base_fields[name] for path, name in FIELD_OF_RULE.items()}
    | {f"squads.{name}": RulesForm.base_fields[name] for name in (*NUMBERS, *SQUAD_FLAGS)}
    | {
        f"fixture_rules.{name}": RulesForm.base_fields[name]
        for name in ("cup_days", "rearranged", "derbies_early")
    }
    | {"squads.register_until": RulesForm.base_fields["register_until"]},
    {
        "squads.transfer_until": (RulesForm.base_fields["half_way"].label, {HALF_WAY: _("yes")}),
        "blank_days": (_("Weeks without matches"), {}),
        "fixture_rules.cup_days": (_("Cup weeks"), {}),
        "divisions": (_("Divisions"), {}),
        "rules.late.time": (RulesForm.base_fields["late_day"].label, {}),
        "rules.tie_breaks": (_("Tie-break"), MEASURES),
        "rules.bonus.side": (
            _("Bonus points"),
            {side: RulesForm.base_fields[f"{side}_bonus"].label for side in BONUS_SIDES},
        ),
        "rules.bonus.points": (_("Bonus points"), {}),
        "rules.bonus.games": (pgettext_lazy("label in the activity log", "games"), {}),
        "rules.moves.upper": (_("Upper division"), {}),
        "rules.moves.lower": (_("Lower division"), {}),
    },
)


def tables_of(entries: Sequence[AuditEntry]) -> dict[int, TableInLog]:
    """The table of each entry, where it has one, with the names of those who sat there in its hand
    or last."""
    subjects = {
        entry.pk: match for entry in entries if (match := TABLE_SUBJECT.fullmatch(entry.subject))
    }
    if not subjects:
        return {}
    seats = seats_with_last_hand().select_related("member").order_by("from_hand")
    tables = Table.objects.filter(
        session__in={entry.session_id for entry in entries if entry.pk in subjects},
        number__in={int(match["table"]) for match in subjects.values()},
        round__state=Round.State.PUBLISHED,
    )
    tables = tables.select_related("round", "ruleset").prefetch_related(Prefetch("seats", seats))
    by_number: dict[tuple[int | None, str], list[Table]] = defaultdict(list)
    for table in tables.order_by("round__number"):
        by_number[table.session_id, str(table.number)].append(table)
    found = [
        (entry, own)
        for entry in entries
        if (match := subjects.get(entry.pk))
        and (numbered := by_number[entry.session_id, match["table"]])
        and (own := _table_of(entry, match["round"], numbered))
    ]
    places = _places_of([table for _entry, table in found])
    game_ids = _games_of(found)
    return {
        entry.pk: TableInLog(
            title,
            _names_by_seat(entry, table),
            game,
            partial(_hand_words, table),
            game_ids.get(entry.pk, ""),
        )
        for entry, table in found
        for title, game in [places.get(table.pk, ("", 0))]
    }


def _games_of(found: Sequence[tuple[AuditEntry, Table]]) -> dict[int, str]:
    """The public id of each entry's game: of those at its table the last that had begun by then,
    else the first."""
    games = Game.objects.filter(table__in={table for _entry, table in found})
    games = games.only("public_id", "table", "started_at").order_by("number")
    by_table: dict[int, list[Game]] = defaultdict(list)
    for game in games:
        by_table[game.table_id].append(game)
    ids = {}
    for entry, table in found:
        own = by_table[table.pk]
        begun = [game for game in own if game.started_at and game.started_at <= entry.at]
        if own:
            ids[entry.pk] = (begun or own[:1])[-1].public_id
    return ids


def _hand_words(table: Table, record: dict[str, Any], players: Players) -> str:
    """A hand as the game's page says it, with its points: "Ann deals; Bill in clubs: made, 3
    tricks; Bill & Ted +1"."""
    rules = rules_of(table.ruleset.body)
    answer = check_hand(record, rules)
    if not answer.valid:
        return hand_words(record, players)
    names = [player_name(seat, players) for seat in range(rules.players)]
    sides = [side_name([names[seat] for seat in side]) for side in rules.sides]
    points = answer.points or [0] * rules.players
    gained = [min(points[seat] for seat in side) for side in rules.sides]  # no caller's own bonus
    parts = [
        gettext("%(name)s deals") % {"name": names[record["dealer"]]},
        hand_text(record, answer, names),
        gained_text(gained, sides),
        gettext("every card recorded") if record.get("tricks") else "",
    ]
    return "; ".join(filter(None, parts))


def _places_of(tables: Sequence[Table]) -> dict[int, tuple[str, int]]:
    """The title of each table's round in its tournament or league, and the number of its game in
    the league's match, else 0."""
    places = {table: (title, 0) for table, title in tournament_titles(tables).items()}
    in_league = [table for table in tables if table.round.planner == PLANNER]
    sessions = {table.session_id for table in in_league}
    rows = TeamMatch.objects.select_related("league").filter(session__in=sessions)
    matches = {match.session_id: match for match in rows} if sessions else {}
    for table in in_league:
        if match := matches.get(table.session_id):
            title = "" if match.cup_id else gettext("round %(n)s") % {"n": match.round}
            game = (table.round.number - 1) * match.league.pairs + table.number
            places[table.pk] = title, game
    return places


def _names_by_seat(entry: AuditEntry, table: Table) -> dict[int, str]:
    values = entry.new or entry.old
    hand = values.get("hand") if isinstance(values, dict) else None
    return {
        seat.position: seat.member.name
        for seat in table.seats.all()
        if (last := hand or seat.last_hand) is None  # type: ignore[attr-defined]
        or seat.from_hand <= last
    }


def _table_of(entry: AuditEntry, round_number: str | None, tables: list[Table]) -> Table | None:
    """The table of an entry, of all those with its number; None if that is uncertain."""
    if round_number is not None:
        return next((table for table in tables if str(table.round.number) == round_number), None)
    return _table_without_round(entry, tables)


def _table_without_round(entry: AuditEntry, tables: list[Table]) -> Table | None:
    """The table of an entry of an earlier version: one with its score or hand, else any; the last
    one by then. The games of a card all begin at the same moment, so that none is the last."""
    possible = [table for table in tables if (table.round.published_at or entry.at) <= entry.at]
    if len(possible) > 1:
        prefetch_related_objects(possible, "games__hands")
        values = entry.new or entry.old
        possible = [table for table in possible if _is_recorded_at(table, values)] or possible
    published = [table.round.published_at for table in possible]
    is_certain = possible and published.count(published[-1]) == 1
    return possible[-1] if is_certain else None


def _is_recorded_at(table: Table, values: Any) -> bool:
    """Whether these values of an entry are the score of this table's game or one of its hands."""
    values = values if isinstance(values, dict) else {"score": values}
    if score := values.get("score"):
        return any(score in (game.score, game.totals) for game in table.games.all())
    recorded = values.get("hand"), values.get("record")
    hands = (hand for game in table.games.all() for hand in game.hands.all())
    return any((hand.number, hand.record) == recorded for hand in hands)


TABLE_FINDERS.append(tables_of)
