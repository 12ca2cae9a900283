"""A demo club: players, a season of sessions, and one under way, made by the real actions."""
