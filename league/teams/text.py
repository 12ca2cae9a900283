"""Sentences about a league: its rules of points, ranking, squads and days; its results."""

from collections.abc import Callable, Sequence
from datetime import date, time
from fractions import Fraction

from django.utils.dates import WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext, pgettext

from league.labels import as_label
from league.members.languages import clock, dated
from league.ranking.team_league.match import AWAY, HOME, LeagueMatch, late_cost
from league.ranking.team_league.rules import Border, LateCard, LeagueRules
from league.ranking.team_league.squads import SquadFault
from league.standings.labels import LABELS, Label, figure, summand
from league.teams.models import TeamLeague, TeamMatch
from league.teams.tables import MatchShown, Row
from league.teams.validators import fixture_rules_from

PAYERS = {
    "winner": lazy("the winning team"),
    "home": lazy("the home team"),
    "away": lazy("the visitors"),
    "both": lazy("both teams"),
}


def table_rule(rules: LeagueRules) -> list[Label]:
    """The tie-breaks of the table, in order, each with its formula."""
    label = LABELS["head_to_head"]
    words = str(MATCHES_BETWEEN), str(AFTER_SPLIT[rules.after_split])
    special_labels = {"head_to_head": Label(label.name, label.column, " ".join(words), label.kind)}
    return [special_labels.get(code, LABELS[code]) for code in rules.tie_breaks]


MATCHES_BETWEEN = lazy(
    "Matches won minus matches lost against the other tied teams. It decides only if all of them"
    " have met each other."
)
AFTER_SPLIT = {
    "same": lazy("If some are still tied, it is used again among those."),
    "next": lazy("If some are still tied, the next tie-break decides."),
    "first": lazy("If some are still tied, the tie-breaks start again among those."),
}


def points_rule(rules: LeagueRules) -> list[str]:
    """What a match is worth, one sentence per rule."""
    sentences = [*earned_rule(rules), *carried_rule(rules)]
    sentences += [walkover_rule(rules), *_walkover_counts(rules)]
    if rules.late is not None:
        sentences += late_rule(rules.late)
    sentences.append(WITHDRAWALS[rules.withdrawal]())
    return sentences


def earned_rule(rules: LeagueRules) -> list[str]:
    """What a match and each game won give, one sentence per rule."""
    words = {name: summand(getattr(rules, name)) for name in ("win", "draw", "loss", "game")}
    bonus = [_bonus_sentence(bonus.side, bonus.games, bonus.points) for bonus in rules.bonus]
    by_match = _("A match won gives %(win)s, drawn %(draw)s, lost %(loss)s.") % words
    more_by_game = [_("Each game won gives %(game)s more.") % words] if rules.game else []
    if rules.win or rules.draw or rules.loss:
        return [by_match, *more_by_game, *bonus]
    by_game = ngettext(
        "Each game won gives %(game)s point.",
        "Each game won gives %(game)s points.",
        1 if rules.game == 1 else 2,
    )
    nothing_else = _("Matches give no points of their own.")
    return [*([by_game % words] if rules.game else []), nothing_else, *bonus]


def carried_rule(rules: LeagueRules) -> list[str]:
    """The rules of laps and slams, if the league has them."""
    sentences = []
    if rules.laps and rules.repeats:
        sentences.append(
            _(
                "Laps: extra points carry over to the next game of the same two pairs. Win a game "
                "to 10 with 12, and your pair starts the next one with 2 points."
            )
        )
    if rules.slam and rules.repeats:
        sentences.append(
            _("Slam: a game won with the other side at 0 counts as two games of the match.")
        )
    return sentences


def walkover_rule(rules: LeagueRules) -> str:
    """What a walk-over gives to each team."""
    words = {"win": summand(rules.walkover.win), "loss": summand(rules.walkover.loss)}
    return _("A walk-over gives %(win)s, and %(loss)s to the team that did not come.") % words


def _walkover_counts(rules: LeagueRules) -> list[str]:
    """What a walk-over counts in games and in points of games, if anything."""
    sentences = []
    for text, (own, theirs) in (
        (_("A walk-over counts as %(own)s–%(theirs)s in games."), rules.walkover.games),
        (_("A walk-over counts as %(own)s–%(theirs)s in points of games."), rules.walkover.points),
    ):
        if own or theirs:
            words = {"own": summand(Fraction(own)), "theirs": summand(Fraction(theirs))}
            sentences.append(text % words)
    return sentences


