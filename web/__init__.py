"""The pages, the HTTP API and the live updates over one table."""
