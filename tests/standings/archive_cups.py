"""A Swiss worked out of a club's full backup alone, by FIDE's rules as they are written: match
points, Buchholz and Sonneborn-Berger of every entry; and the matches won in a knock-out."""

from collections import Counter, defaultdict
from fractions import Fraction

NOUGHT = Fraction(0)


class Swiss:
    """The rounds of one Swiss of single games, and what each entry met in them."""

    def __init__(self, archive, tournament):
        self.archive, self.rows = archive, archive.rows
        self.entries = [e["id"] for e in self.rows["Entry"] if e["tournament"] == tournament]
        self.games = {game["row"]["table"]: game for game in archive.games}
        self.rounds = {entry: [] for entry in self.entries}
        (stage,) = [s["id"] for s in self.rows["Stage"] if s["tournament"] == tournament]
        drawn = sorted(
            (one for one in self.rows["StageRound"] if one["stage"] == stage),
            key=lambda one: one["number"],
        )
        for one in drawn:
            if archive.by_id["Round"][one["seating"]]["state"] == "published":
                self.read(one)

    def read(self, drawn):
        """Add a round: whom each entry met, and what it took; a bye only when all have played."""
        of_round = [m for m in self.rows["Match"] if m["stage_round"] == drawn["id"]]
        matches = [self.match(row) for row in of_round]
        for sides, took in matches:
            for position, entry in sides.items() if took else ():
                self.rounds[entry].append((sides[1 - position], took[position]))
        if all(took for _sides, took in matches):
            for one in self.rows["Bye"]:
                if one["stage_round"] == drawn["id"]:
                    self.rounds[one["entry"]].append((None, Fraction(1)))

    def match(self, row):
        """The entries by position, and what each took; nothing while it is played."""
        sides = {
            s["position"]: s["entry"] for s in self.rows["MatchSide"] if s["match"] == row["id"]
        }
        (table,) = [g["table"] for g in self.rows["MatchGame"] if g["match"] == row["id"]]
        game = self.games.get(table)
        if game is None or not game["over"]:
            return sides, {}
        won = {seat % 2 for seat in game["row"]["winners"]}
        return sides, {side: Fraction(side in won, len(won) or 1) for side in sides}

    def figures(self):
        """Of every entry: match points, Buchholz, Buchholz without the lowest, Sonneborn-Berger.

        A bye counts as a round against somebody who ended with one's own score.
        """
        score = {who: sum((took for _o, took in met), NOUGHT) for who, met in self.rounds.items()}
        found = defaultdict(dict)
        for who, met in self.rounds.items():
            worth = [score[who if other is None else other] for other, _took in met]
            found[who] = {
                "match_points": score[who],
                "without_byes": sum((took for other, took in met if other), NOUGHT),
                "buchholz": sum(worth, NOUGHT),
                "buchholz_cut1": sum(worth, NOUGHT) - min(worth, default=NOUGHT),
                "sonneborn_berger": sum(
                    (one * took for one, (_o, took) in zip(worth, met, strict=True)), NOUGHT
                ),
            }
        return found


def matches_won(archive, tournament):
    """How many matches of single games each entry of a knock-out has won by its games as they are
    now. A game marked as not played is won by nobody."""
    entries = {e["id"] for e in archive.rows["Entry"] if e["tournament"] == tournament}
    games = {game["row"]["table"]: game["row"] for game in archive.games}
    won = Counter()
    sides = [side for side in archive.rows["MatchSide"] if side["entry"] in entries]
    for link in archive.rows["MatchGame"]:
        game = games.get(link["table"], {"winners": []})
        for side in sides:
            is_winner = side["position"] in {seat % 2 for seat in game["winners"]}
            if side["match"] == link["match"] and game.get("state") != "abandoned" and is_winner:
                won[side["entry"]] += 1
    return won
