"""The auction: who may call what and when, and the terms a hand is played under."""
