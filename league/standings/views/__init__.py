"""Pages of standings: tables of evenings and seasons, and people's records."""
