"""Outer face: is the site alive, and has this session moved on?"""
