"""The form of a match's card: the day, the pairs of both teams, the score of every game."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from itertools import product
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.members.fields import AnywayField, DayField, FormLineField
from league.members.languages import dated
from league.members.models import Member
from league.members.validators import validate_day
from league.pairing import Rng
from league.play.final_scores import score_faults
from league.play.game_log import rules_of as game_rules_of
from league.ranking.team_league.match import uncounted
from league.sessions.queries import local_date
from league.teams.actions import Card
from league.teams.card import LinedUp, Pairs, Substitute, line_ups_on, lined_up, meetings_of
from league.teams.eligibility import last_line_up, line_up_sentences
from league.teams.forms import others_of
from league.teams.match_forms import (
    add_substitutes,
    may_substitute,
    read_substitutes,
    substitute_fields,
)
from league.teams.models import Team, TeamLeague, TeamMatch
from league.teams.queries import is_disputed, players_of, rules_of, target_of

SIDES = ("home", "away")
Seated = dict[tuple[int, int], Member]
"""Who sits where on the card, by pair and seat."""
MOST = 99


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One game on the card: its number, the pairs that meet, the two fields of its score."""

    number: int
    turn: int
    home_pair: int
    away_pair: int
    home: Any
    away: Any


class SeatField(forms.ChoiceField):
    """Who sat there; empty only where the whole pair did not come, which the form looks at."""

    def validate(self, value: str) -> None:
        if value:
            super().validate(value)


