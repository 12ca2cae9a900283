"""Forms of fixtures and matches: the draw, awarding matches, decisions, substitutes."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from league.members.fields import NO_REASON, FormLineField
from league.members.languages import dated
from league.members.models import Member
from league.teams.card import Card, Substitute
from league.teams.models import CardCopy, Team, TeamLeague, TeamMatch
from league.teams.queries import by_division
from league.teams.rule_fields import format_days, read_days
from league.teams.rules_forms import MOST_BLANK


class SeenForm(forms.Form):
    """The drawn matches that the organiser has looked at: their seed and their digest."""

    seed = forms.IntegerField(min_value=0, max_value=2**31 - 1)
    seen = forms.CharField(max_length=16)


class FixturesForm(SeenForm):
    """The fixtures that were looked at, and whether to make them although squads break rules."""

    anyway = forms.BooleanField(label=_("Make the fixtures anyway"), required=False)


class JoinForm(SeenForm):
    """How a late team joins: its matches are added, or the remaining rounds redrawn."""

    way = forms.ChoiceField(choices=[("add", ""), ("reschedule", "")], required=False)


class GiveForm(forms.Form):
    """Award a match to one side or to neither, with a reason."""

    given_to = forms.ChoiceField(
        label=_("Who wins the match?"),
        error_messages={"required": _("Choose the team that wins.")},
    )
    reason = FormLineField(
        label=_("Reason"),
        max_length=200,
        error_messages=NO_REASON,
        help_text=_(
            "For example, the others didn't come, or lost the play-off of a tied cup match."
        ),
    )
    sure = forms.BooleanField(
        label=_("Yes, award this match"),
        error_messages={"required": _("Tick the box to confirm the award.")},
    )

    def __init__(self, *args: Any, match: TeamMatch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.sides = {team.public_id: team for team in (match.home, match.away)}
        choices = [("", _("Choose")), *((key, team.name) for key, team in self.sides.items())]
        if match.cup_id is None:
            choices.append(("nobody", _("Nobody: neither team came, so both lose")))
        self.fields["given_to"].choices = choices  # type: ignore[attr-defined]

    def clean_given_to(self) -> Team | None:
        return self.sides.get(self.cleaned_data["given_to"])


class ReasonForm(forms.Form):
    """What is wrong with a card."""

    reason = FormLineField(label=_("What is wrong"), max_length=200)


class MoveCardForm(forms.Form):
    """The match to which a card is moved."""

    to = forms.ModelChoiceField(
        TeamMatch.objects.none(),
        to_field_name="public_id",
        label=_("It belongs to"),
        empty_label=_("Choose"),
    )

    def __init__(self, *args: Any, match: TeamMatch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sides = [match.home_id, match.away_id]
        matches = match.league.matches.filter(
            home__in=sides, away__in=sides, **TeamMatch.UNTOUCHED
        ).select_related("home", "away")
        field = self.fields["to"]
        field.queryset = matches  # type: ignore[attr-defined]
        field.label_from_instance = _match_label  # type: ignore[attr-defined]


def _match_label(match: TeamMatch) -> str:
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
        help_text=_(
            "The two captains and the organisers see it. Closing the league, or calling it off, "
            "deletes it."
        ),
    )


class SeenCardForm(forms.Form):
    """The revision of the match that a captain has looked at."""

    seen = forms.IntegerField(required=False, min_value=0, max_value=2_147_483_647)


class GiveGameForm(forms.Form):
    """Award games of a card to a side, or make them void, with a reason."""

    number = forms.TypedMultipleChoiceField(
        label=_("Games"),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("If a player was ineligible, all games of that player."),
    )
    mark = forms.ChoiceField(label=_("Decision"))
    reason = FormLineField(label=_("Reason"), max_length=200, error_messages=NO_REASON)

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
    """Why the penalty for a late card is waived."""

    reason = FormLineField(
        label=_("Why the late card costs nothing"), max_length=200, error_messages=NO_REASON
    )


class SettleForm(forms.Form):
    """How a disputed card is decided, and why."""

    card = forms.ChoiceField(
        label=_("Decision"),
        widget=forms.RadioSelect,
        help_text=_("If a score is wrong, fix the card instead."),
    )
    reason = FormLineField(label=_("Reason"), max_length=200, error_messages=NO_REASON)

    def __init__(self, *args: Any, match: TeamMatch, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.copies = {copy.team.public_id: copy for copy in match.copies.select_related("team")}
        sent, team = _("The card sent by %(team)s is right"), match.written_by
        stands = sent % {"team": team.name} if team else _("The card on this page is right")
        self.fields["card"].choices = [  # type: ignore[attr-defined]
            ("stands", stands),
            *((key, sent % {"team": copy.team.name}) for key, copy in self.copies.items()),
        ]
        if not self.copies:  # one answer is no choice
            self.initial["card"] = "stands"
            self.fields["card"].widget = forms.HiddenInput()

    def clean_card(self) -> CardCopy | None:
        return self.copies.get(self.cleaned_data["card"])


HOLIDAYS = frozenset({(12, 24), (12, 25), (12, 26), (12, 31), (1, 1)})


def holidays_in(league: TeamLeague) -> list[date]:
    """The days of `HOLIDAYS` within the season."""
    teams = league.teams.filter(withdrawn_at=None).select_related("division")
    largest = max(len(members) for _division, members in by_division(league, teams))
    rounds = max(largest - 1 + largest % 2, 1) * (2 if league.twice else 1) + len(league.blank_days)
    last_day = league.starts_on + timedelta(days=league.days_between * rounds)
    span = range((last_day - league.starts_on).days + 1)
    days = (league.starts_on + timedelta(days=n) for n in span)
    return [day for day in days if (day.month, day.day) in HOLIDAYS]


class BlankDaysForm(forms.Form):
    """The weeks without a round: holidays to tick, and one day of each other week."""

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
        initial = {
            "holidays": [day for day in league.blank_days if day in days],
            "others": format_days(day for day in league.blank_days if day not in days),
        }
        super().__init__(*args, **{"initial": initial, **kwargs})
        self.fields["holidays"].choices = [  # type: ignore[attr-defined]
            (day, dated(date.fromisoformat(day), gettext("l j F Y"))) for day in days
        ]
        if not days:
            del self.fields["holidays"]
            self.fields["others"].label = gettext("Dates on which nobody plays")

    def clean_others(self) -> list[str]:
        return read_days(self.cleaned_data["others"], MOST_BLANK, self.since)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        days = {*data.get("holidays", []), *data.get("others", [])}
        if len(days) > MOST_BLANK:
            self.add_error("others", _("Too many weeks."))
        return {"blank_days": sorted(days)}


SUBSTITUTES = 2
"""Fewest substitutes that the form of a card has room for."""


def may_substitute(league: TeamLeague) -> bool:
    """Whether players may be replaced between turns of a match."""
    return bool(league.squad_rules.get("substitutes")) and league.turns > 1


def player_choices(groups: Iterable[tuple[str, Sequence[Member]]]) -> list[Any]:
    """The choices of a player's field, under the heading of each group."""
    options = ((title, [(m.public_id, m.label) for m in people]) for title, people in groups)
    return [("", gettext("Choose")), *(group for group in options if group[1])]


