"""Who meets whom: the pairing engine. Pure, and the same on every machine for the same seed."""
