"""Printed rules, each compared with the current settings of a league."""

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
    """A printed rule and what the site does about it; `changed` if this league's setting differs
    from the printed rule."""

    rule: PrintedRule
    how: str | Promise
    changed: bool = False


def printed_rules(preset: Preset | None, league: TeamLeague | None = None) -> list[RuleShown]:
    """The printed rules that the site enforces, each with the league's setting."""
    if preset is None:
        return []
    if league is None:
        return [RuleShown(rule, rule.how) for rule in preset.enforced]
    rules, preset_rules = rules_of(league), rules_from_json(preset.rules)
    shown = []
    for rule in preset.enforced:
        value = _league_value(rule.setting, league, rules)
        printed_value = _preset_value(rule.setting, preset, preset_rules)
        if value == printed_value and rule.setting != "section_play_off":
            shown.append(RuleShown(rule, rule.how))
        else:
            text = " ".join(_sentences(rule.setting, league, rules))
            shown.append(RuleShown(rule, text or _("Not set in this league."), changed=True))
    return shown


POINTS = ("win", "draw", "loss", "game")


def _rules_value(setting: str, rules: LeagueRules) -> Any:
    if setting == "points":
        return [getattr(rules, name) for name in POINTS]
    if setting in ("late", "walkover", "tie_breaks"):
        return getattr(rules, setting)
    return None


def _league_value(setting: str, league: TeamLeague, rules: LeagueRules) -> Any:
    """The league's value of a setting; None both for an unset and for a false one."""
    if setting in ("pairs", "turns"):
        return league.pairs, league.turns, rules.target
    if setting == "borrowed":
        return league.borrowed
    if setting == "match_day":
        return league.fixture_rules.get(setting)
    return _rules_value(setting, rules) or league.squad_rules.get(setting) or None


def _preset_value(setting: str, preset: Preset, rules: LeagueRules) -> Any:
    if setting in ("pairs", "turns"):
        return preset.pairs, preset.turns, preset.target
    if setting == "borrowed":
        return preset.borrowed
    if setting == "match_day":
        return preset.fixtures.get(setting)
    return _rules_value(setting, rules) or preset.squads.get(setting) or None


def _sentences(setting: str, league: TeamLeague, rules: LeagueRules) -> Sequence[str]:
    """Sentences about the league's current value of a setting."""
    if setting in ("pairs", "turns"):
        return [_match_sentence(league, rules)]
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


def _match_sentence(league: TeamLeague, rules: LeagueRules) -> str:
    words = {"n": league.games, "pairs": league.pairs, "target": rules.target}
    if rules.target is None:
        text = _("Pairs per team: %(pairs)d, games per match: %(n)d.")
    else:
        text = _("Pairs per team: %(pairs)d, games per match: %(n)d, each to %(target)d points.")
    return text % words