def add_substitutes(
    form: forms.Form, members: Sequence[Any], league: TeamLeague, substitutes: Sequence[Substitute]
) -> list[str]:
    """Add the fields for substitutes to the form, filled with those of the card; `members` are the
    choices of players. Return the row numbers."""
    games = [(str(n + 1), str(n * league.pairs + 1)) for n in range(1, league.turns)]
    numbers = [("", gettext("Choose")), *games]
    rows = [str(n) for n in range(1, max(SUBSTITUTES, len(substitutes)) + 1)]
    for n in rows:
        for name, label, choices in (
            ("in", gettext("Substitute"), members),
            ("out", gettext("Plays for"), members),
            ("turn", gettext("From game"), numbers),
        ):
            form.fields[f"sub{n}_{name}"] = forms.ChoiceField(
                label=label, choices=choices, required=False
            )
    for n, sub in zip(rows, substitutes, strict=False):
        initial = {"in": sub.member.public_id, "out": sub.out.public_id, "turn": str(sub.turn)}
        form.initial.update({f"sub{n}_{name}": value for name, value in initial.items()})
    return rows


def read_substitutes(
    form: forms.Form,
    rows: Sequence[str],
    seated: Mapping[str, tuple[int, int, int]],
    people: Mapping[str, Member],
) -> list[Substitute]:
    """The substitutes of a filled-in form, by turn; errors are added to their fields.

    `seated` has the side, pair and seat of each player on the card.
    """
    places, substitutes = dict(seated), []
    rows = sorted(rows, key=lambda n: (form.cleaned_data.get(f"sub{n}_turn") or "", n))
    for n in rows:
        names = ("in", "out", "turn")
        chosen = {name: str(form.cleaned_data.get(f"sub{n}_{name}") or "") for name in names}
        if not any(chosen.values()):
            continue
        for name, value in chosen.items():
            if not value:
                form.add_error(
                    f"sub{n}_{name}", form.fields[f"sub{n}_{name}"].error_messages["required"]
                )
        if not all(chosen.values()):
            continue
        if chosen["in"] in places:
            message = gettext("%(name)s is in two pairs.") % {"name": people[chosen["in"]].name}
            form.add_error(f"sub{n}_in", message)
        elif chosen["out"] not in places:
            form.add_error(f"sub{n}_out", gettext("Choose a player of this card."))
        else:
            side, pair, seat = places[chosen["in"]] = places[chosen["out"]]
            member, replaced = people[chosen["in"]], people[chosen["out"]]
            substitutes.append(Substitute(side, pair, seat, int(chosen["turn"]), member, replaced))
    return substitutes


def substitute_fields(form: forms.Form, rows: Sequence[str]) -> list[list[Any]]:
    """The fields of each substitute, for the page."""
    return [[form[f"sub{n}_{name}"] for name in ("in", "out", "turn")] for n in rows]


def substitutes_shown(card: Card, name_of: Any) -> list[str]:
    """A sentence about each substitute of a card."""
    return [
        gettext("%(name)s came in for %(other)s from game %(n)d.")
        % {
            "name": name_of(substitute.member),
            "other": name_of(substitute.out),
            "n": (substitute.turn - 1) * len(card.home) + 1,
        }
        for substitute in card.substitutes
    ]
