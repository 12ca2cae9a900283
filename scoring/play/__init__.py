"""Checks of the cards: the deal, the pick-up, discards, exchanges and the tricks."""
