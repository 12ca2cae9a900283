"""Pages of sessions: the list, settings, the clock, sign-ups, self check-in."""
