"""Reads one EGN deal as a hand record."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.cards import JOKER, SUITS
from scoring.egn.notation import FIELDS, UNKNOWN, read_card, shown, strange_fields, suit_of
from scoring.faults import Fault, fault
from scoring.records import Call, Contract, HandRecord, Trick

SEATS = 4
_MOST_CALLS = 16
_MOST_TRICKS = 10
_MOST_CARDS = 10
BLIND = ["Pass", "Pass", "Pass"]
NOTES = ("callAnnotations", "playAnnotations")
EXCHANGES = "cardExchanges"


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal read from EGN.

    `record` is None if the deal cannot be read. `unknown` counts unknown cards in the play. `notes`
    are annotations and analysis lines, which are kept for writing the deal again.
    """

    record: HandRecord | None
    unknown: int = 0
    kitty: tuple[str, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)
    faults: tuple[Fault, ...] = ()
    warnings: tuple[Fault, ...] = ()


def read_deal(data: object) -> Deal:
    """Read one deal. Unknown cards are left out of the record where nothing else is lost."""
    if isinstance(data, str):
        return Deal(None, faults=(fault("bad-format/egn-condensed", field="deals"),))
    if not isinstance(data, Mapping):
        return Deal(None, faults=(fault("bad-format/not-an-object", field="deals"),))
    reader = _DealReader(data)
    record = reader.read()
    return Deal(
        None if reader.faults else record,
        reader.unknown,
        reader.kitty,
        reader.notes,
        tuple(reader.faults),
        tuple(reader.warnings),
    )


