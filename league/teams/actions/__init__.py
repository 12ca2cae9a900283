"""Orders to a league of teams: set it up, fix and move matches, write and confirm cards, cups."""

from league.teams.actions.cards import confirm_card, dispute_card, write_card
from league.teams.actions.cups import draw_cup_matches, drop_cup, make_cup
from league.teams.actions.fixtures import (
    discard_fixtures,
    give_match,
    join_by_reschedule,
    join_fixtures,
    make_fixtures,
    move_match,
    take_match_back,
)
from league.teams.actions.importing import record_play_off
from league.teams.actions.matches import decide_cup_match, leave_message, move_card
from league.teams.actions.next_season import start_next_league, start_second_competition
from league.teams.actions.players import sign_on
from league.teams.actions.rules import change_rules
from league.teams.actions.setup import (
    change_league,
    deduct,
    drop_team,
    give_back,
    make_league,
    return_team,
    save_team,
    turn_league,
    withdraw_team,
)
from league.teams.actions.squads import decide, give_games, lift_late, transfer_player
from league.teams.card import Card

__all__ = [
    "Card",
    "change_league",
    "change_rules",
    "confirm_card",
    "decide",
    "decide_cup_match",
    "deduct",
    "discard_fixtures",
    "dispute_card",
    "draw_cup_matches",
    "drop_cup",
    "drop_team",
    "give_back",
    "give_games",
    "give_match",
    "join_by_reschedule",
    "join_fixtures",
    "leave_message",
    "lift_late",
    "make_cup",
    "make_fixtures",
    "make_league",
    "move_card",
    "move_match",
    "record_play_off",
    "return_team",
    "save_team",
    "sign_on",
    "start_next_league",
    "start_second_competition",
    "take_match_back",
    "transfer_player",
    "turn_league",
    "withdraw_team",
    "write_card",
]
