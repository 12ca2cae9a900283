"""The pages of play: the table's own, and the club's about its games."""
