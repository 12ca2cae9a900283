"""A club to play with: people, a season of evenings, one that is on; by the real actions."""