def squad_rule(league: TeamLeague) -> list[str]:
    """Who may play for a team, one sentence per rule."""
    return [sentence for group in squad_sentences(league).values() for sentence in group]


def squad_sentences(league: TeamLeague) -> dict[str, list[str]]:
    """The sentences of `squad_rule`, by the setting that each is about."""
    body = league.squad_rules
    borrowed = ngettext(
        "A team may borrow %(n)d player for a match.",
        "A team may borrow %(n)d players for a match.",
        league.borrowed,
    )
    sentences = {n: [_number_sentence(n, body[n])] for n in NUMBER_RULES if body.get(n) is not None}
    sentences["borrowed"] = [borrowed % {"n": league.borrowed}]
    if not league.borrowed or body.get("borrowed_season") == 0:
        sentences |= {"borrowed": [_("No players are borrowed.")], "borrowed_season": []}
    for name, sentence in (
        ("transfer_until", _("Transfers end half-way through the season.")),
        ("captains_agree", _("Both captains agree to a transfer.")),
        ("cup_tied", _("A player can't play for two teams in one cup.")),
        ("sign_on", _("Captains may add new players to their team.")),
        ("both_confirm", _("Both captains confirm a card.")),
        ("substitutes", _("A player may be replaced between two games of a match.")),
        ("house_letters", _("Teams of one pub or club are named A, B, C.")),
    ):
        if body.get(name):
            sentences[name] = [sentence]
    if body.get("one_team_a_week", True):
        sentences["one_team_a_week"] = [_("A player can't play for two teams in one week.")]
    if body.get("register_until"):
        day = dated(date.fromisoformat(body["register_until"]), _("j F Y"))
        sentences["register_until"] = [_("Last day for new players: %(day)s.") % {"day": day}]
    return sentences


NUMBER_RULES = ("least", "minimum", "borrowed_season", "transfers", "keeps_place")


def _number_sentence(name: str, n: int) -> str:
    forms = {
        "least": _("A squad has at least %(n)d players."),
        "minimum": _("A team plays with at least %(n)d players."),
        "borrowed_season": ngettext(
            "A player may be borrowed once a season.",
            "A player may be borrowed %(n)d times a season.",
            n,
        ),
        "transfers": ngettext(
            "A player may move to another team once a season.",
            "A player may move to another team %(n)d times a season.",
            n,
        ),
        "keeps_place": _("A team keeps its division if %(n)d of its squad stay."),
    }
    return forms[name] % {"n": n}


def season_rule(league: TeamLeague, rules: LeagueRules) -> dict[str, list[str]]:
    """Sentences about divisions, promotion and days of play, by the setting that each is about."""
    sentences: dict[str, list[str]] = {}
    names = ", ".join(division.name for division in league.divisions.all())
    if names:
        text = _("Divisions, the highest first: %(names)s.")
        if league.sections:
            text = _("Sections of equal rank: %(names)s.")
        sentences["divisions"] = [text % {"names": names}]
    text = _("Between %(upper)s and %(lower)s: %(moves)s.")
    sentences["moves"] = [
        text % {"upper": border.upper, "lower": border.lower, "moves": moves}
        for border in rules.moves
        if (moves := _moves(border))
    ]
    if rules.sections is not None:
        text = _("Teams of each section in the play-off: %(n)d.")
        sentences["section_play_off"] = [text % {"n": rules.sections.places}]
    days = fixture_rules_from(league.fixture_rules)
    if days.match_day is not None:
        sentences["match_day"] = [_("Match day: %(day)s.") % {"day": WEEKDAYS[days.match_day]}]
    if days.starts_at is not None:
        text = _("Matches start at %(time)s, unless one has its own time.") % {
            "time": clock(days.starts_at)
        }
        sentences["match_day"] = [*sentences.get("match_day", []), text]
    if days.rearranged is not None:
        text = ngettext(
            "A postponed match is played within %(n)d day.",
            "A postponed match is played within %(n)d days.",
            days.rearranged,
        )
        sentences["rearranged"] = [text % {"n": days.rearranged}]
    if days.derbies_early:
        sentences["derbies_early"] = [_("Teams of one pub or club meet early in the season.")]
    blank_days = [date.fromisoformat(day) for day in league.blank_days]
    if blank_days:
        sentences["blank_days"] = [
            _("No matches in the weeks of %(days)s.") % {"days": _join_days(blank_days)}
        ]
    if days.cup_days:
        text = _("Only cup matches in the weeks of %(days)s.")
        sentences["cup_days"] = [text % {"days": _join_days(days.cup_days)}]
    return sentences


