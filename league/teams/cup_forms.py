"""Forms of cups and of play-offs, and pairs read from what was typed in one."""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.errors import Refused
from league.members.fields import DayField, FormNameField
from league.members.models import Member
from league.members.names import name_key
from league.teams.cups import PairEntry
from league.teams.eligibility import last_pairs
from league.teams.match_forms import SeenForm
from league.teams.models import (
    MOST_SCORE,
    CupPair,
    PairsMatch,
    Team,
    TeamLeague,
    TeamMatch,
)
from league.teams.promotion import DuePlayOff, play_off_matches, series_leader

# What separates the two names of a pair.
SEPARATOR = re.compile(r"\s*(?:,|;|&|/|\t)\s*")


class DeciderForm(forms.Form):
    """The points of the game that decided a drawn cup match."""

    home = forms.IntegerField(min_value=0, max_value=99)
    away = forms.IntegerField(min_value=0, max_value=99)

    def __init__(self, *args: Any, match: TeamMatch, **kwargs: Any) -> None:
        initial = dict(zip(("home", "away"), match.decider, strict=False))
        super().__init__(*args, **{"initial": initial, **kwargs})
        self.fields["home"].label = match.home.name
        self.fields["away"].label = match.away.name


class PlayOffForm(forms.Form):
    """The result of a play-off: a field for each place but the last, which follows."""

    def __init__(self, *args: Any, due: DuePlayOff, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.teams = {team.public_id: team for team in due.teams}
        choices = [("", _("Choose")), *((key, team.name) for key, team in self.teams.items())]
        for number in range(1, len(due.teams)):
            label = _("Winner") if number == 1 else _("Place %(n)d") % {"n": number}
            self.fields[f"place{number}"] = forms.ChoiceField(label=label, choices=choices)

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or {}
        chosen = [data[name] for name in self.fields if data.get(name)]
        if len(set(chosen)) < len(chosen):
            self.add_error("place2", _("A team can have only one place."))
        return data

    def order(self, data: Mapping[str, Any]) -> list[Team]:
        """The teams, the winner first."""
        chosen = [data[name] for name in self.fields]
        last = [key for key in self.teams if key not in chosen]
        return [self.teams[key] for key in (*chosen, *last)]


class PlayOffMatchForm(forms.Form):
    """The matches of a play-off: how many, the day of the first, and the venue."""

    best_of = forms.ChoiceField(
        label=_("Best of how many matches?"),
        choices=[("1", "1"), ("3", "3"), ("5", "5")],
        required=False,
    )

    held_on = DayField(
        label=_("Day"), required=False, help_text=_("Leave empty if the day is still to be agreed.")
    )
    venue = FormNameField(label=_("Neutral venue"), max_length=60, required=False)

    def clean_best_of(self) -> int:
        return int(self.cleaned_data["best_of"] or 1)


def play_off_forms(
    league: TeamLeague,
    due: DuePlayOff,
    typed: Sequence[QueryDict | None],
) -> tuple[PlayOffForm, PlayOffMatchForm | None]:
    """The forms of a play-off: one for the result, initially the leader of its matches, and one for
    the next match, if it is between two teams and no match is to come.

    A form that was refused keeps what was typed: `typed` has the data of both forms.
    """
    matches = play_off_matches(league, due)
    leader = series_leader(matches)
    initial = next(({"place1": team.public_id} for team in due.teams if team.pk == leader), {})
    result = PlayOffForm(_typed_for(due, typed[0]), initial=initial, due=due)
    if len(due.teams) != 2 or any(match.is_to_come for match in matches):
        return result, None
    return result, PlayOffMatchForm(_typed_for(due, typed[1]))


def _typed_for(due: DuePlayOff, typed: QueryDict | None) -> QueryDict | None:
    return typed if typed and typed.get("about") == due.key else None


class CupForm(forms.Form):
    """A cup of the league's teams."""

    name = FormNameField(label=_("Name"), max_length=80)
    best = forms.IntegerField(
        label=_("Only the best of the table"),
        required=False,
        min_value=2,
        max_value=64,
        help_text=_(
            "For finals: how many teams, seeded by their places. Leave empty for a cup of all "
            "teams, drawn at random."
        ),
    )
    third_place = forms.BooleanField(label=_("With a match for third place"), required=False)
    held_on = DayField(
        label=_("Day of the first matches"),
        required=False,
        help_text=_("Leave empty to set the day later, on the cup's page."),
    )


class CupSeenForm(CupForm, SeenForm):
    """A cup, with the draw that the organiser has looked at."""


class CupRoundForm(forms.Form):
    """The day of the next matches of a cup, and their venue if it is a neutral one."""

    held_on = DayField(label=_("Day"), required=False)
    venue = FormNameField(label=_("Neutral venue"), max_length=60, required=False)


class PairsCupForm(forms.Form):
    """A cup of pairs from the squads."""

    name = FormNameField(label=_("Name"), max_length=80)
    pairs = forms.CharField(
        label=_("Pairs, one per line"),
        max_length=60_000,
        widget=forms.Textarea(attrs={"rows": 12, "spellcheck": "false"}),
        help_text=_(
            "The pairs of each team's last match, and its other players two by two. Change the"
            " pairs, and delete those that don't play."
        ),
    )


class PairsDayForm(forms.Form):
    """The day of the next round of a pairs cup."""

    held_on = DayField(label=_("Day"))


class PairsResultForm(forms.Form):
    """The result of a match of a pairs cup."""

    home = forms.IntegerField(required=False, min_value=0, max_value=MOST_SCORE)
    away = forms.IntegerField(required=False, min_value=0, max_value=MOST_SCORE)
    through = forms.ModelChoiceField(
        CupPair.objects.none(),
        label=_("If no game was played: who goes through"),
        required=False,
        empty_label=_("A game was played"),
    )

    def __init__(self, *args: Any, match: PairsMatch, names: list[str], **kwargs: Any) -> None:
        initial = {
            "home": match.home_points,
            "away": match.away_points,
            "through": match.through_id,
        }
        super().__init__(*args, **{"initial": initial, "prefix": match.place, **kwargs})
        for name, label in zip(("home", "away"), names, strict=True):
            self.fields[name].label = label
        through: Any = self.fields["through"]
        through.queryset = CupPair.objects.filter(pk__in=match.sides)
        by_pair = dict(zip(match.sides, names, strict=True))
        through.label_from_instance = lambda pair: by_pair[pair.pk]


def squads_in_pairs(league: TeamLeague) -> str:
    """All squads in pairs, one pair per line, as a first draft for the form: the pairs of each
    team's last match, then its other players two by two."""
    places = league.players.filter(team__withdrawn_at=None).select_related("member")
    played, lines = last_pairs(league), []
    for team, squad in groupby(places.order_by("team", "pk"), lambda place: place.team_id):
        names = {place.member_id: place.member.name for place in squad}
        pairs = [pair for pair in played.get(team, ()) if names.keys() >= set(pair)]
        rest = [key for key in names if not any(key in pair for pair in pairs)]
        pairs += zip(rest[::2], rest[1::2], strict=False)
        lines += [f"{names[one]} & {names[other]}" for one, other in pairs]
    return "\n".join(lines)


def read_pairs(league: TeamLeague, text: str) -> list[PairEntry]:
    """Read pairs from a text, one per line. Refuses (`bad-pairs`) with a sentence per bad line."""
    places = league.players.filter(team__withdrawn_at=None).select_related("member", "team")
    squads: dict[str, dict[int, tuple[Member, Team]]] = {}
    for place in places:
        squads.setdefault(place.member.name_key, {})[place.team_id] = (place.member, place.team)
    entries: list[PairEntry] = []
    errors: list[str] = []
    members_used: set[int] = set()
    for line in filter(None, map(str.strip, text.splitlines())):
        entry = _read_pair(line, squads)
        if isinstance(entry, str):
            errors.append(entry)
        elif members_used & {entry.first.pk, entry.second.pk}:
            errors.append(gettext("“%(line)s”: a player can be in one pair only.") % {"line": line})
        else:
            entries.append(entry)
            members_used |= {entry.first.pk, entry.second.pk}
    if len(entries) < 2 and not errors:
        errors.append(gettext("Enter at least two pairs."))
    if errors:
        raise Refused("bad-pairs", errors[0], fields={"pairs": errors})
    return entries


def _read_pair(line: str, squads: dict[str, dict[int, tuple[Member, Team]]]) -> PairEntry | str:
    names = [name for name in SEPARATOR.split(line) if name]
    if len(names) != 2:
        return gettext("“%(line)s”: write two names with & between them.") % {"line": line}
    first, second = (squads.get(name_key(name), {}) for name in names)
    common_teams = [team for team in first if team in second]
    for name, teams in zip(names, (first, second), strict=True):
        if not teams:
            return gettext("%(name)s isn't in a team of this league.") % {"name": name}
    if not common_teams or first[common_teams[0]][0] == second[common_teams[0]][0]:
        return gettext("“%(line)s”: a pair is two players of one team.") % {"line": line}
    member, team = first[common_teams[0]]
    return PairEntry(team, member, second[common_teams[0]][0])
