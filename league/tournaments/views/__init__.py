"""Pages of tournaments: setting up, entries, the hub with its round, standings, paper."""
