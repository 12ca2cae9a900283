"""The form of a match's card: the day, the pairs of both teams, the score of each game."""

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
from league.members.models import Member, number_namesakes
from league.members.validators import validate_day
from league.pairing import Rng
from league.play.final_scores import score_faults
from league.play.game_log import rules_of as game_rules_of
from league.play.models import Game
from league.ranking.team_league.match import uncounted
from league.sessions.queries import local_date
from league.teams.actions import Card
from league.teams.card import GameLineUp, Pairs, Substitute, game_line_ups, line_ups_on, meetings_of
from league.teams.eligibility import last_line_up, line_up_sentences, players_by_seat
from league.teams.forms import borrowable_members
from league.teams.match_forms import (
    add_substitutes,
    may_substitute,
    player_choices,
    read_substitutes,
    substitute_fields,
)
from league.teams.models import CardCopy, Team, TeamLeague, TeamMatch
from league.teams.queries import players_of, rules_of, target_of

SIDES = ("home", "away")
Seated = dict[tuple[int, int], Member]
"""The players on one side of a card, by (pair, seat)."""
MAX_POINTS = 99


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A game on the form: its number, the pairs that meet, and the two fields of its score."""

    number: int
    turn: int
    home_pair: int
    away_pair: int
    home: Any
    away: Any


class SeatField(forms.ChoiceField):
    """The player in a seat. It may be empty: the form refuses only half a pair."""

    def validate(self, value: str) -> None:
        if value:
            super().validate(value)


class CardForm(forms.Form):
    """Who played, and the points of each game. The fields depend on the match.

    Refuses a score that is impossible under the house rules; one at which nobody has won yet needs
    `short`. `copy` is a captain's own card that differs. With `waives`, squad rules may be broken.
    """

    use_required_attribute = False
    hint = ""

    held_on = DayField(label=gettext_lazy("Played on"))
    early = AnywayField(gettext_lazy("Yes, this match was played on that day"))
    received = forms.DateTimeField(
        label=gettext_lazy("Card received"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        validators=[validate_day],
        help_text=gettext_lazy("When the signed card reached you; a late one costs points."),
    )
    reason = FormLineField(
        label=gettext_lazy("Why the card is decided like this"),
        max_length=200,
        help_text=gettext_lazy("The captains disagree. They read your reason with the match."),
    )
    why = FormLineField(
        label=gettext_lazy("Why? (a short reason)"),
        max_length=200,
        help_text=gettext_lazy("This card counts already. The captains read why it is corrected."),
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
        copy: CardCopy | None = None,
        waives: bool = False,
        **kwargs: Any,
    ) -> None:
        self.match, self.league = match, league
        self.target, self.rules = target_of(league), game_rules_of(league.ruleset.body)
        self.league_rules = rules_of(league)
        line_ups = game_line_ups(match, league)
        self.today = local_date(league.club, timezone.now())
        initial = {
            "held_on": min(match.held_on or self.today, self.today),
            "received": timezone.localtime(match.received_at, league.club.zone).replace(
                second=0,
                microsecond=0,  # as the field has it
            ),
            **_scores(line_ups, copy),
        }
        super().__init__(*args, **{"initial": initial, **kwargs})
        has_deadline = self.league_rules.late is not None and match.cup_id is None
        wanted_fields = {
            "received": organiser and has_deadline,
            "anyway": organiser or waives,
            "reason": organiser and match.has_games(Game.State.DISPUTED),
            "why": organiser and match.has_games(Game.State.CONFIRMED),
            "early": match.session_id is None and not match.card,
        }
        for name, is_wanted in wanted_fields.items():
            if not is_wanted:
                del self.fields[name]
        rules = self.league_rules
        self.carries = rules.repeats and (rules.laps or rules.slam)
        self.is_prefilled = False
        self.people = self._add_people_fields(line_ups)
        for game in meetings_of(league):
            for side in SIDES:
                self.fields[_score_name(game, side)] = forms.IntegerField(
                    required=False,
                    min_value=0,
                    max_value=MAX_POINTS,
                    label=_score_label(match, game, side),
                    widget=forms.TextInput(attrs={"inputmode": "numeric", "maxlength": "2"}),
                )

    def _add_people_fields(self, line_ups: list[GameLineUp]) -> dict[str, Member]:
        teams = {"home": self.match.home, "away": self.match.away}
        for team in teams.values():
            team.league = self.league
        squads = {side: players_of(team) for side, team in teams.items()}
        keys = {member.pk for squad in squads.values() for member in squad}
        borrowable = borrowable_members(self.league.club, keys) if self.league.borrowed else []
        played = [line_up for line_up in line_ups if line_up.points is not None]
        pairs, substitutes = line_ups_on(played, self.league)
        shown = {s: self._players_to_show(s, team, squads[s], pairs) for s, team in teams.items()}
        listed = [*squads["home"], *squads["away"], *borrowable]
        listed += [*shown["home"].values(), *shown["away"].values()]
        number_namesakes(listed := [*listed, *(one.member for one in substitutes)])
        for side, team in teams.items():
            self._add_seats(side, team, squads[side], borrowable, shown[side])
        people = {member.public_id: member for member in listed}
        others = [member for member in people.values() if member.pk not in keys]
        self.rows: list[str] = []
        if may_substitute(self.league) or substitutes:
            groups = [(team.name, squads[side]) for side, team in teams.items()]
            choices = player_choices([*groups, (_("Borrowed"), others)])
            self.rows = add_substitutes(self, choices, self.league, substitutes)
        return people

    def _players_to_show(
        self, side: str, team: Team, squad: list[Member], pairs: tuple[Pairs, Pairs]
    ) -> Seated:
        """The players of one side: those of the saved card, else of the team's last one."""
        if self.match.session_id is not None:
            return players_by_seat(pairs[SIDES.index(side)])
        seated = last_line_up(team, squad)
        self.is_prefilled = self.is_prefilled or bool(seated)
        return seated

    def _add_seats(
        self, side: str, team: Team, squad: list[Member], borrowable: list[Member], seated: Seated
    ) -> None:
        """Add the fields of one team's seats, filled with the players who are `seated`."""
        offered = {member.pk for member in (*squad, *borrowable)}
        outsiders = [member for member in seated.values() if member.pk not in offered]
        groups = [(team.name, squad), (_("Borrowed"), [*borrowable, *outsiders])]
        choices = player_choices(groups)
        for pair, seat in product(range(1, self.league.pairs + 1), (1, 2)):
            name = f"{side}{pair}_{seat}"
            label = _("%(team)s, pair %(pair)d") % {"team": team.name, "pair": pair}
            self.fields[name] = SeatField(label=label, choices=choices)
            member = seated.get((pair, seat))
            self.initial[name] = member.public_id if member else ""

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        day = data.get("held_on")  # a day that is refused is taken out of the data
        pairs = product(SIDES, range(1, self.league.pairs + 1))
        missing = {(side, pair) for side, pair in pairs if self._is_missing(data, side, pair)}
        for game in meetings_of(self.league):
            self._check_scores(data, game)
        self._refuse_scores_without_players(data, missing)
        self._check_carried(data)
        if day and day > self.today:
            self.add_error("held_on", _("This day is still to come. Enter the day of the match."))
        self._confirm_early_day(data)
        self._check_people(data, day)
        return data

    def _confirm_early_day(self, data: dict[str, Any]) -> None:
        """Ask for confirmation if the day is before the match's own: another leg may be meant."""
        planned, day = self.match.held_on, data.get("held_on")
        may_ask = "early" in self.fields and not data.get("early")
        if not may_ask or planned is None or day is None or day >= planned:
            return
        message = _(
            "This match is on %(day)s. Is this the right match, and was it played on this day?"
        )
        self.add_error("held_on", message % {"day": dated(planned, _("j F Y"))})
        self.fields["early"].widget = forms.CheckboxInput()

    def _check_people(self, data: dict[str, Any], day: date | None) -> None:
        """Check for players entered twice and for broken squad rules, each at its field. An
        organiser may save a card in spite of the squad rules."""
        chosen = {name: data[name] for name in self.seats() if data.get(name)}
        field_of: dict[str, str] = {}
        for name, key in chosen.items():
            if field_of.setdefault(key, name) != name:
                message = _("%(name)s is in two pairs.") % {"name": self.people[key].name}
                self.add_error(name, message)
        seated = {key: _parse_seat(name) for key, name in field_of.items()}
        self.substitutes = read_substitutes(self, self.rows, seated, self.people)
        for substitute in self.substitutes:
            key = substitute.member.public_id
            chosen[f"{SIDES[substitute.side]}+{key}"] = key
            field_of[key] = self._substitute_field(substitute)
        if day and not data.get("anyway") and not self._faulty_seats():
            self._check_line_ups(chosen, field_of, day)

    def _substitute_field(self, substitute: Substitute) -> str:
        fields = {self.cleaned_data.get(f"sub{n}_in"): f"sub{n}_in" for n in self.rows}
        return fields[substitute.member.public_id]

    def _faulty_seats(self) -> set[str]:
        subs = {name for name in self.fields if name.startswith("sub")}
        return set(self.errors) & {*self.seats(), *subs}

    def _check_line_ups(self, chosen: dict[str, str], field_of: dict[str, str], day: date) -> None:
        line_ups = {
            team: [self.people[key] for name, key in chosen.items() if name.startswith(side)]
            for side, team in zip(SIDES, (self.match.home, self.match.away), strict=True)
        }
        faults = line_up_sentences(self.league, self.match, line_ups, day)
        for fault in faults:
            field = field_of[fault.member.public_id] if fault.member else None
            self.add_error(field, fault.sentence)
        if faults and "anyway" in self.fields:
            self.fields["anyway"].widget = forms.CheckboxInput()
        elif faults:
            self.hint = _("If these players are right, ask the organisers.")

    def draw_pairs(self, rng: Rng) -> None:
        """Seat the players chosen for each team in a random order."""
        for side in SIDES:
            names = [name for name in self.seats() if name.startswith(side)]
            people = list(filter(None, map(self.initial.get, names)))
            rng.shuffle(people)
            people += [""] * (len(names) - len(people))
            self.initial.update(zip(names, people, strict=True))

    def seats(self) -> list[str]:
        """The names of the seat fields, the home side first."""
        pairs = range(1, self.league.pairs + 1)
        return [f"{side}{pair}_{seat}" for side in SIDES for pair in pairs for seat in (1, 2)]

    def _is_missing(self, data: dict[str, Any], side: str, pair: int) -> bool:
        """Whether a pair did not come. Refuses half a pair."""
        names = [f"{side}{pair}_{seat}" for seat in (1, 2)]
        is_filled = [bool(data.get(name)) for name in names]
        if any(is_filled) and not all(is_filled):
            message = _("A pair has two players. Leave both empty if the pair did not come.")
            self.add_error(names[is_filled.index(False)], message)
        return not any(is_filled)

    def _refuse_scores_without_players(
        self, data: dict[str, Any], missing: set[tuple[str, int]]
    ) -> None:
        """Refuse a missing pair whose games have scores, once for each pair."""
        scored = set()
        for game in meetings_of(self.league):
            if any(data.get(_score_name(game, side)) is not None for side in SIDES):
                scored |= {("home", game.home_pair), ("away", game.away_pair)}
        message = _("Choose the players of this pair, or leave its scores empty if it didn't come.")
        for side, pair in sorted(missing & scored):
            self.add_error(f"{side}{pair}_1", message)

    def _check_scores(self, data: dict[str, Any], game: GameLineUp) -> None:
        names = [_score_name(game, side) for side in SIDES]
        scores = [data.get(name) for name in names]
        if scores.count(None) == 1 and not any(name in self.errors for name in names):
            message = _("Enter a score for both pairs, or for neither.")
            self.add_error(names[scores.index(None)], message)
        points = [score for score in scores if score is not None]
        if len(points) == len(scores) and self.target is not None:
            self._check_game(names, points, self.target, short=bool(data.get("short")))

    def _check_game(self, names: list[str], points: list[int], target: int, *, short: bool) -> None:
        faults = dict(score_faults(self.rules, points))
        for side, sentence in faults.items():
            self.add_error(names[side], sentence)
        if not faults and max(points) < target and not short:
            message = _("No one has reached %(n)d. Fix it, or mark below that it ended early.")
            self.add_error(names[0], message % {"n": target})

    def _check_carried(self, data: dict[str, Any]) -> None:
        """Refuse scores of games that carried points had won, or that came after the end."""
        names = [_score_name(game, "home") for game in meetings_of(self.league)]
        if any(name.startswith("score") for name in self.errors):
            return
        entries = [_entry(data, game) for game in meetings_of(self.league)]
        for place in uncounted(entries, self.league_rules):
            message = _("This game or the match was already won, so leave it empty.")
            self.add_error(names[place], message)

    def card(self) -> Card:
        """The card, as `write_card` takes it."""
        data = self.cleaned_data
        scores = {}
        for game in meetings_of(self.league):
            home, away = (data[_score_name(game, side)] for side in SIDES)
            if home is not None and away is not None:
                scores[game.turn, game.home_pair] = (home, away)
        home_pairs, away_pairs = (self._pairs(side) for side in SIDES)
        received = data.get("received") if "received" in self.changed_data else None
        substitutes = tuple(self.substitutes)
        return Card(data["held_on"], home_pairs, away_pairs, scores, received, substitutes)

    @property
    def has_substitutes(self) -> bool:
        """Whether any substitute field is filled in."""
        return any(self[name].value() for name in self.fields if name.startswith("sub"))

    def substitute_rows(self) -> list[list[Any]]:
        """The fields of each substitute, for the page."""
        return substitute_fields(self, self.rows)

    def _pairs(self, side: str) -> list[tuple[Member, Member] | None]:
        pairs: list[tuple[Member, Member] | None] = []
        for pair in range(1, self.league.pairs + 1):
            first, second = (self.cleaned_data[f"{side}{pair}_{seat}"] for seat in (1, 2))
            pairs.append((self.people[first], self.people[second]) if first else None)
        return pairs

    def line_ups(self) -> Iterator[tuple[Team, list[tuple[int, list[Any]]]]]:
        """Each team with the fields of its pairs, for the page."""
        pairs = range(1, self.league.pairs + 1)
        for side, team in zip(SIDES, (self.match.home, self.match.away), strict=True):
            yield team, [(n, [self[f"{side}{n}_{seat}"] for seat in (1, 2)]) for n in pairs]

    def score_lines(self) -> Iterator[ScoreLine]:
        """Each game with its two fields, for the page."""
        for number, game in enumerate(meetings_of(self.league), 1):
            fields = (self[_score_name(game, side)] for side in SIDES)
            yield ScoreLine(number, game.turn, game.home_pair, game.away_pair, *fields)


