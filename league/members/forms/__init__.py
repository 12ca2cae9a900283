"""Forms of clubs and their people. Each form lists its fields, and others are ignored."""
