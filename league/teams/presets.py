"""Printed rulebooks of pub leagues as presets: their rules, what setting enforces each, and how the
settings of a league compare with them.

Each rule is quoted in at most twenty words. `setting` is the field of the league's rules that
enforces it; a rule without one is left to the committee. `decided` lists what we had to choose
because no printed rule that we could read says it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.members.models import Club, ClubRuleset
from league.members.rule_changes import said_changes
from league.members.rule_options import title
from league.ranking.team_league.rules import LeagueRules, rules_from_json
from league.standings.labels import LABELS
from league.teams.models import TeamLeague
from league.teams.queries import rules_of
from league.teams.text import earned_rule, late_rule, season_rule, squad_sentences, walkover_rule
from scoring import ruleset


@dataclass(frozen=True, slots=True)
class PrintedRule:
    """A printed rule: its number, its English text, the setting that enforces it, and how."""

    number: str | Promise
    words: str
    setting: str = ""
    how: str | Promise = ""


@dataclass(frozen=True, slots=True)
class Preset:
    """A league's rulebook. `rules`, `squads` and `fixtures` are in the format of `TeamLeague`."""

    code: str
    name: str
    source: str
    reach: str | Promise
    printed: tuple[PrintedRule, ...]
    rules: Mapping[str, Any]
    squads: Mapping[str, Any]
    borrowed: int
    decided: tuple[str | Promise, ...] = field(default=())
    pairs: int = 3
    turns: int = 3
    target: int = 21
    game: str = "benny-21"
    """The preset of house rules for the league's games."""
    fixtures: Mapping[str, Any] = field(default_factory=dict)
    section_places: int = 0
    """Teams of each section in the play-off, if the divisions are sections of equal rank; or 0."""
    moving: int = 0
    """Number of teams promoted, and of teams relegated, between two divisions."""

    @property
    def enforced(self) -> list[PrintedRule]:
        return [rule for rule in self.printed if rule.setting]

    @property
    def for_committee(self) -> list[PrintedRule]:
        return [rule for rule in self.printed if not rule.setting]


HALVES = _(
    "A team that leaves before the second half has all its results void; later, those of the first"
    " half stand. (It is the rule of a cribbage league, the only printed one we found.)"
)

ST_AUSTELL = Preset(
    code="st-austell",
    name="St Austell",
    source="staustelleuchre.com",
    reach=_("Only rules 1 to 9 and part of rule 10 were available."),
    printed=(
        PrintedRule("1", "The Committee's decision to be binding to all parties involved."),
        PrintedRule("5", "Matches to be played on Thursday evenings, unless otherwise stated.",
                    "match_day", _("Every round is on a Thursday; moving a match needs a"
                                   " reason.")),
        PrintedRule("6", "8-15 p m but no later than 8-30 pm.Any later start to be reported to the"
                    " Committee"),
        PrintedRule("7a", "TWO result cards to be signed by BOTH Captains and dated as fixture"
                    " list", "both_confirm", _("Both captains confirm the card.")),
        PrintedRule("7b", "cards must be returned by 6pm on the Saturday after the game has been"
                    " played", "late", _("Saturday 6 p.m.; a late card costs no point.")),
        PrintedRule("8a", "League is to be run on the basis of two points for the winner",
                    "points", _("2 for a match won, 0 for one lost.")),
        PrintedRule("8b", "the team with the highest score on points system will become section"
                    " winner", "tie_breaks", _("Points, then games won.")),
        PrintedRule("8c", "Section winners and runners up will play off at a venue and on a date"
                    " decided", "section_play_off",
                    _("Two of each section, if the league has sections.")),
        PrintedRule("9a", "Twenty one points to a game, nine games to a match, six players to a"
                    " team", "pairs", _("Three pairs, three games each, to 21.")),
        PrintedRule(_("9a (age)"), "minimum age 16."),
        PrintedRule("9b", "Visitors move after each game. Same six players to play all games in"
                    " match.", "turns", _("The card's order of pairs; one line-up a match.")),
        PrintedRule("10a", "If more than one team is running for a House A B C must be adopted",
                    "house_letters", _("Teams of one pub or club end in a letter.")),
        PrintedRule("10b", "There must always be a majority of named team members,that is four or"
                    " more", "borrowed", _("At most two of six from outside the squad.")),
        PrintedRule(_("The way we play, a"), "the winners are the team that wins 5 or more"
                    " games out of the 9",
                    "points", _("More than half of the games.")),
        PrintedRule(_("The way we play, b"), "the team with the highest number of games"
                    " won who are the winners",
                    "tie_breaks", _("Games won is the first tie-break.")),
        PrintedRule(_("The way we play, c"), "each team plays the others to decide the"
                    " final positions",
                    "tie_breaks", _("A play-off between teams level on both.")),
    ),
    rules={
        "points": {"win": 2, "draw": 0, "loss": 0, "game": 0},
        "given_game": [21, 0],
        "walkover": {"win": 2, "loss": 0, "games": [0, 0], "points": [0, 0]},
        "late": {"weekday": "sat", "time": "18:00", "points": 0, "from": "winner"},
        "withdrawal": "halves",
        "tie_breaks": ["games_won", "play_off"],
    },
    squads={"least": 6, "minimum": 4, "transfers": 1, "transfer_until": "half",
            "one_team_a_week": True, "captains_agree": False, "both_confirm": True,
            "house_letters": True},
    fixtures={"match_day": 3, "starts_at": "20:15"},
    borrowed=2,
    section_places=2,
    decided=(_("A walk-over gives the points for a win and no games."), HALVES,
             _("One transfer a season, until half-way."),
             _("A short team plays with four; its missing pair's games are given.")),
)  # fmt: skip

