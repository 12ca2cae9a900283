"""Knock-out brackets: drawn by seeding, then played match by match."""

from league.tournaments.formats.knockout.drawing import bracket
from league.tournaments.formats.knockout.in_play import Bracket, Round
from league.tournaments.formats.knockout.matches import Match, State
from league.tournaments.formats.knockout.meetings import Kind, Meeting, Part, Source

__all__ = ["Bracket", "Kind", "Match", "Meeting", "Part", "Round", "Source", "State", "bracket"]
