"""Floor 4: seats, pages and live updates."""