FALMOUTH = Preset(
    code="penryn-falmouth",
    name="Penryn, Falmouth & District",
    source="falmoutheuchre.orgfree.com",
    reach=_("Only league rules 1 to 18 and part of the playing rules were available."),
    printed=(
        PrintedRule("3", "Each team shall consist of at least 7 players.", "least",
                    _("Seven in a squad.")),
        PrintedRule("4", "Matches to start at 8:15pm on Wednesday evenings.", "match_day",
                    _("Every round is on a Wednesday.")),
        PrintedRule("7", "Any player may transfer once a season for a fee of £2.00", "transfers",
                    _("One transfer a season; the fee is for the committee.")),
        PrintedRule("8", "A new player may sign on the night and play with their name and"
                    " signature", "sign_on", _("A captain adds a new player on the"
                                                      " team's page.")),
        PrintedRule("9", "at least 14 years old"),
        PrintedRule("10", "Result cards to be at … by 12 noon on Saturday, or the winning team"
                    " will lose 1 point.", "late", _("Saturday noon, the winner 1 point.")),
        PrintedRule("11", "the other team will be awarded 5 points for the league", "walkover",
                    _("5 points, the others none.")),
        PrintedRule("12a", "Any team short of a player may borrow one from a team", "borrowed",
                    _("One borrowed player a match.")),
        PrintedRule("12b", "Each player can only be borrowed 2 times, any more than that the"
                    " player will have to transfer teams.", "borrowed_season",
                    _("Twice a season.")),
        PrintedRule("13", "less than 6 players the amount turning up will do in to the draw, with"
                    " a minimum of 4", "minimum", _("Four at least.")),
        PrintedRule("14", "Captains will draw the league and Ben Toy/Bill Bennent names before the"
                    " start of the match", "pairs", _("The card draws the pairs, or takes"
                                                 " those the captains drew.")),
        PrintedRule("16", "a substitute … to replace a sick player if they have not played in that"
                    " cup previously", "cup_tied", _("Nobody plays for two teams in a cup.")),
        PrintedRule("17", "Any team moving en-bloc, minimum of 5 players will keep their status",
                    "keeps_place", _("Five of the squad stay.")),
    ),
    rules={
        "points": {"win": 0, "draw": 0, "loss": 0, "game": 1},
        "given_game": [21, 0],
        "walkover": {"win": 5, "loss": 0, "games": [0, 0], "points": [0, 0]},
        "late": {"weekday": "sat", "time": "12:00", "points": 1, "from": "winner"},
        "withdrawal": "halves",
        "tie_breaks": ["games_won", "head_to_head", "play_off"],
    },
    squads={"least": 7, "minimum": 4, "borrowed_season": 2, "transfers": 1, "cup_tied": True,
            "keeps_place": 5, "one_team_a_week": True, "sign_on": True, "substitutes": True},
    fixtures={"match_day": 2, "starts_at": "20:15"},
    borrowed=1,
    decided=(_("Nine games to 21, a point a game and none for the match."), HALVES,
             _("Tie-breaks: games won, head-to-head, a play-off."),
             _("The Ben Toy is a second competition on the same night. We did not find how its"
               " points are counted.")),
)  # fmt: skip

GUERNSEY = Preset(
    code="guernsey",
    name="Guernsey United",
    source="guernseyeuchre.com, 2015–16",
    reach=_("Only rules 1 to 5 and part of rule 6 were available; the rest follows other leagues."),
    printed=(
        PrintedRule("2a", "the other being an Appeals Committee"),
        PrintedRule("2b", "required to stand down and be replaced by a Team Captain from any"
                    " division"),
        PrintedRule("6", "for more than one team during any season unless a written transfer"
                    " signed by both captains is received", "captains_agree",
                    _("One team a season; both captains agree to a transfer.")),
    ),
    rules={
        "points": {"win": 2, "draw": 1, "loss": 0, "game": 0},
        "given_game": [21, 0],
        "walkover": {"win": 2, "loss": 0, "games": [0, 0], "points": [0, 0]},
        "withdrawal": "halves",
        "tie_breaks": ["game_difference", "head_to_head", "play_off"],
    },
    squads={"least": 6, "minimum": 4, "borrowed_season": 0, "transfers": 1,
            "captains_agree": True, "one_team_a_week": True},
    borrowed=0,
    moving=2,
    game="benny-21-guernsey",
    decided=(_("Two points a match won, one drawn; games difference, head-to-head, a play-off."),
             HALVES, _("Two up and two down between divisions."),
             _("Nobody is borrowed, as nobody plays for two teams.")),
)  # fmt: skip

