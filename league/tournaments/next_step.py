"""The next thing for the organiser of a tournament to do."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.labels import as_partners, one_stop
from league.members.models import AuditEntry
from league.pairing.formats.knockout import Part
from league.sessions.models import Session
from league.tournaments.draws.groups import rounds_of_groups
from league.tournaments.draws.knockout import (
    being_played,
    bracket_of,
    corrections,
    field_size,
    late_matches,
)
from league.tournaments.models import Entry, Stage, StageRound, Tournament
from league.tournaments.parameters import BELL, enough_swiss_rounds
from league.tournaments.queries import (
    followed_by,
    is_drawn_from_old_result,
    is_played_out,
    left_open,
)
from league.tournaments.stage_state import BRACKETS, RoundFacts, StageState
from league.tournaments.ties import open_ties, ties_to_decide

F = Stage.Format
PLAYS_EVERY_ROUND = (F.PROGRESSIVE, F.ROTATION, F.SWISS)
"""Formats whose every round has all entries, at a table or with a bye."""
_OVER = (Session.State.CLOSED, Session.State.CANCELLED)


@dataclass(frozen=True, slots=True)
class NextAction:
    """The next thing to do: a sentence, and a button that posts to `action` or leads to `page`.

    Both are names of URLs. A `question` is asked before the button posts.
    """

    title: str
    text: str
    label: str
    action: str = ""
    page: str = ""
    question: str = ""

    @property
    def text_elsewhere(self) -> str:
        """The text on another page than the tournament's own, which shows what it is about."""
        if self.page == "ties":
            return _("The tournament's page says what comes next.")
        return self.text


def next_action(state: StageState, rounds: int | None) -> NextAction | None:
    """The next thing for the organiser to do; None once the tournament and its session are
    closed."""
    tournament = state.stage.tournament
    if tournament.state == Tournament.State.FINISHED and corrections(state):
        return _next_after_correction()
    if tournament.state in (Tournament.State.FINISHED, Tournament.State.CANCELLED):
        return _next_after_play(tournament)
    if tournament.session.state in _OVER and not is_played_out(state):
        return _next_in_another_session(tournament.session)
    if _may_follow_correction(state):
        return _next_after_correction()
    if state.draft is not None:
        text = _("Only organisers see it. Check it, then publish it.")
        text = draft_reminder(state) or text
        return NextAction(_draft_title(state.draft.row), text, _("See the draw"), page="draw")
    if state.last is None:
        return _next_before_play(state)
    if state.last.open_matches and not state.last.is_forced:
        return _next_in_round(state, rounds)
    ties = ties_to_decide(state)
    if ties:
        text = _("Choose below who won the deciding hand.")
        label = ngettext("See the tied table", "See the tied tables", len(ties))
        return NextAction(tied_title(len(ties)), text, label, page="ties")
    return _next_between_rounds(state, rounds)


def draft_reminder(state: StageState) -> str:
    """Why the draft should be drawn again, though it could be published."""
    if late_matches(state):
        return _("A pair has entered since this draw. Redraw to include it.")
    changes = _entered_or_withdrawn(state)
    if changes:
        return changes
    if corrections(state):
        return _("A corrected result changes the bracket. Discard this draft, then update it.")
    if is_drawn_from_old_result(state):
        return _("A result was corrected since this draw. Redraw, or publish it as it is.")
    return ""


def _entered_or_withdrawn(state: StageState) -> str:
    """Who has entered or withdrawn since a round was drafted, and would be in or out of it."""
    if state.draft is None:
        return ""
    to_play = {e for m in state.draft.matches if m.winner is None for e in m.entries}
    is_bracket = state.bracket_from is not None and state.draft.number >= state.bracket_from
    drafted = to_play if is_bracket else to_play | {*state.draft.byes}
    placed = set(drafted)
    if state.stage.format not in PLAYS_EVERY_ROUND:
        placed |= {e for facts in state.published for e in (*facts.entries, *facts.byes)}
    active = {} if is_bracket else state.active_entries
    entered = [entry for key, entry in active.items() if key not in placed]
    withdrawn = [state.entries[key] for key in drafted if state.entries[key].withdrawn_at]
    withdrawn_text = _("Withdrawn since this draw: %(names)s. Redraw to leave them out.")
    if is_bracket and not bracket_of(state).ready():
        withdrawn_text = _(
            "Withdrawn since this draw: %(names)s. No match is left to play: discard the draft."
        )
    sentences = (
        (_("Entered after this draw: %(names)s. Redraw to include them."), entered),
        (withdrawn_text, withdrawn),
    )
    texts = (text % {"names": _full_names(listed)} for text, listed in sentences if listed)
    return one_stop(" ".join(texts))


