"""Pages of clubs and their people."""
