"""The site as a WSGI application, and as the RSGI server that Granian calls (league/rsgi.py)."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver
from granian.utils.proxies import wrap_wsgi_with_proxy_headers

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

# Objects loaded at the start are permanent. Collecting garbage meanwhile took a third of the start,
# and scanning them later delayed some requests by a tenth of a second.
gc.disable()
site = get_wsgi_application()
_ = get_resolver().url_patterns  # import all views now, not during the first request
gc.freeze()
gc.enable()

from django.conf import settings  # noqa: E402 - not configured before

from league.rsgi import WholeRequests, with_sender  # noqa: E402

# Forwarding headers are only trusted from known proxies, and ignored from anyone else.
application = with_sender(wrap_wsgi_with_proxy_headers(site, settings.TRUSTED_PROXIES))
server = WholeRequests(application, threads=settings.THREADS, larger=settings.LARGER_UPLOADS)
