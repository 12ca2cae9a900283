"""The bare project is another Django project: its models are not ours to collect."""

collect_ignore = ["bare"]