def _moves(border: Border) -> str:
    """How many teams move over this border: "2 up, 1 down, 1 play-off"."""
    forms = (
        (border.up, _("%(n)d up")),
        (border.down, _("%(n)d down")),
        (border.play_off, ngettext("%(n)d play-off", "%(n)d play-offs", border.play_off)),
    )
    return ", ".join(text % {"n": n} for n, text in forms if n)


def _join_days(days: Sequence[date]) -> str:
    return ", ".join(dated(day, _("j F Y")) for day in days)


def late_rule(late: LateCard) -> list[str]:
    """When a card is late, and the penalty for it."""
    words = {"day": str(WEEKDAYS[late.weekday]), "time": clock(late.time)}
    words |= {"points": summand(late.points), "payer": str(PAYERS[late.payer])}
    sentences = [_("A card arrives by %(time)s on the %(day)s after the match.") % words]
    if late.points:
        text = ngettext(
            "A late card costs %(payer)s %(points)s point.",
            "A late card costs %(payer)s %(points)s points.",
            1 if late.points == 1 else 2,
        )
        sentences.append(text % words)
    else:
        sentences.append(_("A late card costs no points."))
    return sentences


def late_costs(match: TeamMatch, met: LeagueMatch, rules: LeagueRules) -> list[str]:
    """The penalties for a late card, a sentence for each team that has one."""
    sentences = []
    for side, team in ((HOME, match.home), (AWAY, match.away)):
        cost = late_cost(met, side, rules) if met.has_card else Fraction(0)
        if cost:
            words = {"team": team.name, "points": figure("league_points", cost)}
            sentences.append(_("The card came late. Points off %(team)s: %(points)s.") % words)
    return sentences


def card_due(match: TeamMatch, rules: LeagueRules) -> str:
    """The deadline for the card of a match; "" if it has none, as in a cup, or has arrived."""
    if rules.late is None or match.cup_id is not None or not match.held_on:
        return ""
    if match.received_at is not None or match.is_given:
        return ""
    deadline = rules.late.deadline(match.held_on)
    words = {"day": dated(deadline.date(), _("l j F")), "time": clock(deadline.time())}
    return _("The card has to arrive by %(time)s on %(day)s.") % words


def _bonus_sentence(side: str, games: int, points: Fraction) -> str:
    forms = {
        "winner": ngettext(
            "A winning team with at least %(n)d game gets %(points)s more.",
            "A winning team with at least %(n)d games gets %(points)s more.",
            games,
        ),
        "loser": ngettext(
            "A losing team with at least %(n)d game gets %(points)s more.",
            "A losing team with at least %(n)d games gets %(points)s more.",
            games,
        ),
        "any": ngettext(
            "Either team with at least %(n)d game gets %(points)s more.",
            "Either team with at least %(n)d games gets %(points)s more.",
            games,
        ),
    }
    return forms[side] % {"points": summand(points), "n": games}


WITHDRAWALS: dict[str, Callable[[], str]] = {
    "void": lambda: _("If a team leaves, all its matches are void."),
    "stand": lambda: _(
        "If a team leaves, its results stand and the others win the remaining matches."
    ),
    "half_played": lambda: _(
        "If a team leaves with half of its matches played or more, they stand and the others "
        "win the remaining matches; with fewer, all are void. A walk-over doesn't count as played."
    ),
    "halves": lambda: _(
        "If a team leaves in the first half of the season, all its matches are void; later, those"
        " of the first half stand and the others are void."
    ),
}


