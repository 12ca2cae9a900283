"""What pages say of the games of matches: one of several in a match, the rules, who has left."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from django.db.models import Q
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from league.labels import one_stop
from league.members.models import Member
from league.members.presets import name_with_changes
from league.play.sheet import MatchNote
from league.play.text import DASH, score_text
from league.ranking.match_facts import BREAK_TIES, GameFacts, MatchFacts
from league.seating.models import Table
from league.sessions.models import Session
from league.standings.labels import figure
from league.tournaments.actions.deciding import match_facts
from league.tournaments.draws.knockout import bracket_of, corrections, late_matches
from league.tournaments.models import Entry, Match, MatchGame, Stage, Tournament
from league.tournaments.own_match import next_at_table, result_text
from league.tournaments.parameters import read_options
from league.tournaments.queries import (
    entry_name,
    is_drawn_from_old_result,
    latest_in,
    left_open,
    stage_of,
    under_way,
)
from league.tournaments.round_sheets import match_titles
from league.tournaments.stage_state import OF_PAIRS, StageState, load_stage
from league.tournaments.ties import open_ties, ties_to_decide


def note_for_table(table: Table, sides: Sequence[str]) -> MatchNote | None:
    """The note about the match of a table; None if it has one game only and that decides it."""
    link = _link_of(table)
    if link is None:
        return None
    stage = link.match.stage_round.stage
    if stage.format not in OF_PAIRS or read_options(stage.parameters).games == 1:
        return _note_of_decision(link.match, sides)
    facts = match_facts(link.match)
    return match_note(facts, next(game for game in facts.games if game.table == table.pk), sides)


def _note_of_decision(match: Match, sides: Sequence[str]) -> MatchNote | None:
    """The note about a match of one game that was decided outside it; None for another."""
    texts = {
        Match.By.WALKOVER: _("A walk-over decided this match."),
        Match.By.EXTRA_HAND: _("One more hand decided this match."),
        Match.By.CUT: _("A cut of the cards decided this match."),
    }
    if match.winner is None or match.decided_by not in texts:
        return None
    if match.decided_by in BREAK_TIES and match_facts(match).decided_by != match.decided_by:
        return None
    outcome = _("%(names)s won the match.") % {"names": sides[match.winner % len(sides)]}
    return MatchNote("", texts[Match.By(match.decided_by)], (), one_stop(outcome))


def earlier_games(club_session: Session) -> Q:
    """The games of the matches of which a further game is at a table in use."""
    live = MatchGame.objects.filter(table__session=club_session, table__is_live=True, number__gt=1)
    return Q(table__match_game__match__in=live.values("match"))


def result_in_games(tournament: Tournament | None, player: Member | None) -> str:
    """ "You won 2 – 1", in games, for a player whose match of several games is over; else empty."""
    stage = stage_of(tournament) if tournament else None
    if stage is None or read_options(stage.parameters).games == 1:
        return ""
    state = load_stage(stage)
    own = {key for key, entry in state.entries.items() if player in entry.people}
    for match in state.last.matches if state.last else ():
        sides = sorted(match.sides, key=lambda position: match.sides[position] not in own)
        if own.isdisjoint(match.entries) or match.best_of == 1 or not (match.over and match.played):
            continue
        score = DASH.join(str(match.wins.get(position, 0)) for position in sides)
        won = None if match.tied else bool(match.won(sides[0]))
        decided_by = match.decided_by if match.by_games is None else ""
        return "" if match.undone else result_text(score, won=won, decided_by=decided_by)
    return ""


def tournament_of_table(table: Table) -> tuple[str, str] | None:
    """The name and the page of the tournament in which a table plays; None without one."""
    link = _link_of(table)
    if link is None:
        return None
    tournament = link.match.stage_round.stage.tournament
    page = reverse("tournament", args=[tournament.club.slug, tournament.public_id])
    return tournament.name, page


def next_at_table_of(table: Table) -> list[tuple[str, str]]:
    """What comes next for each entry of a table's match, with its name, unless it is a seat."""
    link = _link_of(table)
    if link is None:
        return []
    stage_round = link.match.stage_round
    state = load_stage(stage_round.stage)
    keys = link.match.sides.values_list("entry", flat=True)
    texts = {key: next_at_table(state, key, stage_round.number) for key in keys}
    return [(entry_name(state.entries[key], str), text) for key, text in texts.items() if text]


def outdated_draw(table: Table) -> str:
    """A warning if a result was corrected after a later round of its Swiss, or later matches of its
    bracket, were drawn, or if its match of a bracket is tied; empty if not."""
    link = _link_of(table)
    if link is None:
        return ""
    stage_round = link.match.stage_round
    if link.match.place:
        state = load_stage(stage_round.stage)
        return (tied_tables(state) | outdated_tables(state)).get(table.pk, "")
    if stage_round.stage.format != Stage.Format.SWISS:
        return ""
    state = load_stage(stage_round.stage)
    if state.last is None or state.last.number <= stage_round.number:
        return ""
    text = _(
        "A result was corrected after round %(n)s was drawn. No one has played this round yet:"
        " unpublish it to draw it again."
    )
    return text % {"n": state.last.number} if is_drawn_from_old_result(state) else ""


