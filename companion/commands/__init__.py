"""The commands, each in a module that is loaded only when it is called."""
