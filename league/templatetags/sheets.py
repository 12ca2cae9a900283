"""The style sheets that go together: one file on a server, each by itself in development."""

from django import template
from django.contrib.staticfiles.storage import staticfiles_storage
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from league.static_names import SHEETS, StaticNames, joined

register = template.Library()


@register.simple_tag
def sheets(name: str) -> SafeString:
    """`{% sheets "site" %}`: the links to the sheets of this name, see `SHEETS`."""
    whole = isinstance(staticfiles_storage, StaticNames)
    names = [joined(name)] if whole else [f"css/{part}.css" for part in SHEETS[name]]
    links = ((staticfiles_storage.url(sheet),) for sheet in names)
    return format_html_join("\n", '<link rel="stylesheet" href="{}">', links)
