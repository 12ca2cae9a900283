"""URLs of tournaments."""

from django.urls import path

from league.tournaments.views import entries, hub, partners, public_entry, rounds, setup

TOURNAMENT = "c/<slug:slug>/tournaments/<str:public_id>/"

BUTTONS = {
    "draw/new/": rounds.tournament_draw_round,
    "draw/discard/": rounds.tournament_discard,
    "draw/swap/": rounds.tournament_swap,
    "draw/publish/": rounds.tournament_publish,
    "draw/take-back/": rounds.tournament_take_back,
    "late-matches/": rounds.tournament_late_matches,
    "bell/": rounds.tournament_bell,
    "force/": rounds.tournament_force,
    "hold/": rounds.tournament_hold,
    "finish/": rounds.tournament_finish,
    "cancel/": rounds.tournament_cancel,
    "reopen/": rounds.tournament_reopen,
    "reopen/all/": rounds.tournament_reopen_all,
    "move/": setup.tournament_move,
    "matches/<int:match>/decide/": rounds.tournament_decide,
    "matches/<int:match>/decide/take-back/": rounds.tournament_take_back_decision,
    "matches/<int:match>/walk-over/take-back/": rounds.tournament_take_back_walkover,
    "matches/<int:match>/walk-over/turn/": rounds.tournament_turn_walkover,
    "matches/<int:match>/next-game/": rounds.tournament_game,
    "matches/<int:match>/unseat/": rounds.tournament_unseat,
    "matches/<int:match>/follow/": rounds.tournament_follow,
    "entries/present/": entries.tournament_enter_present,
    "entries/partners/": partners.tournament_draw_partners,
    "entries/pair/": partners.tournament_pair_up,
    "entries/by-places/": partners.tournament_by_places,
    "entries/seeds/ratings/": entries.tournament_seed_ratings,
    "entries/seeds/season/": entries.tournament_seed_season,
    "entries/places/": public_entry.tournament_places,
    "entries/requests/<int:entry_request>/accept/": public_entry.tournament_accept,
    "entries/requests/<int:entry_request>/decline/": public_entry.tournament_decline,
    "entries/apart/": entries.tournament_keep_apart,
    "entries/apart/undo/": entries.tournament_let_meet,
    "entries/pick/": partners.tournament_pick,
    "entries/<int:entry>/part/": partners.tournament_part,
    "entries/<int:entry>/drop/": entries.tournament_drop,
    "entries/<int:entry>/withdraw/": entries.tournament_withdraw,
    "entries/<int:entry>/return/": entries.tournament_return,
    "entries/<int:entry>/seed/": entries.tournament_seed,
    "entries/<int:entry>/replace/": entries.tournament_replace,
}
"""The path of each button below the tournament's; each is named like its view."""

urlpatterns = [
    path("c/<slug:slug>/tournaments/", setup.tournaments, name="tournaments"),
    path("c/<slug:slug>/tournaments/tonight/", setup.tournament_tonight, name="tournament_tonight"),
    path(
        "c/<slug:slug>/s/<str:public_id>/tournament/new/",
        setup.tournament_new,
        name="tournament_new",
    ),
    path(
        "c/<slug:slug>/s/<str:public_id>/tournament/final/",
        setup.tournament_final,
        name="tournament_final",
    ),
    path(TOURNAMENT, hub.tournament, name="tournament"),
    path(f"{TOURNAMENT}edit/", setup.tournament_edit, name="tournament_edit"),
    path(f"{TOURNAMENT}edit/ranking/", setup.tournament_ranking, name="tournament_ranking"),
    path(f"{TOURNAMENT}pairs/", setup.tournament_pairs, name="tournament_pairs"),
    path(f"{TOURNAMENT}entries/", entries.tournament_entries, name="tournament_entries"),
    path(f"{TOURNAMENT}entries/enter/", entries.tournament_enter, name="tournament_enter"),
    path(
        f"{TOURNAMENT}entries/paste/",
        partners.tournament_paste_pairs,
        name="tournament_paste_pairs",
    ),
    path(f"{TOURNAMENT}entries/seeds/", entries.tournament_seeds, name="tournament_seeds"),
    path(f"{TOURNAMENT}entries/late/", rounds.tournament_late, name="tournament_late"),
    path(f"{TOURNAMENT}enter/", public_entry.tournament_ask, name="tournament_ask"),
    path(
        f"{TOURNAMENT}enter/sent",
        public_entry.tournament_request_sent,
        name="tournament_request_sent",
    ),
    path(f"{TOURNAMENT}enter/poster/", public_entry.tournament_poster, name="tournament_poster"),
    path(f"{TOURNAMENT}draw/", rounds.tournament_draw, name="tournament_draw"),
    path(f"{TOURNAMENT}rounds/<int:number>/", hub.tournament_round, name="tournament_round"),
    path(f"{TOURNAMENT}standings/", hub.tournament_standings, name="tournament_standings"),
    path(f"{TOURNAMENT}print/", hub.print_draw, name="tournament_print"),
    path(f"{TOURNAMENT}print/cards/", hub.tournament_cards, name="tournament_cards"),
    *(path(f"{TOURNAMENT}{suffix}", view, name=view.__name__) for suffix, view in BUTTONS.items()),
]
