"""What the site answers about files: downloads, imports, the archive."""
