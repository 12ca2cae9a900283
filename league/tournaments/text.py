"""Text about tournaments: explanations of formats, faults of a draw, effects of withdrawals."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.labels import one_stop
from league.pairing.formats.explanations import Choices, Sentence, explain, picking_explained
from league.pairing.movements import PRESETS, preset
from league.ranking.tie_breaks import BUCHHOLZ, BUCHHOLZ_CUT1, SONNEBORN_BERGER, Unplayed
from league.standings.labels import measure_list
from league.tournaments.draws.groups import fixtures_played
from league.tournaments.draws.swaps import (
    AGAIN,
    APART,
    BYE,
    EARLY,
    GROUP,
    NO_BYE,
    PARTNERS,
    Fault,
    may_swap,
)
from league.tournaments.models import Stage, round_name
from league.tournaments.parameters import BELL, EXTRA_HAND, HANDS, MOVEMENTS, StageOptions
from league.tournaments.stage_state import CLOSED, StageState
from league.tournaments.standing import ROTATION

F = Stage.Format


def explanation(format: str, choice: StageOptions, *, has_small_tables: bool = True) -> list[str]:
    """The explanation of a format to read out to the players, one paragraph per subject."""
    if format == F.PROGRESSIVE:
        return _explain_progressive(choice)
    if format == F.ROTATION:
        return _explain_rotation(choice, has_small_tables=has_small_tables)
    return _explain_pairs_format(format, choice)


def in_short(format: str) -> str:
    """One sentence about a format, to choose by."""
    return {
        F.PROGRESSIVE: _(
            "Everyone plays for themselves: short games, then winners and losers move."
        ),
        F.ROTATION: _("Everyone plays for themselves, with changing partners."),
        F.ROUND_ROBIN: _("Fixed pairs; every pair meets every other."),
        F.SWISS: _("Fixed pairs; each round you meet a pair with about as many wins as yours."),
        F.KNOCKOUT: _("Fixed pairs; lose once and you're out."),
        F.DOUBLE: _("Fixed pairs; lose twice and you're out."),
        F.GROUPS: _("Fixed pairs; groups first, then a knock-out for the best."),
    }[F(format)]


def movements() -> list[tuple[str, str]]:
    """The name and explanation of every movement of Progressive Euchre."""
    return [(_(p.name), _(p.explanation)) for p in PRESETS if p.code in MOVEMENTS]


def _explain_progressive(choice: StageOptions) -> list[str]:
    movement = preset(choice.movement)
    lines = [_rounds(choice), _game(choice), _(movement.explanation), _(movement.odd)]
    lines.append(
        _("You play for yourself: every point your pair makes counts for you, with any partner.")
    )
    if choice.short_apart:
        lines.append(
            _(
                "Points made at tables of two or three have their own column, and wins there "
                "count. In the ranking, such a round, or one you sit out, counts as the"
                " average of your rounds at tables of four."
            )
        )
    if movement.next_round is not None and choice.unit != BELL:
        lines.append(_tie(choice))
    return lines


def _game(choice: StageOptions) -> str:
    if choice.unit == HANDS:
        text = ngettext(
            "A game is %(n)d hand; the points count.",
            "A game is %(n)d hands; the points count.",
            choice.hands,
        )
        return text % {"n": choice.hands}
    if choice.unit == BELL:
        text = ngettext(
            "The head table plays to %(n)d point and rings the bell; the other tables stop "
            "and their scores count.",
            "The head table plays to %(n)d points and rings the bell; the other tables stop "
            "and their scores count.",
            choice.bell_points,
        )
        return text % {"n": choice.bell_points}
    return _("Games are played to the end by the club's rules.")


def _tie(choice: StageOptions) -> str:
    if choice.tie == EXTRA_HAND:
        return _("If a table is tied, one more hand decides who moves; it doesn't count.")
    return _("If a table is tied, a cut decides who moves.")


def _rounds(choice: StageOptions) -> str:
    text = ngettext("%(n)d round is played.", "%(n)d rounds are played.", choice.rounds)
    return text % {"n": choice.rounds}


def _explain_rotation(choice: StageOptions, *, has_small_tables: bool) -> list[str]:
    movement = preset("rotation")
    seats = [_(movement.explanation), _(movement.odd)]
    if not has_small_tables:
        text = _(
            "The tournament's page says where you sit each round. Partners and opponents are shared"
            " as evenly as possible, and you get a partner twice only if it can't be avoided."
        )
        seats = [text]
    codes = choice.measures or [measure.code for measure in ROTATION]
    return [
        _rounds(choice),
        *seats,
        _("You play for yourself: every game you win counts for you, with any partner."),
        _("Ranked by %(list)s.") % {"list": measure_list(codes)},
    ]


def _explain_pairs_format(format: str, choice: StageOptions) -> list[str]:
    """The explanation of a format of fixed pairs, translated."""
    choices = Choices(
        rounds=choice.rounds,
        games=choice.games,
        twice=choice.twice,
        consolation=choice.consolation,
        third_place=choice.third_place,
        groups=choice.groups,
        through=choice.through,
    )
    picking = picking_explained(choice.partners) if choice.partners else ()
    sentences = [translated(sentence) for sentence in (*picking, *explain(format, choices))]
    return sentences + _match_sentences(choice) + _unplayed_sentences(format, choice)


def _match_sentences(choice: StageOptions) -> list[str]:
    """Sentences about points carried over between the games of a match, and about slams."""
    sentences = []
    if choice.games > 1 and choice.laps:
        sentences.append(
            _(
                "Laps: extra points carry over to the next game of the match. Win a game to 10 "
                "with 12, and your side starts the next one with 2 points."
            )
        )
    if choice.games > 1 and choice.slam:
        sentences.append(
            _(
                "Slam: a game won with the other side at 0 counts as two games of the match, and "
                "as one in the standings of the session."
            )
        )
    return sentences


UNPLAYED_CHOICES = [
    (
        Unplayed.OWN_SCORE,
        gettext_lazy("as one against a pair with your own score (FIDE)"),
    ),
    (Unplayed.VIRTUAL, gettext_lazy("as one against an imaginary pair")),
    (Unplayed.LEFT_OUT, gettext_lazy("not at all")),
]
UNPLAYED = {
    Unplayed.OWN_SCORE: gettext_lazy(
        "In the opponents' points, a bye, a walk-over or a round you missed counts as if you had "
        "met a pair with your own score. Rounds your opponents missed after leaving count as tied."
    ),
    Unplayed.VIRTUAL: gettext_lazy(
        "In the opponents' points, a bye, a walk-over or a round you missed counts as if you had "
        "met an imaginary pair. It had your score before, won what you didn't "
        "in that round, and tied every later round. Rounds your opponents missed after leaving "
        "count as tied."
    ),
    Unplayed.LEFT_OUT: gettext_lazy(
        "The opponents' points leave out a bye, a walk-over and a round you missed. Rounds your "
        "opponents missed after leaving count as tied."
    ),
}

BYES = {
    Unplayed.OWN_SCORE: gettext_lazy(
        "In the opponents' points, a bye counts as a win against a pair with your own match points."
    ),
    Unplayed.VIRTUAL: gettext_lazy(
        "In the opponents' points, a bye counts as a win against an imaginary pair."
    ),
    Unplayed.LEFT_OUT: gettext_lazy("In the opponents' points, a bye doesn't count."),
}
"""How a bye counts where the points of opponents decide a place."""


OF_OPPONENTS = {measure.code for measure in (BUCHHOLZ, BUCHHOLZ_CUT1, SONNEBORN_BERGER)}


def byes_text(state: StageState, measures: Iterable[str]) -> str:
    """How byes count in the standings of a Swiss: that of a round in play once it is over, and in
    the opponents' points; empty while there is none."""
    last, text = state.last, how_byes_count(state, measures)
    if state.stage.format != F.SWISS or last is None or not last.open_matches:
        return text
    when = _("A bye counts as a win once its round is over.") if state.byes_of(last) else ""
    return " ".join(filter(None, (when, text)))


