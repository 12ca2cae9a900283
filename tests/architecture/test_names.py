"""No line that people write escapes the rules of names: neither a model's nor a plain form's.

A new text field fails here until it is a `NameField`, a `LineField`, a `LinesField` or a
`CopiedField` of `league.members.fields` (in a plain form their `Form…` kinds), or is listed below
as a code.
"""

import importlib
import re

from django import forms
from django.apps import apps
from django.db import models

from league.members.fields import CopiedField, FormLineField, LineField, LinesField
from tests.architecture.source import modules

CODES = {
    "Club.slug": "a slug",
    "Club.time_zone": "one of the zones the system knows",
    "Club.language": "a code of a language",
    "User.language": "a code of a language",
    "User.username": "has rules of its own (league/members/fields.py)",
    "User.password": "a hash",
    "Member.name_key": "made from the name",
    "Member.sort_key": "made from the name",
    "ClubRuleset.preset": "an id of ours",
    "Invitation.token_hash": "a hash",
    "ApiToken.token_hash": "a hash",
    "LimitCount.name": "a code of ours and a hash",
    "Job.task": "a dotted name of ours",
    "Job.source": "a network address",
    "Job.language": "a code of a language",
    "Job.sentence": "a sentence of ours",
    "Job.leads_to": "the name of an address of ours",
    "Job.agreed": "a digest",
    "Job.preview": "a part of a page, written by its template",
    "Job.file_name": "made into a slug when it is sent",
    "Job.file_kind": "a kind of file",
    "AuditEntry.action": "a verb of ours",
    "Round.planner": "a word of ours",
    "TableCard.code": "a random code",
    "Hand.client_id": "letters and digits",
    "Hand.outcome": "a word of ours",
    "ReturnedHand.table": "letters and digits",
    "ReturnedHand.client_id": "letters and digits",
    "Ruling.client_id": "letters and digits",
    "ProgramRequest.client_id": "letters and digits",
    "ProgramRequest.what": "a word of ours",
    "ProgramRequest.made": "a public id",
    "Ruling.form": "a word of ours",
    "Match.place": "where it is in the bracket",
    "TeamLeague.preset": "an id of ours",
    "Team.code": "an id in a league's file",
    "TeamMatch.place": "a key of ours in the bracket",
    "PairsMatch.place": "a key of ours in the bracket",
}
IN_FORMS = {
    "PasteForm.names": "each line is cleaned as a name",
    "PasteForm.agreed": "a digest",
    "DivisionsForm.names": "each line is cleaned as a name",
    "TeamForm.names": "each line is cleaned as a name",
    "PairsCupForm.pairs": "each name has to be one of a squad",
    "RulesForm.divisions": "each line is cleaned as a name",
    "RulesForm.blank_days": "read as dates",
    "BlankDaysForm.others": "read as dates",
    "RulesForm.cup_days": "read as dates",
    "EraseForm.name": "compared with the name that is there",
    "AddMemberForm.email": "validated as an e-mail address",
    "EditMemberForm.email": "validated as an e-mail address",
    "LinkAccountForm.username": "looked up",
    "InviteAccountForm.username": "looked up",
    "SettingsForm.seating_table": "read as numbers",
    "SeasonForm.place_points": "read as numbers",
    "SettleForm.member": "looked up",
    "ReturnForm.session": "looked up",
    "SeenForm.seen": "a digest",
    "LateForm.seen": "a digest",
    "SeedsForm.names": "looked up",
    "PairsForm.pairs": "looked up",
    "MoveForm.session": "looked up",
    "SheetForm.carried": "a file, packed and signed",
    "SheetForm.match": "answers about the file, read by match_in",
    "AgreedForm.agreed": "a digest",
    "FirstClubForm.password": "hashed",
    "NewPasswordForm.password": "hashed",
}


def test_every_text_of_a_model_is_a_name_a_line_a_copy_or_a_code():
    lines = (LineField, LinesField, CopiedField, models.EmailField)
    found = {
        f"{model.__name__}.{field.name}"
        for model in apps.get_app_config("league").get_models()
        for field in model._meta.local_fields
        if isinstance(field, models.CharField | models.TextField)
        and not (isinstance(field, lines) or field.choices or field.name == "public_id")
    }
    assert found == CODES.keys()


def test_every_text_of_a_form_is_a_name_a_line_or_a_code():
    for module in modules():
        if "form" in module and "formats" not in module:
            importlib.import_module(module)
    found = set()
    for form in _below(forms.BaseForm):
        declared = vars(form).get("declared_fields", {})
        inherited = {n for base in form.__mro__[1:] for n in vars(base).get("base_fields", {})}
        found |= {
            f"{form.__name__}.{name}"
            for name, field in declared.items()
            if type(field) is forms.CharField and name not in inherited
        }
    assert found == IN_FORMS.keys()


def test_a_model_form_of_ours_has_the_rules_of_its_models_names():
    plain = [
        f"{form.__name__}.{name}"
        for form in _below(forms.ModelForm)
        if form.__module__.startswith("league.")
        for name, field in form.base_fields.items()
        if isinstance(_of_model(form, name), LineField) and not isinstance(field, FormLineField)
    ]
    assert plain == []


def _of_model(form, name):
    return {field.name: field for field in form._meta.model._meta.fields}.get(name)


def _below(form):
    for one in form.__subclasses__():
        if one.__module__.startswith("league.") and "gallery" not in one.__module__:
            yield one
        yield from _below(one)


def test_no_list_of_names_is_sorted_by_what_tells_two_names_apart():
    """`sort_key` is what people are listed by; with `name_key` or casefold Ö comes after Z."""
    wrong = re.compile(r"(?:\bkey=|order_by\(|ordering = ).*(?:name_key\b|\.casefold\(\))")
    found = [name for name, path in modules().items() if wrong.search(path.read_text("utf-8"))]
    assert found == []
