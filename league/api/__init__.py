"""The JSON API under `/api/v1/`: it reads what pages show and writes what forms and phones do."""
