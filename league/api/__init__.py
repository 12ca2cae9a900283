"""The JSON API under `/api/v1/`: what the pages show, and what a table's phone may write."""
