"""Data in and out of the site: spreadsheets of standings and results."""