def how_byes_count(state: StageState, measures: Iterable[str]) -> str:
    """How a bye counts in the opponents' points of a Swiss; empty while there is none, and unless
    these measures have such points among them."""
    if state.stage.format != F.SWISS or not state.byes_had():
        return ""
    if OF_OPPONENTS.isdisjoint(measures):
        return ""
    return str(BYES[Unplayed(state.options.unplayed)])


def _unplayed_sentences(format: str, choice: StageOptions) -> list[str]:
    """Sentences about how rounds not played and walk-overs count."""
    sentences = []
    if F(format) == F.SWISS:
        sentences.append(str(UNPLAYED[Unplayed(choice.unplayed)]))
    if F(format) in (F.SWISS, F.ROUND_ROBIN) and not choice.given_points:
        sentences.append(
            _("A walk-over counts as a match won: the games needed to win it, and no points.")
        )
    elif F(format) in (F.SWISS, F.ROUND_ROBIN):
        sentences.append(
            _("A walk-over counts as a win by %(points)d to 0, with the games needed won.")
            % {"points": choice.given_points}
        )
    return sentences


def translated(sentence: Sentence) -> str:
    """A sentence of the pairing engine in the reader's language."""
    if sentence.plural:
        return ngettext(sentence.singular, sentence.plural, sentence.count) % sentence.values
    return _(sentence.singular) % sentence.values


