"""What a player reads of their own match: how it ended and what comes next."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from league.labels import as_partners, one_stop
from league.members.models import Member
from league.pairing.formats.knockout import Bracket, Match, Part
from league.play.text import DASH, score_text
from league.seating.models import Table
from league.standings.text import ordinal
from league.tournaments.bracket_page import opponent_to_come, whats_at_stake
from league.tournaments.draws import rounds_due
from league.tournaments.draws.knockout import bracket_of, corrections, late_matches
from league.tournaments.models import Match as StoredMatch
from league.tournaments.models import Stage, Tournament
from league.tournaments.next_step import are_groups_over
from league.tournaments.queries import (
    NameOf,
    are_settled,
    entry_name,
    entry_places,
    is_entered,
    is_played_out,
    latest_in,
    left_open,
    stage_of,
)
from league.tournaments.round_sheets import MatchSheet, next_seat, player_cards
from league.tournaments.stage_state import StageState, load_stage
from league.tournaments.standing import standing_of
from league.tournaments.ties import ties_to_decide

F = Stage.Format
By = StoredMatch.By


def how_it_ended(sheet: MatchSheet, entry: int | None) -> str:
    """ "You won 11 – 5", for the reader's entry; empty while the match is on."""
    if sheet.state == "undone":
        return _void_text()
    own = next((p for p, key in sheet.facts.sides.items() if key == entry), None)
    if own is None or sheet.state not in ("done", "tied", "walkover"):
        return ""
    side, count = own % len(sheet.sides), len(sheet.sides)
    sides = [sheet.sides[(side + n) % count] for n in range(count)]
    if sheet.state == "walkover":
        return result_text("", won=sides[0].won)
    won = None if sheet.state == "tied" else sides[0].won
    score = score_text([side.points or 0 for side in sides])
    if sides[0].wins:
        score = DASH.join(side.wins for side in sides)
    is_level = sheet.facts.by_games is None
    return result_text(score, won=won, decided_by=sheet.facts.decided_by if is_level else "")


def _void_text() -> str:
    return _("Your match is void: an earlier result was corrected")


def result_text(score: str, *, won: bool | None, decided_by: str = "") -> str:
    """ "You won 11 – 5", or for None "You tied 7 – 7"; without a score it was a walk-over.
    `decided_by` says how a tied match was decided."""
    if not score:
        return _("You won by walk-over") if won else _("You lost by walk-over")
    if won is None:
        return _("You tied %(score)s") % {"score": score}
    texts = {
        By.EXTRA_HAND: (
            _("You won by one more hand, %(score)s"),
            _("You lost by one more hand, %(score)s"),
        ),
        By.CUT: (_("You won the cut, %(score)s"), _("You lost the cut, %(score)s")),
    }
    won_text, lost_text = texts.get(
        By(decided_by), (_("You won %(score)s"), _("You lost %(score)s"))
    )
    return (won_text if won else lost_text) % {"score": score}


def next_for(tournament: Tournament | None, player: Member | None) -> str:
    """What comes next in a tournament for a player whose game is over, or how it ended."""
    if tournament is None:
        return ""
    state = load_stage(stage_of(tournament))
    return _next_for_entry(state, _entry_of(state, player))


def _next_for_entry(state: StageState, entry: int | None) -> str:
    if state.stage.tournament.state == Tournament.State.FINISHED:
        return final_place(state, entry)
    if tied := tied_text(state, entry):
        return tied
    text = _seat_by_card(state, entry) or whats_next(state, entry, str)
    return f"{_void_text()}. {text}" if text and _is_void(state, entry) else text


def next_at_table(state: StageState, entry: int, number: int) -> str:
    """What a table's page says to an entry that played there in round `number`: that it is out, has
    a bye or has played its last match. Empty for one with a seat in a later round, or to come."""
    if state.stage.tournament.state == Tournament.State.FINISHED:
        return _after_tournament(state, entry)
    last, rounds = state.last, rounds_due(state)
    if last is None or state.entries[entry].withdrawn_at:
        return ""
    if last.number > number:
        if any(entry in match.entries for match in last.matches):
            return ""
        if text := bye_text(state, entry, rounds, str):
            return text
    if any(entry in match.entries for match in last.open_matches):
        return tied_text(state, entry)
    is_certain = state.in_bracket or _are_all_drawn(state, rounds)
    return _next_for_entry(state, entry) if is_certain else ""


