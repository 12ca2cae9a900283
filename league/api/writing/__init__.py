"""What programs write, by what it is about."""