def _entry(data: dict[str, Any], game: GameLineUp) -> list[int] | None:
    home, away = (data.get(_score_name(game, side)) for side in SIDES)
    return None if home is None or away is None else [home, away]


def _score_name(game: GameLineUp, side: str) -> str:
    return f"score{game.turn}_{game.home_pair}_{side}"


def _score_label(match: TeamMatch, game: GameLineUp, side: str) -> str:
    words = {"n": (game.turn - 1) * match.league.pairs + game.home_pair}
    return _("Game %(n)d, %(team)s") % (words | {"team": getattr(match, side).name})


def _parse_seat(name: str) -> tuple[int, int, int]:
    """The side, pair and seat (from 0) of a seat field's name."""
    side = int(name.startswith(SIDES[1]))
    pair, seat = name.removeprefix(SIDES[side]).split("_")
    return side, int(pair), int(seat) - 1


def _scores(written: list[GameLineUp], copy: CardCopy | None) -> dict[str, int]:
    """The initial scores: those of the captain's own copy, if there is one, or of the card."""
    entries = [line.game.totals if line.game and line.points else None for line in written]
    return {
        _score_name(game, side): points
        for game, entry in zip(written, copy.games if copy else entries, strict=False)
        if isinstance(entry, list)
        for side, points in zip(SIDES, entry, strict=False)
    }
