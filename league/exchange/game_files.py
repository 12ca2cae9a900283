"""Games as files for other programs: EGN, EMN, and hand records one a line."""

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
# Parts of a hand that EGN wants and does not find, or finds and has no place for.
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


def egn_of(book: GameLog, name: Namer) -> dict[str, Any]:
    """The game as EGN. Raises EgnError with every reason why EGN cannot hold it as it was."""
    reasons = list(_beside_the_hands(book))
    hands = [HandRecord.from_json(hand.record) for hand in book.hands if not hand.struck]
    names = [name(seat.member) for seat in book.sitting()]
    try:
        written = write_game(
            book.rules, hands, names, final_score=book.state.score, about=_about(book)
        )
    except EgnError as error:
        raise EgnError([*reasons, *error.reasons]) from error
    if not reasons:  # what another program would make of it has to be what it was
        read = check_game(read_game(written)).to_json()
        reasons = [fault["message"] for fault in read["faults"]]
        reasons += [fault["message"] for hand in read["hands"] for fault in hand["faults"]]
    if reasons:
        raise EgnError(reasons)
    return written


def _about(book: GameLog) -> dict[str, str]:
    """Which game this is: with it, the file comes in again as the same game."""
    session = book.table.session
    begins = f"{session.begins_at:%H:%M}" if session.begins_at else "20:00"
    return {
        "gameId": book.game.public_id,
        "title": session.name,
        "date": f"{session.held_on.isoformat()}T{begins}",
    }


def why_not_egn(book: GameLog) -> tuple[str, ...]:
    """Every reason why EGN cannot hold this game; none where it can."""
    try:
        egn_of(book, str)
    except EgnError as error:
        return reasons_in_words(error)
    return ()


def reasons_in_words(error: EgnError) -> tuple[str, ...]:
    """Why EGN cannot hold a game, in the reader's language."""
    return tuple(
        _(why.sentence) % _values_in_words(why.values) if isinstance(why, Reason) else why
        for why in error.reasons
    )


def _values_in_words(values: Mapping[str, Any]) -> dict[str, Any]:
    """A house rule and its value, or a part of a hand, as the site's pages call them."""
    if name := values.get("name"):
        return {**values, "name": title(name), "value": value_words(name, values["value"])}
    if part := values.get("what"):
        return {**values, "what": PARTS[part]}
    return dict(values)


def emn_of(books: Iterable[GameLog], name: Namer) -> dict[str, Any]:
    """All those games that EGN can hold as one match. Raises EgnError when there is none."""
    games, seats = [], []
    people: dict[int, tuple[str, str]] = {}
    for book in books:
        try:
            games.append(read_game(egn_of(book, name)))
        except EgnError:
            continue
        sitting = [seat.member for seat in book.sitting()]
        for member in sitting:
            people.setdefault(member.pk, (f"p{len(people) + 1}", name(member)))
        seats.append([people[member.pk][0] for member in sitting])
    if not games:
        raise EgnError([Reason("None of these games can be held by EGN.")])
    return write_match(match_of(games, seats, dict(people.values())))


def json_lines(books: Iterable[GameLog]) -> str:
    """Every hand that counts as a hand record with its rules, one a line, for `check_hands`."""
    records = (record for book in books for record in records_of(book))
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def records_of(book: GameLog) -> Iterator[dict[str, Any]]:
    """The records of a game, each naming the preset it was played by and what the club changed."""
    rules = rules_named(book.game.ruleset.body)
    for hand in book.hands:
        if not hand.struck:
            yield {**hand.record, **rules}


def rules_named(body: Any) -> dict[str, Any]:
    """The preset of a stored ruleset and what the club changed of it, as a record names them;
    empty where it is no change of a preset."""
    return _named(json.dumps(body, sort_keys=True))


@lru_cache(maxsize=256)
def _named(body: str) -> dict[str, Any]:
    data = json.loads(body)
    rules = ruleset(data)
    known = [one for one in (data.get("extends"), data.get("id"), *reversed(rules.lineage)) if one]
    for preset in known:
        if preset in preset_ids() and (options := _options(rules, preset)) is not None:
            return {"ruleset": preset, "options": options} if options else {"ruleset": preset}
    return {}


