"""Every area's models are gathered where Django looks for them."""

import importlib

from django.db.models import Model

import league.models
from tests.architecture.source import AREAS, modules

MODEL_MODULES = [
    name
    for name in sorted(modules())
    if name.split(".")[1:2] and name.split(".")[1] in AREAS and "models" in name.split(".")[2:3]
]


def models_in(name):
    module = importlib.import_module(name)
    found = [thing for thing in vars(module).values() if isinstance(thing, type)]
    return [t for t in found if issubclass(t, Model) and t.__module__ == name]


def test_league_models_gathers_every_model():
    missing = {
        model
        for name in MODEL_MODULES
        for model in models_in(name)
        if getattr(league.models, model.__name__, None) is not model
    }
    assert missing == set()


def test_there_are_models_to_gather():
    assert {"Club", "Session", "Hand"} <= {m.__name__ for n in MODEL_MODULES for m in models_in(n)}
