"""The club's own laptop: starting, the first page, phones, backups, coming back elsewhere."""