class _DealReader:
    """Reads one deal, and collects faults and warnings."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.data = data
        self.start = _mapping(data.get("initialState"))
        self.phases = self._phases()
        self.unknown = 0
        self.kitty: tuple[str, ...] = ()
        self.faults: list[Fault] = []
        self.warnings: list[Fault] = []
        self.notes = self._notes()
        self.warnings += self._unknown_fields()

    def _phases(self) -> dict[str, Mapping[str, Any]]:
        phases = self.data.get("phases")
        first_two = phases[:2] if isinstance(phases, list) else []
        return {str(_mapping(phase).get("type")): _mapping(phase) for phase in first_two}

    def _notes(self) -> dict[str, Any]:
        notes: dict[str, Any] = {}
        for phase in self.phases.values():
            notes |= {name: phase[name] for name in NOTES if isinstance(phase.get(name), Mapping)}
        if self.exchanges():
            notes[EXCHANGES] = self.exchanges()
            self.warnings.append(fault("kept-as-is/exchanges", field=EXCHANGES))
        if isinstance(self.data.get("alternativeLines"), list):
            notes["alternativeLines"] = self.data["alternativeLines"]
        return notes

    def exchanges(self) -> list[Any]:
        """Cards exchanged by rules that we do not check (farmer's hand, partner's best)."""
        exchanges = self.phases.get("EUCHRE_BIDDING", {}).get(EXCHANGES)
        return exchanges if isinstance(exchanges, list) else []

    def _unknown_fields(self) -> Iterator[Fault]:
        yield from strange_fields("the deal", self.data)
        yield from strange_fields("initialState", self.start)
        for name, phase in self.phases.items():
            if name in FIELDS:
                yield from strange_fields(name, phase)
            else:
                yield fault("kept-as-is/field", text=shown(name), path="phases")

    def bad(self, sentence: str, field: str, **values: Any) -> None:
        self.faults.append(fault(sentence, field=field, **values))

    def read(self) -> HandRecord | None:
        dealer = self.start.get("dealer")
        if type(dealer) is not int or not 0 <= dealer < SEATS:
            self.bad("bad-seat/none-such", "initialState.dealer")
            return None
        bidding = self.phases.get("EUCHRE_BIDDING", {})
        play = self.phases.get("TRICK_PLAY", {})
        turned = suit_of(self.start.get("upCard"))
        upcard = self.known(self.start.get("upCard"), "initialState.upCard", None)
        auction = self.auction(bidding, play, dealer)
        contract = _contract(auction, turned)
        trump = contract.trump if contract else None
        tricks = self.tricks(play, trump)
        self.kitty = tuple(
            card for card in self.cards(self.start.get("kitty"), "kitty", trump) if card != UNKNOWN
        )
        return HandRecord(
            dealer=dealer,
            upcard=upcard,
            hands=self.hands(trump),
            auction=auction,
            contract=contract if upcard is None else None,
            lone_defender=self.lone_defender(bidding),
            discards=self.discards(bidding, dealer, trump),
            tricks=tricks if contract or tricks else None,
        )

    def auction(
        self, bidding: Mapping[str, Any], play: Mapping[str, Any], dealer: int
    ) -> tuple[Call, ...]:
        calls = bidding.get("calls")
        if not isinstance(calls, list) or len(calls) > _MOST_CALLS:
            self.bad("bad-format/not-a-list", "calls")
            return ()
        alone = bool(bidding.get("isAlone") or play.get("isAlone"))
        first = len(BLIND) if _names_blind(self.start.get("upCard"), calls) else 0
        return tuple(
            call
            for place, word in enumerate(calls)
            if place >= first
            and (call := self.call((dealer + 1 + place) % SEATS, word, place, alone)) is not None
        )

    def call(self, seat: int, word: object, place: int, alone: bool) -> Call | None:
        if word == "Pass":
            return Call(seat, "pass")
        if word == "Order":
            return Call(seat, "order-up", alone=alone)
        if word == "n":
            return Call(seat, "name", trump="nt", alone=alone)
        if isinstance(word, str) and len(word) == 1 and word in SUITS:
            return Call(seat, "name", trump=word, alone=alone)
        sentence = "bad-format/egn-unknown-call" if word == "x" else "bad-format/egn-call"
        self.bad(sentence, f"calls[{place}]")
        return None

    def lone_defender(self, bidding: Mapping[str, Any]) -> int | None:
        seat = bidding.get("aloneDefender")
        if seat is None or seat == -1:
            return None
        if type(seat) is int and 0 <= seat < SEATS:
            return seat
        self.bad("bad-seat/none-such", "aloneDefender")
        return None

    def discards(
        self, bidding: Mapping[str, Any], dealer: int, trump: str | None
    ) -> tuple[tuple[str, ...] | None, ...] | None:
        if bidding.get("discard") in (None, ""):
            return None
        card = self.known(bidding["discard"], "discard", trump)
        if card is None:
            return None
        return tuple((card,) if seat == dealer else None for seat in range(SEATS))

    def hands(self, trump: str | None) -> tuple[tuple[str, ...] | None, ...] | None:
        dealt = self.start.get("playerCards", self.start.get("player_cards"))
        if not isinstance(dealt, list) or not any(dealt) or self.exchanges():
            return None
        hands = [self.cards(hand, "playerCards", trump) for hand in dealt[:SEATS]]
        hands += [()] * (SEATS - len(hands))
        if any(UNKNOWN in hand for hand in hands):
            self.warnings.append(fault("unknown-cards/hand", field="playerCards"))
        return tuple(hand if hand and UNKNOWN not in hand else None for hand in hands)

    def tricks(self, play: Mapping[str, Any], trump: str | None) -> tuple[Trick, ...]:
        piles = play.get("tricks", [])
        if not isinstance(piles, list) or len(piles) > _MOST_TRICKS:
            self.bad("bad-format/not-a-list", "tricks")
            return ()
        leader = play.get("initialLead")
        if leader is not None and (type(leader) is not int or not 0 <= leader < SEATS):
            self.bad("bad-seat/none-such", "initialLead")
            leader = None
        tricks = []
        for place, pile in enumerate(piles):
            cards = self.cards(pile, f"tricks[{place}]", trump)
            self.unknown += cards.count(UNKNOWN)
            tricks.append(Trick(cards, leader if place == 0 else None))
        return tuple(tricks)

    def cards(self, value: object, field: str, trump: str | None) -> tuple[str, ...]:
        if value is None:
            return ()
        if not isinstance(value, list) or len(value) > _MOST_CARDS:
            self.bad("bad-format/not-a-list", field)
            return ()
        cards = [(text, read_card(text, trump)) for text in value if text != ""]
        for text, card in cards:
            if card is None:
                self.bad("bad-card/none-such", field, text=shown(text))
        return tuple(card for _, card in cards if card is not None)

    def known(self, text: object, field: str, trump: str | None) -> str | None:
        card = read_card(text, trump)
        if card is None:
            self.bad("bad-card/none-such", field, text=shown(text))
        elif card == UNKNOWN:
            self.warnings.append(fault("unknown-cards/one", field=field))
            return None
        return card


def _names_blind(upcard: object, calls: list[Any]) -> bool:
    """Whether the joker was turned up and the dealer named trump, which EGN writes as three passes
    and the suit."""
    return upcard == JOKER and calls[:-1] == BLIND and calls[-1] not in ("Pass", "Order")


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _contract(auction: tuple[Call, ...], turned: str | None) -> Contract | None:
    """The contract that the auction made, as far as the turned suit is known."""
    for place, call in enumerate(auction):
        if call.call != "pass":
            trump = turned if call.call == "order-up" else call.trump
            return Contract(call.seat, trump, 1 + place // SEATS, bool(call.alone))
    return None
