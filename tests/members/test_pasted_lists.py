"""A pasted list as one plain name a line, from whatever people paste."""

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.members.paste import (
    KnownPerson,
    couples_in,
    notes_in,
    numbered_names,
    read_list,
    tidy,
)


@pytest.mark.parametrize(
    "row",
    [
        "1. Rose Field", "2) Rose Field", "(3) Rose Field", "17\tRose Field", "- Rose Field",
        "• Rose Field", "[x] Rose Field", "☐ Rose Field", "Field, Rose", "12. Field, Rose <r@x.io>",
        "Rose Field, rose@x.org, 555-123-4567", "Rose Field\trose@x.org\t+1 (555) 123-4567",
        "Rose Field;rose@x.org;", "Rose\tField\trose@x.org", "Rose Field (rose@x.org)",
        "2. Rose Field - 0161 496 0111", "3) Rose Field (07700 900103)", "Rose Field – rose@x.org",
        "Rose Field, Tel. 0161 496 0111", "9 Rose Field",
        "Rose Field ✓", "Rose Field paid cash ✓",
        "9 - Rose Field", "10 – Field, Rose", '"Field, Rose",rose@x.org', '"Rose Field"',
    ],
)  # fmt: skip
def test_numbers_bullets_and_columns_are_left_out_and_a_surname_goes_last(row):
    assert tidy(row) == "Rose Field"


@pytest.mark.parametrize(
    ("row", "name"),
    [
        ("Rose 2", "Rose 2"), ("R2D2", "R2D2"), ("Rose Field, Jr.", "Rose Field Jr."),
        ("O'Neil-Smith, Mary Ann", "Mary Ann O'Neil-Smith"), ("Name,Email,Phone", ""),
        ("Rose Field (Rosie)", "Rose Field (Rosie)"), ("Field, Rose Jr.", "Rose Field Jr."),
        ('"Smith, Arthur ""Smudge"""', 'Arthur "Smudge" Smith'),
        ('Ann "Bee" Cole', 'Ann "Bee" Cole'),
        ("x" * 600, "x" * 600),
    ],
)  # fmt: skip
def test_what_belongs_to_a_name_stays_and_headings_go(row, name):
    assert tidy(row) == name


def test_a_note_in_brackets_is_left_out_unless_it_tells_two_players_apart():
    pasted = "1. Pike, Walter (treasurer)\nRose Field [new]\nAnn (Annie)\nJo (tall)\nJo (short)"
    assert tidy(pasted) == "Walter Pike\nRose Field\nAnn (Annie)\nJo (tall)\nJo (short)"
    assert notes_in(pasted) == ["(treasurer)", "[new]"]


def test_lines_keep_their_numbers():
    assert tidy("Names\r\n\n- Ann") == "\n\nAnn"


def test_the_addresses_and_numbers_that_are_left_out_are_named():
    pasted = "1. Field, Rose <rose@example.org>\nAnn Stone\t613 555 0199\nTed Marsh"
    assert notes_in(pasted) == ["rose@example.org", "613 555 0199"]


@pytest.mark.parametrize(
    ("row", "names"),
    [
        ("Ivor Pym;  Dot Yardley", ["Ivor Pym", "Dot Yardley"]),
        ("Kim Oak;Lee Elm;", ["Kim Oak", "Lee Elm"]),
        ("kim oak; lee elm", ["kim oak", "lee elm"]),
        ("Pym, Ivor; Yardley, Dot", ["Ivor Pym", "Dot Yardley"]),
        ("Hetty Crane,Maud Crane", ["Hetty Crane", "Maud Crane"]),
        ("Ann Lee, Bo Ray, and Cy Dee", ["Ann Lee", "Bo Ray", "Cy Dee"]),
        ("Ann Lee, Jr., Bo Ray", ["Ann Lee Jr.", "Bo Ray"]),
        ("1. Bob Lead & Jo Lead", ["Bob Lead", "Jo Lead"]),
        ("Bob Lead and Jo Lead", ["Bob Lead", "Jo Lead"]),
        ("Bob Lead + Jo Lead", ["Bob Lead", "Jo Lead"]),
        ("Bob Lead / Jo Lead", ["Bob Lead", "Jo Lead"]),
        ("Lead, Bob & Oak, Kim", ["Bob Lead", "Kim Oak"]),
        ("Bob & Jo Lead", ["Bob Lead", "Jo Lead"]),
        ("2) jo and pat dumont, jo@x.io", ["jo dumont", "pat dumont"]),
        ("Jo et Pat Dumont (late)", ["Jo Dumont", "Pat Dumont"]),
        ("Jo und Pat van der Berg", ["Jo van der Berg", "Pat van der Berg"]),
        ("Karl von und zu Stein", ["Karl von und zu Stein"]),
        ("Jo & Mary Ann Dumont", ["Jo Dumont", "Mary Ann Dumont"]),
        ("Dumont, Jo & Pat", ["Jo Dumont", "Pat Dumont"]),
        ("Salt & Pepper", ["Salt & Pepper"]),
        ("Rose and the gang", ["Rose and the gang"]),
        ("de la Cruz, Maria", ["Maria de la Cruz"]),
        ("Van Dyke, Mary Ann", ["Mary Ann Van Dyke"]),
        ("García López, María", ["María García López"]),
        ("Guest 1, Guest 2", ["Guest 1", "Guest 2"]),
    ],
)
def test_several_full_names_on_a_line_are_several_players(row, names):
    assert tidy(row).split("\n") == names


