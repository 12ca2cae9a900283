"""What pages about accounts ask."""

from django import template
from django.template import Context

from league.members import sign_up

register = template.Library()


@register.simple_tag(takes_context=True)
def may_sign_up(context: Context) -> bool:
    """Whether the visitor may create an account."""
    return sign_up.may_sign_up(context["request"])
