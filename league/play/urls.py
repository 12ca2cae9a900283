"""URLs of play: `/t/…` are the pages of tables, `/c/…` the club's pages about its games."""

from django.urls import path, re_path

from league.play.views import codes, confirming, corrections, entry, final_scores, games

AT = "t/<str:public_id>/"
OF_GAME = "c/<slug:slug>/g/<str:public_id>/"
OF_SESSION = "c/<slug:slug>/s/<str:public_id>/"

urlpatterns = [
    path("t/", codes.table_door, name="table_door"),
    path("t/worker.js", codes.worker, name="table_worker"),
    path("t/manifest.webmanifest", codes.manifest, name="table_manifest"),
    re_path(
        r"^t/(?P<code>[0-9A-Za-z]{4}-?[0-9A-Za-z]{4})/?$", codes.typed_address, name="typed_code"
    ),
    path(AT, entry.table_entry, name="table_entry"),
    path(f"{AT}hand", entry.save_hand, name="save_hand"),
    path(f"{AT}preview", entry.preview_hand, name="preview_hand"),
    path(f"{AT}undo", entry.undo_hand, name="undo_hand"),
    path(f"{AT}redo", entry.redo_hand, name="redo_hand"),
    path(f"{AT}news", entry.table_news, name="table_news"),
    path(f"{AT}misdeal", corrections.table_misdeal, name="table_misdeal"),
    path(f"{AT}ruling", corrections.table_ruling, name="table_ruling"),
    path(f"{AT}ruling/preview", corrections.preview_ruling, name="preview_ruling"),
    path(f"{AT}ruling/<int:ruling>/undo", corrections.undo_ruling, name="undo_ruling"),
    path(f"{AT}concede", corrections.table_concede, name="table_concede"),
    path(f"{AT}time", corrections.table_time, name="table_time"),
    path(f"{AT}resume", corrections.table_resume, name="table_resume"),
    path(f"{AT}call", corrections.table_call, name="table_call"),
    path(f"{AT}call/off", corrections.table_call_off, name="table_call_off"),
    path(f"{AT}totals", corrections.table_totals, name="table_totals"),
    path(f"{AT}confirm/<int:seat>", confirming.table_confirm, name="table_confirm"),
    path(f"{AT}dispute/withdraw", confirming.withdraw_dispute, name="withdraw_dispute"),
    path(f"{AT}follow", corrections.table_follow, name="table_follow"),
    path(f"{AT}hands/<int:number>", corrections.table_correct, name="table_correct"),
    path(f"{AT}hands/<int:number>/strike", corrections.table_strike, name="table_strike"),
    path(OF_GAME, games.game, name="game"),
    path(f"{OF_GAME}confirm", games.confirm, name="confirm_result"),
    path(f"{OF_GAME}settle", games.settle, name="settle_game"),
    path(f"{OF_GAME}abandon", games.abandon, name="abandon_game"),
    path(f"{OF_GAME}adjust", games.adjust, name="adjust_score"),
    path(f"{OF_GAME}adjust/preview", games.preview_adjustment, name="preview_adjustment"),
    path(f"{OF_GAME}rulings/<int:ruling>/withdraw", games.withdraw, name="withdraw_ruling"),
    path(f"{OF_SESSION}enter/", games.tables_to_enter, name="tables_to_enter"),
    path(f"{OF_SESSION}enter/scores/", final_scores.final_scores, name="final_scores"),
    path(f"{OF_SESSION}disputes/", games.disputes, name="disputes"),
    path(f"{OF_SESSION}disputes/confirm", games.confirm_all, name="confirm_all"),
]
