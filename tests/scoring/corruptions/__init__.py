"""Single corruptions of a good full-card record: each with the fault code it must be met with.

A corruption takes a record, its rules and a Random. It returns the spoilt record, or None where
the hand has no place for it.
"""

from tests.scoring.corruptions import calls, cards, counts, dealt
from tests.scoring.corruptions.registry import CORRUPTIONS

__all__ = ["CORRUPTIONS", "calls", "cards", "counts", "dealt"]