@pytest.mark.parametrize(
    ("row", "left_out"),
    [
        ("Albert Fudge - can't come before 8", ["can't come before 8"]),
        ("Fudge, Albert – late, and hungry", ["late, and hungry"]),
        ("Albert Fudge (late, as always)", ["(late, as always)"]),
        ("Albert Fudge (Comes after eight)", ["(Comes after eight)"]),
        ("Albert Fudge (new) [late]", ["(new)", "[late]"]),
        ("Albert Fudge, treasurer", ["treasurer"]),
        ("Albert Fudge; 12 North Street; a@x.io", ["a@x.io", "12 North Street"]),
        ("Albert Fudge\tDot Yardley", ["Dot Yardley"]),
        ("Albert\tFudge\tyes", ["yes"]),
        ("Names\nAlbert Fudge", ["Names"]),
        ("Members 2026\nAlbert Fudge", ["Members 2026"]),
        ("Albert Fudge paid cash", ["paid cash"]),
    ],
)
def test_whatever_is_left_out_of_a_line_is_said(row, left_out):
    assert tidy(row).strip() == "Albert Fudge"
    assert notes_in(row) == left_out


@pytest.mark.parametrize(
    "heading",
    [
        "Name, E-mail, Phone number", "Name | E-mail | Phone", "Surname, First, Paid",
        "Name, E-Mail, Telefon", "Vorname;Nachname;Handy", "Nom, Courriel, Téléphone",
        "Prénom\tNom\tCourriel",
    ],
)  # fmt: skip
def test_a_heading_of_columns_is_no_player_and_is_said_in_each_language(heading):
    assert tidy(f"{heading}\nRose Field, rose@x.org") == "\nRose Field"
    assert Counter(re.findall(r"\w+", notes_in(heading)[0])) == Counter(re.findall(r"\w+", heading))


@pytest.mark.parametrize(
    ("contact", "said"),
    [
        ("(902) 555-0101", "(902) 555-0101"), ("((902) 555-0101)", "(902) 555-0101"),
        ("(07700 900103)", "07700 900103"), ("(5550103)", "5550103"), ("(r@x.io)", "r@x.io"),
    ],
)  # fmt: skip
def test_a_phone_number_keeps_the_brackets_of_its_area_code(contact, said):
    assert notes_in(f"Rose Field, {contact}") == [said]


def test_several_names_of_a_line_have_its_number():
    pasted = "Ann Lee; Bo Ray\n\nCy Dee"
    assert numbered_names(pasted) == [(1, "Ann Lee"), (1, "Bo Ray"), (3, "Cy Dee")]


def test_a_name_that_was_split_in_two_is_said_and_a_list_of_full_names_is_not():
    pasted = "1. Jo & Pat Dumont (late)\nAnn Lee & Bo Ray\nSalt & Pepper"
    assert couples_in(pasted) == [("Jo & Pat Dumont", ["Jo Dumont", "Pat Dumont"])]


WORDS = ["Ann", "Lee", "bob", "de", "la", "Cruz", "van", "Jr.", "O'Neil", "can't", "Émile"]
BETWEEN = [" ", ", ", ",", ";", "; ", " & ", " and ", " - ", " (", ") ", "\t", " + ", "[", "]"]


@given(st.lists(st.tuples(st.sampled_from(WORDS), st.sampled_from(BETWEEN)), max_size=8))
def test_every_word_of_a_line_is_in_a_name_or_is_said(parts):
    row = "".join(word + separator for word, separator in parts)
    found = Counter(re.findall(r"\w+", " ".join([tidy(row), *notes_in(row)])))
    assert not Counter(re.findall(r"\w+", row.replace(" and ", " "))) - found


@pytest.mark.parametrize(
    ("first", "second"),
    [("Derek O'Hara (deputy)", "Derek O'Hara"), ("Derek O'Hara", "Derek O'Hara (deputy)")],
)
def test_a_name_beside_the_same_with_a_word_in_brackets_is_asked_about(first, second):
    pasted = tidy(f"{first}\n{second}")
    assert [line.verdict for line in read_list(pasted, [])] == ["new", "like"]
    known = KnownPerson(first, (first,))
    assert read_list(second, [known])[0].like == (first,)


def test_two_of_one_name_told_apart_by_brackets_are_two():
    lines = read_list(tidy("Jo (tall)\nJo (short)"), [])
    assert [line.verdict for line in lines] == ["new", "new"]