def _full_names(entries: Iterable[Entry]) -> str:
    return ", ".join(as_partners([member.name for member in entry.people]) for entry in entries)


def tied_title(count: int) -> str:
    """That so many tables are tied, of which the next round needs the winners."""
    return ngettext("%(n)d table is tied", "%(n)d tables are tied", count) % {"n": count}


def _next_in_another_session(session: Session) -> NextAction:
    """What to do with a tournament whose session was closed or cancelled before it was over."""
    title = _("This session is closed")
    if session.state == Session.State.CANCELLED:
        title = _("This session is cancelled")
    text = _("The tournament is not over. Continue it in another session, or reopen this one.")
    return NextAction(title, text, _("Reopen the session"), page="reopen")


def _next_after_correction() -> NextAction:
    text = _("Later matches were drawn by the old result. See below what to do.")
    title = _("A corrected result changes the bracket")
    return NextAction(title, text, _("See the correction"), page="ties")


def _may_follow_correction(state: StageState) -> bool:
    """Whether a correction is waiting for the bracket, and no match it undoes is being played."""
    found = corrections(state)
    return bool(found) and not any(being_played(state, one.undone) for one in found)


def _next_after_play(tournament: Tournament) -> NextAction | None:
    is_cancelled = tournament.state == Tournament.State.CANCELLED
    if is_cancelled or tournament.session.state != Session.State.OPEN:
        return None
    text = _("Close its session too, unless there is more to play.")
    title = _("The tournament is closed")
    return NextAction(title, text, _("Close the session"), page="disputes")


def _next_before_play(state: StageState) -> NextAction:
    count = len(state.active_entries)
    title = ngettext("%(n)d entry", "%(n)d entries", count) % {"n": count}
    unpaired_count = sum(entry.partner_id is None for entry in state.active_entries.values())
    if state.of_pairs and unpaired_count and count > 1:
        title = ngettext(
            "%(n)d player has no partner yet", "%(n)d players have no partner yet", unpaired_count
        ) % {"n": unpaired_count}
        text = _("Draw partners at random, or make the pairs by hand. Then draw the first round.")
        if unpaired_count == 1:
            text = _("Enter one more player, or remove the entry. Then draw the first round.")
        return NextAction(title, text, _("Make pairs"), page="entries")
    if count < 2 or (state.of_pairs and unpaired_count):
        text = _("Choose who plays; pairs are picked or drawn.") if state.of_pairs else ""
        text = text or _("Choose who plays: everyone checked in, or names from the list.")
        return NextAction(title, text, _("Entries"), page="entries")
    text = _(
        "When everyone has entered, draw the first round. No one else sees it until you publish it."
    )
    text = " ".join(filter(None, (text, _swiss_rounds_text(state))))
    label = _("Draw the bracket") if state.stage.format in BRACKETS else _("Draw round 1")
    return NextAction(title, text, label, action="tournament_draw_round")


def _swiss_rounds_text(state: StageState) -> str:
    """That a Swiss is planned with more or fewer rounds than its field needs; empty if not."""
    pairs, rounds = len(state.active_entries), state.options.rounds
    if state.stage.format != F.SWISS or rounds == (enough := enough_swiss_rounds(pairs)):
        return ""
    too_many = _(
        "Rounds planned: %(rounds)d. To find the best of %(pairs)d pairs, %(enough)d are enough;"
        " the tournament settings change that."
    )
    too_few = _(
        "Rounds planned: %(rounds)d. To find the best of %(pairs)d pairs, %(enough)d are needed;"
        " the tournament settings change that."
    )
    text = too_many if rounds > enough else too_few
    return text % {"rounds": rounds, "pairs": pairs, "enough": enough}


