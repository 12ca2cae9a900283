"""Tests of the rules engine, in the order of its files."""
