"""What people do to a league of teams: set it up, fix and move matches, confirm cards, cups."""

from league.teams.actions.cards import write_card
from league.teams.actions.confirming import confirm_card, dispute_card
from league.teams.actions.cups import decide_cup_match, draw_cup_matches, drop_cup, make_cup
from league.teams.actions.fixtures import (
    discard_fixtures,
    give_match,
    join_by_reschedule,
    join_fixtures,
    make_fixtures,
    move_match,
    take_match_back,
)
from league.teams.actions.leagues import (
    change_blank_days,
    change_league,
    change_rules,
    make_league,
    start_next_league,
    start_second_competition,
    turn_league,
)
from league.teams.actions.matches import (
    correct_disputed_card,
    decide,
    give_games,
    leave_message,
    lift_late,
    move_card,
    send_photograph,
    settle_dispute,
)
from league.teams.actions.pairs import (
    drop_pairs_cup,
    make_pairs_cup,
    record_pairs_result,
    set_pairs_day,
)
from league.teams.actions.play_offs import (
    make_play_off_match,
    record_play_off,
    take_back_play_off,
)
from league.teams.actions.teams import (
    deduct,
    drop_team,
    give_back,
    return_team,
    save_team,
    sign_on,
    transfer_player,
    withdraw_team,
)
from league.teams.card import Card

__all__ = [
    "Card",
    "change_blank_days",
    "change_league",
    "change_rules",
    "confirm_card",
    "correct_disputed_card",
    "decide",
    "decide_cup_match",
    "deduct",
    "discard_fixtures",
    "dispute_card",
    "draw_cup_matches",
    "drop_cup",
    "drop_pairs_cup",
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
    "make_pairs_cup",
    "make_play_off_match",
    "move_card",
    "move_match",
    "record_pairs_result",
    "record_play_off",
    "return_team",
    "save_team",
    "send_photograph",
    "set_pairs_day",
    "settle_dispute",
    "sign_on",
    "start_next_league",
    "start_second_competition",
    "take_back_play_off",
    "take_match_back",
    "transfer_player",
    "turn_league",
    "withdraw_team",
    "write_card",
]
