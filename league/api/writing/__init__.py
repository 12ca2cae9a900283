"""What can be written: a table's orders, those of its phone."""
