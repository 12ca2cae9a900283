"""Orders to a tournament: set it up, enter, draw, publish, decide, ring the bell, close it."""

from league.tournaments.actions.deciding import decide_match, force_round, next_game, ring_bell
from league.tournaments.actions.drawing import (
    discard_draw,
    draw_round,
    follow_correction,
    publish_draw,
    take_draw_back,
)
from league.tournaments.actions.editing import swap_entries
from league.tournaments.actions.entering import (
    draw_partners,
    drop_entry,
    enter,
    enter_present,
    pair_by_places,
    part_partners,
    pick_partner,
    play_on_as_pairs,
    replace_player,
    seed_entry,
    withdraw_entry,
)
from league.tournaments.actions.finals import best_of, start_final
from league.tournaments.actions.keeping_apart import keep_apart, let_meet
from league.tournaments.actions.late_entry import enter_by_redraw, enter_larger_bracket
from league.tournaments.actions.public_entry import (
    accept_request,
    ask_to_enter,
    decline_request,
    offer_places,
)
from league.tournaments.actions.seeding import (
    seed_by_list,
    seed_by_ratings,
    seed_by_season,
)
from league.tournaments.actions.setup import (
    cancel_tournament,
    change_tournament,
    choose_ranking,
    finish_tournament,
    move_to_session,
    rank_again,
    start_tournament,
)

__all__ = [
    "accept_request",
    "ask_to_enter",
    "best_of",
    "cancel_tournament",
    "change_tournament",
    "choose_ranking",
    "decide_match",
    "decline_request",
    "discard_draw",
    "draw_partners",
    "draw_round",
    "drop_entry",
    "enter",
    "enter_by_redraw",
    "enter_larger_bracket",
    "enter_present",
    "finish_tournament",
    "follow_correction",
    "force_round",
    "keep_apart",
    "let_meet",
    "move_to_session",
    "next_game",
    "offer_places",
    "pair_by_places",
    "part_partners",
    "pick_partner",
    "play_on_as_pairs",
    "publish_draw",
    "rank_again",
    "replace_player",
    "ring_bell",
    "seed_by_list",
    "seed_by_ratings",
    "seed_by_season",
    "seed_entry",
    "start_final",
    "start_tournament",
    "swap_entries",
    "take_draw_back",
    "withdraw_entry",
]
