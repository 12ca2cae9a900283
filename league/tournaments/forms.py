"""Forms about a tournament: its format and options, its ranking, its rounds."""

from dataclasses import replace
from typing import Any, cast

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from league.members.fields import FormLineField, FormNameField
from league.members.models import Club, Member
from league.pairing.movements import PRESETS
from league.ranking.tie_breaks import Unplayed
from league.sessions.queries import KnownBy
from league.standings.labels import LABELS
from league.tournaments.models import Entry, Match, Stage, Tournament
from league.tournaments.parameters import (
    BELL,
    CUT,
    DRAWN,
    EXTRA_HAND,
    FOLDED,
    FOR_EVERYBODY,
    FOR_PAIRS,
    HANDS,
    MOST_MEASURES,
    MOVEMENTS,
    PARAMETERS,
    PICKED,
    RANGES,
    TARGET,
    StageOptions,
    enough_swiss_rounds,
    read_options,
)
from league.tournaments.stage_state import OF_PAIRS
from league.tournaments.standing import measures_of
from league.tournaments.text import UNPLAYED_CHOICES

F = Stage.Format
MOVEMENT_CHOICES = [(p.code, _(p.name)) for p in PRESETS if p.code in MOVEMENTS]
SWISS_ROUNDS = 5  # for a field that nobody knows yet
ROUNDS_HELP = {
    F.SWISS: _("3 rounds find the best of up to 8 pairs, 4 of 16, 5 of 32."),
    F.ROTATION: _(
        "To partner everyone once at tables of four, 4 players need 3 rounds, 8 need 7, 12 need 11."
    ),
}
RARE = ("tie", "short_apart", "laps", "slam", "unplayed", "given_points")
"""Fields that most tournaments leave at their defaults; the page folds them away."""


def _number(name: str, **kwargs: Any) -> forms.IntegerField:
    least, most = RANGES[name]
    return forms.IntegerField(min_value=least, max_value=most, **kwargs)


def _swiss_rounds_help(players: int, known_by: KnownBy | None) -> str:
    """How many rounds are enough for so many players, and where their number comes from."""
    text = {
        None: _("%(rounds)d rounds find the best of %(pairs)d pairs."),
        KnownBy.CHECK_IN: _(
            "%(players)d players are checked in. %(rounds)d rounds find the best of %(pairs)d"
            " pairs."
        ),
        KnownBy.SIGN_UP: _(
            "%(players)d players are signed up. %(rounds)d rounds find the best of %(pairs)d pairs."
        ),
        KnownBy.LAST_TIME: _(
            "%(players)d players came last time. %(rounds)d rounds find the best of %(pairs)d"
            " pairs."
        ),
    }[known_by]
    pairs = players // 2
    return text % {"players": players, "pairs": pairs, "rounds": enough_swiss_rounds(pairs)}


