"""From the answers on the table page to a hand record and back (pure: no database, no rules)."""

from collections.abc import Mapping
from typing import Any

from league.play.notation import calls_in, calls_text, cards_in
from league.play.questions import Questions
from league.play.results import caller


def record_of(told: Mapping[str, Any], asked: Questions) -> dict[str, Any]:
    """The hand record that the answers make; what was not answered is left out.

    A hand passed out keeps nothing else, for there is nothing else to a hand thrown in.
    """
    record: dict[str, Any] = {"dealer": int(told["dealer"])}
    _put(record, "upcard", told.get("upcard"))
    if told.get("auction"):
        record["auction"] = calls_in(
            told["auction"], dealer=record["dealer"], players=asked.players
        )
    if told.get("maker") == "passed":
        return record | {"contract": None}
    if told.get("maker"):
        record["contract"] = _contract(told, asked)
    for name in ("lone_maker", "lone_defender"):
        if told.get(name):
            record[name] = int(told[name])
    return record | _result(told, asked) | _cards(told, asked) | _penalties(told)


def _contract(told: Mapping[str, Any], asked: Questions) -> dict[str, Any]:
    contract: dict[str, Any] = {"seat": int(told["maker"])}
    _put(contract, "trump", told.get("trump"))
    if told.get("round"):
        contract["round"] = int(told["round"])
    if told.get("alone") == "on":
        contract["alone"] = True
    bid = told.get("bid")
    if bid:
        contract |= {"special": bid} if bid in asked.specials else {"tricks": int(bid)}
    return contract


def _result(told: Mapping[str, Any], asked: Questions) -> dict[str, Any]:
    result: dict[str, Any] = {}
    _put(result, "outcome", told.get("outcome"))
    if told.get("tricks"):
        result["tricks_won"] = {"makers": int(told["tricks"])}
    won = [told.get(f"won{seat}") for seat in range(asked.players)]
    if any(won):
        result["tricks_won"] = [int(count or 0) for count in won]
    return result


def _cards(told: Mapping[str, Any], asked: Questions) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, prefix in (("hands", "hand"), ("discards", "discard")):
        by_seat = [told.get(f"{prefix}{seat}") for seat in range(asked.players)]
        if any(by_seat):
            found[name] = [cards_in(text) if text else None for text in by_seat]
    tricks = [cards_in(told.get(f"trick{number}") or "") for number in range(1, asked.tricks + 1)]
    if any(tricks):
        found["tricks"] = [{"cards": cards} for cards in tricks if cards]
    passed = [cards_in(told.get(f"passed{seat}") or "") for seat in range(asked.players)]
    if any(passed):
        found["exchange"] = [
            {"from": seat, "to": (seat + asked.players // 2) % asked.players, "cards": cards}
            for seat, cards in enumerate(passed)
            if cards
        ]
    return found


def _penalties(told: Mapping[str, Any]) -> dict[str, Any]:
    if not told.get("renege_by"):
        return {}
    penalty: dict[str, Any] = {"kind": "renege", "by": int(told["renege_by"])}
    _put(penalty, "form", told.get("renege_form"))
    if told.get("renege_trick"):
        penalty["trick"] = int(told["renege_trick"])
    return {"penalties": [penalty]}


def _put(record: dict[str, Any], name: str, value: Any) -> None:
    if value:
        record[name] = value


def answers_of(record: Mapping[str, Any], asked: Questions) -> dict[str, Any]:
    """The answers that would make this record: what a form shows to have it corrected."""
    told: dict[str, Any] = {"dealer": str(record["dealer"])}
    if record.get("auction"):
        told["auction"] = calls_text(
            record["auction"], dealer=record["dealer"], players=asked.players
        )
    for name in ("upcard", "outcome", "lone_maker", "lone_defender"):
        if record.get(name) is not None:
            told[name] = str(record[name])
    if "contract" in record:
        told |= _contract_answers(record["contract"])
    won = _result_answers(record, asked)
    return told | won | _card_answers(record) | _penalty_answers(record)


def _contract_answers(contract: Mapping[str, Any] | None) -> dict[str, str]:
    if contract is None:
        return {"maker": "passed"}
    told = {"maker": str(contract["seat"])}
    for name in ("trump", "round"):
        if contract.get(name) is not None:
            told[name] = str(contract[name])
    if contract.get("alone"):
        told["alone"] = "on"
    bid = contract.get("special") or contract.get("tricks")
    return told | ({"bid": str(bid)} if bid else {})


def _result_answers(record: Mapping[str, Any], asked: Questions) -> dict[str, str]:
    won = record.get("tricks_won")
    if won is None:
        return {}
    if isinstance(won, Mapping):
        return {"tricks": str(won["makers"])}
    if asked.by_seat:
        return {f"won{seat}": str(count) for seat, count in enumerate(won)}
    maker = caller(record) or 0
    side = won[maker % 2 :: 2] if asked.players > 3 else [won[maker]]
    return {"tricks": str(sum(side))}


def _card_answers(record: Mapping[str, Any]) -> dict[str, str]:
    told = {}
    for name, prefix in (("hands", "hand"), ("discards", "discard")):
        for seat, cards in enumerate(record.get(name) or []):
            if cards:
                told[f"{prefix}{seat}"] = " ".join(cards)
    for number, trick in enumerate(record.get("tricks") or [], 1):
        told[f"trick{number}"] = " ".join(trick["cards"])
    for exchange in record.get("exchange") or []:
        told[f"passed{exchange['from']}"] = " ".join(exchange["cards"])
    return told


def _penalty_answers(record: Mapping[str, Any]) -> dict[str, str]:
    told = {}
    for penalty in record.get("penalties") or []:
        for name in ("by", "trick", "form"):
            if penalty.get(name) is not None:
                told[f"renege_{name}"] = str(penalty[name])
    return told
