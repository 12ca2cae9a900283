"""An independent little reader of a league's file: its tables again, out of the cards alone.

Nothing of the product is imported here: what it works out is compared with what the file says.
"""

from collections import defaultdict
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import combinations

WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


class Reader:
    def __init__(self, data):
        self.data, self.rules = data, data["rules"]
        self.fixtures = {one["id"]: one for one in data["fixtures"]}
        self.gone = {one["team"]: one["date"] for one in data["withdrawn"]}
        self.results = {one["fixture"]: self.of_card(one) for one in data["cards"]}
        self.carded = {one["fixture"] for one in data["cards"]}
        self.results |= {one["fixture"]: self.of_walkover(one) for one in data["walkovers"]}

    def of_card(self, card):
        """Per side: games won and points; who won; what it earns; what being late costs."""
        given = self.rules["given_game"]
        games, points = [Fraction(0), Fraction(0)], [0, 0]
        for game in card["games"]:
            if game in (None, "void"):
                continue
            if game in ("home", "away"):
                side = 0 if game == "home" else 1
                pair = given if side == 0 else given[::-1]
                games[side] += 1
            else:
                pair = game
                for side in (0, 1):
                    if game[side] > game[1 - side]:
                        games[side] += 1
                    elif game[side] == game[1 - side]:
                        games[side] += Fraction(1, 2)
            points = [points[0] + pair[0], points[1] + pair[1]]
        won = [games[0] > games[1], games[1] > games[0]]
        earned = [self.earned(games[side], games[1 - side]) for side in (0, 1)]
        return {"games": games, "points": points, "won": won, "lost": won[::-1],
                "earned": earned, "late": self.late(card, won), "conceded": [0, 0]}  # fmt: skip

    def earned(self, own, theirs):
        points = self.rules["points"]
        word = "win" if own > theirs else "loss" if own < theirs else "draw"
        total = Fraction(points[word]) + Fraction(points["game"]) * own
        for bonus in self.rules["bonus"]:
            side = {"win": "winner", "loss": "loser", "draw": ""}[word]
            if bonus["side"] in ("any", side) and own >= bonus["games"]:
                total += Fraction(bonus["points"])
        return total

    def late(self, card, won):
        late = self.rules["late"]
        if late is None or card["received"] is None or card["late_lifted"]:
            return [0, 0]
        day = datetime.fromisoformat(card["played"]) + timedelta(days=1)
        while day.weekday() != WEEKDAYS.index(late["weekday"]):
            day += timedelta(days=1)
        hour, minute = map(int, late["time"].split(":"))
        if datetime.fromisoformat(card["received"]) <= day.replace(hour=hour, minute=minute):
            return [0, 0]
        points = Fraction(late["points"])
        if late["from"] == "winner":
            return [0, points] if won[1] else [points, 0]
        return {"home": [points, 0], "away": [0, points], "both": [points, points]}[late["from"]]

    def of_walkover(self, walkover):
        rule = self.rules["walkover"]
        won = [walkover["to"] == "home", walkover["to"] == "away"]
        own, theirs = map(Fraction, rule["games"])
        return {
            "games": [own if side else theirs for side in won],
            "points": [rule["points"][0] if side else rule["points"][1] for side in won],
            "won": won,
            "lost": [not side for side in won],
            "earned": [Fraction(rule["win"]) if side else Fraction(rule["loss"]) for side in won],
            "late": [0, 0],
            "conceded": [0 if side else 1 for side in won],
            "walkover": True,
            "against": [theirs if side else own for side in won],
            "points_against": [rule["points"][1] if side else rule["points"][0] for side in won],
            "nobody": walkover["to"] == "nobody",
        }

    def fate(self, team, fixtures):
        rule = self.rules["withdrawal"]
        if rule in ("void", "stand"):
            return rule
        if rule == "half_played":
            mine = [one["id"] for one in fixtures if team in (one["home"], one["away"])]
            return "stand" if 2 * sum(n in self.carded for n in mine) >= len(mine) else "void"
        second = [one["date"] for one in fixtures if one["half"] == 2]
        return "halves" if second and self.gone[team] >= min(second) else "void"

    def standing(self, division):
        """The results that count, by fixture; and the fixtures still open."""
        fixtures = [one for one in self.data["fixtures"] if one["division"] == division["id"]]
        fate = {team: self.fate(team, fixtures) for team in division["teams"] if team in self.gone}
        results, still_open = {}, []
        for one in fixtures:
            left = [team for team in (one["home"], one["away"]) if team in fate]
            if any(fate[team] == "void" for team in left):
                continue
            if any(fate[team] == "halves" and one["half"] == 2 for team in left):
                continue
            result = self.results.get(one["id"])
            if result is None and len(left) == 1:
                to = "away" if left[0] == one["home"] else "home"
                result = self.of_walkover({"to": to})
            if result is not None:
                results[one["id"]] = result
            elif not left:
                still_open.append(one)
        return fate, results, still_open

    def rows(self, division):
        fate, results, still_open = self.standing(division)
        rows = {team: defaultdict(Fraction) for team in division["teams"]}
        for number, result in results.items():
            fixture = self.fixtures[number]
            for side, team in enumerate((fixture["home"], fixture["away"])):
                self.add(rows[team], result, side)
        for one in self.data["adjustments"]:
            if one["team"] in rows:
                rows[one["team"]]["deducted"] -= Fraction(one["points"])
        for row in rows.values():
            row["points"] = row["earned"] - row["deducted"]
        self.now, self.at = rows, results
        playing = [team for team in division["teams"] if team not in fate]
        left = [team for team in fate if fate[team] != "void"]
        places = self.ranked(playing, 1)
        places |= self.ranked(left, len(playing) + 1)
        return rows, places, fate, still_open

    def add(self, row, result, side):
        other = 1 - side
        row["played"] += 1
        row["won"] += result["won"][side]
        row["lost"] += result["lost"][side]
        row["drawn"] += not (result["won"][side] or result["lost"][side])
        row["away_wins"] += result["won"][side] and side == 1
        row["games_for"] += result["games"][side]
        row["points_for"] += result["points"][side]
        walkover = result.get("walkover")
        row["games_against"] += result["against"][side] if walkover else result["games"][other]
        row["points_against"] += (
            result["points_against"][side] if walkover else result["points"][other]
        )
        row["walkovers"] += result["conceded"][side]
        row["earned"] += result["earned"][side]
        row["deducted"] += result["late"][side]

    def ranked(self, teams, first):
        groups = [list(teams)]
        groups = self.split(groups[0], lambda team: self.now[team]["points"])
        ordered = [part for group in groups for part in self.parted(group, 0)]
        places, place = {}, first
        for group in ordered:
            places |= {team: (place, len(group) > 1) for team in group}
            place += len(group)
        return places

    @staticmethod
    def split(group, key):
        values = sorted({key(team) for team in group}, reverse=True)
        return [[team for team in group if key(team) == value] for value in values]

    def parted(self, group, at):
        breaks = self.rules["tie_breaks"]
        if len(group) < 2 or at >= len(breaks):
            return [group] if group else []
        code = breaks[at]
        parts = self.split(group, self.key(code, group))
        if len(parts) == 1:
            return self.parted(group, at + 1)
        again = at + 1
        if code.startswith("head_to_head"):
            again = {"same": at, "next": at + 1, "first": 0}[self.rules["after_split"]]
        return [small for part in parts for small in self.parted(part, again)]

    def key(self, code, group):
        now = self.now
        plain = {
            "games_won": lambda t: now[t]["games_for"],
            "game_difference": lambda t: now[t]["games_for"] - now[t]["games_against"],
            "points_difference": lambda t: now[t]["points_for"] - now[t]["points_against"],
            "points_for": lambda t: now[t]["points_for"],
            "matches_won": lambda t: now[t]["won"],
            "away_wins": lambda t: now[t]["away_wins"],
            "fewest_walkovers": lambda t: -now[t]["walkovers"],
        }
        if code in plain:
            return plain[code]
        if code in ("play_off", "lot"):
            orders = [one["order"] for one in self.data["play_offs"] if one["kind"] == "level"]
            fitting = [order for order in orders if set(group) <= set(order)]
            return (lambda t: -fitting[-1].index(t)) if fitting else (lambda t: 0)
        return self.met(code, group)

    def met(self, code, group):
        sums, met = defaultdict(Fraction), set()
        for number, result in self.at.items():
            both = (self.fixtures[number]["home"], self.fixtures[number]["away"])
            if not set(both) <= set(group):
                continue
            met.add(frozenset(both))
            for side, team in enumerate(both):
                row = defaultdict(Fraction)
                self.add(row, result, side)
                if code == "head_to_head_games":
                    sums[team] += row["games_for"] - row["games_against"]
                elif code == "head_to_head_points":
                    sums[team] += row["points_for"] - row["points_against"]
                elif not result.get("nobody"):
                    sums[team] += row["won"] - row["lost"]
        if any(frozenset(pair) not in met for pair in combinations(group, 2)):
            return lambda t: 0
        return lambda t: sums[t]


SHOWN = ("played", "won", "drawn", "lost", "games_for", "games_against", "points_for",
         "points_against", "walkovers", "deducted", "points")  # fmt: skip


def differences(data):
    """Where the tables of a file are not those of its cards: a line each."""
    reader, found = Reader(data), []
    said = {one["division"]: {row["team"]: row for row in one["rows"]} for one in data["tables"]}
    for division in data["divisions"]:
        rows, places, fate, still_open = reader.rows(division)
        for team in division["teams"]:
            row = said[division["id"]][team]
            place, tied = places.get(team, (None, False))
            own = {name: rows[team][name] for name in SHOWN}
            own |= {"place": place, "tied": tied, "withdrawn": team in fate}
            if not still_open:
                last = place if team not in fate else None
                own |= {"best": last, "worst": last}
            for name, value in own.items():
                written = row[name]
                if isinstance(written, str):
                    written = Fraction(written)
                if written != value:
                    found.append(f"{division['id']} {team} {name}: {written} but {value}")
    return found
