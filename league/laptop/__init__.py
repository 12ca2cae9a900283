"""The site on a club's own laptop: the `right-bower` command, and the pages to manage it."""
