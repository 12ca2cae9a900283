"""Pages of club nights: the list, a new one, its settings, its clock, its door."""