def outdated_matches(state: StageState, *, in_short: bool = False) -> dict[int, str]:
    """A warning for each match that was corrected, or would be undone, by its key, while the
    bracket does not follow the correction; `in_short` for a wall."""
    corrected = _(
        "This result was corrected after later matches were drawn. The bracket needs updating."
    )
    undone = _("An earlier result was corrected. Updating the bracket makes this match void.")
    wait = _("An earlier result was corrected. Don't begin: the bracket needs updating.")
    if in_short:
        corrected = _("corrected: bracket not updated yet")
        undone = wait = _("an earlier result was corrected")
    found = corrections(state)
    undone_keys = [key for correction in found for key in correction.undone]
    warnings = {key: wait if key in state.unbegun else undone for key in undone_keys}
    return warnings | {correction.key: corrected for correction in found}


def outdated_tables(state: StageState, *, in_short: bool = False) -> dict[int, str]:
    """The warnings of `outdated_matches`, by the key of each table at which the match is played."""
    warnings = outdated_matches(state, in_short=in_short)
    matches = [match for match in state.matches if match.key in warnings]
    return {game.table: warnings[match.key] for match in matches for game in match.games}


def tied_tables(state: StageState) -> dict[int, str]:
    """The sentence about each tied match on whose winner the next round waits, by the key of its
    table."""
    text = _("Tied: one more hand decides it.")
    ties = [match for match in ties_to_decide(state) if match.games]
    return {match.games[-1].table: text for match in ties}


def undecided_matches(state: StageState) -> set[int]:
    """The keys of the tied matches of the current round whose winner can be entered: not of those
    that the bracket makes void when it follows a correction."""
    if state.last is None or (state.last.is_forced and not state.of_pairs):
        return set()
    void = {key for correction in corrections(state) for key in correction.undone}
    return {match.key for match in open_ties(state)} - void


def _left_tables(state: StageState) -> dict[int, str]:
    """Who has withdrawn from each open match, by the key of its table."""
    texts, left = {}, left_open(state)
    for match in state.matches if left else ():
        names = [entry_name(one, str) for one in left.get(match.key, ())]
        if names and match.games:
            texts[match.games[-1].table] = _("Withdrawn: %(pair)s") % {"pair": ", ".join(names)}
    return texts


def tables_without_winner(club_session: Session) -> set[int]:
    """The keys of the tables of a session's running tournament whose match is tied and needs a
    winner."""
    tournament = under_way(club_session)
    return set(tied_tables(load_stage(stage_of(tournament)))) if tournament else set()


class TableNotices(NamedTuple):
    """A session's tournament, if any, and a sentence about each of its tables, by key, whose match
    is tied and needs a winner, waits for the bracket to follow a correction, or lost a pair."""

    tournament: Tournament | None
    texts: Mapping[int, str]


def table_notices(club_session: Session) -> TableNotices:
    tournament = latest_in(club_session)
    if tournament is None:
        return TableNotices(None, {})
    state = load_stage(stage_of(tournament))
    return TableNotices(
        tournament, _left_tables(state) | tied_tables(state) | outdated_tables(state)
    )


def _link_of(table: Table) -> MatchGame | None:
    links = MatchGame.objects.select_related("match__stage_round__stage__tournament__club")
    return links.filter(table=table).first()


def match_lines(state: StageState | None) -> dict[int, str]:
    """One line about the match of each table, by the table's key: its name in a bracket, if its
    round has several, and the state of a match of several games."""
    if state is None or not state.of_pairs:
        return {}
    lines = {}
    for facts in state.rounds:
        titles = match_titles(state, facts)
        for match in facts.matches:
            void = capfirst(pgettext("a match", "void")) if match.undone else ""
            title = void or titles.get(match.place, "")
            for game in match.games:
                line = _line(match, game) if match.best_of > 1 else ""
                lines[game.table] = " · ".join(filter(None, (title, line)))
    return lines


def rules_played(state: StageState) -> list[str]:
    """The names of the house rules at its tables.

    Before a round is drawn, those of the session for tables of four, else those of the club.
    """
    tournament = state.stage.tournament
    keys = [game.table for match in state.matches for game in match.games]
    if keys:
        played = Table.objects.filter(pk__in=keys).order_by().values("ruleset")
        rulesets = tournament.club.rulesets.filter(pk__in=played)
        return sorted({name_with_changes(one) for one in rulesets})
    session_rules = tournament.session.rulesets.filter(players=4)
    default_rules = tournament.club.rulesets.filter(players=4, is_default=True)
    return [name_with_changes(one) for one in session_rules or default_rules]


