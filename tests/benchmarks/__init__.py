"""How fast things are. Measured by hand, never asserted: a busy machine is not a fault."""
