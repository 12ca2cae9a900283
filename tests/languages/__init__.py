"""The site in its users' languages: the catalogues are whole, and no page shows the source."""
