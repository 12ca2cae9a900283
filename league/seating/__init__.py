"""Seating: who sits where. `league.pairing` makes the plans; this package stores them."""
