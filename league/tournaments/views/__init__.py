"""Pages of tournaments: setup, entries, the hub with the current round, standings, print."""
