"""Games as files for other programs: EGN, EMN, and hand records with one per line."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.exchange.sheets import FOUR, to_eight
from league.members.models import Member
from league.members.rule_options import title, value_words
from league.play.game_log import GameLog, counts, fold
from league.play.models import Game
from league.play.results import ENDED
from league.seating.models import Table
from scoring import HandRecord, Ruleset, RulesetError, preset_ids, ruleset
from scoring.egn import EgnError, Reason, check_game, match_of, read_game, write_game, write_match

Namer = Callable[[Member], str]
# Parts of a hand that EGN needs but are missing, or that EGN cannot hold.
PARTS = {
    "auction": gettext_lazy("bidding"),
    "contract.round": gettext_lazy("bidding round"),
    "tricks": gettext_lazy("tricks"),
    "penalties": gettext_lazy("penalties"),
    "lone_maker": gettext_lazy("lone player"),
    "exchange": gettext_lazy("exchanged cards"),
    "mcevoy": gettext_lazy("call of McEvoy"),
}
TIME, DECISION, UNFINISHED = "time", "decision", "unfinished"


def egn_of(game_log: GameLog, name: Namer) -> dict[str, Any]:
    """The game as EGN. Raises EgnError with every reason why EGN cannot hold it as it was."""
    reasons = list(_reasons_against_egn(game_log))
    hands = [HandRecord.from_json(hand.record) for hand in game_log.hands if not hand.struck]
    names = [name(seat.member) for seat in game_log.sitting()]
    try:
        egn = write_game(
            game_log.rules, hands, names, final_score=game_log.state.score, about=_about(game_log)
        )
    except EgnError as error:
        raise EgnError([*reasons, *error.reasons]) from error
    if not reasons:  # other programs must read the same game
        answer = check_game(read_game(egn)).to_json()
        reasons = [fault["message"] for fault in answer["faults"]]
        reasons += [fault["message"] for hand in answer["hands"] for fault in hand["faults"]]
    if reasons:
        raise EgnError(reasons)
    return egn


def _about(game_log: GameLog) -> dict[str, str]:
    """What identifies the game, so that importing the file again finds the same game."""
    session = game_log.table.session
    begins = f"{session.begins_at:%H:%M}" if session.begins_at else "20:00"
    return {
        "gameId": game_log.game.public_id,
        "title": session.name,
        "date": f"{session.held_on.isoformat()}T{begins}",
    }


def why_not_egn(game_log: GameLog) -> tuple[str, ...]:
    """Every reason why EGN cannot hold this game; empty where it can."""
    try:
        egn_of(game_log, str)
    except EgnError as error:
        return reasons_in_words(error)
    return ()


def reasons_in_words(error: EgnError) -> tuple[str, ...]:
    """Why EGN cannot hold a game, in the reader's language."""
    return tuple(
        _(reason.sentence) % _values_in_words(reason.values)
        if isinstance(reason, Reason)
        else reason
        for reason in error.reasons
    )


def _values_in_words(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a reason, with rules and parts of a hand named as on the site's pages."""
    if name := values.get("name"):
        return {**values, "name": title(name), "value": value_words(name, values["value"])}
    if part := values.get("what"):
        return {**values, "what": PARTS[part]}
    return dict(values)


def emn_of(game_logs: Iterable[GameLog], name: Namer) -> dict[str, Any]:
    """The games that EGN can hold, as one match. Raises EgnError if there are none."""
    games, seats = [], []
    people: dict[int, tuple[str, str]] = {}
    for game_log in game_logs:
        try:
            games.append(read_game(egn_of(game_log, name)))
        except EgnError:
            continue
        sitting = [seat.member for seat in game_log.sitting()]
        for member in sitting:
            people.setdefault(member.pk, (f"p{len(people) + 1}", name(member)))
        seats.append([people[member.pk][0] for member in sitting])
    if not games:
        raise EgnError([Reason("EGN can't hold any of these games.")])
    return write_match(match_of(games, seats, dict(people.values())))


def json_lines(game_logs: Iterable[GameLog]) -> str:
    """Every counted hand as a hand record with its rules, one per line, for `check_hands`."""
    records = (record for game_log in game_logs for record in records_of(game_log))
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def records_of(game_log: GameLog) -> Iterator[dict[str, Any]]:
    """The hand records of a game, each with its preset and the options that the club changed."""
    rules = rules_named(game_log.game.ruleset.body)
    for hand in game_log.hands:
        if not hand.struck:
            yield {**hand.record, **rules}


def rules_named(body: Any) -> dict[str, Any]:
    """The preset of a stored ruleset and the options that the club changed, as a hand record names
    them; empty for rules that do not derive from a preset."""
    return _named_body(json.dumps(body, sort_keys=True))


@lru_cache(maxsize=256)
def _named_body(body: str) -> dict[str, Any]:
    data = json.loads(body)
    rules = ruleset(data)
    for preset in (data.get("extends"), data.get("id"), *reversed(rules.lineage)):
        if preset in preset_ids() and (options := _changed_options(rules, preset)) is not None:
            return {"ruleset": preset, "options": options} if options else {"ruleset": preset}
    return {}


def rules_cell(body: Any) -> str:
    """Rules as a cell: a preset and the changed options, else the whole ruleset."""
    names = rules_named(body)
    if not names:
        return json.dumps(body, sort_keys=True)
    changed = names.get("options")
    return (
        f"{names['ruleset']} {json.dumps(changed, sort_keys=True)}" if changed else names["ruleset"]
    )


def rules_in(cell: str) -> Ruleset | None:
    """The rules in a cell from `rules_cell`; None for any other text."""
    preset, _space, options = cell.partition(" ")
    try:
        if cell.startswith("{"):
            return ruleset(json.loads(cell))
        return ruleset(preset, json.loads(options) if options else None)
    except (RulesetError, ValueError, TypeError, AttributeError, RecursionError):
        return None


def _changed_options(rules: Ruleset, preset: str) -> dict[str, Any] | None:
    """The options that these rules change in a preset; None where they differ in other ways."""
    base = ruleset(preset)
    options = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in rules.options.items()
        if base.options.get(name) != value
    }
    try:
        return options if ruleset(preset, options).options == rules.options else None
    except RulesetError:
        return None