def how_drawn(state: StageState) -> str:
    """How the draft came about: at random, from the results so far, or from an earlier draw."""
    assert state.draft is not None
    seed = {"seed": state.draft.row.seating.seed}
    if not may_swap(state):
        if state.bracket_from is None or state.draft.number < state.bracket_from:
            return _("This round's pairings follow from the first round's draw.")
        if state.draft.number == state.bracket_from:
            return _("These pairings follow from the places in the groups.")
        return _("These pairings follow from the bracket and the results so far.")
    if not state.published:
        text = _first_draw_text(state)
    elif state.stage.format == F.SWISS:
        text = _(
            "Pairs with about as many match points meet, without meeting again if that can be "
            "avoided. Where several draws are equally good, the draw number %(seed)s decides."
        )
    else:
        text = _(
            "The format decides who plays where. What it leaves open is random, from the draw "
            "number %(seed)s."
        )
    if state.draft.row.seating.version > 1:
        swapped = _("Entries were then swapped by hand, which the draw number does not repeat.")
        text = f"{text} {swapped}"
    return text % seed


def _first_draw_text(state: StageState) -> str:
    """How the first draw came about; seeds have their places in a bracket and in groups."""
    seeded = [entry.seed is not None for entry in state.active_entries.values()]
    if state.stage.format not in CLOSED or not any(seeded):
        return _("At random, from the draw number %(seed)s: the same number draws the same again.")
    if all(seeded):
        return _("By the seeds: everyone has one, so nothing is random.")
    return _(
        "Seeds come first, in their order. The rest is random, from the draw number %(seed)s: the "
        "same number draws the same again."
    )