def squad_sentence(fault: SquadFault, name: str = "", team: str = "") -> str:
    """Why a member cannot play or transfer, in the words of the rule."""
    words = {"name": name, "team": team, "n": fault.number}
    words["day"] = dated(fault.since, _("j F Y")) if fault.since else ""
    forms = {
        "too-few": _("%(team)s needs at least %(n)d players; with fewer the match is a walk-over."),
        "borrowed": ngettext(
            "A team may borrow %(n)d player for a match; %(team)s has more: %(name)s.",
            "A team may borrow %(n)d players for a match; %(team)s has more: %(name)s.",
            fault.number,
        ),
        "joined-later": _(
            "%(name)s joined %(team)s on %(day)s, after this match, so counts as borrowed."
        ),
        "borrowed-often": ngettext(
            "%(name)s has been borrowed %(n)d time this season. Transfer %(name)s to play again.",
            "%(name)s has been borrowed %(n)d times this season. Transfer %(name)s to play again.",
            fault.number,
        ),
        "none-borrowed": _(
            "%(name)s isn't in this team, and this league doesn't allow borrowed players."
        ),
        "cup-tied": _("%(name)s has played in this cup for %(team)s."),
        "two-teams-a-week": _("%(name)s has played for %(team)s in the week of this match."),
        "transferred-often": ngettext(
            "%(name)s has moved %(n)d time this season, the most this league allows.",
            "%(name)s has moved %(n)d times this season, the most this league allows.",
            fault.number,
        ),
        "transfer-late": _("The last day for transfers has passed."),
        "registration-closed": _("The last day for new players has passed."),
        "squad-small": _("A squad needs at least %(n)d players."),
    }
    return forms[fault.code] % words


def listed_twice(name: str, team: str) -> str:
    """What to do if two players of a team have one name."""
    text = _("%(name)s is listed twice. Another %(name)s? Write %(name)s (%(team)s).")
    return text % {"name": name, "team": team}


def deducted_line(row: Row) -> str:
    """The points deducted from a team, and how many of them for late cards. Other reasons are for
    members of the club only."""
    words = {"team": row.team.name, "n": row.deducted, "late": row.late}
    if row.record.deducted < 0:
        words["n"] = figure("league_points", -row.record.deducted)
        return _("* Points added to %(team)s: %(n)s") % words
    if row.record.late == row.record.deducted:
        return _("* Points deducted from %(team)s for late cards: %(n)s") % words
    if row.record.late:
        return _("* Points deducted from %(team)s: %(n)s (for late cards: %(late)s)") % words
    return _("* Points deducted from %(team)s: %(n)s") % words


def behind_line(rows: Sequence[Row]) -> str:
    """The teams that can no longer finish first; empty unless two others can."""
    behind = [row.team.name for row in rows if "behind" in row.status]
    leading = [row for row in rows if row.rank and not row.team.withdrawn_at]
    if not behind or len(leading) - len(behind) < 2:
        return ""
    text = _("Can no longer finish first, even by winning every match left: %(teams)s.")
    return text % {"teams": ", ".join(behind)}


def result_line(shown: MatchShown) -> str:
    """A match with its score, or how it was decided without one."""
    match, score = shown.match, shown.score
    if match.given_nobody:
        score = _("neither came")
    elif winner := match.given_to or shown.unplayed_winner:
        score = _("awarded to %(team)s") % {"team": winner.name}
    elif match.decider:
        words = {"score": score, "home": match.decider[0], "away": match.decider[1]}
        score = _("%(score)s, deciding game %(home)d–%(away)d") % words
    mark = {"waits": _("to be confirmed"), "disputed": pgettext("a match", "disputed")}
    result = ", ".join(filter(None, (score or _("to play"), mark.get(shown.state))))
    return f"{as_label(f'{match.home.name} – {match.away.name}')} {result}"


def play_line(match: TeamMatch, starts_at: time | None, planned: date | None = None) -> str:
    """A match to play with its venue, its day and time if that isn't the `planned` day, and a start
    time of its own; of a cup match also that it is played again."""
    day = match.held_on if match.held_on != planned else None
    start = match.begins_at or (starts_at if day else None)
    when = [dated(day, _("l j F")) if day else "", clock(start) if match.held_on else ""]
    replay = _("to be played again") if match.cup_id and match.is_replay else ""
    return ", ".join(filter(None, [str(match), *when, match.venue or match.home.venue, replay]))


def moved_line(shown: MatchShown) -> str:
    """The result of a match that was not played in its round, with the day of play."""
    line, day = result_line(shown), shown.match.held_on
    return f"{line} ({dated(day, _('j F'))})" if day else line