class TournamentForm(forms.Form):
    """The name of a tournament and the options of its format, without fields for other formats."""

    name = FormNameField(label=_("Name"), max_length=80)
    movement = forms.ChoiceField(
        label=_("How players move"), choices=MOVEMENT_CHOICES, widget=forms.RadioSelect
    )
    rounds = _number("rounds", label=_("Rounds"))
    unit = forms.ChoiceField(
        label=_("A game lasts"),
        choices=[
            (HANDS, _("a number of hands")),
            (BELL, _("until the head table rings")),
            (TARGET, _("until someone wins by the club's rules")),
        ],
        widget=forms.RadioSelect,
    )
    hands = _number(
        "hands",
        label=_("Hands per game"),
        help_text=_("Eight: everyone at a table of four deals twice."),
    )
    bell_points = _number("bell_points", label=_("Points that end the round at the head table"))
    tie = forms.ChoiceField(
        label=_("A tied table is decided by"),
        choices=[(EXTRA_HAND, _("one more hand, which does not count")), (CUT, _("a cut"))],
        widget=forms.RadioSelect,
    )
    short_apart = forms.BooleanField(
        label=_("A round at a table of two or three counts as the player's average round"),
        required=False,
    )
    games = forms.TypedChoiceField(
        label=_("A match is"),
        choices=[
            (1, _("one game")),
            (3, _("best of 3")),
            (5, _("best of 5")),
            (7, _("best of 7")),
            (9, _("best of 9")),
        ],
        coerce=int,
    )
    laps = forms.BooleanField(
        label=_("Laps: extra points carry over to the next game of the match"),
        required=False,
        help_text=_("A game to 10 is won with 12. The winners start the next game with 2 points."),
    )
    slam = forms.BooleanField(
        label=_("Slam: a game won with the other side at 0 counts as two games"),
        required=False,
        help_text=_("A best of 3 is over after one game won 10 to 0."),
    )
    groups = _number("groups", label=_("Groups"))
    through = _number("through", label=_("Pairs that go through from each group"))
    twice = forms.BooleanField(label=_("Everyone meets twice"), required=False)
    third_place = forms.BooleanField(
        label=_("Semi-final losers play for third place"), required=False
    )
    consolation = forms.BooleanField(
        label=_("First-match losers go into a consolation bracket"), required=False
    )

    unplayed = forms.TypedChoiceField(
        label=_("In the opponents' points, a bye or a match not played counts"),
        required=False,
        empty_value=str(Unplayed.OWN_SCORE),
        choices=UNPLAYED_CHOICES,
        widget=forms.RadioSelect,
    )
    given_points = _number(
        "given_points",
        required=False,
        label=_("Points for a walk-over"),
        help_text=_("Counts as a win by this many to 0. The games needed count as won."),
    )

    partners = forms.ChoiceField(
        label=_("Choosing partners"),
        choices=[
            (PICKED, _("best placed pick first, in turn")),
            (DRAWN, _("upper half draws partners from the lower half")),
            (FOLDED, _("first with last, second with last but one")),
        ],
        widget=forms.RadioSelect,
        initial=PICKED,
    )

    def __init__(
        self,
        *args: Any,
        format: str,
        tournament: Tournament | None = None,
        seeded: bool = False,
        players: int = 0,
        known_by: KnownBy | None = None,
        **kwargs: Any,
    ) -> None:
        if tournament is None:  # the explanation beside the form describes these values
            current = _default_choice(format, seeded=seeded, players=players)
        else:
            current = read_options(tournament.stages.get(number=1).parameters)
        names = [*PARAMETERS[format], *(["partners"] if seeded else [])]
        initial = {name: getattr(current, name) for name in names}
        if seeded:
            initial["partners"] = current.partners or PICKED
        initial["name"] = tournament.name if tournament else str(F(format).label)
        super().__init__(*args, **{"initial": initial, **kwargs})
        self.format, self.current = format, current
        self.names = names
        for name in set(self.fields) - {"name", *self.names}:
            del self.fields[name]
        if format in ROUNDS_HELP:
            self.fields["rounds"].help_text = ROUNDS_HELP[F(format)]
        if format == F.SWISS and players > 3:
            self.fields["rounds"].help_text = _swiss_rounds_help(players, known_by)

    @property
    def ordinary(self) -> list[forms.BoundField]:
        """The fields that are always visible."""
        return [field for field in self if field.name not in RARE]

    @property
    def rare(self) -> list[forms.BoundField]:
        """The fields that are folded away."""
        return [field for field in self if field.name in RARE]

    @property
    def shows_rare(self) -> bool:
        """Whether the fold is open, because a field in it has to be corrected."""
        return any(field.errors for field in self.rare)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for name in ("laps", "slam"):
            if cleaned.get(name) and cleaned.get("games") == 1:
                self.add_error(name, _("This counts only in matches of several games."))
        return cleaned

    @property
    def choice(self) -> StageOptions:
        """The chosen options; those without a field keep their values."""
        values = {name: self.cleaned_data[name] for name in self.names}
        if "given_points" in values:
            values["given_points"] = values["given_points"] or 0
        return replace(self.current, **values)


