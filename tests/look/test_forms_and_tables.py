"""Forms say what is wrong beside the field; tables say what they are and how they are sorted."""

import re

import django_tables2 as tables
from django import forms
from django.template.loader import render_to_string

from league.gallery import STANDINGS, SampleForm, StandingsTable
from tests.pages import squeezed


def test_a_field_points_at_its_help_and_its_error():
    html = SampleForm({"players": 4}).as_div()
    box = re.search(r'<input[^>]*name="name"[^>]*>', html)[0]
    assert 'aria-describedby="id_name_helptext id_name_error"' in box
    assert 'aria-invalid="true"' in box
    assert 'id="id_name_helptext"' in html
    assert 'id="id_name_error"' in html


def test_a_group_of_choices_has_a_legend_and_points_at_its_help():
    html = SampleForm().as_div()
    assert re.search(r'<fieldset aria-describedby="id_visible_helptext">\s*<legend', html)


def test_the_summary_counts_the_errors_and_leads_to_each_field():
    html = SampleForm({"email": "nobody", "players": 4, "policy": "club"}).as_div()
    assert "3 things to fix" in html
    for field in ("name", "email", "visible"):
        target = re.search(rf'<a href="#(id_{field}\w*)"', html)[1]
        assert f'id="{target}"' in html


def test_one_error_is_counted_as_one():
    values = {"name": "Rose", "players": 4, "policy": "club"}
    assert "One thing to fix" in SampleForm(values).as_div()


def test_a_field_that_may_stay_empty_says_so():
    html = squeezed(SampleForm().as_div())
    assert re.search(r'<label for="id_email">E-mail<span class="optional">', html)
    assert re.search(r'<label for="id_name">Name</label>', html)


def test_a_list_to_choose_from_always_has_a_choice_and_is_not_called_optional():
    class Colours(forms.Form):
        colour = forms.ChoiceField(choices=[("", "Any"), ("red", "Red")], required=False)

    assert "optional" not in Colours().as_div()


def test_a_check_box_stands_before_its_words():
    html = squeezed(SampleForm().as_div())
    assert re.search(r'type="checkbox"[^>]*><label for="id_guest">A guest<', html)


def test_one_of_several_choices_can_be_drawn_alone_without_a_label():
    radio = SampleForm()["visible"][0]
    assert "<label" not in radio.tag()
    assert str(radio).count("<label") == 1


def test_what_is_typed_is_escaped_in_the_form():
    html = SampleForm({"name": '"><script>'}).as_div()
    assert "<script>" not in html


def shown(rf, query="", **options):
    table = StandingsTable(STANDINGS)
    request = rf.get(f"/{query}")
    tables.RequestConfig(request, **options).configure(table)
    return table.as_html(request)


def test_a_sorted_column_says_so_and_its_header_turns_the_order(rf):
    html = squeezed(shown(rf, "?sort=-won"))
    assert html.count("aria-sort=") == 1
    heading = re.search(r'<th[^>]*aria-sort="descending"[^>]*><a href="\?sort=(-?won)"', html)
    assert heading[1] == "won"
    assert 'aria-sort="ascending"' in shown(rf, "?sort=won")


def test_a_table_has_a_caption_and_names_its_scroll_region(rf):
    html = shown(rf)
    assert "<caption>Thursday night, after round 3</caption>" in html
    assert 'role="region" tabindex="0" aria-label="Thursday night, after round 3"' in html


def test_every_cell_carries_its_label_for_narrow_screens(rf):
    html = shown(rf)
    assert html.count('data-label="Points"') == len(STANDINGS)


def test_pages_keep_the_rest_of_the_address_and_mark_where_one_is(rf):
    html = shown(rf, "?q=rose&page=2", paginate={"per_page": 1})
    assert re.search(r'aria-current="page" href="\?q=rose&amp;page=2"', html)
    assert 'rel="next"' in html
    assert 'rel="prev"' in html


def test_an_empty_part_says_what_to_do_next():
    html = render_to_string(
        "parts/_empty.html", {"title": "No games yet", "url": "/seat/", "label": "Seat the players"}
    )
    assert 'href="/seat/"' in html
    assert "Seat the players" in html
