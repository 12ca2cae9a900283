"""Plain builders of hand records and answers for the tests of the rules engine."""

from scoring import check_hand, play_game, ruleset


def cards(text):
    """`"Ah Kd"` as a list of cards."""
    return text.split()


def turn_up(rules, maker, tricks, *, dealer=0, alone=False, **more):
    """A contract-and-tricks record: the maker takes `tricks`, the next player the rest."""
    won = [0] * rules.players
    won[maker] = tricks
    won[(maker + 1) % rules.players] += rules.hand_size - tricks
    contract = {"seat": maker, "trump": "h"}
    if alone:
        contract["alone"] = True
    return {"dealer": dealer, "contract": contract, "tricks_won": won, **more}


def bid(rules, maker, took, *, dealer=0, trump="h", won=None, **contract):
    """A bid-game record: the maker takes `took` tricks, the next player the rest."""
    if won is None:
        won = [0] * rules.players
        won[maker] = took
        won[(maker + 1) % rules.players] += rules.hand_size - took
    return {
        "dealer": dealer,
        "contract": {"seat": maker, "trump": trump, **contract},
        "tricks_won": won,
    }


def points(rules, record):
    """The points by seat of a valid hand."""
    answer = check_hand(record, rules)
    assert answer.valid, [fault.message for fault in answer.faults]
    return answer.points


def codes(rules, record):
    """The codes of a hand's faults, in order."""
    return [fault.code for fault in check_hand(record, rules).faults]


def sentences(rules, record):
    """The sentence keys of a hand's faults, in order."""
    return [fault.sentence for fault in check_hand(record, rules).faults]


def call(seat, word="pass", **more):
    """One call of an auction."""
    return {"seat": seat, "call": word, **more}


def passes(*seats):
    """A pass of each of these seats."""
    return [call(seat) for seat in seats]


def game(preset, hands, options=None, **more):
    """A game under a preset with some options."""
    return play_game(ruleset(preset, options), hands, **more)


def won(rules, *counts):
    """Records of hands made by the seats given with three tricks, dealers in turn."""
    return [
        turn_up(rules, seat, tricks, dealer=number % rules.players)
        for number, (seat, tricks) in enumerate(counts)
    ]


def hand(dealer=0, **fields):
    """A hand record; `seat`, `trump` and the rest of a contract may be given flat."""
    names = ("seat", "trump", "tricks_bid", "special", "alone", "round", "call_card")
    contract = {n.removesuffix("_bid"): fields.pop(n) for n in names if n in fields}
    if isinstance(fields.get("tricks_won"), int):
        fields["tricks_won"] = {"makers": fields["tricks_won"]}
    return {"dealer": dealer, **({"contract": contract} if contract else {}), **fields}


def of(preset, record, **options):
    """The points of a valid hand, or the codes of its faults."""
    answer = check_hand(record, ruleset(preset, options))
    return answer.points if answer.valid else {fault.code for fault in answer.faults}
