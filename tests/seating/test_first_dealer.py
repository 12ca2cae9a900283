"""The first dealer: every custom of the rulesets, drawn from a seed and shown."""

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from league.errors import Refused
from league.pairing.seating.dealers import CUSTOMS, draw_dealer
from league.seating.actions import redraw_dealer, set_dealer, set_table_rules
from league.seating.queries import live_tables
from scoring import ruleset
from tests.builders import TEST, a_user
from tests.pages import squeezed
from tests.seating.nights import a_game, a_night, a_seating_club, published, table_of
from tests.seating.test_house_rules import another as other_rules

DECK = ruleset({"extends": "nanaimo-four-handed"}).deck
PLAYERS = st.integers(2, 4)
SEEDS = st.integers(0, 2**31 - 1)


def plain(card):
    return "789TJQKA".index(card[0]), "csdh".index(card[1])


@given(PLAYERS, SEEDS)
def test_the_highest_card_deals_and_hearts_beat_diamonds_spades_and_clubs(players, seed):
    drawn = draw_dealer("high_card_suits", players, deck=DECK, seed=seed)
    assert [seat for seat, _card in drawn.cards] == list(range(players))
    assert drawn.dealer == max(drawn.cards, key=lambda one: plain(one[1]))[0]


@pytest.mark.parametrize(("custom", "jacks"), [("first_jack", "cdhs"), ("first_black_jack", "cs")])
@given(players=PLAYERS, seed=SEEDS)
def test_the_first_jack_turned_deals(custom, jacks, players, seed):
    drawn = draw_dealer(custom, players, deck=DECK, seed=seed)
    *others, (seat, last) = drawn.cards
    assert last[0] == "J"
    assert last[1] in jacks
    assert drawn.dealer == seat == (len(drawn.cards) - 1) % players
    assert not [card for _seat, card in others if card[0] == "J" and card[1] in jacks]


@pytest.mark.parametrize(("custom", "order"), [("cut_high", "789TQKAJ"), ("cut_low", "KQJT987A")])
@given(players=PLAYERS, seed=SEEDS)
def test_a_cut_is_decided_by_rank_and_ties_cut_again(custom, order, players, seed):
    drawn = draw_dealer(custom, players, deck=DECK, seed=seed)
    first = drawn.cards[:players]
    best = max(order.index(card[0]) for _seat, card in first)
    tied = [seat for seat, card in first if order.index(card[0]) == best]
    assert drawn.dealer in tied
    assert (len(tied) > 1) == (len(drawn.cards) > players)


@pytest.mark.parametrize("custom", sorted(CUSTOMS))
@given(players=PLAYERS, seed=SEEDS)
def test_a_draw_is_the_same_again_from_its_seed(custom, players, seed):
    drawn = draw_dealer(custom, players, deck=DECK, seed=seed)
    assert drawn == draw_dealer(custom, players, deck=DECK, seed=seed)
    assert 0 <= drawn.dealer < players
    assert len({card for _seat, card in drawn.cards}) == len(drawn.cards)


def test_every_custom_a_ruleset_may_name_can_be_drawn():
    from scoring.rulesets.options import OPTIONS

    assert set(OPTIONS["first_dealer"].values) == set(CUSTOMS)


@pytest.mark.django_db
def test_publishing_draws_by_the_custom_of_the_tables_ruleset():
    night, _members = a_night(8, a_seating_club(first_dealer="high_card_suits"))
    published(night)
    for table in live_tables(night):
        cards = table.dealer_draw["cards"]
        assert len(cards) == 4
        assert table.first_dealer == max(cards, key=lambda one: plain(one[1]))[0]


@pytest.mark.django_db
def test_the_page_of_the_table_says_among_whom_the_house_rules_random_draw_is(client):
    night, _members = a_night(4)
    published(night)
    table = table_of(night, 4)
    client.force_login(a_user(club=night.club))
    page = reverse("table_desk", args=[night.club.slug, night.public_id, table.public_id])
    among = "Random draw among the players with the fewest deals so far."
    assert among in client.get(page).text
    redraw_dealer(table, by=TEST, seed=1)
    assert among not in client.get(page).text
    assert "<p>Random draw.</p>" in squeezed(client.get(page).text)


@pytest.mark.django_db
def test_a_draw_at_the_table_is_written_down():
    night, _members = a_night(4)
    published(night)
    table = live_tables(night)[0]
    set_dealer(table, 2, by=TEST)
    table.refresh_from_db()
    assert (table.first_dealer, table.dealer_draw) == (2, {"custom": "by_hand"})


@pytest.mark.django_db
def test_a_game_a_phone_has_opened_follows_the_new_first_dealer():
    night, _members = a_night(4)
    published(night)
    table = live_tables(night)[0]
    game = a_game(table, state="playing")
    set_dealer(table, 3, by=TEST)
    game.refresh_from_db()
    assert game.first_dealer == 3


@pytest.mark.django_db
def test_the_first_dealer_stands_once_a_hand_is_entered():
    night, _members = a_night(4)
    published(night)
    table = live_tables(night)[0]
    a_game(table, state="playing", hands=1)
    for order in (
        lambda: set_dealer(table, 1, by=TEST),
        lambda: redraw_dealer(table, by=TEST, seed=9),
    ):
        with pytest.raises(Refused) as refused:
            order()
        assert refused.value.code == "hands-entered"


@pytest.mark.django_db
def test_other_rules_at_a_table_leave_its_first_dealer_where_both_draw_alike():
    night, _members = a_night(8)
    published(night)
    table = live_tables(night)[0]
    set_dealer(table, 2, by=TEST)
    set_table_rules(table, other_rules(night.club), by=TEST)
    table.refresh_from_db()
    assert (table.first_dealer, table.dealer_draw) == (2, {"custom": "by_hand"})


@pytest.mark.django_db
def test_where_other_rules_draw_the_first_dealer_otherwise_the_page_and_the_log_say_so(client):
    night, _members = a_night(4)
    published(night)
    table = table_of(night, 4)
    set_dealer(table, 3, by=TEST)  # the draw names another
    ours = other_rules(night.club, first_dealer="first_jack")
    client.force_login(a_user(club=night.club))
    page = reverse("table_rules", args=[night.club.slug, night.public_id, table.public_id])
    text = client.post(page, {"rules": ours.pk}, follow=True).text
    table.refresh_from_db()
    dealer = table.seats.get(position=table.first_dealer).member
    assert f"which draw the first dealer otherwise: {dealer} deals." in text
    entry = night.club.audit.filter(action="first dealer").latest("pk")
    assert entry.new == table.first_dealer
