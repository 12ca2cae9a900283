"""A tournament is played by its session's rules, as they stand when a round is published."""

import pytest

from league.errors import Refused
from league.members.actions.rulesets import adopt_preset
from league.seating.actions.running import set_session_rules
from league.seating.models import Table
from league.tournaments import actions
from league.tournaments.games_of_matches import rules_played
from tests.builders import EIGHT, TEST, a_club, a_ruleset, rulesets_of
from tests.tournaments.playing import a_tournament, drawn, of_pairs, published, state_of, tables

pytestmark = pytest.mark.django_db


def names(tournament):
    return {table.ruleset.name for table in tables(tournament)}


def test_the_rules_for_this_session_are_the_tournaments_too_and_its_page_says_so():
    cup = of_pairs(2, "knockout")
    other = a_ruleset(cup.club, "keller-1887-four-handed")
    set_session_rules(cup.session, [other], by=TEST)
    assert rules_played(state_of(cup)) == [other.name]
    published(cup)
    assert names(cup) == {other.name}


def test_what_a_club_changed_in_its_rules_stands_there_before_and_after_the_draw():
    cup = of_pairs(2, "knockout")
    options = {"stick_the_dealer": True, "target": 5}
    own = adopt_preset(cup.club, preset="standard-four-handed", options=options, by=TEST)
    set_session_rules(cup.session, [own], by=TEST)
    assert rules_played(state_of(cup)) == ["Euchre, to 5, stick the dealer"]
    published(cup)
    assert rules_played(state_of(cup)) == ["Euchre, to 5, stick the dealer"]


def test_rules_chosen_after_the_draw_are_those_its_tables_are_published_with():
    cup = of_pairs(2, "knockout")
    drawn(cup)
    other = a_ruleset(cup.club, "keller-1887-four-handed")
    cup.club.rulesets.filter(players=4).update(is_default=False)
    cup.club.rulesets.filter(pk=other.pk).update(is_default=True)
    actions.publish_draw(cup, by=TEST, at=EIGHT)
    assert names(cup) == {other.name}


def test_a_draft_of_progressive_euchre_keeps_its_hands_a_game_when_rules_change():
    night = a_tournament(8)
    drawn(night)
    other = a_ruleset(night.club, "keller-1887-four-handed")
    set_session_rules(night.session, [other], by=TEST)
    actions.publish_draw(night, by=TEST, at=EIGHT)
    assert names(night) == {f"{other.name}, 2 hands"}


def test_fixed_pairs_are_refused_rules_by_which_everyone_plays_alone():
    club = a_club()
    rulesets_of(club)
    club.rulesets.filter(players=4).update(is_default=False)
    alone = a_ruleset(club, "buck-euchre")
    club.rulesets.filter(pk=alone.pk).update(is_default=True)
    with pytest.raises(Refused, match="everyone plays for themselves") as refused:
        of_pairs(2, "knockout", club=club)
    assert refused.value.code == "plays-alone"


def test_a_draw_for_fixed_pairs_is_refused_when_the_session_changes_to_such_rules():
    cup = of_pairs(2, "knockout")
    set_session_rules(cup.session, [a_ruleset(cup.club, "buck-euchre")], by=TEST)
    with pytest.raises(Refused, match="everyone plays for themselves"):
        drawn(cup)
    assert not Table.objects.filter(session=cup.session).exists()
