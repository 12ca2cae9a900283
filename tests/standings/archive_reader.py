"""A club's tables worked out of its full backup alone: plain Python that knows the rules as they
are written for people, and shares no code with the site's calculation."""

from collections import defaultdict
from datetime import datetime
from fractions import Fraction
from itertools import pairwise

from openskill.models import PlackettLuce

from tests.standings.archive_games import COUNTS, NOUGHT, Games


class Archive(Games):
    """Everything counted out of the games: tables, seasons, pots, careers, ratings."""

    def __init__(self, archive):
        super().__init__(archive)
        for game in self.games:
            for seat in game["current_seats"]:
                seat["games_won"] = self.games_won(seat)

    # Figures of somebody, out of their chairs.

    def figure(self, code, seats, *, every_hand=False):
        """Of finished games alone, those of who was replaced in one too; or of `every_hand`."""
        seats = [c for c in seats if every_hand or c["game"]["ended"]]
        ended = [c for c in seats if c["ended"]]
        shares = sum((c["won"] for c in ended), NOUGHT)
        won = sum((c["games_won"] for c in ended), NOUGHT)
        points = sum((c["points"] for c in seats), NOUGHT)
        less = sum((c["against"] for c in seats), NOUGHT)
        if code == "won":
            return won
        if code == "above":
            return shares - sum((c["expected"] for c in ended), NOUGHT)
        if code == "win_rate":
            return won / len(ended) if ended else None
        if code == "points":
            return points
        if code == "difference":
            return points - less
        if code == "difference_a_hand":
            with_hands = [c for c in seats if c["hands"]]
            gap = sum((c["points"] - c["against"] for c in with_hands), NOUGHT)
            hands = sum(c["hands"] for c in with_hands)
            return gap / hands if hands else None
        if code == "share":
            aimed = [c for c in ended if c["game"]["target"]]
            parts = [c["points"] / c["game"]["target"] for c in aimed]
            return sum(parts, NOUGHT) / len(parts) if parts else None
        return Fraction(sum(c[code] for c in seats))

    def games_won(self, seat):
        """What a chair counts of its game: a share of the win, or the whole of one won together."""
        (club,) = self.rows["Club"]
        game, credit = seat["game"], club["co_winners_credit"]
        row, target = game["row"], game["target"]
        drawn = not target or row["ended_by"] in ("time", "conceded")
        drawn = drawn or (row["ended_by"] == "decision" and game["players"] != 3)
        drawn = drawn or (not row["ended_by"] and row["totals"] and seat["points"] < target)
        if not seat["won"] or drawn or credit == "shared":
            return seat["won"]
        presets = {
            one["preset"]
            for one in self.games
            if one["session"] is game["session"] and one["players"] == 3 and one["ended"]
        }
        keller = presets == {"keller-1887-three-handed"}
        return Fraction(1) if credit == "full" or keller else seat["won"]

    def session_chairs(self, session):
        found = defaultdict(list)
        for game in self.games:
            if game["session"]["id"] == session:
                for seat in game["current_seats"]:
                    found[seat["member"]].append(seat)
        return found

    def places_of(self, session):
        rows = self.rows["SessionPlace"]
        return {row["member"]: row["place"] for row in rows if row["session"] == session}

    def shown(self, session, who, code, seats):
        """A figure of a session's table: its tournament's own, else that of the player's games."""
        rows = [row for row in self.rows["SessionPlace"] if row["session"] == session]
        given = {row["member"]: dict(row["figures"]) for row in rows}
        if code == "game_points":
            return self.figure("points", seats)
        if any(code in figures for figures in given.values()):
            own = given.get(who, {}).get(code)
            return None if own is None else Fraction(own)
        return self.figure(code, seats)

    def codes_of(self, row, seats):
        """What a session or a season ranks by: its list, the club's, or what fits its tables; of
        different games, shares of the target in the place of points."""
        (club,) = self.rows["Club"]
        games = [seat["game"] for own in seats.values() for seat in own]
        several = len({game["scale"] for game in games}) > 1
        mixed = several or len({game["players"] for game in games}) > 1
        usual = (
            ["won", "above", "share", "difference"] if mixed else ["won", "win_rate", "difference"]
        )
        codes = row["measures"] or club["measures"] or usual
        in_points = ("points", "difference", "difference_a_hand")
        instead = ["share" if several and code in in_points else code for code in codes]
        return list(dict.fromkeys(instead))

    def ranked(self, seats, codes):
        """Everybody's rank, 1 for the best; who is level has the same. Who finished no game comes
        last."""
        keys = {
            who: (any(c["ended"] for c in own), *(self.figure(code, own) or 0 for code in codes))
            for who, own in seats.items()
        }
        return {who: 1 + sum(one > key for one in keys.values()) for who, key in keys.items()}

    def session_ranks(self, session):
        seats, places = self.session_chairs(session), self.places_of(session)
        codes = self.codes_of(self.by_id["Session"][session], seats)
        ranks = self.ranked(seats, codes)
        if not places:
            return ranks
        here = {who: places[who] for who in seats if who in places}
        others = {who: rank for who, rank in ranks.items() if who not in here}
        by_entry = entries(places, here)
        last = sum(dict(by_entry.values()).values())
        return {who: by_entry[who][0] for who in here} | {
            who: last + 1 + sum(one < rank for one in others.values())
            for who, rank in others.items()
        }

    # Seasons.

    def season(self, season):
        """Of everybody in a season: rank, season points and the figures of what counts."""
        row, nights = self.by_id["Season"][season], self.nights_of(season)
        everybody = {who: [] for own, _s in nights for who in own}
        for own, _session in nights:
            for who, seats in own.items():
                everybody[who] += seats
        codes = self.codes_of(row, everybody)
        if not row["guests_count"]:
            guests = {m["id"] for m in self.rows["Member"] if m["is_guest"]}
            nights = [({w: c for w, c in own.items() if w not in guests}, s) for own, s in nights]
            nights = [(own, s) for own, s in nights if own]
        listed = [Fraction(one) for one in row["place_points"]]
        given = [self.evening_points(own, s, listed) for own, s in nights]
        found = {}
        for who in {who for own, _s in nights for who in own}:
            came = [n for n, (own, _s) in enumerate(nights) if who in own]

            def worth(n, who=who):
                figures = (self.figure(code, nights[n][0][who]) or 0 for code in codes)
                return (given[n].get(who, NOUGHT), *figures)

            most = {"best": row["counted_number"], "drop": len(nights) - row["counted_number"]}
            chosen = sorted(came, key=worth, reverse=True)
            chosen = chosen[: max(1, most[row["counts"]])] if row["counts"] in most else came
            seats = [seat for n in chosen for seat in nights[n][0][who]]
            if row["counts"] == "best_games":
                seats = self.best_games(seats, codes, row["counted_number"])
            by = len(chosen) if row["counts"] == "average" else 1
            points = None
            if listed or Fraction(row["attendance_points"]):
                first = self.figure(codes[0], seats) or NOUGHT
                first = first / by if codes[0] in ADDED else first
                base = sum((given[n][who] for n in chosen), NOUGHT) / by if listed else first
                points = base + Fraction(row["attendance_points"]) * len(came)
            figures = {}
            for code in FIGURES:
                value = self.figure(code, seats)
                figures[code] = value / by if code in ADDED and value is not None else value
            short = len(came) < row["minimum_evenings"]
            ended = any(seat["ended"] for seat in seats)
            key = (ended, points or 0, *(figures[code] or 0 for code in codes))
            found[who] = {"key": key, "points": points, "figures": figures, "short": short}
        for one in found.values():
            above = [
                o
                for o in found.values()
                if (not o["short"], o["key"]) > (not one["short"], one["key"])
            ]
            one["rank"] = 1 + len(above)
        return found

    def best_games(self, seats, codes, number):
        """The chairs of somebody's best finished games; of equally good ones the earlier."""
        games = {}
        for seat in sorted(seats, key=lambda seat: seat["game"]["when"]):
            games.setdefault(seat["game"]["id"], []).append(seat)
        ended = [own for own in games.values() if any(c["ended"] for c in own)]
        ended.sort(key=lambda own: [self.figure(c, own) or NOUGHT for c in codes], reverse=True)
        return [seat for own in ended[:number] for seat in own]

    def nights_of(self, season):
        held = [s for s in self.rows["Session"] if s["season"] == season and counts(s)]
        held.sort(key=lambda s: (s["held_on"], s["id"]))
        nights = [(self.session_chairs(s["id"]), s) for s in held]
        return [(own, s) for own, s in nights if own]

    def evening_points(self, seats, session, listed):
        if not listed:
            return {}
        places = self.places_of(session["id"])
        if not places:
            codes = self.codes_of(session, seats)
            ended = {who: any(seat["ended"] for seat in own) for who, own in seats.items()}
            places = {who: n for who, n in self.ranked(seats, codes).items() if ended[who]}
        by_entry = entries(places, {who: places[who] for who in seats if who in places})
        found = dict.fromkeys(seats, NOUGHT)
        for who, (place, many) in by_entry.items():
            found[who] = sum(listed[place - 1 : place - 1 + many], NOUGHT) / many
        return found

    # Team leagues.

    def team(self, team):
        """A team's matches played, won, drawn, lost; games won and lost; points own and theirs."""
        results = []
        for match in self.rows["TeamMatch"]:
            if team not in (match["home"], match["away"]) or not match["session"]:
                continue
            side = int(match["away"] == team)
            games = [g["row"]["totals"] for g in self.games
                     if g["session"]["id"] == match["session"]]  # fmt: skip
            won = sum(one[side] > one[1 - side] for one in games)
            own = sum(one[side] for one in games)
            results.append((won, len(games) - won, own, sum(one[1 - side] for one in games)))
        wins, draws = sum(a > b for a, b, *_p in results), sum(a == b for a, b, *_p in results)
        sums = [sum(column) for column in zip(*results, strict=True)] or [0, 0, 0, 0]
        return (len(results), wins, draws, len(results) - wins - draws, *sums)

    # Pots.

    def pot(self, pot):
        """What the pot holds, and of everybody in cents: owes, paid, won, got."""
        row = self.by_id["Pot"][pot]
        cents = int(Fraction(row["amount"]) * 100)
        if row["season"]:
            nights = self.nights_of(row["season"])
            table = self.season(row["season"])
            ranks = {who: one["rank"] for who, one in table.items() if not one["short"]}
        else:
            cancelled = self.by_id["Session"][row["session"]]["state"] == "cancelled"
            nights = [({} if cancelled else self.session_chairs(row["session"]), None)]
            ranks = self.session_ranks(row["session"])
            with_place = self.places_of(row["session"])
            ranks = {w: r for w, r in ranks.items() if not with_place or w in with_place}
        seats = defaultdict(list)
        came = defaultdict(int)
        first = row["counts_from"] or ""
        for own, session in nights:
            for who, listed in own.items():
                came[who] += 0
                if session and session["held_on"] < first:
                    continue
                came[who] += 1
                seats[who] += listed
        counted = {w: {k: sum(c[k] for c in own) for k in COUNTS} for w, own in seats.items()}
        times = {
            "entry": came, "once": {who: min(1, n) for who, n in came.items()}, "sum": {},
            "euchred": {who: one["euchred"] for who, one in counted.items()},
        }[row["source"]]  # fmt: skip
        holds = cents if row["source"] == "sum" else cents * sum(times.values())
        won = self.won(row, holds, counted, ranks)
        unit = row["rounded_to"]
        won = {who: one // unit * unit for who, one in won.items()}
        found = {
            who: {"owes": times.get(who, 0) * cents, "won": won.get(who, 0), "paid": 0, "got": 0}
            for who in came
        }
        for one in self.rows["Payment"]:
            if one["pot"] == pot and one["withdrawn_at"] is None:
                line = found.setdefault(one["member"], {"owes": 0, "won": 0, "paid": 0, "got": 0})
                line["got" if one["kind"] == "prize" else "paid"] += int(
                    Fraction(one["amount"]) * 100
                )
        return holds, {who: line for who, line in found.items() if any(line.values())}

    def won(self, row, holds, counted, ranks):
        if row["payout"] in ("places", "amounts"):
            won, prizes, left = {}, [], Fraction(holds)
            for share in map(Fraction, row["shares"]):
                is_percent = row["payout"] == "places"
                prizes.append(holds * share / 100 if is_percent else min(left, share * 100))
                left -= prizes[-1]
            by_entry = entries(ranks, ranks)
            for who, (place, many) in by_entry.items():
                together = sum(one == (place, many) for one in by_entry.values())
                won[who] = int(sum(prizes[place - 1 : place - 1 + many], NOUGHT) / together)
            return won
        if row["payout"] == "kept":
            return {}
        field = "euchres" if row["payout"] == "most_euchres" else "lone_marches"
        weights = {who: one[field] for who, one in counted.items()}
        if row["payout"].startswith("most"):
            most = max(weights.values(), default=0)
            weights = {who: int(one == most > 0) for who, one in weights.items()}
        whole = sum(weights.values())
        return {who: holds * one // whole for who, one in weights.items() if whole}

    # One player's play, and ratings.

    def played(self, who):
        """The finished games of somebody and all their chairs, in the order of play."""
        games = [g for g in self.games if counts(g["session"])]
        games = sorted(
            (g for g in games if any(c["member"] == who for c in g["current_seats"])),
            key=lambda g: g["when"],
        )
        seats = [c for g in games for c in g["current_seats"] if c["member"] == who]
        return [c for c in seats if c["ended"]], seats

    def rated(self, at):
        """Everybody's rating after all games that nobody can dispute any more."""
        model, now = PlackettLuce(), {}
        for game in sorted(self.games, key=lambda g: g["when"]):
            row = game["row"]
            silent = (
                row["state"] == "finished"
                and not row["reopened"]
                and row["accept_at"]
                and datetime.fromisoformat(row["accept_at"]) <= at
            )
            sure = row["state"] == "confirmed" and not row["reopened"]
            ended = [c for c in game["current_seats"] if c["ended"]]
            if not (sure or silent) or not ended or not counts(game["session"]):
                continue
            sides = [[c for c in sorted(ended, key=lambda c: c["position"]) if c["side"] == side]
                     for side in range(game["sides"])]  # fmt: skip
            people = [c["member"] for side in sides for c in side]
            if not all(sides) or len(set(people)) < len(people):
                continue
            teams = [[now.get(c["member"]) or model.rating() for c in side] for side in sides]
            ranks = [0.0 if side[0]["won"] else 1.0 for side in sides]
            for side, after in zip(sides, model.rate(teams, ranks=ranks), strict=True):
                for seat, rating in zip(side, after, strict=True):
                    now[seat["member"]] = rating
        return {who: (rating.mu, 2 * rating.sigma) for who, rating in now.items()}


ADDED = ("won", "above", "points", "difference", "euchres", "lone_marches")
FIGURES = (*ADDED, "share", "difference_a_hand", "win_rate")


def counts(session):
    """Whether a session counts in seasons, records and ratings: held, and its standings shown."""
    return session["state"] != "cancelled" and not session["standings_held"]


def entries(places, here):
    """Of everybody `here`: their place, and how many places those level on it take up.

    Partners have one place together: where three pairs played the places are 1, 1, 2, 2, 3, 3.
    """
    given = sorted(set(places.values()))
    sizes = [
        -(-sum(one == place for one in places.values()) // (below - place))
        for place, below in pairwise(given)
    ]
    size, at, found = max(sizes, default=1), 1, {}
    for place in given:
        level = [who for who in here if places[who] == place]
        many = -(-len(level) // size)
        found |= dict.fromkeys(level, (at, many))
        at += many
    return found
