"""URLs of standings."""

from django.urls import path

from league.standings.views import (
    can_still_win,
    debts,
    embedding,
    members,
    payments,
    pots,
    seasons,
    tables,
)

SESSION = "c/<slug:slug>/s/<str:public_id>/"
SEASON = "c/<slug:slug>/seasons/<str:public_id>/"
POT = "c/<slug:slug>/pots/<str:public_id>/"

urlpatterns = [
    path(f"{SESSION}standings/", tables.session_standings, name="session_standings"),
    path(f"{SESSION}standings/rule/", tables.session_rule, name="session_rule"),
    path(f"{SESSION}standings/embed/", embedding.session_embed, name="session_embed"),
    path(f"{SESSION}standings.svg", embedding.session_picture, name="session_picture"),
    path(f"{SEASON}standings/embed/", embedding.season_embed, name="season_embed"),
    path(f"{SEASON}standings.svg", embedding.season_picture, name="season_picture"),
    path(f"{SESSION}standings/outlook/", can_still_win.session_outlook, name="session_outlook"),
    path(f"{SEASON}standings/outlook/", can_still_win.season_outlook, name="season_outlook"),
    path(f"{SESSION}standings/hold", tables.standings_hold, name="standings_hold"),
    path(f"{SESSION}standings/release", tables.standings_release, name="standings_release"),
    path(f"{SESSION}standings/games/", tables.games_table, name="games_table"),
    path(f"{SESSION}print/standings/", tables.print_standings, name="print_standings"),
    path("c/<slug:slug>/standings/", tables.standings, name="standings"),
    path("c/<slug:slug>/standings/ratings/", members.ratings, name="ratings"),
    path("c/<slug:slug>/standings/rule/", tables.standings_rule, name="standings_rule"),
    path(
        "c/<slug:slug>/seasons/<str:public_id>/standings/",
        tables.season_standings,
        name="season_standings",
    ),
    path(f"{SEASON}rule/", tables.season_rule, name="season_rule"),
    path(f"{SEASON}close", seasons.season_close, name="season_close"),
    path(f"{SEASON}take-in", seasons.season_take_in, name="season_take_in"),
    path(f"{SEASON}take-out", seasons.season_take_out, name="season_take_out"),
    path(f"{SEASON}reopen", seasons.season_reopen, name="season_reopen"),
    path(f"{SESSION}pots/", pots.session_pots, name="session_pots"),
    path(f"{SESSION}pots/add", pots.session_pot_add, name="session_pot_add"),
    path(f"{SESSION}pots/copy", pots.session_pot_copy, name="session_pot_copy"),
    path(f"{SEASON}pots/", pots.season_pots, name="season_pots"),
    path(f"{SESSION}pots/settle", payments.session_pot_settle, name="session_pot_settle"),
    path(f"{SEASON}pots/settle", payments.season_pot_settle, name="season_pot_settle"),
    path(f"{SESSION}pots/part", payments.session_pot_part, name="session_pot_part"),
    path(f"{SEASON}pots/part", payments.season_pot_part, name="season_pot_part"),
    path(f"{SESSION}pots/let-off", payments.session_pot_let_off, name="session_pot_let_off"),
    path(f"{SEASON}pots/let-off", payments.season_pot_let_off, name="season_pot_let_off"),
    path(f"{SEASON}pots/add", pots.season_pot_add, name="season_pot_add"),
    path(f"{SESSION}pots/all-paid", payments.session_pot_all_paid, name="session_pot_all_paid"),
    path(f"{SEASON}pots/all-paid", payments.season_pot_all_paid, name="season_pot_all_paid"),
    path(f"{SESSION}pots/all-back", payments.session_pot_all_back, name="session_pot_all_back"),
    path(f"{SEASON}pots/all-back", payments.season_pot_all_back, name="season_pot_all_back"),
    path("c/<slug:slug>/pots/", debts.who_owes, name="who_owes"),
    path(f"{SEASON}account/", debts.account_of_season, name="season_account"),
    path(f"{POT}drop", pots.pot_drop, name="pot_drop"),
    path(f"{POT}change", pots.pot_change, name="pot_change"),
    path(f"{POT}shares", pots.pot_shares, name="pot_shares"),
    path(f"{POT}payout", pots.pot_payout, name="pot_payout"),
    path(f"{POT}give-back", pots.pot_give_back, name="pot_give_back"),
    path(f"{POT}leave-out", payments.pot_leave_out, name="pot_leave_out"),
    path(f"{POT}to-club", payments.pot_book, name="pot_book"),
    path(f"{POT}payment", payments.pot_payment, name="pot_payment"),
    path(
        f"{POT}payment/<int:payment>/withdraw", payments.payment_withdraw, name="payment_withdraw"
    ),
    path(f"{POT}payment/<int:payment>/undo", payments.payment_undo, name="payment_undo"),
    path(
        "c/<slug:slug>/members/<str:public_id>/record/", members.member_record, name="member_record"
    ),
    path("c/<slug:slug>/members/<str:public_id>/games/", members.member_games, name="member_games"),
    path(
        "c/<slug:slug>/members/<str:public_id>/compare/",
        members.member_compare,
        name="member_compare",
    ),
]
