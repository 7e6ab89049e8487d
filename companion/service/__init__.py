"""What runs beside the pages: the vision loop, the panel, the link to systemd."""
