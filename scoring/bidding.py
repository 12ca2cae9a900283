"""Bid games: who may bid what, when, and the terms that come of it."""
