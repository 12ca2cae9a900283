"""No text of the site escapes an erasure, and no model a merge, without somebody saying so.

Adding a text or JSON field to any model fails here until it is either listed in the model's
`TEXTS_WITH_NAMES` (it may hold a person's name) or below (it cannot).
"""

from django.apps import apps
from django.db import models

from league.members.models import Member

MODELS = list(apps.get_app_config("league").get_models())

HOLDS_NO_NAME = {
    "User": "the account is its holder's own; an erased person is unlinked from it",
    "Member": "emptied field by field in erase_member",
    "Club": "the club's own name and settings",
    "ClubRuleset": "rules",
    "Invitation.token_hash": "a hash",
    "ApiToken.token_hash": "a hash",
    "LimitCount.name": "a hash",
    "Job": "deleted by erase_member, and after a day at most",
    "AuditEntry.action": "a verb of ours",
    "AuditEntry.source": "a network address",
    "ProgramRequest": "ids and a word of ours, deleted after a month",
    "Season.place_points": "numbers",
    "SessionPlace.figures": "codes of measures and numbers, as its validator says",
    "Season.measures": "codes of measures",
    "Session.measures": "codes of measures",
    "Pot.shares": "numbers",
    "Round.planner": "a word of ours",
    "TableCard.code": "a random code",
    "Table.dealer_draw": "cards by seat",
    "Table.carried": "points by side",
    "Game.score": "numbers",
    "Game.winners": "seats",
    "Game.totals": "numbers",
    "Game.decided_winners": "seats",
    "Hand.client_id": "a random id",
    "Hand.record": "seats and cards",
    "Hand.points": "numbers",
    "Hand.outcome": "a word of ours",
    "ReturnedHand": "ids, and seats and cards as the form of a hand sends them",
    "Ruling.client_id": "a random id",
    "Ruling.kind": "a word of ours",
    "Ruling.points": "numbers",
    "Ruling.form": "a word of ours",
    "Stage.parameters": "what was chosen in a form, no free text",
    "Stage.cards": "numbers of entries and seeds",
    "Stage.redrawn": "numbers of entries and seeds",
    "Match.place": "a key of ours in the bracket",
    "TeamLeague.rules": "numbers and words of ours",
    "TeamLeague.squad_rules": "numbers and words of ours",
    "TeamLeague.preset": "a word of ours",
    "TeamLeague.blank_days": "dates",
    "Team.code": "the team's id in a league's file, which holds nobody's name",
    "TeamMatch.place": "a key of ours in the bracket",
    "PairsMatch.place": "a key of ours in the bracket",
    "TeamMatch.card": "points and words of ours",
    "CardCopy.games": "points and words of ours",
    "TeamLeague.fixture_rules": "days and numbers",
    "TeamMatch.decider": "points",
}


def text_fields(model):
    kinds = (models.CharField, models.TextField, models.JSONField)
    for field in model._meta.local_fields:
        if isinstance(field, kinds) and not field.choices and field.name != "public_id":
            yield field.name


def test_every_text_either_may_hold_names_and_says_so_or_cannot():
    unsaid = [
        f"{model.__name__}.{field}"
        for model in MODELS
        for field in text_fields(model)
        if field not in getattr(model, "TEXTS_WITH_NAMES", ("", ()))[1]
        and model.__name__ not in HOLDS_NO_NAME
        and f"{model.__name__}.{field}" not in HOLDS_NO_NAME
    ]
    assert unsaid == []


def test_what_is_said_of_texts_is_true_of_the_models():
    for model in MODELS:
        path, fields = getattr(model, "TEXTS_WITH_NAMES", ("pk", ()))
        assert model._base_manager.filter(**{path: None}).values(*fields).query
    known = {model.__name__ for model in MODELS} | {
        f"{model.__name__}.{field.name}" for model in MODELS for field in model._meta.get_fields()
    }
    assert HOLDS_NO_NAME.keys() <= known


def test_a_model_unique_by_member_says_how_two_members_become_one():
    """`Result` may not: it is made from the seats, and seats of one game refuse to join."""
    silent = [
        model.__name__
        for model in MODELS
        if model is not Member
        and any(
            model._meta.get_field(name).related_model is Member
            for constraint in model._meta.constraints
            if isinstance(constraint, models.UniqueConstraint)
            for name in constraint.fields
        )
        and not hasattr(model, "merge_rows")
        and not hasattr(model, "ONE_ROW_PER")
        and not hasattr(model, "refuse_merge")
    ]
    assert silent == ["Result"]
