"""Forms of seasons."""

from league.seasons.forms.divisions import DivisionsForm, NextSeasonForm, PeopleForm
from league.seasons.forms.seasons import SeasonForm

__all__ = ["DivisionsForm", "NextSeasonForm", "PeopleForm", "SeasonForm"]
