"""The bare pages: nothing but Django between the request and the row."""

import django_tables2 as tables
from django import forms
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import path

from tests.benchmarks.bare.models import Hand, Total


class HandForm(forms.ModelForm):
    """The same questions as the site's, unchecked by any rule."""

    class Meta:
        model = Hand
        fields = ("client_id", "number", "dealer", "maker", "trump", "outcome")


def ping(request: HttpRequest) -> HttpResponse:
    """Nothing at all; gives the cookie that a POST needs."""
    get_token(request)
    return HttpResponse("ok\n")


@login_required
def hand(request: HttpRequest) -> HttpResponse:
    """Insert one row for somebody who is signed in."""
    form = HandForm(request.POST)
    if not form.is_valid():
        return HttpResponse(str(form.errors), status=422)
    with transaction.atomic():
        form.save()
    return HttpResponse(status=302, headers={"Location": "/"})


@login_required
def totals(request: HttpRequest) -> HttpResponse:
    """Fifty lines, or as many as are asked for, that nobody has to add up."""
    rows = Total.objects.order_by("-points")[: int(request.GET.get("rows", "50"))]
    return render(request, "bare/totals.html", {"rows": rows})


class TotalTable(tables.Table):
    """The same lines as django-tables2 draws them when nothing is said but which."""

    class Meta:
        model = Total
        fields = ("id", "name", "games", "won", "points", "against")


@login_required
def tabled(request: HttpRequest) -> HttpResponse:
    """Fifty lines as a sortable table, drawn anew at every request."""
    fifty = Total.objects.filter(games__lt=50)
    table = TotalTable(fifty, order_by="-points")
    return render(request, "bare/tabled.html", {"table": table})


urlpatterns = [
    path("tabled", tabled),
    path("healthz", ping),
    path("hand", hand),
    path("totals", totals),
]
