"""The club's own laptop: `right-bower` starts the site there, and these pages look after it."""