def _next_in_round(state: StageState, rounds: int | None) -> NextAction:
    assert state.last is not None
    if late := late_matches(state):
        return _next_late_seats(len(late))
    if any(match.unneeded for match in state.last.matches):
        text = _("A correction has decided it. Remove its next game below.")
        title = _("A match is already decided")
        return NextAction(title, text, _("Remove the next game"), page="ties")
    if any(match.needs_another for match in state.last.matches):
        text = _(
            "A match isn't over. Start its next game below, or open the board to see who is "
            "still playing."
        )
        return NextAction(_("Start the next games"), text, _("See the matches"), page="ties")
    left = left_open(state)
    if left and not state.of_pairs and state.is_untouched:
        text = _("Unpublish the round and redraw it, or put in a substitute from the board.")
        title = _("A withdrawn player still has a seat")
        return NextAction(title, text, _("Open the board"), page="board")
    if left and state.of_pairs:
        text = _("Award it below to the other pair, or seat a substitute on the board.")
        title = _("A pair withdrew before its match")
        return NextAction(title, text, _("See the matches"), page="ties")
    count = len(state.last.open_matches)
    title = ngettext("%(n)d table is not done", "%(n)d tables are not done", count) % {"n": count}
    if state.options.unit == BELL and state.stage.format == F.PROGRESSIVE:
        return _next_at_bell(state.last, title)
    text = _("Draw the next round when all tables are done. The board shows who is still playing.")
    if len(state.published) == rounds or state.last.row.field_size == 2:
        text = _("Close the tournament when all tables are done. The board shows who is playing.")
    return NextAction(title, text, _("Open the board"), page="board")


def _next_at_bell(last: RoundFacts, title: str) -> NextAction:
    """What to do when the head table rings: a bell cannot end what was not entered."""
    begun = sum(match.has_hands_in_play for match in last.open_matches)
    if not begun:
        text = _("When the head table rings, play stops. Enter each table's final score.")
        return NextAction(title, text, _("Final scores"), page="final_scores")
    text = ngettext(
        "When the head table is done, ring the bell: %(n)d game ends at its score.",
        "When the head table is done, ring the bell: %(n)d games end at their score.",
        begun,
    ) % {"n": begun}
    if begun < len(last.open_matches):
        text = f"{text} {_('Tables with no hands entered wait for their final scores.')}"
    question = _("The head table has not reached its points here. End these games anyway?")
    if last.matches[0].over:
        question = ""
    label = _("Ring the bell")
    return NextAction(title, text, label, action="tournament_bell", question=question)


def _next_late_seats(count: int) -> NextAction:
    """What to do if late entries took byes of a round that is still on."""
    title = ngettext(
        "%(n)d late entry is waiting for a table",
        "%(n)d late entries are waiting for a table",
        count,
    )
    text = _("A pair that entered late plays a pair that had a bye. Start it now at a free table.")
    label = ngettext("Start %(n)d match", "Start %(n)d matches", count) % {"n": count}
    return NextAction(title % {"n": count}, text, label, action="tournament_late_matches")


def _next_between_rounds(state: StageState, rounds: int | None) -> NextAction:
    assert state.last is not None
    if rounds is not None and len(state.published) + 1 > rounds:
        text = _("Check the standings, give out the prizes and close it.")
        if may_end_in_final(state):
            text = f"{text} {_('After that you can play a final.')}"
        return NextAction(
            _("All rounds are played"), text, _("Close the tournament"), action="tournament_finish"
        )
    late_step = _next_late_matches(state)
    if late_step is not None:
        return late_step
    title, label = _round_over_texts(state, state.last)
    if are_groups_over(state):
        through = state.options.groups * state.options.through
        title, label = _("The group matches are over"), _draw_label(1 << (through - 1).bit_length())
    text = _("No one else sees the draw until you publish it.")
    if any(match.undone for match in state.last.matches):
        text = _("Now redraw the matches that are void.")
    if open_ties(state):
        text = _("Where a table is tied, the draw cuts the cards for it.")
    return NextAction(title, text, label, action="tournament_draw_round")


