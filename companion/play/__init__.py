"""Playing: matches over their journal, the table where moves arrive, seats, backups."""