def _after_tournament(state: StageState, entry: int) -> str:
    """How a tournament ended for an entry, and the one after it in its session if it plays there;
    empty for one with a seat in that."""
    tournament, player = state.stage.tournament, state.entries[entry].member
    later, place = latest_in(tournament.session), final_place(state, entry)
    if later is None or later == tournament or not is_entered(later, player):
        return _after_last_match(place)
    if later.state == Tournament.State.SETUP:
        return f"{place} {next_tournament(later, player)}".strip()
    return bye_for(later, player)[0]


def next_tournament(later: Tournament, player: Member | None) -> str:
    """That a player is in a tournament being set up, where they read of the one before it."""
    if not is_entered(later, player):
        return ""
    text = _("You play in %(tournament)s: your seat appears here once the tables are published.")
    return text % {"tournament": later.name}


def tied_text(state: StageState, entry: int | None) -> str:
    """That an entry's match is tied and needs a winner; empty if it is not."""
    if not any(entry in match.entries for match in ties_to_decide(state)):
        return ""
    return _("Your match is tied: one more hand decides it.")


def _is_void(state: StageState, entry: int | None) -> bool:
    """Whether a correction has made an entry's match of the latest round void."""
    matches = state.last.matches if state.last else ()
    return any(match.undone and entry in match.entries for match in matches)


def _seat_by_card(state: StageState, entry: int | None) -> str:
    """ "Round 4: table 2, North." where a rotation's plan says so; empty in every other case."""
    line = next_seat(state, player_cards(state, str)[entry]) if entry is not None else None
    if line is None or not line.where:
        return ""
    return _("Round %(n)s: %(where)s.") % {"n": line.number, "where": line.where}


def _entry_of(state: StageState, player: Member | None) -> int | None:
    return next((key for key, one in state.entries.items() if player in one.people), None)


def final_place(state: StageState, entry: int | None) -> str:
    """ "You finished 2nd." as far as it is certain; empty without a place, and while the standings
    are held back. While a correction may change it, the organiser has to act first."""
    if entry is None or state.stage.tournament.session.standings_held:
        return ""
    if state.in_bracket and _waits_for_correction(state, bracket_of(state), entry):
        return _("A result was corrected: wait for the organiser.")
    alone, shared = _("You finished %(place)s."), _("You share %(place)s place.")
    return _place_text(state, entry, alone, shared=shared, won=_won_text())


def _place(state: StageState, entry: int) -> str:
    """The place of an entry once all rounds are played, as it stands while a result may change."""
    if state.stage.tournament.session.standings_held or are_settled(state):
        return final_place(state, entry)
    alone = _("As it stands, you finish %(place)s.")
    return _place_text(state, entry, alone, shared=_("As it stands, you share %(place)s place."))


def _place_text(state: StageState, entry: int, alone: str, *, shared: str, won: str = "") -> str:
    places = entry_places(state, standing_of(state))
    if not places[entry]:
        return ""
    text = shared if list(places.values()).count(places[entry]) > 1 else alone
    if won and text == alone and places[entry] == 1:
        return won
    return text % {"place": ordinal(places[entry])}


def stake_for(
    tournament: Tournament | None, player: Member | None, tables: Mapping[int, int]
) -> tuple[str, bool]:
    """What a player's match of a bracket, to be played now, decides, and whether the tournament has
    no round after this one; `tables` as for `bracket_parts`."""
    if tournament is None:
        return "", False
    state = load_stage(stage_of(tournament))
    rounds, entry = rounds_due(state), _entry_of(state, player)
    is_final = state.last is not None and state.last.row.field_size == 2
    is_last = is_final and state.stage.format != F.DOUBLE  # which may play a second final
    if rounds is not None:
        is_last = len(state.published) >= rounds
    left = left_text(state, entry, str)
    text = stake_text(state, entry, str, tables) if entry and state.in_bracket else ""
    return left or text, is_last


