"""A whole club as one JSON file: written by one installation, restored in another.

The file is `{"format", "version", "made_at", "club", "rows"}`; `rows` holds for every model the
rows of the club, each with its fields, `id`, and the ids of the rows it points at. Every model of
the site is in it but those that `shape.LEFT_OUT` names with a reason.
"""
