"""The site's URLs, by area."""

from allauth.account.decorators import reauthentication_required, secure_admin_login
from allauth.account.models import EmailConfirmation
from allauth.account.views import ConfirmEmailView, login, signup
from allauth.account.views import email as own_addresses
from django.contrib import admin
from django.urls import include, path

from league.gallery import gallery
from league.members.sign_up import in_language_of_next

# The admin's own sign-in page does not limit attempts; the site's page does.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]


class ConfirmEmail(ConfirmEmailView):
    """Users who open the confirmation link of another account stay signed in to their own."""

    def logout_other_user(self, confirmation: EmailConfirmation) -> None:
        pass


handler400 = "league.errors.on_bad_request"
handler500 = "league.database.on_error"
# Patterns are tried in order, so the most frequent requests, of phones and live pages, come first.
urlpatterns = [
    path("", include("league.play.urls")),
    path("", include("league.live.urls")),
    path("", include("league.members.urls")),
    path("", include("league.seasons.urls")),
    path("", include("league.sessions.urls")),
    path("", include("league.seating.urls")),
    path("", include("league.standings.urls")),
    path("", include("league.tournaments.urls")),
    path("", include("league.teams.urls")),
    path("", include("league.exchange.urls")),
    path("", include("league.api.urls")),
    path("", include("league.laptop.urls")),
    # allauth asks for the password before an address is added; the site before any change.
    path(
        "accounts/email/",
        reauthentication_required(allow_get=True, app="allauth.account")(own_addresses),
        name="account_email",
    ),
    path("accounts/confirm-email/<str:key>/", ConfirmEmail.as_view(), name="account_confirm_email"),
    path("accounts/login/", in_language_of_next(login), name="account_login"),
    path("accounts/signup/", in_language_of_next(signup), name="account_signup"),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("gallery/", gallery, name="gallery"),
]