class CardForm(forms.Form):
    """Who played, and the points of every game. Fields are made for this match.

    A score that no game by these rules can have is refused; one at which nobody has won yet is
    asked for once more (`short`).
    """

    use_required_attribute = False

    held_on = DayField(label=gettext_lazy("Played on"))
    early = AnywayField(gettext_lazy("Yes, this match was played on that day"))
    received = forms.DateTimeField(
        label=gettext_lazy("Card received"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        validators=[validate_day],
        help_text=gettext_lazy("When the signed card reached you: it may be late."),
    )
    reason = FormLineField(
        label=gettext_lazy("Why the card is decided like this"),
        max_length=200,
        help_text=gettext_lazy("The captains disagree. They read your reason with the match."),
    )
    anyway = AnywayField(gettext_lazy("These players are right – save anyway"))
    short = forms.BooleanField(
        label=gettext_lazy("Games ended before anyone reached the target"), required=False
    )

    def __init__(
        self,
        *args: Any,
        match: TeamMatch,
        league: TeamLeague,
        organiser: bool = False,
        **kwargs: Any,
    ) -> None:
        self.match, self.league = match, league
        self.target, self.rules = target_of(league), game_rules_of(league.ruleset.body)
        self.league_rules = rules_of(league)
        written = lined_up(match, league)
        self.today = local_date(league.club, timezone.now())
        first = {"held_on": _first_day(match, self.today), **_scores(written)}
        first["received"] = timezone.localtime(timezone=league.club.zone)
        super().__init__(*args, **{"initial": first, **kwargs})
        has_deadline = self.league_rules.late is not None and match.cup_id is None
        there = {
            "received": organiser and match.received_at is None and has_deadline,
            "anyway": organiser,
            "reason": organiser and is_disputed(match),
            "early": not written_already(match),
        }
        for name, is_there in there.items():
            if not is_there:
                del self.fields[name]
        self.carries = self.league_rules.repeats and (
            self.league_rules.laps or self.league_rules.slam
        )
        self.is_begun = False
        self.people = self._offer_people(written)
        for game in meetings_of(league):
            for side in SIDES:
                self.fields[_score_name(game, side)] = forms.IntegerField(
                    required=False,
                    min_value=0,
                    max_value=MOST,
                    label=_score_label(match, game, side),
                    widget=forms.TextInput(attrs={"inputmode": "numeric", "maxlength": "2"}),
                )

    def _offer_people(self, written: list[LinedUp]) -> dict[str, Member]:
        teams = {"home": self.match.home, "away": self.match.away}
        for team in teams.values():
            team.league = self.league
        own = {side: players_of(team) for side, team in teams.items()}
        both = {one.pk for people in own.values() for one in people}
        others = others_of(self.league.club, both) if self.league.borrowed else []
        listed = [*own["home"], *own["away"], *others]
        done = [one for one in written if one.points is not None]
        begun, substitutes = line_ups_on(done, self.league)
        for side, team in teams.items():
            seated = _people_on(begun, side)
            if self.match.session_id is None:
                seated = last_line_up(team, own[side])
                self.is_begun = self.is_begun or bool(seated)
            known = {one.pk for one in (*own[side], *others)}
            more = [one for one in seated.values() if one.pk not in known]
            self._add_seats(side, team, _choices(team, own[side], [*others, *more]), seated)
            listed += seated.values()
        listed += [substitute.member for substitute in substitutes]
        people = {one.public_id: one for one in listed}
        self.rows: list[str] = []
        if may_substitute(self.league) or substitutes:
            self.rows = add_substitutes(self, people, self.league.turns, substitutes)
        return people

    def _add_seats(self, side: str, team: Team, choices: list[Any], seated: Seated) -> None:
        """The fields of one team's people, filled with who is `seated` now."""
        for pair, seat in product(range(1, self.league.pairs + 1), (1, 2)):
            name = f"{side}{pair}_{seat}"
            label = _("%(team)s, pair %(pair)d") % {"team": team.name, "pair": pair}
            self.fields[name] = SeatField(label=label, choices=choices)
            at = seated.get((pair, seat))
            self.initial[name] = at.public_id if at else ""

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        missing = {
            (side, pair)
            for side in SIDES
            for pair in range(1, self.league.pairs + 1)
            if self._is_missing(data, side, pair)
        }
        for game in meetings_of(self.league):
            self._check(data, game)
            if missing & {("home", game.home_pair), ("away", game.away_pair)}:
                self._refuse_scores(data, game)
        self._check_carried(data)
        if data.get("held_on") and data["held_on"] > self.today:
            self.add_error("held_on", _("This day is still to come. Enter the day of the match."))
        self._ask_whether_early(data)
        self._check_people(data)
        return data

    def _ask_whether_early(self, data: dict[str, Any]) -> None:
        """Ask once where the day is before the match's own: another leg may be meant."""
        due, day = self.match.held_on, data.get("held_on")
        if "early" not in self.fields or data.get("early") or not (due and day and day < due):
            return
        words = {"day": dated(due, _("j F Y"))}
        message = _(
            "This match is on %(day)s. Is this the right match, and was it played on this day?"
        )
        self.add_error("held_on", message % words)
        self.fields["early"].widget = forms.CheckboxInput()

    def _check_people(self, data: dict[str, Any]) -> None:
        """Who is there twice, and every rule of squads that the line-ups break, each at its
        field; an organiser may save the second kind anyway."""
        chosen = {name: data[name] for name in self.seats() if data.get(name)}
        at: dict[str, str] = {}
        for name, who in chosen.items():
            if at.setdefault(who, name) != name:
                message = _("%(name)s is in two pairs.") % {"name": self.people[who].name}
                self.add_error(name, message)
        seated = {who: _place(name) for who, name in at.items()}
        self.substitutes = read_substitutes(self, self.rows, seated, self.people)
        for substitute in self.substitutes:
            chosen[f"{SIDES[substitute.side]}+{substitute.member.public_id}"] = (
                substitute.member.public_id
            )
            at[substitute.member.public_id] = self._field_of(substitute)
        if data.get("held_on") and not data.get("anyway") and not self._faulty_seats():
            self._check_line_ups(chosen, at, data["held_on"])

    def _field_of(self, one: Substitute) -> str:
        keys = {self.cleaned_data.get(f"sub{n}_in"): f"sub{n}_in" for n in self.rows}
        return keys[one.member.public_id]

    def _faulty_seats(self) -> set[str]:
        subs = {name for name in self.fields if name.startswith("sub")}
        return set(self.errors) & {*self.seats(), *subs}

    def _check_line_ups(self, chosen: dict[str, str], at: dict[str, str], day: date) -> None:
        line_ups = {
            team: [self.people[who] for name, who in chosen.items() if name.startswith(side)]
            for side, team in zip(SIDES, (self.match.home, self.match.away), strict=True)
        }
        for fault in line_up_sentences(self.league, self.match, line_ups, day):
            self.add_error(at[fault.member.public_id] if fault.member else None, fault.sentence)
            if "anyway" in self.fields:
                self.fields["anyway"].widget = forms.CheckboxInput()

    def draw_pairs(self, rng: Rng) -> None:
        """Put the people chosen for each team on its seats in a random order."""
        for side in SIDES:
            names = [name for name in self.seats() if name.startswith(side)]
            people = [one for one in (self.initial.get(name) for name in names) if one]
            rng.shuffle(people)
            people += [""] * (len(names) - len(people))
            self.initial.update(zip(names, people, strict=True))

    def seats(self) -> list[str]:
        """The fields of people, side by side."""
        pairs = range(1, self.league.pairs + 1)
        return [f"{side}{pair}_{seat}" for side in SIDES for pair in pairs for seat in (1, 2)]

    def _is_missing(self, data: dict[str, Any], side: str, pair: int) -> bool:
        """Whether a pair did not come; one of two alone is refused."""
        names = [f"{side}{pair}_{seat}" for seat in (1, 2)]
        there = [bool(data.get(name)) for name in names]
        if any(there) and not all(there):
            message = _("A pair has two players. Leave both empty if the pair did not come.")
            self.add_error(names[there.index(False)], message)
        return not any(there)

    def _refuse_scores(self, data: dict[str, Any], game: LinedUp) -> None:
        for side in SIDES:
            if data.get(_score_name(game, side)) is not None:
                message = _("A pair of this game didn't come, so leave its score empty.")
                self.add_error(_score_name(game, side), message)
                return

    def _check(self, data: dict[str, Any], game: LinedUp) -> None:
        names = [_score_name(game, side) for side in SIDES]
        scores = [data.get(name) for name in names]
        if scores.count(None) == 1 and not any(name in self.errors for name in names):
            self.add_error(
                names[scores.index(None)], _("Enter a score for both pairs, or for neither.")
            )
        given = [score for score in scores if score is not None]
        if len(given) == len(scores) and self.target is not None:
            self._check_score(names, given, self.target, short=bool(data.get("short")))

    def _check_score(self, names: list[str], given: list[int], target: int, *, short: bool) -> None:
        impossible = dict(score_faults(self.rules, given))
        for side, sentence in impossible.items():
            self.add_error(names[side], sentence)
        if not impossible and max(given) < target and not short:
            message = _("No one has %(n)d. Fix it, or mark below that it ended early.")
            self.add_error(names[0], message % {"n": target})

    def _check_carried(self, data: dict[str, Any]) -> None:
        """A game that points carried over had won was not played, nor one after the match's end."""
        names = [_score_name(game, "home") for game in meetings_of(self.league)]
        if any(name.startswith("score") for name in self.errors):
            return
        entries = [_written(data, game) for game in meetings_of(self.league)]
        for place in uncounted(entries, self.league_rules):
            message = _("This game or the match had been won before, so leave it empty.")
            self.add_error(names[place], message)

    def card(self) -> Card:
        """What was written, as the action takes it."""
        data = self.cleaned_data
        scores = {}
        for game in meetings_of(self.league):
            home, away = (data[_score_name(game, side)] for side in SIDES)
            if home is not None and away is not None:
                scores[game.turn, game.home_pair] = (home, away)
        home_pairs, away_pairs = (self._pairs(side) for side in SIDES)
        received = data.get("received")
        people = tuple(self.substitutes)
        return Card(data["held_on"], home_pairs, away_pairs, scores, received, people)

    @property
    def has_substitutes(self) -> bool:
        """Whether anything is filled in of them."""
        return any(self[name].value() for name in self.fields if name.startswith("sub"))

    def substitute_rows(self) -> list[list[Any]]:
        """For the page: the fields of each substitute."""
        return substitute_fields(self, self.rows)

    def _pairs(self, side: str) -> list[tuple[Member, Member] | None]:
        pairs: list[tuple[Member, Member] | None] = []
        for pair in range(1, self.league.pairs + 1):
            one, other = (self.cleaned_data[f"{side}{pair}_{seat}"] for seat in (1, 2))
            pairs.append((self.people[one], self.people[other]) if one else None)
        return pairs

    def line_ups(self) -> Iterator[tuple[Team, list[tuple[int, list[Any]]]]]:
        """For the page: each team with the fields of its pairs."""
        for side, team in (("home", self.match.home), ("away", self.match.away)):
            yield (
                team,
                [
                    (pair, [self[f"{side}{pair}_1"], self[f"{side}{pair}_2"]])
                    for pair in range(1, self.league.pairs + 1)
                ],
            )

    def score_lines(self) -> list[ScoreLine]:
        """For the page: each game with its two fields."""
        return [
            ScoreLine(
                number,
                game.turn,
                game.home_pair,
                game.away_pair,
                self[_score_name(game, "home")],
                self[_score_name(game, "away")],
            )
            for number, game in enumerate(meetings_of(self.league), 1)
        ]


def written_already(match: TeamMatch) -> bool:
    """Whether the match has a card, or the games of one."""
    return match.session_id is not None or bool(match.card)


def _written(data: dict[str, Any], game: LinedUp) -> list[int] | None:
    home, away = (data.get(_score_name(game, side)) for side in SIDES)
    return None if home is None or away is None else [home, away]


def _score_name(game: LinedUp, side: str) -> str:
    return f"score{game.turn}_{game.home_pair}_{side}"


def _score_label(match: TeamMatch, game: LinedUp, side: str) -> str:
    words = {"n": (game.turn - 1) * match.league.pairs + game.home_pair}
    return _("Game %(n)d, %(team)s") % (words | {"team": getattr(match, side).name})


def _first_day(match: TeamMatch, today: date) -> date:
    """The day the form begins with: the match's own, unless that is still to come."""
    return min(match.held_on or today, today)


def _choices(team: Team, own: list[Member], others: list[Member]) -> list[Any]:
    choices: list[Any] = [("", _("Choose"))]
    choices.append((team.name, [(one.public_id, one.name) for one in own]))
    if others:
        choices.append((_("Borrowed"), [(one.public_id, one.name) for one in others]))
    return choices


def _people_on(begun: tuple[Pairs, Pairs], side: str) -> Seated:
    """Who sits where on the card written already, by pair and seat."""
    pairs = enumerate(begun[SIDES.index(side)], 1)
    return {(n, seat): one for n, pair in pairs for seat, one in enumerate(pair or (), 1)}


def _place(name: str) -> tuple[int, int, int]:
    """Side, pair and seat from 0 of a field."""
    side = int(name.startswith(SIDES[1]))
    pair, seat = name.removeprefix(SIDES[side]).split("_")
    return side, int(pair), int(seat) - 1


def _scores(written: list[LinedUp]) -> dict[str, int]:
    return {
        _score_name(game, side): points
        for game in written
        if game.game is not None and game.points is not None
        for side, points in zip(SIDES, game.game.totals or (), strict=False)
    }
