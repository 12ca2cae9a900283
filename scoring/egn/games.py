"""Reads and checks whole EGN games, and matches of them (EMN), from decoded files."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice, permutations
from typing import Any

from scoring.cards import left_over
from scoring.checks import check_hand
from scoring.egn.deals import Deal, read_deal
from scoring.egn.notation import BASE, UNKNOWN, read_switches, strange_fields, strange_version
from scoring.endings import Standing
from scoring.faults import Answer, Fault, fault
from scoring.games import step
from scoring.records import HandRecord, Trick
from scoring.rulesets import Ruleset, RulesetError, ruleset

FILE_TYPE = "Euchre Game Notation"
MATCH_TYPE = "Euchre Match Notation"
_MOST_DEALS = 100
_ABOUT = ("gameId", "title", "description", "date", "players")


@dataclass(frozen=True, slots=True)
class EgnGame:
    """A game read from EGN: its rules, deals, scores and metadata.

    `about` has the title, date, description and players unchanged; `rules` is None if the switches
    do not make a known game. `faults` and `warnings` are those of the file, not of its deals.
    """

    rules: Ruleset | None
    deals: tuple[Deal, ...]
    initial_score: tuple[int, ...] = (0, 0)
    final_score: tuple[int, ...] | None = None
    about: Mapping[str, Any] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names by seat, as far as given."""
        players = self.about.get("players")
        entries = players if isinstance(players, list) else []
        return tuple(str(p.get("name", "")) if isinstance(p, Mapping) else str(p) for p in entries)


def read_game(data: object) -> EgnGame:
    """Read a decoded `.egn` file. Never raises: what is wrong is in the game's faults.

    >>> read_game({"fileType": "something else"}).faults[0].code
    'bad-format'
    """
    if not isinstance(data, Mapping) or data.get("fileType") != FILE_TYPE:
        return EgnGame(None, (), faults=(fault("bad-format/not-egn", field="fileType"),))
    about = data.get("metadata")
    about = about if isinstance(about, Mapping) else {}
    options, faults, warnings = read_switches(about.get("ruleset"))
    warnings += [*strange_version(data), *strange_fields("the file", data)]
    warnings += strange_fields("metadata", about)
    rules = None
    if not faults:
        try:
            rules = ruleset(BASE, options)
        except RulesetError as error:
            faults.extend(error.faults)
    deals = data.get("deals")
    if not isinstance(deals, list) or len(deals) > _MOST_DEALS:
        faults.append(fault("bad-format/not-a-list", field="deals"))
        deals = []
    return EgnGame(
        rules,
        tuple(read_deal(deal) for deal in deals),
        _score(about, "initialScore", faults) or (0, 0),
        _score(about, "finalScore", faults),
        {name: about[name] for name in _ABOUT if name in about},
        tuple(faults),
        tuple(warnings),
    )


def _score(about: Mapping[str, Any], name: str, faults: list[Fault]) -> tuple[int, ...] | None:
    value = about.get(name)
    if value is None:
        return None
    if isinstance(value, list) and len(value) == 2 and all(_is_points(n) for n in value):
        return tuple(value)
    faults.append(fault("bad-format/score-length", field=name, count=2))
    return None


def _is_points(value: object) -> bool:
    return type(value) is int and abs(value) <= 1000


_MOST_GAMES = 500


@dataclass(frozen=True, slots=True)
class EgnMatch:
    """A match read from EMN: `games` with the ids of their four players, `about` its metadata."""

    games: tuple[EgnGame, ...]
    seats: tuple[tuple[str, ...], ...] = ()
    about: Mapping[str, Any] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()


def read_match(data: object) -> EgnMatch:
    """Read a decoded `.emn` file; what is wrong with a game is in that game's faults."""
    if not isinstance(data, Mapping) or data.get("fileType") != MATCH_TYPE:
        return EgnMatch((), faults=(fault("bad-format/not-emn", field="fileType"),))
    about = data.get("metadata")
    about = about if isinstance(about, Mapping) else {}
    entries = data.get("games")
    if not isinstance(entries, list) or len(entries) > _MOST_GAMES:
        return EgnMatch((), about=about, faults=(fault("bad-format/not-a-list", field="games"),))
    names = _names(about.get("players"))
    games = [_entry(entry, names) for entry in entries]
    return EgnMatch(tuple(game for game, _ in games), tuple(ids for _, ids in games), about)


def _names(players: object) -> dict[str, str]:
    entries = players if isinstance(players, list) else []
    return {
        str(player["id"]): str(player.get("name", player["id"]))
        for player in entries
        if isinstance(player, Mapping) and "id" in player
    }


def _entry(entry: object, names: Mapping[str, str]) -> tuple[EgnGame, tuple[str, ...]]:
    entry = entry if isinstance(entry, Mapping) else {}
    game = read_game(entry.get("gameData"))
    # EMN 1.2 calls the same list playersOverride.
    ids = entry.get("players", entry.get("playersOverride"))
    has_ids = isinstance(ids, list) and len(ids) == 4
    if not has_ids or not all(isinstance(id_, str) for id_ in ids) or not set(ids) <= names.keys():
        wrong = fault("bad-format/egn-players", field="players")
        return replace(game, faults=(*game.faults, wrong)), ()
    about = {**game.about, "players": [names[id_] for id_ in ids]}
    return replace(game, about=about), tuple(ids)


