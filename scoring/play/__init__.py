"""The cards: dealt, picked up, laid away, passed on, played; everything held against everything."""
