"""What is stored of leagues of teams."""

from league.teams.models.leagues import (
    MOST_BORROWED,
    MOST_DAYS,
    MOST_DEDUCTED,
    MOST_DIVISIONS,
    MOST_PAIRS,
    MOST_POINTS,
    MOST_TURNS,
    Deduction,
    LeagueDecision,
    PlayOff,
    PlayOffPlace,
    Team,
    TeamDivision,
    TeamLeague,
    TeamPlayer,
    Transfer,
)
from league.teams.models.matches import CardCopy, CupPlace, TeamCup, TeamMatch

__all__ = [
    "MOST_BORROWED",
    "MOST_DAYS",
    "MOST_DEDUCTED",
    "MOST_DIVISIONS",
    "MOST_PAIRS",
    "MOST_POINTS",
    "MOST_TURNS",
    "CardCopy",
    "CupPlace",
    "Deduction",
    "LeagueDecision",
    "PlayOff",
    "PlayOffPlace",
    "Team",
    "TeamCup",
    "TeamDivision",
    "TeamLeague",
    "TeamMatch",
    "TeamPlayer",
    "Transfer",
]
