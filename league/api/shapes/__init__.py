"""What the API answers and takes, as types: its description is made from these."""
