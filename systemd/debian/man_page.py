"""Print the man page of `companion`, from the program's own help."""

import sys
from inspect import cleandoc

import click

from companion import __version__
from companion.cli import COMMANDS, companion, is_here


def escaped(text: str) -> str:
    """A text as roff reads it."""
    return text.replace("\\", "\\e").replace("-", "\\-").replace("\n.", "\n\\&.")


lines = [f'.TH COMPANION 1 "" "Table Companion {__version__}" "User Commands"', ".SH NAME"]
lines += [f"companion \\- {escaped(cleandoc(companion.help or '').rstrip('.').lower())}", ".SH SYNOPSIS"]
lines += [".B companion", ".I COMMAND", "[OPTION ...]", ".SH COMMANDS"]
for name, (_, what) in COMMANDS.items():
    if is_here(name):
        lines += [".TP", f".B {escaped(name)}", escaped(what)]
lines += [".SH OPTIONS"]
with click.Context(companion, info_name="companion") as context:
    for names, what in filter(
        None, (option.get_help_record(context) for option in companion.get_params(context))
    ):
        lines += [".TP", f".B {escaped(names)}", escaped(what)]
lines += [".PP", "Each command has its own:", '.BR "companion COMMAND \\-\\-help" .', ".SH FILES"]
for path, what in {
    "/etc/default/table-companion": "the options of `companion run`, for the service",
    "/var/lib/table-companion": "matches, backups, and what the camera has learned",
}.items():
    lines += [".TP", f".I {path}", escaped(what)]
lines += [".SH SEE ALSO", ".BR systemctl (1),", ".BR journalctl (1)"]
sys.stdout.write("\n".join(lines) + "\n")
