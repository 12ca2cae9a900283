"""Hands checked a second on one core, beside a bare checker; and the worst bad input.

    python -m tests.benchmarks.engine [--profile]

Every figure is the best of several rounds on the CPU's clock, engine and baseline in turn, so that
a busy machine changes the figures less and their ratio hardly.
"""

import argparse
import cProfile
import json
import pstats
import time

from scoring import check_hand, ruleset
from scoring.files import check_game_text, check_lines
from scoring.playouts import random_hand, thinned
from tests.benchmarks import baseline
from tests.scoring.bad_records import BAD_RECORDS, BAD_TEXTS
from tests.scoring.notation import OURS

HANDS, ROUNDS = 3_000, 7
AIM = {"contract and tricks": 200_000, "every card": 60_000}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--profile", action="store_true", help="show where the time goes")
    profile = parser.parse_args().profile
    rules = ruleset("standard-four-handed")
    full = [random_hand(rules, seed, dealer=seed % 4) for seed in range(HANDS)]
    played = [hand for hand in full if hand.tricks]
    counted = [thinned(hand, rules, "counts") for hand in played]
    kinds = {
        "contract and tricks": (counted, [_summary(hand) for hand in counted], baseline.summary),
        "every card": (played, [_full(hand) for hand in played], baseline.full),
    }
    print(f"{'records':<22}{'hands/s':>10}{'aim':>10}{'bare':>12}{'ratio':>8}")  # noqa: T201
    for name, (records, plain, bare) in kinds.items():
        ours, theirs = _fastest(records, plain, rules, bare)
        row = f"{name:<22}{ours:>10,.0f}{AIM[name]:>10,}{theirs:>12,.0f}{ours / theirs:>8.2f}"
        print(row)  # noqa: T201
    print(f"{'  nothing remembered':<22}{_cold(played, rules):>10,.0f}")  # noqa: T201
    print(f"{'  from JSON lines':<22}{_lines(played, rules):>10,.0f}")  # noqa: T201
    for name in ("nanaimo-three-handed", "guide-four-handed", "bid-barrie", "bid-kokomo-kitty"):
        print(f"{'  ' + name:<22}{_preset(name):>10,.0f}")  # noqa: T201
    print("\nthe slowest bad input, ms")  # noqa: T201
    for seconds, name in _slowest()[:5]:
        print(f"  {name:<56}{seconds * 1000:>6.2f}")  # noqa: T201
    if profile:
        for records, _, _ in kinds.values():
            _profiled(records, rules)


def _summary(hand):
    return hand.contract.seat, hand.contract.alone, hand.tricks_won


def _full(hand):
    calls = tuple((call.seat, call.call, call.trump, call.alone) for call in hand.auction)
    laid = next((cards[0] for cards in hand.discards or () if cards), None)
    tricks = tuple((trick.leader, trick.cards) for trick in hand.tricks)
    return hand.dealer, hand.upcard, hand.hands, calls, laid, tricks


def _fastest(records, plain, rules, bare):
    """Hands a second of the engine and of the bare checker, which must agree on every hand."""
    for record, facts in zip(records, plain, strict=True):
        assert check_hand(record, rules).points[:2] == bare(*facts)
    ours, theirs = [], []
    for _ in range(ROUNDS):
        start = time.process_time()
        for record in records:
            check_hand(record, rules)
        middle = time.process_time()
        for facts in plain:
            bare(*facts)
        ours.append(middle - start)
        theirs.append(time.process_time() - middle)
    return len(records) / min(ours), len(records) / min(theirs)


def _cold(records, rules):
    """The first sight of every hand: auctions are followed, and nothing is looked up yet."""

    def once():
        rules.engine.clear()
        for record in records:
            check_hand(record, rules)

    return len(records) / _best(once)


def _lines(records, rules):
    lines = [json.dumps({**hand.to_json(), "ruleset": rules.id}).encode() for hand in records[:500]]
    return len(lines) / _best(lambda: list(check_lines(lines)))


def _preset(name):
    rules = ruleset(name)
    hands = [random_hand(rules, seed, dealer=seed % rules.players) for seed in range(400)]
    return len(hands) / _best(lambda: [check_hand(hand, rules) for hand in hands])


def _slowest():
    """The worst bad inputs, each at its best: (seconds, name), the slowest first."""
    rules = ruleset("guide-four-handed")
    texts = {name: [text] for name, text in BAD_TEXTS.items()}
    found = [(_best(lambda t=t: list(check_lines(t))), name) for name, t in texts.items()]
    found += [
        (_best(lambda r=r: check_hand(r, rules).to_json()), name) for name, r in BAD_RECORDS.items()
    ]
    unseen = (OURS / "unseen-cards.egn").read_bytes()
    found.append((_best(lambda: check_game_text(unseen)), "a game of four hands with unseen cards"))
    return sorted(found, reverse=True)


def _best(work):
    """Seconds of the fastest of several rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def _profiled(records, rules):
    profile = cProfile.Profile()
    profile.enable()
    for record in records:
        check_hand(record, rules)
    profile.disable()
    pstats.Stats(profile).sort_stats("tottime").print_stats(14)


if __name__ == "__main__":
    main()
