"""The formats of tournaments: frozen facts in, pairings out. Pure: no database, no clock."""
