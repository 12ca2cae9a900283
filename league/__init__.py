"""The site: one Django app, and the project it runs in."""
