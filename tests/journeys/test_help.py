"""The search in help: whole questions, and words that its answers do not use."""

import re

import pytest
from playwright.sync_api import expect

from tests.journeys.help_league_questions import BEYOND, LEAGUE_QUESTIONS, LONG_WINDED, NONSENSE
from tests.journeys.help_others_questions import OTHERS
from tests.journeys.help_questions import ELSEWHERE, QUESTIONS, UNANSWERED, WORDS


def found(page, query: str) -> list[str]:
    """The headings of the answers that the search shows, best first."""
    page.get_by_label("Find an answer").fill(query)
    headings = page.evaluate(SHOWN)
    assert len(headings) <= 6, query
    return headings


SHOWN = """() => [...document.querySelectorAll("[data-best] summary > span")].map(
    line => line.firstChild.textContent)"""

ASK = """queries => queries.map(query => {
    const box = document.querySelector("[data-find]");
    box.value = query;
    box.dispatchEvent(new Event("input"));
    const shown = [...document.querySelectorAll("[data-best] summary > span")];
    const headings = shown.map(line => line.firstChild.textContent);
    const open = document.querySelectorAll("[data-best] details[open]").length;
    return [query, headings, open > 0];
})"""

SURE = """queries => queries.filter(query => {
    const box = document.querySelector("[data-find]");
    box.value = query;
    box.dispatchEvent(new Event("input"));
    return !document.querySelector("[data-found]").textContent;
})"""

# Each so many questions of the page, all left out of it and then typed: whether its answer comes
# first, is among those shown, and whether one stands alone.
LEAVE_OUT = """async step => {
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    const { indexed, ranked } = await import(loaded.find(name => name.includes("help-rank")));
    const { small, groups } = document.querySelector("[data-best]").dataset;
    const typed = [];
    let number = 0;
    const lists = [...document.querySelectorAll("[data-words]")].map((answer, place) => {
        const { also = "", questions = "" } = answer.dataset;
        const heading = answer.querySelector("h3, b").textContent;
        const listed = (questions.match(/[^?]+/g) ?? []).filter((question) => {
            const left_out = number++ % step === 0;
            if (left_out) typed.push([place, question]);
            return !left_out;
        });
        return { subject: [heading, ...also.split(","), answer.textContent], questions: listed };
    });
    const index = indexed(lists, small, groups);
    return typed.map(([answer, question]) => {
        const { alone, shown } = ranked(index, question);
        return [shown[0] === answer, shown.includes(answer), alone];
    });
}"""


def asked_of(page, queries) -> list[tuple[str, list[str], bool]]:
    """Each query, with the headings of its answers, and whether the first of them is open."""
    return page.evaluate(ASK, list(queries))


def firsts(page, queries) -> dict[str, list[str]]:
    """Each query with the heading of its first answer."""
    return {query: shown[:1] for query, shown, _ in asked_of(page, queries)}


def of_each(questions: dict[str, str]) -> dict[str, list[str]]:
    return {query: [answer] for query, answer in questions.items()}


@pytest.mark.django_db(transaction=True)
def test_a_whole_question_finds_its_answer_first_and_none_is_answered_that_nothing_answers(
    open_page,
):
    """“Rename a team” led to the players, “banana invoice” to a player who has stopped coming, and
    “What is the capital of Peru” found how a name is changed, as if that answered it."""
    page = open_page("desktop")
    page.goto("/help/")
    expect(page.get_by_role("searchbox")).to_be_visible()
    answers_to = asked_of(page, QUESTIONS)
    assert {query: shown[:1] for query, shown, _ in answers_to} == of_each(QUESTIONS)
    assert firsts(page, LEAGUE_QUESTIONS) == of_each(LEAGUE_QUESTIONS)
    assert firsts(page, OTHERS) == of_each(OTHERS)
    assert firsts(page, LONG_WINDED) == of_each(LONG_WINDED)  # words it does not know
    fitting = [query for query, _, is_open in answers_to if is_open]
    assert len(fitting) >= len(QUESTIONS) * 2 / 3
    assert [query for query, _, is_open in asked_of(page, UNANSWERED) if is_open] == []
    assert {query: shown for query, shown, _ in asked_of(page, NONSENSE) if shown} == {}
    assert page.evaluate(SURE, BEYOND) == []
    words = {word: answers[:3] for word, answers, _ in asked_of(page, WORDS)}
    assert {word: answers for word, answers in words.items() if WORDS[word] not in answers} == {}
    answers = found(page, "tie")  # a word is found from its beginning
    assert "Two players have won the same number of games" in answers
    assert "A mistake" not in answers  # its penalties are no tie
    answers = found(page, "the opponents did not turn up")  # the league's before the tournament's
    assert answers.index("A team doesn't come") < answers.index("Walk-over")


