"""Orders to a tournament: set it up, enter, draw, publish, decide, ring the bell, close it."""

from league.tournaments.actions.deciding import (
    decide_match,
    follow_correction,
    force_round,
    next_game,
    ring_bell,
    unseat_game,
)
from league.tournaments.actions.drawing import (
    discard_draw,
    draw_round,
    publish_draw,
    take_draw_back,
)
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
    withdraw_entry,
)
from league.tournaments.actions.finals import best_of, start_final
from league.tournaments.actions.public_entry import (
    accept_request,
    decline_request,
    offer_places,
    request_entry,
)
from league.tournaments.actions.redraw import enter_by_redraw, enter_larger_bracket, swap_entries
from league.tournaments.actions.seeding import (
    keep_apart,
    let_meet,
    seed_by_list,
    seed_by_ratings,
    seed_by_season,
    seed_entry,
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
    "request_entry",
    "ring_bell",
    "seed_by_list",
    "seed_by_ratings",
    "seed_by_season",
    "seed_entry",
    "start_final",
    "start_tournament",
    "swap_entries",
    "take_draw_back",
    "unseat_game",
    "withdraw_entry",
]
