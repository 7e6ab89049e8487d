"""The commands. Each has a module of its own, which is loaded only when the command is called."""
