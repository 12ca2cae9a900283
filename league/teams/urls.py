"""URLs of team leagues."""

from django.urls import path

from league.teams.views import cards, cups, fixtures, leagues, matches, rules, teams

LEAGUE = "c/<slug:slug>/leagues/<str:public_id>/"
TEAM = f"{LEAGUE}teams/<str:team>/"
CUP = f"{LEAGUE}cups/<str:cup>/"
PAIRS = f"{LEAGUE}pairs/<str:pairs>/"
MATCH = f"{LEAGUE}matches/<str:match>/"

urlpatterns = [
    path("c/<slug:slug>/leagues/", leagues.team_leagues, name="team_leagues"),
    path("c/<slug:slug>/leagues/new/", leagues.team_league_new, name="team_league_new"),
    path(LEAGUE, leagues.team_league, name="team_league"),
    path(f"{LEAGUE}edit/", leagues.team_league_edit, name="team_league_edit"),
    path(f"{LEAGUE}close/", leagues.team_league_close, name="team_league_close"),
    path(f"{LEAGUE}cancel/", leagues.team_league_cancel, name="team_league_cancel"),
    path(f"{LEAGUE}delete/", rules.team_league_delete, name="team_league_delete"),
    path(f"{LEAGUE}reopen/", leagues.team_league_reopen, name="team_league_reopen"),
    path(f"{LEAGUE}mine/", teams.team_mine, name="team_mine"),
    path(f"{LEAGUE}messages/read/", leagues.team_messages_read, name="team_messages_read"),
    path(f"{LEAGUE}embed/", fixtures.team_embed, name="team_embed"),
    path(f"{LEAGUE}rules/", rules.team_rules, name="team_rules"),
    path(f"{LEAGUE}rules/newest/", rules.team_rules_newest, name="team_rules_newest"),
    path(f"{LEAGUE}rules/edit/", rules.team_rules_edit, name="team_rules_edit"),
    path(f"{LEAGUE}next/", rules.team_league_next, name="team_league_next"),
    path(f"{LEAGUE}second/", rules.team_second, name="team_second"),
    path(f"{LEAGUE}decisions/", rules.team_decide, name="team_decide"),
    path(f"{LEAGUE}play-offs/", cups.team_play_off, name="team_play_off"),
    path(f"{LEAGUE}play-offs/match/", cups.team_play_off_match, name="team_play_off_match"),
    path(
        f"{LEAGUE}play-offs/<int:play_off>/back/",
        cups.team_play_off_back,
        name="team_play_off_back",
    ),
    path(f"{LEAGUE}notice/", fixtures.team_notice, name="team_notice"),
    path(f"{LEAGUE}results/", fixtures.team_results_text, name="team_results_text"),
    path(f"{LEAGUE}records/", fixtures.team_records, name="team_records"),
    path(f"{LEAGUE}draw/", fixtures.team_draw, name="team_draw"),
    path(f"{LEAGUE}draw/days/", fixtures.team_draw_days, name="team_draw_days"),
    path(f"{LEAGUE}draw/again/", fixtures.team_redraw, name="team_redraw"),
    path(f"{LEAGUE}fixtures/", fixtures.team_fixtures, name="team_fixtures"),
    path(f"{LEAGUE}fixtures/print/", fixtures.team_fixtures_print, name="team_fixtures_print"),
    path(f"{LEAGUE}fixtures/make/", fixtures.team_fixtures_make, name="team_fixtures_make"),
    path(
        f"{LEAGUE}fixtures/discard/", fixtures.team_fixtures_discard, name="team_fixtures_discard"
    ),
    path(f"{LEAGUE}teams/new/", teams.team_new, name="team_new"),
    path(TEAM, teams.team, name="team"),
    path(f"{TEAM}edit/", teams.team_edit, name="team_edit"),
    path(f"{TEAM}sign-on/", teams.team_sign_on, name="team_sign_on"),
    path(f"{TEAM}invite/", teams.team_invite, name="team_invite"),
    path(f"{TEAM}drop/", teams.team_drop, name="team_drop"),
    path(f"{TEAM}withdraw/", teams.team_withdraw, name="team_withdraw"),
    path(f"{TEAM}return/", teams.team_return, name="team_return"),
    path(f"{TEAM}transfer/", teams.team_transfer, name="team_transfer"),
    path(f"{TEAM}points/", teams.team_deduct, name="team_deduct"),
    path(f"{TEAM}points/<int:deduction>/back/", teams.team_give_back, name="team_give_back"),
    path(f"{TEAM}join/", fixtures.team_join, name="team_join"),
    path(f"{LEAGUE}cups/draw/", cups.team_cup_draw, name="team_cup_draw"),
    path(CUP, cups.team_cup, name="team_cup"),
    path(f"{CUP}round/", cups.team_cup_round, name="team_cup_round"),
    path(f"{CUP}drop/", cups.team_cup_drop, name="team_cup_drop"),
    path(f"{LEAGUE}pairs/new/", cups.team_pairs_new, name="team_pairs_new"),
    path(PAIRS, cups.team_pairs, name="team_pairs"),
    path(f"{PAIRS}round/", cups.team_pairs_round, name="team_pairs_round"),
    path(f"{PAIRS}drop/", cups.team_pairs_drop, name="team_pairs_drop"),
    path(f"{PAIRS}<str:place>/result/", cups.team_pairs_result, name="team_pairs_result"),
    path(MATCH, matches.team_match, name="team_match"),
    path(f"{MATCH}card/", cards.team_card, name="team_card"),
    path(f"{MATCH}card/draw/", cards.team_card_draw, name="team_card_draw"),
    path(f"{MATCH}card/print/", cards.team_card_print, name="team_card_print"),
    path(f"{MATCH}card/move/", matches.team_card_move, name="team_card_move"),
    path(f"{MATCH}decider/", matches.team_match_decider, name="team_match_decider"),
    path(f"{MATCH}message/", matches.team_match_message, name="team_match_message"),
    path(f"{MATCH}photograph/", cards.team_photograph_send, name="team_photograph_send"),
    path(f"{MATCH}photograph/<str:team>/", cards.team_photograph, name="team_photograph"),
    path(f"{MATCH}confirm/", matches.team_match_confirm, name="team_match_confirm"),
    path(f"{MATCH}object/", matches.team_match_object, name="team_match_object"),
    path(f"{MATCH}move/", matches.team_match_move, name="team_match_move"),
    path(f"{MATCH}games/", matches.team_match_games, name="team_match_games"),
    path(f"{MATCH}late/", matches.team_match_late, name="team_match_late"),
    path(f"{MATCH}late/again/", matches.team_match_late_again, name="team_match_late_again"),
    path(f"{MATCH}settle/", matches.team_match_settle, name="team_match_settle"),
    path(f"{MATCH}give/", matches.team_match_give, name="team_match_give"),
    path(f"{MATCH}take-back/", matches.team_match_take_back, name="team_match_take_back"),
]
