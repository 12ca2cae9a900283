"""One hand as one row, and one person's total: the least a page about either needs."""

from django.db import models


class Hand(models.Model):
    """What the form says, and nothing else."""

    client_id = models.CharField(max_length=40)
    number = models.PositiveSmallIntegerField()
    dealer = models.PositiveSmallIntegerField()
    maker = models.PositiveSmallIntegerField()
    trump = models.CharField(max_length=3)
    outcome = models.CharField(max_length=10)
    at = models.DateTimeField(auto_now_add=True)


class Total(models.Model):
    """A line of a table."""

    name = models.CharField(max_length=60)
    games = models.PositiveIntegerField()
    won = models.PositiveIntegerField()
    points = models.IntegerField()
    against = models.IntegerField()
