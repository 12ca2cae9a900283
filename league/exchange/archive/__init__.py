"""A whole club as one JSON file: written by one installation, restored in another.

The file is `{"format", "version", "made_at", "club", "rows"}`; `rows` holds the club's rows by
model, each with its `id`, its fields, and the ids of the rows it points at. It has every model of
the site except those in `writing.LEFT_OUT`, where each has a reason.
"""
