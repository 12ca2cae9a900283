"""One whole four-handed hand, card by card, for tests to spoil.

West deals and turns the nine of hearts; North passes, East orders up, West lays the nine of clubs
away. East and West take four tricks.
"""

from tests.scoring.builders import call, cards

HANDS = [
    cards("Ac Kc Ts 9s Qh"),
    cards("Jh Ah Th As Qc"),
    cards("Ks Qs Tc Ad 9d"),
    cards("Jd Kh 9c Kd Qd"),
]
FULL = {
    "dealer": 3,
    "upcard": "9h",
    "hands": HANDS,
    "auction": [call(0), call(1, "order-up", alone=False)],
    "contract": {"seat": 1, "trump": "h", "round": 1},
    "discards": [None, None, None, ["9c"]],
    "tricks": [
        {"leader": 0, "cards": cards("Ac Qc Tc 9h")},
        {"leader": 3, "cards": cards("Kd Qh Ah Ad")},
        {"leader": 1, "cards": cards("Jh Ks Jd Ts")},
        {"leader": 1, "cards": cards("As Qs Kh 9s")},
        {"leader": 3, "cards": cards("Qd Kc Th 9d")},
    ],
    "tricks_won": [0, 3, 0, 2],
    "points": [0, 2, 0, 2],
}
