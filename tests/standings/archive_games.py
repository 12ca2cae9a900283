"""The games of a full backup: who sat where and took what, out of hands and rulings alone."""

from collections import defaultdict
from fractions import Fraction

NOUGHT = Fraction(0)
COUNTS = ("euchred", "euchres", "calls", "calls_made", "lone_tried", "lone_marches")


class Games:
    """The backup with its rows by kind and by id, and its games with everybody's chairs."""

    def __init__(self, archive):
        self.rows = archive["rows"]
        self.by_id = {kind: {row["id"]: row for row in rows} for kind, rows in self.rows.items()}
        self.of = defaultdict(lambda: defaultdict(list))
        for kind, field in (("Hand", "game"), ("Ruling", "game"), ("Seat", "table")):
            for row in self.rows[kind]:
                self.of[kind][row[field]].append(row)
        self.games = [self.game(row) for row in self.rows["Game"] if row["state"] != "abandoned"]

    def game(self, row):
        """A game with its day and its chairs, each a dict of sums."""
        table = self.by_id["Table"][row["table"]]
        session = self.by_id["Session"][row["session"]]
        size = table["players"]
        sides = self.sides(row["ruleset"], size)
        won = {seat % sides for seat in row["winners"]}
        game = {
            "id": row["id"], "session": session, "players": size, "sides": sides,
            "over": row["state"] != "playing", "row": row,
            "preset": self.by_id["ClubRuleset"][row["ruleset"]]["preset"],
            "target": self.target(row["ruleset"]), "scale": self.scale(row["ruleset"]),
            "share": lambda side: Fraction(1, len(won)) if side in won else NOUGHT,
            "when": self.when(row, session, table),
        }  # fmt: skip
        seats = self.of_totals(game) if row["totals"] else self.of_hands(game)
        game["current_seats"] = seats
        game["ended"] = game["over"] and any(place["last"] for place in seats) and bool(won)
        for place in seats:
            place |= {"game": game, "side": place["position"] % sides}
            last = place.pop("last")
            place["ended"] = game["over"] and last
            place["won"] = game["share"](place["side"]) if place["ended"] else NOUGHT
            place["expected"] = Fraction(1, sides) if place["ended"] else NOUGHT
        return game

    def sides(self, ruleset, size):
        """How many sides a table has: two where people sit as partners, else each is one."""
        shape = self.by_id["ClubRuleset"][ruleset]["body"].get("shape", {})
        return 2 if size in (4, 6, 8) and shape.get("sides") != "each" else size

    def target(self, ruleset):
        """The points a game goes to; 0 where a number of hands is played."""
        options = self.by_id["ClubRuleset"][ruleset]["body"]["options"]
        target, hands = options.get("target"), options.get("hands")
        target, hands = (one["value"] if isinstance(one, dict) else one for one in (target, hands))
        return 0 if hands else target

    def scale(self, ruleset):
        """What the points of a game compare with: Euchre's with Euchre's, of bid games those of
        one target."""
        body = self.by_id["ClubRuleset"][ruleset]["body"]
        first = body["lineage"][0] if "lineage" in body else body["extends"]
        bids = first.startswith(("bid", "pepper", "five-hundred", "napoleon"))
        return self.target(ruleset) if bids else "euchre"

    def when(self, row, session, table):
        begun = row["started_at"] or row["finished_at"] or ""
        number = self.by_id["Round"][table["round"]]["number"]
        return (session["held_on"], begun, session["id"], number, table["number"], row["id"])

    def of_totals(self, game):
        totals = game["row"]["totals"]
        found = []
        for seat in self.of["Seat"][game["row"]["table"]]:
            if seat["until_hand"] is None:
                side = seat["position"] % game["sides"]
                others = [points for at, points in enumerate(totals) if at != side]
                found.append({
                    "member": seat["member"], "position": seat["position"], "last": True,
                    "hands": 0, "points": Fraction(totals[side]),
                    "against": Fraction(sum(others), len(others)), "deals": [],
                    **dict.fromkeys(COUNTS, 0),
                })  # fmt: skip
        return found

    def of_hands(self, game):
        hands = sorted(
            (h for h in self.of["Hand"][game["id"]] if h["current"]), key=lambda h: h["number"]
        )
        found, score = {}, [NOUGHT] * game["sides"]
        for hand in hands:
            # A correction may have ended the game before hands that are there: these score nothing.
            # Nobody has won while several lead alike: they play on, unless they win together.
            best = max(score)
            alone = score.count(best) == 1 or "keller" in game["preset"]
            won = game["target"] and best >= game["target"] and alone
            over = bool(game["row"]["misfits"]) and won
            gained = [NOUGHT] * game["sides"] if over else self.gained(game, hand)
            score = [a + b for a, b in zip(score, gained, strict=True)]
            for seat in self.of["Seat"][game["row"]["table"]]:
                if not seat["from_hand"] <= hand["number"] <= (seat["until_hand"] or 999):
                    continue
                key = (seat["member"], seat["position"])
                place = found.setdefault(key, {
                    "member": seat["member"], "position": seat["position"], "last": False,
                    "hands": 0, "points": NOUGHT, "against": NOUGHT, "deals": [],
                    **dict.fromkeys(COUNTS, 0),
                })  # fmt: skip
                side = seat["position"] % game["sides"]
                others = [points for at, points in enumerate(gained) if at != side]
                place["points"] += gained[side]
                place["against"] += Fraction(sum(others), len(others))
                if not over and not hand["struck"] and hand["points"]:
                    self.count(game, hand, place)
                place["last"] = hand is hands[-1]
        return list(found.values())

    def gained(self, game, hand):
        """By side: the hand's points, and what an organiser gave after it (or before the first)."""
        gained = [NOUGHT] * game["sides"]
        if not hand["struck"]:
            for side in range(game["sides"]):
                gained[side] += hand["points"][side] if hand["points"] else 0
        for ruling in self.of["Ruling"][game["id"]]:
            after = max(ruling["after_hand"], 1)
            if after == hand["number"] and ruling["withdrawn_at"] is None:
                gained = [a + b for a, b in zip(gained, ruling["points"], strict=True)]
        return gained

    def count(self, game, hand, own):
        """What one hand says of somebody on a chair."""
        record, size, seat = hand["record"], game["players"], own["position"]
        calls = [one for one in record.get("auction") or () if one["call"] != "pass"]
        contract = record.get("contract") or (calls[-1] if calls else {})
        caller = contract.get("seat")
        ours = caller is not None and (caller - seat) % game["sides"] == 0
        lost, made = hand["outcome"] in ("euchred", "set"), hand["outcome"] in ("made", "march")
        alone, march = bool(contract.get("alone")), hand["outcome"] == "march"
        own["hands"] += 1
        own["calls"] += caller == seat
        own["calls_made"] += caller == seat and made
        own["euchred"] += caller == seat and lost
        own["euchres"] += caller is not None and not ours and lost
        own["lone_tried"] += caller == seat and alone
        own["lone_marches"] += caller == seat and alone and march
        after = (seat - record["dealer"]) % size
        place = {0: "dealer", 1: "eldest", size - 1: "right"}.get(after)
        place = place or ("" if after % game["sides"] else "partner")
        own["deals"].append({
            "number": hand["number"], "own": caller == seat, "ours": ours,
            "called": caller is not None, "bid": game["scale"] != "euchre",
            "alone": alone, "outcome": hand["outcome"],
            "place": "eldest" if after == 1 else place,
            "round": contract.get("round")
            or {"order-up": 1, "name": 2}.get(calls[-1]["call"] if calls else ""),
        })  # fmt: skip
