"""Knock-out brackets: drawn by seeding, then played match by match."""

from league.pairing.formats.knockout.bracket_matches import Kind, Meeting, Part, Source
from league.pairing.formats.knockout.draw import bracket
from league.pairing.formats.knockout.state import Bracket, Match, Round, State

__all__ = ["Bracket", "Kind", "Match", "Meeting", "Part", "Round", "Source", "State", "bracket"]
