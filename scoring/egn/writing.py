"""Writes games and matches as EGN and EMN, so that reading them gives the same again."""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.cards import JOKER
from scoring.egn.deals import BLIND, EXCHANGES, NOTES, SEATS
from scoring.egn.games import FILE_TYPE, MATCH_TYPE, EgnGame, EgnMatch
from scoring.egn.notation import UNKNOWN, suit_of, unwritable, write_switches
from scoring.records import HandRecord
from scoring.rulesets import Ruleset
from scoring.rulesets.options import TURN_UP


def write_deal(number: int, record: HandRecord, notes: Mapping[str, Any]) -> dict[str, Any]:
    """A record of a four-handed turn-up game as an EGN deal.

    The record must have the cards of every trick, and its auction or contract; see `missing`.
    """
    calls, alone, round_ = _calls(record)
    bidding: dict[str, Any] = {"phaseNumber": 0, "type": "EUCHRE_BIDDING", "calls": calls}
    announced_later = record.contract is not None and record.contract.alone
    bidding["isAlone"] = alone or announced_later
    if record.lone_defender is not None:
        bidding["aloneDefender"] = record.lone_defender
    discards = (record.discards or (None,) * SEATS)[record.dealer]
    if discards and round_ == 1:
        bidding["discard"] = discards[0]
    upcard = record.upcard or _unknown_upcard(record)
    start: dict[str, Any] = {"dealer": record.dealer, "upCard": upcard}
    if record.hands is not None:
        start["playerCards"] = [list(hand or ()) for hand in record.hands]
    deal = {"dealNumber": number, "initialState": start, "phases": [bidding]}
    if record.tricks:
        play = {"phaseNumber": 1, "type": "TRICK_PLAY"}
        play["tricks"] = [list(trick.cards) for trick in record.tricks]
        deal["phases"].append(play)  # type: ignore[attr-defined]
    return _with_notes(deal, notes)


def unholdable(record: HandRecord) -> str | None:
    """A field of the record that EGN has no place for, or None."""
    fields = {
        "penalties": record.penalties,
        "lone_maker": record.lone_maker is not None,
        "exchange": record.exchange,
        "mcevoy": any(call.call == "mcevoy" for call in record.auction or ()),
    }
    return next((name for name, value in fields.items() if value), None)


def missing(record: HandRecord) -> str | None:
    """The field without which EGN cannot hold this record, or None."""
    if record.auction is None and record.contract is None and not record.thrown_in:
        return "auction"
    if record.auction is None and record.contract is not None and _round(record) is None:
        return "contract.round"
    all_passed = bool(record.auction) and all(call.call == "pass" for call in record.auction or ())
    return None if record.tricks or record.thrown_in or all_passed else "tricks"


def _unknown_upcard(record: HandRecord) -> str:
    """The up-card if it is not recorded: its suit is known if it was ordered up."""
    ordered = record.contract is not None and record.contract.round == 1
    return "X" + (record.contract.trump or "x") if ordered and record.contract else UNKNOWN


def _calls(record: HandRecord) -> tuple[list[str], bool, int]:
    """The auction in EGN's words, whether it was alone, and the round. If only the contract is
    known, the passes before it are made up."""
    words = {"pass": "Pass", "order-up": "Order"}
    auction = record.auction
    if auction is None and record.contract is None:
        return ["Pass"] * (2 * SEATS), False, 0
    if auction is None:
        assert record.contract is not None
        seat, trump, _, alone = record.contract[:4]
        round_ = _round(record) or 1
        before = (seat - record.dealer - 1) % SEATS + SEATS * (round_ - 1)
        ordered = round_ == 1 and record.upcard != JOKER
        return ["Pass"] * before + ["Order" if ordered else _suit(trump)], bool(alone), round_
    calls = [words.get(call.call) or _suit(call.trump) for call in auction]
    if record.upcard == JOKER and len(calls) == 1:
        calls = [*BLIND, *calls]
    round_ = 1 if "Order" in calls else 2
    return calls, any(call.alone for call in auction), round_


def _round(record: HandRecord) -> int | None:
    """The round in which trump was made, from the record or the up-card."""
    contract = record.contract
    if contract is None or contract.round is not None or record.upcard is None:
        return contract.round if contract else None
    return 1 if suit_of(record.upcard) in (contract.trump, None) else 2