def _default_choice(format: str, *, seeded: bool, players: int) -> StageOptions:
    """The initial options of a new tournament in this format; 0 `players` if it is not known."""
    choice = StageOptions(partners=PICKED if seeded else "")
    if seeded and format == F.GROUPS:
        return replace(choice, groups=1, through=4)  # a round robin, then a play-off
    if format == F.ROTATION:
        return replace(choice, rounds=_rotation_rounds(players, usual=choice.rounds))
    return replace(choice, rounds=_swiss_rounds(players // 2)) if format == F.SWISS else choice


def _rotation_rounds(players: int, *, usual: int) -> int:
    """Enough rounds to partner everyone once at tables of four, where an evening has time for it.
    One player more than fills the tables sits out in turn, which takes one round more."""
    if players < 4 or players > usual + 1 or players % 4 > 1:
        return usual
    return players - 1 + players % 4


def _swiss_rounds(pairs: int) -> int:
    """Enough rounds to find the best of so many pairs, as the hint at the field says."""
    return enough_swiss_rounds(pairs) if pairs > 1 else SWISS_ROUNDS


FINAL_SIZES = (8, 4, 2)
"""How many a final suggests: the most that the tournament before it has."""


class FinalForm(forms.Form):
    """A final: a bracket for the best of a season, a session or a tournament."""

    name = FormNameField(label=_("Name"), max_length=80, initial=_("Final"))
    source = forms.ChoiceField(label=_("The best of"))
    count = forms.IntegerField(
        label=_("How many"),
        min_value=2,
        max_value=64,
        initial=8,
        help_text=_("Players, or pairs if it was a pairs tournament."),
    )
    chosen = forms.ModelMultipleChoiceField(
        Member.objects.none(),
        label=_("Choose who plays"),
        required=False,
        widget=forms.MultipleHiddenInput,
    )
    partners = forms.ChoiceField(
        label=_("Turn players into pairs"),
        help_text=_("Only where they played alone: pairs stay pairs."),
        choices=[
            (FOLDED, _("first with last, second with last but one")),
            (DRAWN, _("upper half draws partners from the lower half")),
        ],
        widget=forms.RadioSelect,
        initial=FOLDED,
    )
    games = TournamentForm.base_fields["games"]
    third_place = TournamentForm.base_fields["third_place"]

    def __init__(self, *args: Any, club: Club, after: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rows: list[tuple[Any, Any]] = [
            *((_("Season: %(name)s"), season) for season in club.seasons.all()[:20]),
            *(
                (_("Tournament: %(name)s"), tournament)
                for tournament in club.tournaments.all()[:20]
            ),
            *(
                (_("Session: %(name)s"), session)
                for session in club.sessions.order_by("-held_on")[:20]
            ),
        ]
        cast(forms.ModelMultipleChoiceField, self.fields["chosen"]).queryset = club.members.all()
        self.sources = {f"{type(row).__name__.lower()}-{row.public_id}": row for _text, row in rows}
        self.fields["source"].choices = [  # type: ignore[attr-defined]
            (code, str(text) % {"name": row.name})
            for code, (text, row) in zip(self.sources, rows, strict=True)
        ]
        self.after = self.sources.get(after) if after.startswith("tournament-") else None
        if self.after and self.after.stages.filter(format__in=OF_PAIRS).exists():
            del self.fields["partners"]  # pairs stay pairs
        source = self.sources.get(self.initial.get("source") or "")
        if isinstance(source, Tournament):
            entries = source.entries.filter(withdrawn_at=None).count()
            self.initial["count"] = next((n for n in FINAL_SIZES if n <= entries), FINAL_SIZES[-1])

    def offer(self, level: list[tuple[int, str]]) -> None:
        """Show a choice among those who are level for the last places: key and name of each."""
        field = cast(forms.ModelMultipleChoiceField, self.fields["chosen"])
        field.widget = forms.CheckboxSelectMultiple()
        field.choices = level

    @property
    def choice(self) -> StageOptions:
        values = {name: self.cleaned_data[name] for name in ("games", "third_place")}
        return StageOptions(partners=self.cleaned_data.get("partners", FOLDED), **values)


class RankingForm(forms.Form):
    """The measures a stage is ranked by, the most important first; refuses repeats."""

    def __init__(self, *args: Any, stage: Stage, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        codes = measures_offered(stage.format)
        choices: list[tuple[str, Any]] = [("", capfirst(_("nothing more")))]
        choices += [(code, capfirst(str(LABELS[code].name))) for code in codes]
        current_codes = [measure.code for measure in measures_of(stage)]
        for place in range(MOST_MEASURES):
            self.fields[f"by_{place + 1}"] = forms.ChoiceField(
                label=_("then by") if place else _("Rank by"),
                choices=choices if place else choices[1:],
                required=not place,
                initial=current_codes[place] if place < len(current_codes) else "",
            )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        earlier_codes: set[str] = set()
        for name in self.fields:
            code = cleaned.get(name, "")
            if code and code in earlier_codes:
                self.add_error(name, _("This is already in the list above."))
            earlier_codes.add(code)
        return cleaned

    @property
    def codes(self) -> list[str]:
        """The chosen measures, in order, without gaps."""
        return [code for name in self.fields if (code := self.cleaned_data.get(name))]


def measures_offered(format: str) -> tuple[str, ...]:
    """The codes of all measures that may rank a table of this format."""
    return (*FOR_PAIRS, *FOR_EVERYBODY) if format in OF_PAIRS else FOR_EVERYBODY


class PublishForm(forms.Form):
    """The version of the draft that the organiser looked at."""

    version = forms.IntegerField(label=_("Draft"), min_value=0, max_value=2**31 - 1)


class ReasonForm(forms.Form):
    """Why a round ends before every match is decided."""

    reason = FormLineField(label=_("Reason"), max_length=200, required=False)


class DecideForm(ReasonForm):
    """The winner of a match, by position at the table, and how that was decided."""

    winner = forms.IntegerField(label=_("Winner"), min_value=0, max_value=3)
    how = forms.ChoiceField(choices=[(by.value, by.label) for by in Match.By if by.value])


class MoveForm(forms.Form):
    """The session in which a tournament continues."""

    session = forms.CharField(label=_("Session"), max_length=16)


class SwapForm(PublishForm):
    """Two entries to swap, and the version of the draft that the organiser looked at."""

    one = forms.ModelChoiceField(Entry.objects.none(), label=_("First"))
    other = forms.ModelChoiceField(Entry.objects.none(), label=_("Second"))

    def __init__(self, *args: Any, tournament: Tournament, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        entries = tournament.entries.select_related("member", "partner")
        for name in ("one", "other"):
            self.fields[name].queryset = entries  # type: ignore[attr-defined]