PRESETS = {preset.code: preset for preset in (ST_AUSTELL, FALMOUTH, GUERNSEY)}
TIE_BREAK_ORDERS: dict[str, tuple[str, ...]] = {
    "games": ("games_won", "head_to_head", "points_difference", "points_for"),
    "meetings": ("head_to_head", "games_won", "points_difference", "points_for"),
    "difference": ("points_difference", "games_won", "head_to_head", "points_for"),
    "games_play_off": ("games_won", "play_off"),
    "games_met_play_off": ("games_won", "head_to_head", "play_off"),
    "margin_met_play_off": ("game_difference", "head_to_head", "play_off"),
}
"""Orders of tie-breaks that a league may choose, by code."""
RANKINGS = [
    (code, capfirst(text))
    for code, text in (
        ("games", _("games won, head-to-head, points difference")),
        ("meetings", _("head-to-head, games won, points difference")),
        ("difference", _("points difference, games won, head-to-head")),
        ("games_play_off", _("games won, a play-off")),
        ("games_met_play_off", _("games won, head-to-head, a play-off")),
        ("margin_met_play_off", _("games difference, head-to-head, a play-off")),
    )
]
OWN_ORDER = ("as_it_is", capfirst(_("the league's own order, as it is")))


def rules_for(club: Club, preset: Preset) -> ClubRuleset | None:
    """The club's newest ruleset for the game of a rulebook."""
    rulesets = club.rulesets.filter(pk__in=newest_rulesets(club), preset=preset.game)
    return rulesets.order_by("-pk").first()


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
            if rule.setting == "section_play_off" and not league.sections:
                text = gettext("This league has no sections.")
            shown.append(RuleShown(rule, text or gettext("Not set in this league."), changed=True))
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
        return earned_rule(rules)
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
        text = gettext("Pairs per team: %(pairs)d, games per match: %(n)d.")
    else:
        text = gettext(
            "Pairs per team: %(pairs)d, games per match: %(n)d, each to %(target)d points."
        )
    return text % words


def pair_rulesets(club: Club) -> list[int]:
    """The newest version of each of the club's rulesets for two pairs: a league of pairs cannot use
    rulesets in which all players play for themselves."""
    rows = club.rulesets.filter(pk__in=newest_rulesets(club), players=4)
    return [row.pk for row in rows if len(ruleset(row.body).sides) == 2]


def newest_rulesets(club: Club) -> list[int]:
    """The newest version of each ruleset that the club still offers."""
    latest: dict[tuple[str, int], int] = {}
    rows = club.rulesets.filter(retired=False).order_by("version")
    for name, players, pk in rows.values_list("name", "players", "pk"):
        latest[name, players] = pk
    return list(latest.values())


class NewerRules(NamedTuple):
    """The newest version of the house rules that a league began with, and its `changes`, as in
    "Lone march: 3 points instead of 4 points". `target` is the league's own, if it has one."""

    ruleset: ClubRuleset
    target: int | None
    changes: list[str]


def newer_rules(league: TeamLeague) -> NewerRules | None:
    """The newest version of the league's house rules, if the club changed them since. One query.

    A league with a target of its own plays a hidden copy of the house rules, with their first name.
    """
    played, target = league.ruleset, None
    offered = list(league.club.rulesets.filter(players=played.players, retired=False))
    newest = next((one for one in offered if one.name == played.name), None)
    if newest is None and played.retired:
        target = played.rules.target
        newest = next((one for one in offered if one.rules.name == played.rules.name), None)
    if newest is None or newest.sides != 2:
        return None
    without = "" if target is None else title("target")
    changes = said_changes(played.rules, newest.rules, without=without)
    return NewerRules(newest, target, changes) if changes else None


def leagues_behind(newest: ClubRuleset) -> list[TeamLeague]:
    """The open leagues of the club that play by an older version of this ruleset."""
    is_open = (TeamLeague.State.SETUP, TeamLeague.State.RUNNING)
    leagues = newest.club.team_leagues.filter(state__in=is_open).select_related("ruleset", "club")
    newer = ((league, newer_rules(league)) for league in leagues.exclude(ruleset=newest))
    return [league for league, rules in newer if rules and rules.ruleset == newest]
