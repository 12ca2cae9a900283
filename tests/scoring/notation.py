"""Recorded games to read: our own in `fixtures`, and those handed over beside the checkout."""

import copy
import json

from scoring.egn import check_game, read_game
from tests.architecture.source import ROOT

OURS = ROOT / "fixtures" / "notation"
HANDED_OVER = ROOT.parent / "shared" / "egn"


def data_of(name, folder=OURS):
    return json.loads((folder / name).read_text("utf-8"))


def with_switches(**switches):
    """A recorded game under another EGN ruleset."""
    data = data_of("to-ten.egn")
    data["metadata"]["ruleset"] = switches
    return data


def changed(data, *path, to):
    """A copy of file data with one value put in, anywhere; `to=None` takes it out."""
    data = copy.deepcopy(data)
    at = data
    for step in path[:-1]:
        at = at[step]
    if to is None:
        del at[path[-1]]
    else:
        at[path[-1]] = to
    return data


def answer_to(data):
    return check_game(read_game(data))


def codes(found):
    return [one.code for one in found]


def sentences(found):
    return [one.sentence for one in found]