def rules_cell(body: Any) -> str:
    """Rules as a sheet names them: a preset and what was changed of it, else all of them."""
    named = rules_named(body)
    if not named:
        return json.dumps(body, sort_keys=True)
    changed = named.get("options")
    return (
        f"{named['ruleset']} {json.dumps(changed, sort_keys=True)}" if changed else named["ruleset"]
    )


def rules_in(cell: str) -> Ruleset | None:
    """The rules that a cell names; None where it names none."""
    preset, _space, options = cell.partition(" ")
    try:
        if cell.startswith("{"):
            return ruleset(json.loads(cell))
        return ruleset(preset, json.loads(options) if options else None)
    except (RulesetError, ValueError, TypeError, AttributeError, RecursionError):
        return None


def _options(rules: Ruleset, preset: str) -> dict[str, Any] | None:
    """What these rules change of a preset; None where they are no change of it."""
    begun = ruleset(preset)
    options = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in rules.options.items()
        if begun.options.get(name) != value
    }
    try:
        return options if ruleset(preset, options).options == rules.options else None
    except RulesetError:
        return None


def _beside_the_hands(book: GameLog) -> Iterator[str]:
    """What belongs to this game and has no place in EGN."""
    if not book.hands:
        yield Reason("The game has no hands.")
    for hand in book.hands:
        if hand.struck:
            yield Reason("Hand %(n)d was deleted.", n=hand.number)
    if any(counts(ruling) for ruling in book.rulings):
        yield Reason("A ruling changed the score beside the hands.")
    if len(book.seats) > len(book.sitting()):
        yield Reason("A substitute came in.")


def hand_rows(books: Sequence[GameLog], name: Namer) -> Iterator[list[object]]:
    """A line for every hand, struck ones too: where, who sat, what happened, what each seat got,
    and how its game ended."""
    blurred = blurred_sessions(
        (book.table, [seat.member_id for seat in book.sitting()]) for book in books
    )
    for book in books:
        session, table = book.table.session, book.table
        game_cells = [
            *_ending(book),
            session.season.name if session.season else "",
            "" if session.pk in blurred else table.round.number,
            rules_cell(book.game.ruleset.body),
            " ".join(map(str, table.carried)),
        ]
        for hand in book.hands:
            people = book.who_played(hand.number)
            names = to_eight(
                name(people[seat].member) if seat in people else "" for seat in range(table.players)
            )
            points = to_eight(hand.points)
            yield [
                session.held_on.isoformat(),
                session.name,
                book.game.public_id,
                table.number,
                hand.number,
                *names[:FOUR],
                hand.record["dealer"] + 1,
                hand.outcome,
                *points[:FOUR],
                json.dumps(hand.record, ensure_ascii=False),
                " ".join(map(str, _adjusted(book, hand.number))),
                "yes" if hand.out_of_turn else "",
                *game_cells,
                *names[FOUR:],
                *points[FOUR:],
            ]


def _ending(book: GameLog) -> tuple[str, str]:
    """How a game ended that its hands did not end, and the seats that won it then."""
    if book.game.state not in ENDED or book.game.reopened:
        return UNFINISHED, ""
    if not book.game.ended_by:
        return "", ""
    if book.game.ended_by == Game.EndedBy.TIME:
        return TIME, ""
    return DECISION, " & ".join(str(seat + 1) for seat in book.game.winners)


def _adjusted(book: GameLog, number: int) -> list[int]:
    """What penalties after a hand gave or took each side; those before the first count into it."""
    rulings = [ruling for ruling in book.rulings if counts(ruling)]
    earlier = [ruling for ruling in rulings if 0 < ruling.after_hand < number]
    if not any(max(ruling.after_hand, 1) == number for ruling in rulings):
        return []
    without = fold(replace(book, rulings=earlier), book.hands[:number]).score
    return [now - then for now, then in zip(book.state.running[number - 1], without, strict=True)]


def blurred_sessions(tables: Iterable[tuple[Table, Iterable[int]]]) -> set[int]:
    """The evenings whose rounds are mere numbers: somebody, or a table, is twice in one."""
    times: Counter[tuple[int, int, str, int]] = Counter()
    for table, people in tables:
        where = (table.session_id, table.round.number)
        times[*where, "table", table.number] += 1
        for person in people:
            times[*where, "person", person] += 1
    return {session for (session, *_rest), count in times.items() if count > 1}
