"""Text about tournaments: explanations of formats, faults of a draw, effects of withdrawals, and
the games of a match.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from league.pairing.formats.explanations import Choices, Sentence, explain, picking_explained
from league.pairing.movements import PRESETS, preset
from league.play.sheet import MatchNote
from league.play.text import DASH, score_text
from league.ranking.match_facts import GameFacts, MatchFacts
from league.ranking.tie_breaks import Unplayed
from league.seating.models import Table
from league.standings.labels import figure
from league.tournaments.actions.deciding import match_facts
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
)
from league.tournaments.models import MatchGame, Stage, Tournament, round_name
from league.tournaments.parameters import (
    BELL,
    EXTRA_HAND,
    HANDS,
    MOVEMENTS,
    StageOptions,
    read_options,
)
from league.tournaments.queries import stage_of
from league.tournaments.stage_state import OF_PAIRS, StageState, load_stage

F = Stage.Format


def explanation(format: str, choice: StageOptions) -> list[str]:
    """The explanation of a format to read out to the players, one paragraph per subject."""
    explainers = {
        F.PROGRESSIVE: _explain_progressive,
        F.ROTATION: _explain_rotation,
    }
    if format in explainers:
        return explainers[F(format)](choice)
    return _explain_pairs_format(format, choice)


def in_short(format: str) -> str:
    """One sentence about a format, to choose by."""
    return {
        F.PROGRESSIVE: _(
            "Everyone plays for themselves: short games, then winners and losers move."
        ),
        F.ROTATION: _("Everyone plays for themselves and partners everyone in turn."),
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


def _explain_rotation(choice: StageOptions) -> list[str]:
    movement = preset("rotation")
    return [_rounds(choice), _(movement.explanation), _(movement.odd)]


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
                "Laps: points above the target count towards the next game of the match. Win a "
                "game to 10 with 12, and your side starts the next one with 2 points."
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
    (Unplayed.VIRTUAL, gettext_lazy("as one against a virtual opponent (FIDE until 2023)")),
    (Unplayed.LEFT_OUT, gettext_lazy("not at all")),
]
UNPLAYED = {
    Unplayed.OWN_SCORE: gettext_lazy(
        "In the opponents' points, a bye, a walk-over or a round you missed counts as if you had "
        "met a pair with your own score. Rounds your opponents missed after leaving count as drawn."
    ),
    Unplayed.VIRTUAL: gettext_lazy(
        "In the opponents' points, a bye, a walk-over or a round you missed counts as if you had "
        "met an imagined pair (FIDE until 2023). It had your score before, took what you did not "
        "take of it, and drew every later round. Rounds your opponents missed after leaving count "
        "as drawn."
    ),
    Unplayed.LEFT_OUT: gettext_lazy(
        "The opponents' points leave out a bye, a walk-over and a round you missed. Rounds your "
        "opponents missed after leaving count as drawn."
    ),
}


def _unplayed_sentences(format: str, choice: StageOptions) -> list[str]:
    """Sentences about how rounds not played and walk-overs count."""
    sentences = []
    if F(format) == F.SWISS:
        sentences.append(str(UNPLAYED[Unplayed(choice.unplayed)]))
    if F(format) in (F.SWISS, F.ROUND_ROBIN) and not choice.given_points:
        sentences.append(
            _("A walk-over counts as a match won, with the games needed but no points.")
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


def fault_in_words(fault: Fault, state: StageState, names: Mapping[int, str]) -> str:
    """A sentence about a fault of a draw."""
    entries = sorted(fault.entries, key=lambda key: (state.entries[key].seed or 0, names[key]))
    first, last = entries[0], entries[-1]
    params: dict[str, object] = {"one": names[first], "other": names[last], "n": fault.number}
    params["seed"], params["next"] = state.entries[first].seed, state.entries[last].seed
    if fault.kind == EARLY:
        params["round"] = round_name(fault.number)
    apart_sentence = _("The club asks to keep %(one)s and %(other)s apart.")
    if frozenset(fault.entries) in state.apart_by_tournament:
        apart_sentence = _("This tournament keeps %(one)s and %(other)s apart.")
    return {
        AGAIN: _("%(one)s and %(other)s met in round %(n)d."),
        PARTNERS: _("%(one)s and %(other)s were partners in round %(n)d."),
        APART: apart_sentence,
        BYE: _("%(one)s has had a bye before."),
        EARLY: _("Seeds %(seed)s and %(next)s could meet early: %(round)s."),
        NO_BYE: _("Seed %(seed)s has no bye."),
        GROUP: _("Seeds %(seed)s and %(next)s are in one group."),
    }[fault.kind] % params


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
    return Cost("", _("no change"), [])


def if_withdrawn(state: StageState) -> dict[int, str]:
    """What a withdrawal would mean now, for each entry."""
    fixtures = fixtures_played(state)
    if fixtures:
        return {entry: _withdrawal_effect(*counts) for entry, counts in fixtures.items()}
    if state.bracket_from is not None:
        text = _("Their results stay. The opponent they would meet next wins by walk-over.")
    else:
        text = _("Their results stay. The next draw leaves them out.")
    return dict.fromkeys(state.entries, text)


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


def note_for_table(table: Table, sides: Sequence[str]) -> MatchNote | None:
    """The note about the match of a table; None if the match has one game only."""
    links = MatchGame.objects.select_related("match__stage_round__stage__tournament__club")
    link = links.filter(table=table).first()
    if link is None:
        return None
    stage = link.match.stage_round.stage
    if stage.format not in OF_PAIRS or read_options(stage.parameters).games == 1:
        return None
    facts, tournament = match_facts(link.match), stage.tournament
    address = reverse("tournament", args=[tournament.club.slug, tournament.public_id])
    return match_note(
        facts, next(game for game in facts.games if game.table == table.pk), sides, address
    )


def match_lines(tournament: Tournament | None) -> dict[int, str]:
    """One line about the match of each table, by the table's key.

    Empty, without reading the stage, if its matches have one game only.
    """
    stage = stage_of(tournament) if tournament else None
    if stage is None or stage.format not in OF_PAIRS or read_options(stage.parameters).games == 1:
        return {}
    return match_lines_of_stage(load_stage(stage))


def match_lines_of_stage(state: StageState | None) -> dict[int, str]:
    """Like `match_lines`, for a stage that is loaded already."""
    matches = [match for facts in state.rounds for match in facts.matches] if state else []
    longer_matches = [match for match in matches if match.of_pairs and match.best_of > 1]
    return {game.table: _line(match, game) for match in longer_matches for game in match.games}


def match_note(facts: MatchFacts, game: GameFacts, sides: Sequence[str], address: str) -> MatchNote:
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
        outcome = _("%(names)s won the match.") % {"names": sides[facts.first % len(sides)]}
    return MatchNote(_line(facts, game), head, tuple(notes), outcome, address)


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
