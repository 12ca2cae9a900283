"""URLs of clubs and their people."""

from django.urls import path

from league.members.views import clubs, people, roles, rulesets

CLUB = "c/<slug:slug>/"
PERSON = CLUB + "members/<str:public_id>/"
RULES = CLUB + "rulesets/<str:public_id>/"

urlpatterns = [
    path("you/", people.you, name="you"),
    path("you/close/", people.account_close, name="account_close"),
    path("again/", people.typed_again, name="typed_again"),
    path("clubs/new/", clubs.new_club, name="new_club"),
    path("join/", roles.invitation, name="invitation"),
    path("join/club/", roles.club_join, name="club_join"),
    path("join/club/<str:code>/", roles.club_link_followed, name="club_link"),
    path("join/<str:token>/", roles.invitation_link, name="invitation_link"),
    path(
        "invitations/<int:invitation_id>/accept/",
        roles.invitation_accept,
        name="invitation_accept",
    ),
    path(
        "invitations/<int:invitation_id>/decline/",
        roles.invitation_decline,
        name="invitation_decline",
    ),
    path(f"{CLUB}members/", people.members, name="members"),
    path(f"{CLUB}members/add/", people.member_add, name="member_add"),
    path(f"{CLUB}members/paste/", people.members_paste, name="members_paste"),
    path(f"{PERSON}edit/", people.member_edit, name="member_edit"),
    path(f"{PERSON}account/", people.member_account, name="member_account"),
    path(f"{PERSON}deactivate/", people.member_deactivate, name="member_deactivate"),
    path(f"{PERSON}reactivate/", people.member_reactivate, name="member_reactivate"),
    path(f"{PERSON}admit/", people.member_admit, name="member_admit"),
    path(f"{PERSON}merge/", people.member_merge, name="member_merge"),
    path(f"{PERSON}erase/", people.member_erase, name="member_erase"),
    path(f"{CLUB}erase-me/", people.erase_me, name="erase_me"),
    path(f"{CLUB}appearance/", people.my_appearance, name="my_appearance"),
    path(f"{CLUB}roles/", roles.roles, name="roles"),
    path(f"{CLUB}roles/<int:role_id>/", roles.role_change, name="role_change"),
    path(f"{CLUB}roles/<int:role_id>/player/", roles.role_link, name="role_link"),
    path(f"{CLUB}roles/<int:role_id>/remove/", roles.role_remove, name="role_remove"),
    path(f"{CLUB}roles/link/open/", roles.club_link_open, name="club_link_open"),
    path(f"{CLUB}roles/link/replace/", roles.club_link_replace, name="club_link_replace"),
    path(f"{CLUB}roles/link/close/", roles.club_link_close, name="club_link_close"),
    path(f"{CLUB}roles/leave/", roles.role_leave, name="role_leave"),
    path(f"{CLUB}roles/invite/", roles.role_invite, name="role_invite"),
    path(
        f"{CLUB}roles/invitations/<int:invitation_id>/withdraw/",
        roles.invitation_withdraw,
        name="invitation_withdraw",
    ),
    path(f"{CLUB}guide/hide/", clubs.guide_hide, name="guide_hide"),
    path(f"{CLUB}guide/show/", clubs.guide_show, name="guide_show"),
    path(f"{CLUB}settings/", clubs.club_settings, name="club_settings"),
    path(f"{CLUB}rulesets/", rulesets.rulesets, name="rulesets"),
    path(f"{CLUB}rulesets/print/", rulesets.rules_print, name="rules_print"),
    path(f"{CLUB}rulesets/presets/", rulesets.ruleset_presets, name="ruleset_presets"),
    path(f"{CLUB}rulesets/presets/<slug:preset>/", rulesets.ruleset_new, name="ruleset_new"),
    path(f"{RULES}", rulesets.ruleset, name="ruleset"),
    path(f"{RULES}change/", rulesets.ruleset_change, name="ruleset_change"),
    path(f"{RULES}print/", rulesets.ruleset_print, name="ruleset_print"),
    path(f"{RULES}default/", rulesets.ruleset_default, name="ruleset_default"),
    path(f"{RULES}return/", rulesets.ruleset_return, name="ruleset_return"),
    path(f"{RULES}archive/", rulesets.ruleset_archive, name="ruleset_archive"),
    path(f"{RULES}restore/", rulesets.ruleset_restore, name="ruleset_restore"),
    path(f"{CLUB}jobs/<str:public_id>/", clubs.job, name="job"),
    path(f"{CLUB}jobs/<str:public_id>/cancel", clubs.job_cancel, name="job_cancel"),
    path(f"{CLUB}jobs/<str:public_id>/again", clubs.job_again, name="job_again"),
    path(f"{CLUB}audit/", clubs.audit, name="audit"),
    path(f"{CLUB}tokens/", roles.tokens, name="tokens"),
    path(f"{CLUB}tokens/<int:token_id>/revoke/", roles.token_revoke, name="token_revoke"),
]