def _reasons_against_egn(game_log: GameLog) -> Iterator[str]:
    """What this game has besides its hands that EGN cannot hold."""
    if not game_log.hands:
        yield Reason("The game has no hands.")
    for hand in game_log.hands:
        if hand.struck:
            yield Reason("Hand %(n)d was deleted.", n=hand.number)
    if any(counts(ruling) for ruling in game_log.rulings):
        yield Reason("A ruling changed the score beside the hands.")
    if len(game_log.seats) > len(game_log.sitting()):
        yield Reason("A substitute came in.")


def hand_rows(game_logs: Sequence[GameLog], name: Namer) -> Iterator[list[object]]:
    """A line for every hand, deleted ones too: where it was played, by whom, its outcome and
    points, and how its game ended."""
    blurred = blurred_sessions(
        (game_log.table, [seat.member_id for seat in game_log.sitting()]) for game_log in game_logs
    )
    for game_log in game_logs:
        session, table = game_log.table.session, game_log.table
        game_cells = [
            *_ending(game_log),
            session.season.name if session.season else "",
            "" if session.pk in blurred else table.round.number,
            rules_cell(game_log.game.ruleset.body),
            " ".join(map(str, table.carried)),
        ]
        for hand in game_log.hands:
            people = game_log.who_played(hand.number)
            names = to_eight(
                name(people[seat].member) if seat in people else "" for seat in range(table.players)
            )
            points = to_eight(hand.points)
            yield [
                session.held_on.isoformat(),
                session.name,
                game_log.game.public_id,
                table.number,
                hand.number,
                *names[:FOUR],
                hand.record["dealer"] + 1,
                hand.outcome,
                *points[:FOUR],
                json.dumps(hand.record, ensure_ascii=False),
                " ".join(map(str, _adjusted(game_log, hand.number))),
                "yes" if hand.out_of_turn else "",
                *game_cells,
                *names[FOUR:],
                *points[FOUR:],
            ]


def _ending(game_log: GameLog) -> tuple[str, str]:
    """How a game ended if not by its hands, and the seats that won it by decision."""
    if game_log.game.state not in ENDED or game_log.game.reopened:
        return UNFINISHED, ""
    if not game_log.game.ended_by:
        return "", ""
    if game_log.game.ended_by == Game.EndedBy.TIME:
        return TIME, ""
    return DECISION, " & ".join(str(seat + 1) for seat in game_log.game.winners)


def _adjusted(game_log: GameLog, number: int) -> list[int]:
    """What penalties after a hand added to each side's score; those before the first hand count
    with it."""
    rulings = [ruling for ruling in game_log.rulings if counts(ruling)]
    earlier = [ruling for ruling in rulings if 0 < ruling.after_hand < number]
    if not any(max(ruling.after_hand, 1) == number for ruling in rulings):
        return []
    without = fold(replace(game_log, rulings=earlier), game_log.hands[:number]).score
    score = game_log.state.running[number - 1]
    return [total - before for total, before in zip(score, without, strict=True)]


def blurred_sessions(tables: Iterable[tuple[Table, Iterable[int]]]) -> set[int]:
    """The sessions whose round numbers are unreliable: a player or a table is in a round twice."""
    appearances: Counter[tuple[int, int, str, int]] = Counter()
    for table, people in tables:
        round_key = (table.session_id, table.round.number)
        appearances[*round_key, "table", table.number] += 1
        for person in people:
            appearances[*round_key, "person", person] += 1
    return {session for (session, *_rest), count in appearances.items() if count > 1}
