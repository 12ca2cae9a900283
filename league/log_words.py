"""The labels of other areas' choices, rules and states in the activity log, from their forms."""

from collections import defaultdict
from collections.abc import Sequence

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from league.members.audit import PLAYER_FINDERS, TABLE_SUBJECT, name_fields
from league.members.models import AuditEntry
from league.play.forms import FORMS
from league.play.models import Game
from league.seating.models import Round, Seat
from league.sessions.models import Session
from league.standings.labels import LABELS
from league.teams.forms import CARRY_RULES, POINTS, LeagueForm
from league.teams.models import TeamLeague
from league.teams.rule_fields import BONUS_SIDES
from league.teams.rules_forms import SQUAD_FLAGS, RulesForm
from league.teams.validators import HALF_WAY, NUMBERS
from league.tournaments.forms import TournamentForm
from league.tournaments.models import Stage, Tournament

name_fields(
    ("close session", "cancel session", "open session"),
    {},
    {"": ("", dict(Session.State.choices))},
)
name_fields(("write totals",), {}, {"score": ("", {})})
name_fields(("settle game",), {}, {"state": (_("State"), dict(Game.State.choices))})
name_fields(
    ("rule", "withdraw ruling"),
    {},
    {"form": (pgettext_lazy("label in the activity log", "form"), FORMS)},
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
    },
    {
        "rules.tie_breaks": (LeagueForm.base_fields["ranking"].label, MEASURES),
    },
)
name_fields(("turn team league",), {}, {"": ("", dict(TeamLeague.State.choices))})
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
    "blank_days": "blank_days",
}
"""The form field of each stored rule."""
name_fields(
    ("change league rules",),
    {path: RulesForm.base_fields[name] for path, name in FIELD_OF_RULE.items()}
    | {f"squads.{name}": RulesForm.base_fields[name] for name in (*NUMBERS, *SQUAD_FLAGS)}
    | {"squads.register_until": RulesForm.base_fields["register_until"]},
    {
        "squads.transfer_until": (RulesForm.base_fields["half_way"].label, {HALF_WAY: _("yes")}),
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


def seated(entries: Sequence[AuditEntry]) -> dict[int, dict[int, str]]:
    """The names of those seated at the table of each entry, in its hand or last. One query."""
    tables = {
        entry.pk: match for entry in entries if (match := TABLE_SUBJECT.fullmatch(entry.subject))
    }
    if not tables:
        return {}
    seats = Seat.objects.filter(
        session__in={entry.session_id for entry in entries if entry.pk in tables},
        table__number__in={int(match[1]) for match in tables.values()},
        table__round__state=Round.State.PUBLISHED,
    )
    by_table: dict[tuple[int | None, str], list[Seat]] = defaultdict(list)
    for seat in seats.select_related("member", "table__round").order_by(
        "table__round__number", "from_hand"
    ):
        by_table[seat.session_id, str(seat.table.number)].append(seat)
    return {
        entry.pk: _names_by_seat(entry, by_table[entry.session_id, tables[entry.pk][1]])
        for entry in entries
        if entry.pk in tables
    }


def _names_by_seat(entry: AuditEntry, seats: list[Seat]) -> dict[int, str]:
    values = entry.new or entry.old
    hand = values.get("hand") if isinstance(values, dict) else None
    earlier = [seat for seat in seats if (seat.table.round.published_at or entry.at) <= entry.at]
    return {
        seat.position: seat.member.name
        for seat in earlier
        if seat.table_id == earlier[-1].table_id and (hand is None or seat.from_hand <= hand)
    }


PLAYER_FINDERS.append(seated)
