"""Forms of clubs and their people: each names its fields, and nothing else is taken."""