def _suit(trump: str | None) -> str:
    return "n" if trump == "nt" else trump or "x"


def _with_notes(deal: dict[str, Any], notes: Mapping[str, Any]) -> dict[str, Any]:
    for place, name in enumerate(NOTES):
        if name in notes and place < len(deal["phases"]):
            deal["phases"][place][name] = notes[name]
    if EXCHANGES in notes:
        deal["phases"][0][EXCHANGES] = notes[EXCHANGES]
    if "alternativeLines" in notes:
        deal["alternativeLines"] = notes["alternativeLines"]
    return deal


VERSION = "1.4"
MATCH_VERSION = "1.0"


class Reason(str):
    """A sentence in English, with its parts for translation.

    >>> why = Reason("Hand %(n)d was deleted.", n=3)
    >>> str(why), why.sentence, why.values
    ('Hand 3 was deleted.', 'Hand %(n)d was deleted.', {'n': 3})
    """

    sentence: str
    values: dict[str, Any]

    def __new__(cls, sentence: str, **values: Any) -> "Reason":
        reason = super().__new__(cls, sentence % values)
        reason.sentence, reason.values = sentence, values
        return reason


class EgnError(ValueError):
    """A game that EGN cannot hold; `reasons` are sentences."""

    def __init__(self, reasons: Sequence[str]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = tuple(reasons)


def write_game(
    rules: Ruleset,
    hands: Sequence[HandRecord],
    players: Sequence[str],
    *,
    initial_score: Sequence[int] = (0, 0),
    final_score: Sequence[int] | None = None,
    about: Mapping[str, Any] | None = None,
    notes: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """The decoded EGN file of a game. `notes` are annotations for each hand, as in `Deal.notes`.

    Raises EgnError with every reason why EGN cannot hold the game: another number of players, a bid
    game, rules without a switch, hands without their cards.
    """
    reasons = [*_rule_reasons(rules), *_hand_reasons(hands)]
    if reasons:
        raise EgnError(reasons)
    about = dict(about or {})
    about.setdefault("players", list(players))
    metadata = {
        **about,
        "initialScore": list(initial_score),
        "ruleset": write_switches(rules.options),
    }
    if final_score is not None:
        metadata["finalScore"] = list(final_score)
    all_notes = [*notes, *[{}] * (len(hands) - len(notes))]
    pairs = enumerate(zip(hands, all_notes, strict=True))
    deals = [write_deal(number, hand, note) for number, (hand, note) in pairs]
    return {"fileType": FILE_TYPE, "version": VERSION, "metadata": metadata, "deals": deals}


def rewrite_game(game: EgnGame) -> dict[str, Any]:
    """The decoded EGN file of a game that was read, with everything known and its annotations."""
    if game.rules is None or any(deal.record is None for deal in game.deals):
        raise EgnError([Reason("The game could not be read whole.")])
    return write_game(
        game.rules,
        [deal.record for deal in game.deals if deal.record],
        game.players,
        initial_score=game.initial_score,
        final_score=game.final_score,
        about=game.about,
        notes=[deal.notes for deal in game.deals],
    )


def _rule_reasons(rules: Ruleset) -> list[str]:
    if rules.family != TURN_UP or rules.players != 4:
        return [Reason("EGN holds turn-up games of four players only.")]
    return [
        Reason(
            "EGN has no place for the house rule “%(name)s: %(value)s”.",
            name=name,
            value=rules.options[name],
        )
        for name in unwritable(rules)
    ]


def _hand_reasons(hands: Sequence[HandRecord]) -> list[str]:
    reasons: list[str] = []
    for n, hand in enumerate(hands, start=1):
        if what := missing(hand):
            reasons.append(Reason("Hand %(n)d was recorded without its %(what)s.", n=n, what=what))
        if what := unholdable(hand):
            reasons.append(
                Reason("EGN has no place for the %(what)s of hand %(n)d.", n=n, what=what)
            )
    return reasons


def write_match(match: EgnMatch) -> dict[str, Any]:
    """The decoded EMN file of a match from `read_match` or `match_of`."""
    games = [
        {"gameIndex": place, "players": list(ids), "gameData": rewrite_game(game)}
        for place, (game, ids) in enumerate(zip(match.games, match.seats, strict=True))
    ]
    return {
        "fileType": MATCH_TYPE,
        "version": MATCH_VERSION,
        "metadata": dict(match.about),
        "games": games,
    }
