"""What can be read: one file for each part of the club."""
