"""The services of a table beside its pages: the vision loop, the panel, the link to systemd."""
