"""Pages of seating: check-in, the draft, the certificate, seating requests, a table's changes."""
