"""`{{ at|clock }}` and `{{ at|moment }}`: the one way in which pages and mails tell times."""

from django import template

from league.members import times

register = template.Library()
register.filter("clock", times.clock)
register.filter("moment", times.moment)
