"""Pages of leagues of teams."""