def people_out(state: StageState | None, *, seats_shown: bool = False) -> set[int]:
    """The keys of the players who have left a tournament, were knocked out of it, or played only in
    an earlier one: while it is running, and after it where its seats are still shown."""
    if state is None or not state.rounds:
        return set()
    is_on = state.stage.tournament.state == Tournament.State.RUNNING
    return people_without_match(state) if is_on or seats_shown else set()


def out_of_session(club_session: Session) -> set[int]:
    """The keys of the players who are out of the tournament that makes a session's tables."""
    tournament = under_way(club_session)
    return people_out(load_stage(stage_of(tournament))) if tournament else set()


def people_without_match(state: StageState) -> set[int]:
    """The keys of the players who have left a tournament, have no match left in its bracket, or
    played only in an earlier tournament of its session."""
    matches = bracket_of(state).matches.values() if state.in_bracket else ()
    sides = (side for match in matches if not match.over for side in (match.first, match.second))
    to_play = {int(side) for side in sides if side is not None}
    return _only_in_earlier(state) | {
        member.pk
        for key, entry in state.entries.items()
        if entry.withdrawn_at or (state.in_bracket and key not in to_play)
        for member in entry.people
    }


def _only_in_earlier(state: StageState) -> set[int]:
    tournament = state.stage.tournament
    earlier = Entry.objects.filter(tournament__session=tournament.session_id)
    earlier = earlier.filter(tournament__lt=tournament.pk)
    earlier = earlier.exclude(tournament__state=Tournament.State.CANCELLED)
    entered = {key for pair in earlier.values_list("member", "partner") for key in pair if key}
    return entered - {m.pk for entry in state.entries.values() for m in entry.people}


def people_with_bye(state: StageState | None) -> list[list[Member]]:
    """The players of each entry that has a bye in the latest round."""
    if state is None or state.last is None:
        return []
    return [list(state.entries[key].people) for key in state.byes_of(state.last)]


def split_byes(
    state: StageState | None, waiting: Sequence[Member], *, seats_shown: bool = False
) -> tuple[list[list[Member]], list[Member]]:
    """Of the players waiting, those with a bye in a tournament, by entry; and the rest. After it
    only where its seats are still shown."""
    is_on = state is not None and state.stage.tournament.state == Tournament.State.RUNNING
    if not is_on and not seats_shown:
        return [], list(waiting)
    by_key = {member.pk: member for member in waiting}
    entries = [[by_key.pop(m.pk) for m in e if m.pk in by_key] for e in people_with_bye(state)]
    return [entry for entry in entries if entry], list(by_key.values())


def people_to_seat(state: StageState | None) -> list[list[Member]]:
    """The players of each match of a late entry that has no table yet, pair by pair."""
    if state is None:
        return []
    pairs = [(int(p.first), int(p.second or 0)) for p in late_matches(state)]
    return [[m for key in keys for m in state.entries[key].people] for keys in pairs]


def is_all_played(state: StageState | None, tables: Sequence[Table]) -> bool:
    """Whether the tournament is closed and no table of the room has another game than its own."""
    if state is None or state.stage.tournament.state != Tournament.State.FINISHED:
        return False
    matches = (match for facts in state.published for match in facts.matches)
    own_tables = {game.table for match in matches for game in match.games}
    return all(table.pk in own_tables for table in tables)


def match_note(facts: MatchFacts, game: GameFacts, sides: Sequence[str]) -> MatchNote:
    """The note about one game of a match."""
    number, games = facts.games.index(game) + 1, _games_won_text(facts.wins, sides)
    head = _("Game %(n)d, best of %(most)d. Games won: %(games)s.")
    head %= {"n": number, "most": facts.best_of, "games": games}
    notes = []
    if any(game.start):
        start = {"score": score_text(list(game.start))}
        notes.append(_("It began at %(score)s: points carried over from the game before.") % start)
    counted = max(facts.counted(game).values(), default=Fraction(0))
    if counted > 1:
        notes.append(_("This game counts as %(n)s games.") % {"n": figure("won", counted)})
    outcome = ""
    if facts.over and facts.first is not None:
        text = _("%(names)s won the match.")
        outcome = one_stop(text % {"names": sides[facts.first % len(sides)]})
    return MatchNote(_line(facts, game), head, tuple(notes), outcome)


def _line(facts: MatchFacts, game: GameFacts) -> str:
    """ "Game 2 · best of 5 · 1 – 0 · 3 points carried over"."""
    score = DASH.join(figure("won", facts.wins[position]) for position in sorted(facts.wins))
    number = facts.games.index(game) + 1
    params = {"n": number, "games": facts.best_of, "score": score}
    line = _("Game %(n)d · best of %(games)d · %(score)s") % params
    points = sum(game.start)
    if not points:
        return line
    carried = ngettext("%(n)d point carried over", "%(n)d points carried over", points)
    return f"{line} · {carried % {'n': points}}"


def _games_won_text(wins: Mapping[int, Fraction], sides: Sequence[str]) -> str:
    return ", ".join(f"{sides[p]} {figure('won', wins[p])}" for p in sorted(wins))
