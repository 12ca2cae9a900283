"""Printed rules beside what a league makes of them: as its settings are now."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from league.ranking.team_league.rules import LeagueRules, rules_from_json
from league.standings.labels import LABELS
from league.teams.models import TeamLeague
from league.teams.presets import Preset, PrintedRule
from league.teams.queries import rules_of
from league.teams.text import late_rule, points_rule, season_rule, squad_sentences, walkover_rule


@dataclass(frozen=True, slots=True)
class RuleShown:
    """A printed rule and what the site does about it; `changed` where this league's setting is
    another than the printed one."""

    rule: PrintedRule
    how: str | Promise
    changed: bool = False


def printed_rules(preset: Preset | None, league: TeamLeague | None = None) -> list[RuleShown]:
    """The printed rules that the site enforces, each as a league has set it."""
    if preset is None:
        return []
    if league is None:
        return [RuleShown(one, one.how) for one in preset.enforced]
    now, printed = rules_of(league), rules_from_json(preset.rules)
    shown = []
    for one in preset.enforced:
        values = _of_league(one.setting, league, now), _of_preset(one.setting, preset, printed)
        if values[0] == values[1] and one.setting != "section_play_off":
            shown.append(RuleShown(one, one.how))
        else:
            does = " ".join(_sentences(one.setting, league, now))
            shown.append(RuleShown(one, does or _("Not set in this league."), changed=True))
    return shown


POINTS = ("win", "draw", "loss", "game")


def _of_rules(setting: str, rules: LeagueRules) -> Any:
    if setting == "points":
        return [getattr(rules, name) for name in POINTS]
    if setting in ("late", "walkover", "tie_breaks"):
        return getattr(rules, setting)
    return None


def _of_league(setting: str, league: TeamLeague, rules: LeagueRules) -> Any:
    """What a setting of the league is now; nothing and "no" are the same."""
    if setting in ("pairs", "turns"):
        return league.pairs, league.turns, rules.target
    if setting == "borrowed":
        return league.borrowed
    if setting == "match_day":
        return league.fixture_rules.get(setting)
    return _of_rules(setting, rules) or league.squad_rules.get(setting) or None


def _of_preset(setting: str, preset: Preset, rules: LeagueRules) -> Any:
    if setting in ("pairs", "turns"):
        return preset.pairs, preset.turns, preset.target
    if setting == "borrowed":
        return preset.borrowed
    if setting == "match_day":
        return preset.fixtures.get(setting)
    return _of_rules(setting, rules) or preset.squads.get(setting) or None


def _sentences(setting: str, league: TeamLeague, rules: LeagueRules) -> Sequence[str]:
    """What the site does by a setting as it is now."""
    if setting in ("pairs", "turns"):
        return [_match_of(league, rules)]
    if setting == "points":
        return points_rule(rules)[: 2 if rules.game else 1]
    if setting == "tie_breaks":
        return [f"{', '.join(str(LABELS[code].name) for code in rules.tie_breaks)}.".capitalize()]
    if setting == "late":
        return late_rule(rules.late) if rules.late else []
    if setting == "walkover":
        return [walkover_rule(rules)]
    if setting in ("section_play_off", "match_day"):
        return season_rule(league, rules).get(setting, [])
    return squad_sentences(league).get(setting, [])


def _match_of(league: TeamLeague, rules: LeagueRules) -> str:
    words = {"n": league.games, "pairs": league.pairs, "target": rules.target}
    if rules.target is None:
        text = _("Pairs per team: %(pairs)d, games per match: %(n)d.")
    else:
        text = _("Pairs per team: %(pairs)d, games per match: %(n)d, each to %(target)d points.")
    return text % words