def left_text(state: StageState, entry: int | None, name_of: NameOf) -> str:
    """Who else has withdrawn from the open match of an entry; empty for nobody."""
    left = left_open(state)
    others = [x for m in state.matches if entry in m.entries for x in left.get(m.key, ())]
    names = [entry_name(other, name_of) for other in others if other.pk != entry]
    text = _("%(names)s withdrew: wait for the organiser.")
    return text % {"names": as_partners(names)} if names else ""


def stake_text(state: StageState, entry: int, name_of: NameOf, tables: Mapping[int, int]) -> str:
    """What an entry's match of a bracket decides; while a correction may undo it, that."""
    if _waits_for_correction(state, bracket_of(state), entry):
        return _("A result was corrected: wait for the organiser.")
    return "" if corrections(state) else whats_at_stake(state, entry, name_of, tables)


def whats_next(state: StageState, entry: int | None, name_of: NameOf) -> str:
    """What comes next for an entry that has no match to play now; empty for one that has left, and
    before the first round."""
    if entry is None or state.entries[entry].withdrawn_at or not state.published:
        return ""
    if state.last and any(entry in match.entries for match in state.last.open_matches):
        return _("Wait for your next game.")
    if state.in_bracket:
        return _next_in_bracket(state, bracket_of(state), entry, name_of)
    if is_played_out(state):
        return _after_rounds(state, _place(state, entry))
    if _are_all_drawn(state, rounds_due(state)):
        return _after_rounds(state, "")
    return _("Wait for the next round.")


def _next_in_bracket(state: StageState, bracket: Bracket, entry: int, name_of: NameOf) -> str:
    if _waits_for_correction(state, bracket, entry):
        return _("A result was corrected: wait for the organiser.")
    if bracket.champion is not None and int(bracket.champion) == entry:
        return _won_text() if are_settled(state, entry) else _unconfirmed()
    parts = {match.part for match in _open_matches(bracket, entry)}
    if not parts:
        place = final_place(state, entry) if are_settled(state, entry) else _unconfirmed()
        return _after_last_match(place)
    opponent = _next_opponent(state, bracket, entry, name_of)
    if parts == {Part.THIRD_PLACE}:
        if not opponent:
            return _("You play for third place.")
        return one_stop(_("You play for third place against %(names)s.") % {"names": opponent})
    if opponent:
        text = one_stop(_("You play %(names)s next.") % {"names": opponent})
    else:
        text = opponent_to_come(state, bracket, entry, _open_tables(state))
    texts = [text for text in (_plays_on_text(parts), text) if text]
    return " ".join(texts) or _("You are still in: wait for the next round.")


def _plays_on_text(parts: set[Part]) -> str:
    """That a pair that lost plays on in another part of the bracket; empty in the main one."""
    if Part.CONSOLATION in parts:
        return _("You play on in the consolation.")
    return _("You play on in the losers' bracket.") if Part.LOSERS in parts else ""


def _open_tables(state: StageState) -> dict[int, int]:
    """The numbers of the tables that still play in the latest round, by their keys; one query."""
    open_matches = state.last.open_matches if state.last else ()
    keys = [game.table for match in open_matches for game in match.games]
    return dict(Table.objects.filter(pk__in=keys).values_list("pk", "number"))


def _after_last_match(place: str) -> str:
    """What an entry with no match left reads before its place; who has won needs no more."""
    if place == _won_text():
        return place
    return " ".join(filter(None, (_("You have played your last match."), place)))


def _after_rounds(state: StageState, place: str) -> str:
    """What an entry reads after its last round; a final may follow until it has won or all is
    closed."""
    if state.stage.tournament.state == Tournament.State.FINISHED or place == _won_text():
        return _after_last_match(place)
    return " ".join(filter(None, (_("Your rounds are over."), place)))


def _won_text() -> str:
    return _("You have won the tournament.")


