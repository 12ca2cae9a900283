"""What lets a phone keep the table's page: the service worker, and the manifest to install it."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

FELT = "#1f5a44"
ICONS = ((192, "any"), (512, "any"), (512, "maskable"))


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker of the tables' pages; where it is switched off, one that takes itself
    away again from the phones that have it."""
    name = "play/worker.js" if settings.OFFLINE_SHELL else "play/worker_off.js"
    told = {"static": settings.STATIC_URL}
    response = render(request, name, told, content_type="text/javascript")
    response.headers["Cache-Control"] = "no-cache"
    return response


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """How the entry page presents itself on a phone's home screen."""
    door = reverse("table_door")
    told = {
        "id": door,
        "name": _("Right Bower: write down hands"),
        "short_name": "Right Bower",
        "start_url": door,
        "scope": door,
        "display": "standalone",
        "background_color": FELT,
        "theme_color": FELT,
        "icons": [_icon(size, purpose) for size, purpose in ICONS],
    }
    return JsonResponse(told, content_type="application/manifest+json")


def _icon(size: int, purpose: str) -> dict[str, str]:
    name = f"img/{'maskable' if purpose == 'maskable' else 'icon'}-{size}.png"
    return {"src": static(name), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
