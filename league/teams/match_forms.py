"""Forms of fixtures: a match moved, awarded, decided game by game; weeks without a round."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from league.members.fields import DayField, FormLineField, FormNameField
from league.members.languages import dated
from league.members.models import Member
from league.teams.card import Card, Substitute
from league.teams.models import CardCopy, Team, TeamLeague, TeamMatch
from league.teams.queries import by_division
from league.teams.rules_forms import MOST_BLANK, read_days, shown_days


class SeenForm(forms.Form):
    """Matches drawn, as the organiser has looked at them: their seed and their mark."""

    seed = forms.IntegerField(min_value=0, max_value=2**31 - 1)
    seen = forms.CharField(max_length=16)


class FixturesForm(SeenForm):
    """The fixtures as they were looked at, and whether squads that break the rules are let pass."""

    anyway = forms.BooleanField(label=_("Make the fixtures anyway"), required=False)


class WithdrawForm(forms.Form):
    """A team leaves, on purpose, on a day that is not to come."""

    day = DayField(
        label=_("Day on which it left"),
        required=False,
    )
    sure = forms.BooleanField(
        label=_("Yes, this team leaves the league"),
        error_messages={"required": _("Tick the box to confirm that the team leaves the league.")},
    )

    def __init__(self, *args: Any, today: date, **kwargs: Any) -> None:
        super().__init__(*args, **{"initial": {"day": today}, **kwargs})
        self.fields["day"].validators.append(
            MaxValueValidator(today, _("This day is in the future."))
        )


class JoinForm(SeenForm):
    """A team joins: its matches are added, or the rounds to come redrawn."""

    way = forms.ChoiceField(choices=[("add", ""), ("reschedule", "")], required=False)


class MoveForm(forms.Form):
    """Another day or place for a match."""

    held_on = DayField(
        label=_("Day"),
        required=False,
        help_text=_("Leave empty if the day is still to be agreed."),
    )
    venue = FormNameField(
        label=_("Played at"),
        max_length=60,
        required=False,
        help_text=_("Leave empty for the home team's venue."),
    )
    reason = FormLineField(label=_("Reason"), max_length=200, required=False)
    anyway = forms.BooleanField(label=_("Allow a day after the league's limit"), required=False)

    def __init__(self, *args: Any, match: TeamMatch, **kwargs: Any) -> None:
        first = {"held_on": match.held_on, "venue": match.venue}
        super().__init__(*args, **{"initial": first, **kwargs})
        if match.league.fixture_rules.get("rearranged") is None:
            del self.fields["anyway"]


class GiveForm(forms.Form):
    """A match given to one side, with the reason."""

    given_to = forms.ChoiceField(
        label=_("Who wins the match?"),
        error_messages={"required": _("Choose the team that wins.")},
    )
    reason = FormLineField(
        label=_("Reason"),
        max_length=200,
        help_text=_(
            "For example, the others didn't come, or lost the play-off of a drawn cup match."
        ),
    )
    sure = forms.BooleanField(
        label=_("Yes, award this match"),
        error_messages={"required": _("Tick the box to confirm the award.")},
    )

    def __init__(self, *args: Any, match: TeamMatch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sides = {one.public_id: one for one in (match.home, match.away)}
        choices = [("", _("Choose")), *((key, one.name) for key, one in self.sides.items())]
        if match.cup_id is None:
            choices.append(("nobody", _("Nobody: neither team came, so both lose")))
        self.fields["given_to"].choices = choices  # type: ignore[attr-defined]

    def clean_given_to(self) -> Team | None:
        return self.sides.get(self.cleaned_data["given_to"])


class ReasonForm(forms.Form):
    """What is wrong with a card."""

    reason = FormLineField(label=_("What is wrong"), max_length=200)


class DeciderForm(forms.Form):
    """The points of the game that decided a drawn cup match."""

    home = forms.IntegerField(min_value=0, max_value=99)
    away = forms.IntegerField(min_value=0, max_value=99)

    def __init__(self, *args: Any, match: TeamMatch, **kwargs: Any) -> None:
        first = dict(zip(("home", "away"), match.decider, strict=False))
        super().__init__(*args, **{"initial": first, **kwargs})
        self.fields["home"].label = match.home.name
        self.fields["away"].label = match.away.name


class MoveCardForm(forms.Form):
    """The match to which a card belongs."""

    to = forms.ModelChoiceField(
        TeamMatch.objects.none(),
        to_field_name="public_id",
        label=_("It belongs to"),
        empty_label=_("Choose"),
    )

    def __init__(self, *args: Any, match: TeamMatch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sides = [match.home_id, match.away_id]
        others = match.league.matches.filter(
            home__in=sides, away__in=sides, **TeamMatch.UNTOUCHED
        ).select_related("home", "away")
        field = self.fields["to"]
        field.queryset = others  # type: ignore[attr-defined]
        field.label_from_instance = _with_day  # type: ignore[attr-defined]


def _with_day(match: TeamMatch) -> str:
    if match.held_on is None:
        return f"{match} · {gettext('Day to be agreed')}"
    return f"{match} · {dated(match.held_on, gettext('j F Y'))}"


class MessageForm(forms.Form):
    """A message about a match."""

    text = FormLineField(label=_("Message"), max_length=300)


class PhotographForm(forms.Form):
    """A photograph of the signed card."""

    photograph = forms.FileField(
        label=_("Photograph of the signed card"),
        max_length=200,
        error_messages={"required": _("Choose a photograph.")},
        widget=forms.FileInput(attrs={"accept": "image/jpeg,image/png", "data-shrink": True}),
        help_text=_("The two captains and the organisers see it until the league is closed."),
    )


class SeenCardForm(forms.Form):
    """The revision of the match that a captain has looked at."""

    seen = forms.IntegerField(required=False, min_value=0, max_value=2_147_483_647)


class GiveGameForm(forms.Form):
    """Games of a card given to a side, or made void, by a decision with its reason."""

    number = forms.TypedMultipleChoiceField(
        label=_("Games"),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("If a player was ineligible, all games of that player."),
    )
    mark = forms.ChoiceField(label=_("Decision"))
    reason = FormLineField(label=_("Reason"), max_length=200)

    def __init__(self, *args: Any, match: TeamMatch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        numbers = [(n, str(n + 1)) for n in range(match.league.games)]
        self.fields["number"].choices = numbers  # type: ignore[attr-defined]
        self.fields["mark"].choices = [  # type: ignore[attr-defined]
            ("home", pgettext("a game", "awarded to %(team)s") % {"team": match.home.name}),
            ("away", pgettext("a game", "awarded to %(team)s") % {"team": match.away.name}),
            ("void", _("void")),
            ("played", _("as it was played")),
        ]


class LiftForm(forms.Form):
    """Why a late card costs nothing."""

    reason = FormLineField(label=_("Why the late card costs nothing"), max_length=200)


class SettleForm(forms.Form):
    """How a disputed card is decided, and why."""

    card = forms.ChoiceField(label=_("Decision"), widget=forms.RadioSelect)
    reason = FormLineField(label=_("Reason"), max_length=200)

    def __init__(self, *args: Any, match: TeamMatch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.copies = {copy.team.public_id: copy for copy in match.copies.select_related("team")}
        self.fields["card"].choices = [  # type: ignore[attr-defined]
            ("stands", _("The card on this page is right")),
            *(
                (key, _("The card sent by %(team)s is right") % {"team": one.team.name})
                for key, one in self.copies.items()
            ),
        ]

    def clean_card(self) -> CardCopy | None:
        return self.copies.get(self.cleaned_data["card"])


HOLIDAYS = frozenset({(12, 24), (12, 25), (12, 26), (12, 31), (1, 1)})


def holidays_in(league: TeamLeague) -> list[date]:
    """24 to 26 December, 31 December and 1 January, as far as the season spans them."""
    teams = league.teams.filter(withdrawn_at=None).select_related("division")
    most = max(len(many) for _division, many in by_division(league, teams))
    rounds = max(most - 1 + most % 2, 1) * (2 if league.twice else 1) + len(league.blank_days)
    last = league.starts_on + timedelta(days=league.days_between * rounds)
    return [day for day in _days(league.starts_on, last) if (day.month, day.day) in HOLIDAYS]


def _days(first: date, last: date) -> Iterator[date]:
    yield from (first + timedelta(days=n) for n in range((last - first).days + 1))


class BlankDaysForm(forms.Form):
    """The weeks that have no round: holidays to tick, and one day of each other week."""

    holidays = forms.MultipleChoiceField(
        label=_("Holidays in this season"), required=False, widget=forms.CheckboxSelectMultiple
    )
    others = forms.CharField(
        label=_("Other dates on which nobody plays"),
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("One per line, for example 24 December or 24/12/2026."),
    )

    def __init__(self, *args: Any, league: TeamLeague, **kwargs: Any) -> None:
        self.since = league.starts_on
        days = [day.isoformat() for day in holidays_in(league)]
        first = {
            "holidays": [day for day in league.blank_days if day in days],
            "others": shown_days(day for day in league.blank_days if day not in days),
        }
        super().__init__(*args, **{"initial": first, **kwargs})
        self.fields["holidays"].choices = [  # type: ignore[attr-defined]
            (day, dated(date.fromisoformat(day), gettext("l j F Y"))) for day in days
        ]
        if not days:
            del self.fields["holidays"]

    def clean_others(self) -> list[str]:
        return read_days(self.cleaned_data["others"], MOST_BLANK, self.since)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        days = {*data.get("holidays", []), *data.get("others", [])}
        if len(days) > MOST_BLANK:
            self.add_error("others", _("Too many weeks."))
        return {"blank_days": sorted(days)}


SUBSTITUTES = 2
"""How many substitutes a card has room for, at least."""


def may_substitute(league: TeamLeague) -> bool:
    """Whether players may be replaced between two turns of a match."""
    return bool(league.squad_rules.get("substitutes")) and league.turns > 1


def add_substitutes(
    form: forms.Form, people: Mapping[str, Member], turns: int, there: Sequence[Substitute]
) -> list[str]:
    """Give the form the fields of its substitutes, filled with those who are `there`; their
    numbers."""
    listed = [("", gettext("Choose")), *((key, one.name) for key, one in people.items())]
    numbers = [("", gettext("Choose")), *((str(n), str(n)) for n in range(2, turns + 1))]
    rows = [str(n) for n in range(1, max(SUBSTITUTES, len(there)) + 1)]
    for n in rows:
        for name, label, choices in (
            ("in", gettext("Substitute"), listed),
            ("out", gettext("Plays for"), listed),
            ("turn", gettext("From turn"), numbers),
        ):
            form.fields[f"sub{n}_{name}"] = forms.ChoiceField(
                label=label, choices=choices, required=False
            )
    for n, one in zip(rows, there, strict=False):
        first = {"in": one.member.public_id, "out": one.out.public_id, "turn": str(one.turn)}
        form.initial.update({f"sub{n}_{name}": value for name, value in first.items()})
    return rows


def read_substitutes(
    form: forms.Form,
    rows: Sequence[str],
    seated: Mapping[str, tuple[int, int, int]],
    people: Mapping[str, Member],
) -> list[Substitute]:
    """The substitutes of a filled-in form, the first turn first; what is wrong is said at its
    field. `seated`: side, pair and seat of each player on the card."""
    at, substitutes = dict(seated), []
    rows = sorted(rows, key=lambda n: (form.cleaned_data.get(f"sub{n}_turn") or "", n))
    for n in rows:
        names = ("in", "out", "turn")
        chosen = {one: str(form.cleaned_data.get(f"sub{n}_{one}") or "") for one in names}
        if not any(chosen.values()):
            continue
        for name, value in chosen.items():
            if not value:
                form.add_error(
                    f"sub{n}_{name}", form.fields[f"sub{n}_{name}"].error_messages["required"]
                )
        if not all(chosen.values()):
            continue
        if chosen["in"] in at:
            message = gettext("%(name)s is in two pairs.") % {"name": people[chosen["in"]].name}
            form.add_error(f"sub{n}_in", message)
        elif chosen["out"] not in at:
            form.add_error(f"sub{n}_out", gettext("Choose a player of this card."))
        else:
            side, pair, seat = at[chosen["in"]] = at[chosen["out"]]
            member, out = people[chosen["in"]], people[chosen["out"]]
            substitutes.append(Substitute(side, pair, seat, int(chosen["turn"]), member, out))
    return substitutes


def substitute_fields(form: forms.Form, rows: Sequence[str]) -> list[list[Any]]:
    """For the page: the fields of each substitute."""
    return [[form[f"sub{n}_{name}"] for name in ("in", "out", "turn")] for n in rows]


def substitutes_shown(card: Card, name_of: Any) -> list[str]:
    """The substitutes of a card in words."""
    return [
        gettext("%(name)s came in for %(other)s in turn %(n)d.")
        % {
            "name": name_of(substitute.member),
            "other": name_of(substitute.out),
            "n": substitute.turn,
        }
        for substitute in card.substitutes
    ]