def fault_in_words(fault: Fault, state: StageState, names: Mapping[int, str]) -> str:
    """A sentence about a fault of a draw."""
    entries = sorted(fault.entries, key=lambda key: (state.entries[key].seed or 0, names[key]))
    first, last = entries[0], entries[-1]
    params: dict[str, object] = {"one": names[first], "other": names[last], "n": fault.number}
    params["seed"], params["next"] = state.entries[first].seed, state.entries[last].seed
    if fault.kind == EARLY:
        params["round"] = round_name(fault.number)
    apart_sentence = _("A seating request keeps %(one)s and %(other)s apart.")
    if frozenset(fault.entries) in state.apart_by_tournament:
        apart_sentence = _("This tournament keeps %(one)s and %(other)s apart.")
    sentence = {
        AGAIN: _("%(one)s and %(other)s met in round %(n)d."),
        PARTNERS: _("%(one)s and %(other)s were partners in round %(n)d."),
        APART: apart_sentence,
        BYE: _("%(one)s has had a bye before."),
        EARLY: _("Seeds %(seed)s and %(next)s could meet early: %(round)s."),
        NO_BYE: _("Seed %(seed)s has no bye."),
        GROUP: _("Seeds %(seed)s and %(next)s are in one group."),
    }[fault.kind] % params
    return one_stop(sentence)


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a swap, shown before it is made: in two words, and in sentences."""

    tone: str
    short: str
    reasons: list[str]


def cost_in_words(
    new_faults: Sequence[Fault],
    fixed_faults: Sequence[Fault],
    state: StageState,
    names: Mapping[int, str],
) -> Cost:
    """The cost of a swap in words: the faults it adds, or else those it fixes."""
    reasons = [fault_in_words(fault, state, names) for fault in new_faults]
    short_texts = {
        AGAIN: _("meets again"),
        PARTNERS: _("partners again"),
        APART: _("to be kept apart"),
        BYE: _("second bye"),
        EARLY: _("seeds too early"),
        NO_BYE: _("seed without a bye"),
        GROUP: _("seeds in one group"),
    }
    if new_faults:
        return Cost("bad", short_texts[new_faults[0].kind], reasons)
    if fixed_faults:
        sentences = [fault_in_words(fault, state, names) for fault in fixed_faults]
        reasons = [_("No longer: %(what)s") % {"what": sentence} for sentence in sentences]
        return Cost("good", _("better"), reasons)
    return Cost("", _("no new problem"), [])


def if_withdrawn(state: StageState) -> dict[int, str]:
    """What a withdrawal would mean now, for each entry."""
    fixtures = fixtures_played(state)
    if fixtures:
        texts = {entry: _withdrawal_effect(*counts) for entry, counts in fixtures.items()}
        return {entry: f"{text} {open_match(state, entry)}" for entry, text in texts.items()}
    if state.bracket_from is not None:
        text = _("Their results stay. The opponent they would meet next wins by walk-over.")
    else:
        text = _("Their results stay. The next draw leaves them out.")
    return {entry: f"{text} {open_match(state, entry)}" for entry in state.entries}


def open_match(state: StageState, entry: int) -> str:
    """What to do about the match that an entry leaves open by withdrawing; "" if it has none."""
    open_matches = state.last.open_matches if state.last else ()
    if not any(entry in match.entries for match in open_matches):
        return ""
    if not state.of_pairs:
        return _("They have a seat now: put in a substitute, or unpublish a round not yet begun.")
    return _("Their match in this round is still open: award it on the tournament page.")


def _withdrawal_effect(played: int, due: int) -> str:
    counts = {"played": played, "due": due, "left": due - played}
    if 2 * played < due:
        text = _(
            "Matches played: %(played)d of %(due)d, fewer than half. All their results become void."
        )
    else:
        text = ngettext(
            "Matches played: %(played)d of %(due)d. Their results stay; "
            "the opponent wins the %(left)d still to play.",
            "Matches played: %(played)d of %(due)d. Their results stay; "
            "opponents win the %(left)d still to play.",
            due - played,
        )
    return text % counts


def updated_text(undone: Sequence[int]) -> str:
    """That the bracket follows a correction, with the number of matches that are void now."""
    if not undone:
        return _("Updated the bracket.")
    text = ngettext(
        "Updated the bracket; %(n)d match is void and no longer counts anywhere.",
        "Updated the bracket; %(n)d matches are void and no longer count anywhere.",
        len(undone),
    )
    return text % {"n": len(undone)}
