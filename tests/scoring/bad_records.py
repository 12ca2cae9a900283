"""Bad input, each kind once: texts that are no JSON of ours, and JSON that is no hand."""

import json

GOOD = {
    "ruleset": "guide-four-handed",
    "dealer": 0,
    "contract": {"seat": 1, "trump": "h", "round": 2},
    "tricks_won": [0, 3, 2, 0],
}


def spoilt(**fields):
    return {**GOOD, **fields}


def nested(depth):
    data = 0
    for _ in range(depth):
        data = [data]
    return data


TEXT = json.dumps(GOOD).encode()
BAD_TEXTS = {
    "nothing but a word": b"hand",
    "truncated": TEXT[:-9],
    "ten megabytes": b'{"dealer": "' + b"9" * 10_000_000 + b'"}',
    "ten megabytes of brackets": b"[" * 10_000_000,
    "not a number": b'{"dealer": NaN}',
    "infinity": b'{"dealer": -Infinity}',
    "a number too big to hold": b'{"dealer": 1e999}',
    "an integer of 100,000 digits": b'{"dealer": ' + b"9" * 100_000 + b"}",
    "deep nesting": b'{"hands": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    "a key twice": b'{"dealer": 0, "dealer": 1}',
    "a key twice, far inside": b'{"contract": {"seat": 1, "seat": 2}}',
    "100,000 keys of which one twice": (
        b"{" + b",".join(b'"k%d":0' % n for n in [*range(100_000), 99_999]) + b"}"
    ),
    "as many keys as there is room for, the last one twice": (
        b"{" + b",".join(b'"k%d":0' % n for n in [*range(6_000), 5_999]) + b"}"
    ),
    "two records": TEXT + TEXT,
    "bytes that are no UTF-8": b'{"dealer": "\xff\xfe"}',
    "NUL": b"\x00",
    "a NUL in a text": b'{"dealer": "\x00"}',
}
BAD_RECORDS = {
    "nothing": None,
    "a list": [GOOD],
    "a text": "hand",
    "a number": 7,
    "nothing in it": {},
    "no dealer": {k: v for k, v in GOOD.items() if k != "dealer"},
    "no result": {k: v for k, v in GOOD.items() if k != "tricks_won"},
    "an unknown ruleset": spoilt(ruleset="pinochle"),
    "a ruleset that is a list": spoilt(ruleset=["guide-four-handed"]),
    "options that are a list": spoilt(options=["made"]),
    "an unknown option": spoilt(options={"weather": 1}),
    "an option with a deep value": spoilt(options={"made": nested(500)}),
    "an option with an infinite value": spoilt(options={"made": float("inf")}),
    "100,000 options": spoilt(options={f"o{n}": n for n in range(100_000)}),
    "100,000 keys": spoilt(**{f"k{n}": n for n in range(100_000)}),
    "a dealer of truth": spoilt(dealer=True),
    "a dealer of text": spoilt(dealer="0"),
    "a dealer not a whole number": spoilt(dealer=0.0),
    "a dealer out of range": spoilt(dealer=4),
    "a dealer before the first": spoilt(dealer=-1),
    "a huge dealer": spoilt(dealer=10**4000),
    "a dealer that is no number": spoilt(dealer=float("nan")),
    "a contract of numbers": spoilt(contract=7),
    "a contract by nobody": spoilt(contract={"trump": "h"}),
    "a contract from no seat": spoilt(contract={"seat": 7, "trump": "h"}),
    "a trump there is not": spoilt(contract={"seat": 1, "trump": "hearts and spades"}),
    "an emoji for a trump": spoilt(contract={"seat": 1, "trump": "💔"}),
    "an emoji for a card": spoilt(upcard="🂡"),
    "a surrogate for a card": spoilt(upcard="\ud83c"),
    "a NUL for a card": spoilt(upcard="\x00h"),
    "hands that are a text": spoilt(hands="Ah"),
    "a hand that is a text": spoilt(hands=["AhKh", None, None, None]),
    "too many hands": spoilt(hands=[["Ah"]] * 9),
    "one hand": spoilt(hands=[["9c", "Tc", "Jc", "Qc", "Kc"]]),
    "no hands": spoilt(hands=[]),
    "hands of 100,000 cards": spoilt(hands=[["Ah"] * 100_000] * 4),
    "deep hands": spoilt(hands=nested(500)),
    "100,000 calls": spoilt(auction=[{"seat": 1, "call": "pass"}] * 100_000),
    "a call of numbers": spoilt(auction=[3]),
    "a call there is not": spoilt(auction=[{"seat": 1, "call": "double"}]),
    "calls from no seat": spoilt(auction=[{"seat": 7, "call": "pass"}] * 8),
    "1,000 penalties": spoilt(penalties=[{"kind": "renege", "by": 0}] * 1000),
    "a penalty for nobody": spoilt(penalties=[{"kind": "renege", "by": 6}]),
    "a penalty for talking": spoilt(penalties=[{"kind": "talking", "by": 0}]),
    "a penalty for a trick there is not": spoilt(
        penalties=[{"kind": "renege", "by": 0, "trick": 9}]
    ),
    "tricks that are numbers": spoilt(tricks=[1, 2]),
    "a trick of nothing": spoilt(tricks=[{}]),
    "tricks without cards": spoilt(tricks=[{"cards": []}] * 5),
    "100,000 tricks": spoilt(tricks=[{"cards": ["Ah"]}] * 100_000),
    "discards for five": spoilt(discards=[["Ah"]] * 5),
    "an exchange with nobody": spoilt(exchange=[{"from": 7, "to": 7, "cards": ["Ah"]}]),
    "fewer tricks than none": spoilt(tricks_won=[-5, 10, 0, 0]),
    "tricks won by three": spoilt(tricks_won=[3, 2, 0]),
    "huge tricks won": spoilt(tricks_won={"makers": 10**30}),
    "tricks won as text": spoilt(tricks_won="five"),
    "points for nobody": spoilt(points=[]),
    "points not whole": spoilt(points=[0.5, 0, 0.5, 0]),
    "an outcome there is not": spoilt(outcome="won"),
    "a lone defender from no seat": spoilt(lone_defender=9),
    "a lone defender who is the maker": spoilt(lone_defender=1),
    "a key of surrogates": spoilt(**{"\ud800": 1}),
    "a text of a megabyte": spoilt(ruleset="x" * 1_000_000),
}