def match_of(
    games: Sequence[EgnGame], seats: Sequence[Sequence[str]], players: Mapping[str, str]
) -> EgnMatch:
    """A match of games that were read: `seats` are player ids by game, `players` their names."""
    entries = [{"id": key, "name": name} for key, name in players.items()]
    return EgnMatch(tuple(games), tuple(map(tuple, seats)), {"players": entries})


MOST_UNKNOWN = 2


def complete(record: HandRecord, rules: Ruleset, kitty: tuple[str, ...]) -> HandRecord | None:
    """The record with unknown cards filled in, if all legal ways to do so have the same result.

    None if the results differ, or more than `MOST_UNKNOWN` cards are unknown. If no way is legal,
    the first one is returned: its faults are the hand's faults.
    """
    if sum(trick.cards.count(UNKNOWN) for trick in record.tricks or ()) > MOST_UNKNOWN:
        return None
    limit = None if _has_all_tricks(record, rules) else 1
    candidates = list(islice(_completions(record, rules, kitty), limit))
    answers = [(candidate, check_hand(candidate, rules)) for candidate in candidates]
    legal = [(candidate, answer) for candidate, answer in answers if answer.valid]
    if not legal:
        return candidates[0] if candidates else None
    results = {(answer.points, answer.next_dealer) for _, answer in legal}
    return legal[0][0] if len(results) == 1 else None


def _has_all_tricks(record: HandRecord, rules: Ruleset) -> bool:
    """Whether the record has a card, known or not, for every play; if not, it cannot be legal."""
    tricks = record.tricks or ()
    return len(tricks) == rules.hand_size and len({len(trick.cards) for trick in tricks}) == 1


def _completions(
    record: HandRecord, rules: Ruleset, kitty: tuple[str, ...]
) -> Iterator[HandRecord]:
    tricks = record.tricks or ()
    known_cards = [card for trick in tricks for card in trick.cards if card != UNKNOWN]
    unseen = left_over(rules.deck, [*known_cards, *kitty])
    unknown_count = sum(trick.cards.count(UNKNOWN) for trick in tricks)
    for cards in permutations(unseen, unknown_count):
        filling = iter(cards)
        yield replace(record, tricks=tuple(_filled(trick, filling) for trick in tricks))


def _filled(trick: Trick, filling: Iterator[str]) -> Trick:
    cards = tuple(next(filling) if card == UNKNOWN else card for card in trick.cards)
    return trick._replace(cards=cards)


@dataclass(frozen=True, slots=True)
class GameAnswer:
    """The result of a recorded game (hand-record.md, "Command line").

    `score` is by side; `faults` are those of the file and of every hand, with its number.
    """

    valid: bool
    score: tuple[int, ...] = ()
    over: bool = False
    winners: tuple[int, ...] = ()
    hands: tuple[Answer, ...] = ()
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The line `check_game` prints, without the file's name."""
        return {
            "valid": self.valid,
            "score": list(self.score),
            "over": self.over,
            "winners": list(self.winners),
            "hands": [answer.to_json() for answer in self.hands],
            "faults": [wrong.to_json() for wrong in self.faults],
            "warnings": [warning.to_json() for warning in self.warnings],
        }


def check_game(game: EgnGame) -> GameAnswer:
    """Fold the game's deals; a final score in the file that differs from theirs is a fault."""
    if game.rules is None:
        return GameAnswer(False, faults=game.faults, warnings=game.warnings)
    rules = game.rules
    standing = Standing(score=game.initial_score, next_dealer=None)
    answers: list[Answer] = []
    faults = list(game.faults)
    for number, deal in enumerate(game.deals, start=1):
        answer = check_deal(deal, rules)
        dealer = deal.record.dealer if deal.record else None
        standing, step_faults = step(rules, standing, answer, dealer=dealer)
        faults += [replace(wrong, hand=number) for wrong in step_faults]
        answers.append(answer)
    all_settled = all(answer.points is not None for answer in answers)
    if game.final_score is not None and all_settled and game.final_score != standing.score:
        faults.append(_final_score_fault(game.final_score, standing.score))
    return GameAnswer(
        valid=not faults,
        score=standing.score,
        over=standing.over,
        winners=standing.winners if standing.over else (),
        hands=tuple(answers),
        faults=tuple(faults),
        warnings=game.warnings,
    )


def check_deal(deal: Deal, rules: Ruleset) -> Answer:
    """The answer to one deal. Unknown cards cause warnings, but never make a hand invalid."""
    if deal.record is None:
        return Answer(False, faults=deal.faults, warnings=deal.warnings)
    played = {card for trick in deal.record.tricks or () for card in trick.cards}
    duplicates = [fault("duplicate-card/twice", card=card) for card in deal.kitty if card in played]
    if duplicates:
        return Answer(False, faults=tuple(duplicates), warnings=deal.warnings)
    if not deal.unknown:
        answer = check_hand(deal.record, rules)
        return replace(answer, warnings=(*deal.warnings, *answer.warnings))
    filled = complete(deal.record, rules, deal.kitty)
    if filled is None:
        warning = fault("unknown-cards/unverifiable", field="tricks")
        return Answer(True, warnings=(*deal.warnings, warning))
    answer = check_hand(filled, rules)
    agreed = fault("unknown-cards/agreed", field="tricks")
    return replace(answer, warnings=(*deal.warnings, agreed, *answer.warnings))


def _final_score_fault(written: tuple[int, ...], score: tuple[int, ...]) -> Fault:
    stated_text, counted_text = ("–".join(map(str, points)) for points in (written, score))
    return fault(
        "points-mismatch/final", field="finalScore", text=stated_text, text_found=counted_text
    )
