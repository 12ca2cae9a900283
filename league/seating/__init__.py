"""Seating: who sits where, decided by pure code (`plan`) and kept by the site around it."""