@pytest.mark.django_db(transaction=True)
def test_an_answer_that_may_be_another_shows_its_heading_and_opens(open_page, axe):
    page = open_page("phone")
    page.goto("/help/")
    assert "A hand is wrong" in found(page, "score wrong")
    expect(page.locator("[data-found]")).to_be_empty()
    line = page.locator("[data-best] summary", has_text="A hand is wrong")
    expect(line).to_have_text(
        "A hand is wrong\n“Undo” at the table takes the last hand back, and “Redo” returns it.",
        use_inner_text=True,
    )
    answer = page.locator("[data-best]").get_by_text("For earlier ones, open")
    expect(answer).to_be_hidden()
    line.click()
    expect(answer).to_be_visible()
    expect(line).to_have_text("A hand is wrong", use_inner_text=True)
    expect(answer.locator("xpath=../p[last()]")).to_have_text("Wrong scores and disputes")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    axe(page)
    page.get_by_label("Find an answer").fill("")
    expect(page.locator("[data-best] li")).to_have_count(0)


@pytest.mark.django_db(transaction=True)
def test_an_answer_names_its_subject_once_and_a_question_not_listed_finds_its_own_among_those_shown(
    open_page,
):
    """“Who deals” stood above “Who deals: the table's page marks …”."""
    page = open_page("desktop")
    page.goto("/help/")
    expect(page.get_by_role("searchbox")).to_be_visible()
    results = page.evaluate(LEAVE_OUT, 8)
    assert sum(first for first, _, _ in results) >= 0.6 * len(results)
    assert sum(shown for _, shown, _ in results) >= 0.85 * len(results)
    right_alone = [first for first, _, alone in results if alone]
    assert len(right_alone) >= 0.2 * len(results)
    assert sum(right_alone) >= 0.85 * len(right_alone)  # beside it is often an answer as good
    assert found(page, "who deals first")[0] == "Who deals"
    answer = page.locator("[data-best] details > ul > li").first
    expect(answer).to_have_text(re.compile("^The table's page marks"), use_inner_text=True)
    assert found(page, "he turned up after we had begun")[0] == "A player arrives late"
    expect(answer).to_have_text(re.compile("^Organisers do this"), use_inner_text=True)
    line = page.locator("[data-best] summary", has_text="A player arrives late")
    expect(line.locator("small")).to_have_text(re.compile("^Organisers do this. Check them in"))
    assert found(page, "what do I paste into any site")  # the first sentence alone is beside it
    line = page.locator("[data-best] summary", has_text="The standings on your club's own website")
    line.click()
    expect(line.locator("small")).to_have_text(re.compile("shows its standings in public.$"))


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("language", ELSEWHERE)
def test_questions_find_their_answers_in_other_languages(open_page, language):
    page = open_page("desktop", locale=language)
    page.goto("/help/")
    expect(page.get_by_role("searchbox")).to_be_visible()
    assert firsts(page, ELSEWHERE[language]) == of_each(ELSEWHERE[language])


@pytest.mark.django_db(transaction=True)
def test_the_topics_are_in_view_also_where_a_question_has_no_answer_and_open_with_theirs(
    open_page, axe
):
    page = open_page("small phone")
    page.goto("/help/")
    assert found(page, "do you sell playing cards")
    expect(page.locator("[data-found]")).to_contain_text("These are the closest.")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert found(page, "zebra") == []
    expect(page.locator("[data-found]")).to_contain_text("Nothing found.")
    assert found(page, "the battery is empty")
    expect(page.locator("[data-found]")).to_be_empty()
    topic = page.locator("[data-part] summary", has_text="Phones and Wi-Fi")
    answer = page.locator("[data-part]").get_by_role("heading", name="A phone's battery is empty")
    for query in ("", "late", "zebra"):
        page.get_by_label("Find an answer").fill(query)
        expect(topic).to_be_visible()
        expect(answer).to_be_hidden()
    topic.click()
    expect(answer).to_be_visible()
    axe(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@pytest.mark.django_db(transaction=True)
def test_a_link_opens_the_topic_of_its_answer_and_who_comes_back_finds_the_answers_again(open_page):
    page = open_page("phone")
    page.goto("/help/#how-an-evening-goes")
    expect(page.get_by_role("heading", name="How an evening goes")).to_be_in_viewport()
    assert found(page, "the battery is empty")
    page.goto("/")
    page.go_back()
    expect(page.get_by_label("Find an answer")).to_have_value("the battery is empty")
    expect(page.locator("[data-best] summary", has_text="battery is empty")).to_be_visible()
