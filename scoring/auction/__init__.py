"""The auction: who may call what and when, and the terms under which a hand is played."""
