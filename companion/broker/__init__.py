"""The table on an MQTT 5 broker: what it publishes there, and the commands that it takes from there."""
