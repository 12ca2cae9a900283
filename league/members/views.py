"""Pages of clubs and their people."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def home(request: HttpRequest) -> HttpResponse:
    """Where a visitor lands: the clubs she may enter."""
    return render(request, "members/home.html", {})
