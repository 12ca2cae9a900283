"""The pages of play: those of a table, and those of a club about its games."""