def _unconfirmed() -> str:
    return _("Your place is certain once the result is confirmed.")


def _waits_for_correction(state: StageState, bracket: Bracket, entry: int) -> bool:
    """Whether a correction that the bracket does not follow yet touches an entry or the pair that
    it would play next."""
    keys = {key for one in corrections(state) for key in (one.key, *one.undone)}
    touched = {one for match in state.matches if match.key in keys for one in match.entries}
    sides = {side for match in _open_matches(bracket, entry) for side in match.sides}
    return not touched.isdisjoint({entry, *(int(side) for side in sides if side is not None)})


def _open_matches(bracket: Bracket, entry: int) -> list[Match]:
    """The matches of a bracket that an entry still has to play."""
    return [
        match
        for match in bracket.matches.values()
        if not match.over and str(entry) in map(str, (match.first, match.second))
    ]


def _next_opponent(state: StageState, bracket: Bracket, entry: int, name_of: NameOf) -> str:
    """The name of the pair that an entry of a bracket plays next; empty while it is not known."""
    sides = [side for match in _open_matches(bracket, entry) for side in match.sides]
    others = {int(side) for side in sides if side is not None} - {entry}
    return entry_name(state.entries[others.pop()], name_of) if len(others) == 1 else ""


def bye_text(state: StageState, entry: int | None, rounds: int | None, name_of: NameOf) -> str:
    """What a pair without a match in the current round reads: it has a bye, or its match is still
    to come."""
    if entry is None or state.last is None or not state.of_pairs:
        return ""
    if any(entry in (pairing.first, pairing.second) for pairing in late_matches(state)):
        opponent = _next_opponent(state, bracket_of(state), entry, name_of)
        return _("You play %(names)s as soon as you have a table.") % {"names": opponent}
    if state.entries[entry].withdrawn_at:
        return ""
    if entry not in state.byes_of(state.last):
        return _text_between_matches(state, entry, name_of)
    text = _bye_sentence(state, entry, rounds, name_of)
    return f"{text} {_('The bye counts as a win.')}" if state.stage.format == F.SWISS else text


def text_without_match(
    state: StageState, entry: int | None, rounds: int | None, name_of: NameOf
) -> str:
    """What an entry without a match in the current round reads: as `bye_text`, or how it ended for
    one that is out of the bracket."""
    text = bye_text(state, entry, rounds, name_of)
    if text or state.last is None or not state.in_bracket or entry in state.last.entries:
        return text
    return whats_next(state, entry, name_of)


def _text_between_matches(state: StageState, entry: int, name_of: NameOf) -> str:
    """What comes next for a pair of a bracket that the current round leaves out; empty if it is
    out."""
    if not state.in_bracket or state.last is None or entry in state.last.entries:
        return ""
    bracket = bracket_of(state)
    if not _open_matches(bracket, entry) and not _waits_for_correction(state, bracket, entry):
        return ""
    return _next_in_bracket(state, bracket, entry, name_of)


def _bye_sentence(state: StageState, entry: int, rounds: int | None, name_of: NameOf) -> str:
    if _is_last_round(state, rounds):
        return _("You have a bye in this round.")
    opponent = _next_opponent(state, bracket_of(state), entry, name_of) if state.in_bracket else ""
    if opponent:
        text = _("You have a bye: you play %(names)s next.")
        return one_stop(text % {"names": opponent})
    return _("You have a bye: you play in the next round.")


def _is_last_round(state: StageState, rounds: int | None) -> bool:
    return _are_all_drawn(state, rounds) or are_groups_over(state)


def _are_all_drawn(state: StageState, rounds: int | None) -> bool:
    """Whether no round follows the latest, of so many."""
    return rounds is not None and len(state.published) >= rounds


def bye_for(tournament: Tournament, player: Member | None) -> tuple[str, bool]:
    """What a player with a bye in the current round reads, and whether a round follows."""
    state = load_stage(stage_of(tournament))
    rounds = rounds_due(state)
    text = bye_text(state, _entry_of(state, player), rounds, str)
    return text, not _is_last_round(state, rounds)
