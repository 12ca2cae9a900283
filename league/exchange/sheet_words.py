"""The headings of the sheets that leave the site, and are known again when they come back."""

MEMBERS = ("code", "name", "kind", "e-mail", "under age", "shown in public", "joined", "retired")
PLAYERS = ("player 1", "player 2", "player 3", "player 4")
POINTS = ("points 1", "points 2", "points 3", "points 4")
HANDS = (
    "date", "session", "game", "table", "hand", *PLAYERS, "dealer", "outcome", *POINTS, "record"
)  # fmt: skip
# A hand written by people instead of a record: who called (a seat, 1 to 4), alone or not, and the
# outcome. And the season of the evening.
BY_HAND = ("called by", "alone", "season")
# A game of which only the score is known, a line each.
RESULTS = (
    "date", "session", "season", "round", "game", "table", *PLAYERS, *POINTS, "ended", "winners"
)  # fmt: skip
# A club's evenings: what an organiser plans, and what our own export says beside it.
PLANNED = ("date", "session", "begins", "places", "season", "minutes a round")
SESSIONS = (*PLANNED, "state", "tables", "people")
