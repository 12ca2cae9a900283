"""The search in help, also by words that its answers do not use."""

import pytest
from playwright.sync_api import expect

SEARCHES = {
    "wifi": "A phone has no Wi-Fi",
    "internet": "A phone has no Wi-Fi",
    "projector": "The hall has a screen",
    "tv": "The hall has a screen",
    "children": "Who sees names and results",
    "juniors": "Who sees names and results",
    "privacy": "Who sees names and results",
    "data": "You want a copy of everything",
    "forgotten": "You forgot your password",
    "password": "You forgot your password",
    "mobile": "A phone or a table card is lost",
    "print": "You keep score on paper",
    "prize": "The winners should be a surprise",
    "pot": "You play for money",
    "backup": "You want a copy of everything",
    "start a club": "You want to start a club of your own",
    "another club": "You want to start a club of your own",
    "sit out": "A player sits out a round",
    "bye": "A player sits out a round",
    "nudge": "A table is slow",
    "rename": "A name is wrong",
    "per cent": "What “% score” means",
    "% score": "What “% score” means",
    "tie": "Two players have won the same number of games",
    "word": "You forgot your password",  # no word begins so
}


@pytest.mark.django_db(transaction=True)
def test_help_finds_an_answer_by_other_words(open_page):
    page = open_page("desktop")
    page.goto("/help/")
    for word, answer in SEARCHES.items():
        page.get_by_label("Find an answer").fill(word)
        expect(page.get_by_text(answer, exact=True), word).to_be_visible()
        expect(page.get_by_text("A side disputes the result", exact=True), word).to_be_hidden()


@pytest.mark.django_db(transaction=True)
def test_a_word_is_found_from_its_beginning(open_page):
    page = open_page("desktop")
    page.goto("/help/")
    page.get_by_label("Find an answer").fill("tie")
    expect(page.get_by_text("Two players have won the same number of games")).to_be_visible()
    expect(page.get_by_text("Earlier hands, misdeals and penalties")).to_be_hidden()
