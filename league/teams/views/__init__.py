"""Views of team leagues."""
