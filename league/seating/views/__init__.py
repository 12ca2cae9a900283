"""Pages of seating: check-in, the draft, the certificate, the club's wishes, a table's changes."""
