"""The companion's players at work: in matches against each other, and against programs from outside."""
