"""The site as a WSGI application, and behind the door that Granian calls (league/rsgi.py)."""

import gc
import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver
from granian.utils.proxies import wrap_wsgi_with_proxy_headers

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "league.settings")

# What a process loads as it starts is there to stay: it is not searched for rubbish while it comes
# in, which was a third of the start, nor later, which let somebody wait for a tenth of a second.
gc.disable()
site = get_wsgi_application()
_ = get_resolver().url_patterns  # every page now, and not while the first visitor waits
gc.freeze()
gc.enable()

from django.conf import settings  # noqa: E402 - only now are they there

from league.rsgi import WholeRequests, with_sender  # noqa: E402

# Only a proxy we know may say whom it speaks for; from anybody else the headers are ignored.
application = with_sender(wrap_wsgi_with_proxy_headers(site, settings.TRUSTED_PROXIES))
server = WholeRequests(application, threads=settings.THREADS, larger=settings.LARGER_UPLOADS)
