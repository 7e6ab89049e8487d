"""What a table needs to work, looked at part by part, and a bundle of it all for a bug report."""
