"""URLs of seating."""

from django.urls import path

from league.seating.views import checkin, draft, tables

NIGHT = "c/<slug:slug>/s/<str:public_id>"
TABLE = f"{NIGHT}/tables/<str:table>"

urlpatterns = [
    path(f"{NIGHT}/checkin/", checkin.checkin, name="checkin"),
    path(f"{NIGHT}/checkin/arrive", checkin.checkin_arrive, name="checkin_arrive"),
    path(f"{NIGHT}/checkin/leave", checkin.checkin_leave, name="checkin_leave"),
    path(f"{NIGHT}/checkin/rest", checkin.checkin_rest, name="checkin_rest"),
    path(f"{NIGHT}/checkin/again", checkin.checkin_again, name="checkin_again"),
    path(f"{NIGHT}/checkin/guest", checkin.checkin_guest, name="checkin_guest"),
    path(f"{NIGHT}/checkin/paste", checkin.checkin_paste, name="checkin_paste"),
    path(f"{NIGHT}/checkin/everyone", checkin.checkin_everyone, name="checkin_everyone"),
    path(f"{NIGHT}/checkin/elsewhere", checkin.checkin_elsewhere, name="checkin_elsewhere"),
    path(f"{NIGHT}/checkin/last", checkin.checkin_last, name="checkin_last"),
    path(f"{NIGHT}/checkin/signed-up", checkin.checkin_signed_up, name="checkin_signed_up"),
    path(f"{NIGHT}/seating/", draft.seating, name="seating"),
    path(f"{NIGHT}/seating/draft", draft.seating_draft, name="seating_draft"),
    path(f"{NIGHT}/seating/sizes", draft.seating_sizes, name="seating_sizes"),
    path(f"{NIGHT}/seating/redraw", draft.seating_redraw, name="seating_redraw"),
    path(f"{NIGHT}/seating/swap", draft.seating_swap, name="seating_swap"),
    path(f"{NIGHT}/seating/lock", draft.seating_lock, name="seating_lock"),
    path(f"{NIGHT}/seating/publish", draft.seating_publish, name="seating_publish"),
    path(f"{NIGHT}/seating/discard", draft.seating_discard, name="seating_discard"),
    path(f"{NIGHT}/seating/take-back", draft.seating_take_back, name="seating_take_back"),
    path(f"{NIGHT}/seating/certificate/", draft.seating_certificate, name="certificate"),
    path(f"{TABLE}/nudge", tables.table_nudge, name="table_nudge"),
    path(f"{TABLE}/join", tables.table_join, name="table_join"),
    path(f"{TABLE}/dealer", tables.table_dealer, name="table_dealer"),
    path(f"{TABLE}/redraw-dealer", tables.table_redraw_dealer, name="table_redraw_dealer"),
    path(f"{TABLE}/end", tables.table_end, name="table_end"),
    path(f"{TABLE}/new-code", tables.table_new_code, name="table_new_code"),
    path(f"{NIGHT}/rules/", tables.session_rules, name="session_rules"),
    path(f"{NIGHT}/rules/<int:players>/", tables.session_variant, name="session_variant"),
    path(f"{TABLE}/rules/", tables.table_rules, name="table_rules"),
    path(f"{TABLE}/rules/change", tables.table_variant, name="table_variant"),
    path("c/<slug:slug>/seating-requests/", tables.club_requests, name="seating_requests"),
    path(
        "c/<slug:slug>/seating-requests/<int:pk>/drop",
        tables.seating_request_drop,
        name="seating_request_drop",
    ),
]