def is_nearly_over(state: StageState, rounds: int | None) -> bool:
    """Whether it is time to think of the prize-giving: at most one round is still to be drawn, or
    the final of a bracket is on, and the standings were not held back and released already."""
    tournament = state.stage.tournament
    is_on = (
        tournament.state == Tournament.State.RUNNING
        and tournament.session.state == Session.State.OPEN
    )
    are_last = rounds is not None and rounds <= len(state.published) + 1
    is_final = state.last is not None and state.last.row.field_size == 2
    is_time = is_on and bool(state.published) and (are_last or is_final)
    released = AuditEntry.objects.filter(session=tournament.session, action="release standings")
    return is_time and not released.exists()


def may_end_in_final(state: StageState) -> bool:
    """Whether a final can follow: the tournament had no bracket, its session is open, and nothing
    has followed it yet."""
    tournament = state.stage.tournament
    has_bracket = state.stage.format in BRACKETS or state.in_bracket
    is_open = not has_bracket and tournament.session.state == Session.State.OPEN
    return is_open and followed_by(tournament) is None


def are_groups_over(state: StageState) -> bool:
    """Whether all rounds of the groups are played and the bracket is the next to be drawn."""
    if state.stage.format != F.GROUPS or state.bracket_from is not None:
        return False
    return len(state.published) >= len(rounds_of_groups(state))


def _next_late_matches(state: StageState) -> NextAction | None:
    """What to do if late entries took byes of a round that is over: their matches are not drawn
    yet, and those of the next round whose sides are known are drawn with them."""
    count = len(late_matches(state))
    if not count:
        return None
    ready = bracket_of(state).ready()
    title = ngettext(
        "%(n)d match of a late entry is still to be played",
        "%(n)d matches of late entries are still to be played",
        count,
    )
    text = _("A pair that entered late plays a pair that had a bye.")
    if len(ready) > count:
        text = _(
            "A pair that entered late plays a pair that had a bye. Matches of the next round that"
            " are ready are drawn too."
        )
    label = ngettext("Draw %(n)d match", "Draw %(n)d matches", len(ready))
    return NextAction(
        title % {"n": count}, text, label % {"n": len(ready)}, action="tournament_draw_round"
    )


def _draft_title(draft: StageRound) -> str:
    names = {
        2: _("The final is drawn"),
        4: _("The semi-finals are drawn"),
        8: _("The quarter-finals are drawn"),
    }
    if draft.field_size is None:
        return _("Round %(n)d is drawn") % {"n": draft.number}
    return names.get(draft.field_size) or _("The last %(n)d are drawn") % {"n": draft.field_size}


def _round_over_texts(state: StageState, last: RoundFacts) -> tuple[str, str]:
    """The sentence that a round is over and the label to draw the next, named as in a bracket."""
    number, label = last.number, _("Draw round %(next)d") % {"next": last.number + 1}
    if state.in_bracket:
        bracket = bracket_of(state)
        ready = [bracket.matches[pairing.label] for pairing in bracket.ready()]
        next_size = field_size(bracket, [match.key for match in ready])
        if any(match.part is Part.FINAL for match in ready):
            next_size = 2
        label = _draw_label(next_size) if next_size else label
    if any(match.undone for match in last.matches):
        return _("The bracket follows the corrected result"), label
    return _round_over_title(last.row.field_size, number), label


def _round_over_title(size: int | None, number: int) -> str:
    if size is None:
        return _("Round %(n)d is over") % {"n": number}
    over = {
        2: _("The final is over"),
        4: _("The semi-finals are over"),
        8: _("The quarter-finals are over"),
    }
    return over.get(size) or _("The last %(n)d have played") % {"n": size}


def _draw_label(size: int) -> str:
    """The label to draw the round of a bracket that so many entries begin."""
    draw = {2: _("Draw the final"), 4: _("Draw the semi-finals"), 8: _("Draw the quarter-finals")}
    return draw.get(size) or _("Draw the last %(n)d") % {"n": size}
