"""Random play-outs: hands and games dealt, called and played by the rules, for every ruleset.

What is legal is asked of the engine itself; only the choosing is here. Used by the tests, the demo
club and load tests. The same seed gives the same hands on every machine.
"""

from scoring.playouts.hands import LEVELS, random_game, random_hand, thinned

__all__ = ["LEVELS", "random_game", "random_hand", "thinned"]
