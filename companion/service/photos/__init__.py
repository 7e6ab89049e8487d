"""Photos by hand: of finished boards on their way to a score, and of dice."""
