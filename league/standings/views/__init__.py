"""Pages of standings: tables of sessions and seasons, players' records, pots."""
