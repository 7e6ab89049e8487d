"""Modules joined into one script: a slow phone waits for one file, not for a dozen one after the other.

Our modules are written for a browser as they stand. Joining them changes nothing of what they do: each
becomes a function that runs once, in the order in which a browser would run them, and gives what it exports.
"""

from __future__ import annotations

import re
from collections.abc import Callable

IMPORT = re.compile(r'^import (?:\{([^}]*)\} from )?"([^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:(?:async )?function|class|const) (\w+))", re.MULTILINE)
LEFT_OVER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
AT_THE_END = re.compile(r"(?<=[;{},]) //[^\"'`\n]*$", re.MULTILINE)
INDENT = re.compile(r"^\s+", re.MULTILINE)
TYPE = re.compile(r"/\*\* @type [^*\n]*\*/[ \n]?")
IN_A_STYLE = re.compile(r"/\*(?:(?!\*/).)*\*/", re.DOTALL)
ZERO = re.compile(r"(?<=[\s:(,-])0(?=\.\d)")
SPACES = re.compile(r"\s*([{};,>])\s*|(:)\s+")

Read = Callable[[str], str]
"""Gives the text of the module at an address. Raises `ValueError` where there is none."""


def joined(addresses: tuple[str, ...], read: Read) -> str:
    """These modules and all that they import, as one script.

    Known are `import {a, b as c} from "…"`, `import "…"`, and `export` before a function, class or const.
    `ValueError` names any other import or export, and modules that import each other.
    """
    parts: dict[str, str] = {}
    for address in addresses:
        _join(address, read, parts, ())
    return "\n".join(parts.values())


def _join(address: str, read: Read, parts: dict[str, str], importers: tuple[str, ...]) -> None:
    if address in importers:
        raise ValueError(f"{address} imports itself, by way of {', '.join(importers)}.")
    if address in parts:
        return
    text = read(address)
    for _, imported in IMPORT.findall(text):
        _join(_resolved(imported, address), read, parts, (*importers, address))
    names = EXPORT.findall(text)
    text = IMPORT.sub(lambda match: _taken(match[1], _resolved(match[2], address)), text)
    text = EXPORT.sub("", text)
    strange = LEFT_OVER.search(text)
    if strange:
        raise ValueError(f"{address} cannot be joined with others; write this in the plain way: {strange[0]}")
    gives = f"return {{ {', '.join(names)} }};\n" if names else ""
    script = small(TYPE.sub("", text))
    parts[address] = f"const {_name(address)} = (() => {{\n{script}{gives}}})();"


def _resolved(imported: str, importer: str) -> str:
    """The address that the module at `importer` means."""
    return f"{importer.rpartition('/')[0]}/{imported[2:]}" if imported.startswith("./") else imported


def _taken(names: str | None, address: str) -> str:
    """The line that takes `names` from the module at `address`; nothing for one that is only run."""
    return f"const {{{names.replace(' as ', ': ')}}} = {_name(address)};\n" if names else ""


def _name(address: str) -> str:
    return re.sub(r"\W", "_", address)


def small(text: str) -> str:
    """A script without comments on lines of their own or after a line's code, blank lines and indents.

    What follows `//` stays where it holds a quote: it may be the end of a string.
    """
    return INDENT.sub("", AT_THE_END.sub("", COMMENT.sub("", text)))


def small_style(text: str) -> str:
    """A style without comments, and without spaces that say nothing."""
    return ZERO.sub("", SPACES.sub(r"\1\2", small(IN_A_STYLE.sub("", text)))).replace(";}", "}")
