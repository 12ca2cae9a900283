"""The headings of the sheets that leave the site, and are known again when they come back."""

MEMBERS = ("code", "name", "kind", "e-mail", "under age", "shown in public", "joined", "retired")
PLAYERS = ("player 1", "player 2", "player 3", "player 4")
POINTS = ("points 1", "points 2", "points 3", "points 4")
HANDS = (
    "date", "session", "game", "table", "hand", *PLAYERS, "dealer", "outcome", *POINTS, "record"
)  # fmt: skip
# A hand written by people instead of a record: who called (a seat, 1 to 4), alone or not, and the
# outcome.
BY_HAND = ("called by", "alone")
