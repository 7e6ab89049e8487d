"""Joins modules into one script, so that a slow phone waits for one file.

Our modules run in a browser as they are. Joined, each becomes a function that runs once, in the browser's
order, and returns its exports.
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

LOADED = re.compile(r'\b(?:from|import) ?\(?["`]([^"`]+\.js)["`]')
SAID = re.compile(r"""["'`]([a-z][\w-]*\.[\w.-]*)(["'`]|\$\{)""")
BEGUN_LATER = re.compile(r"`\$\{[^}]*\}\.\$\{")
FIRST = re.compile(r'"([a-z-]+)"')

Read = Callable[[str], str]
"""Reads the module at an address. Raises `ValueError` without one."""


def joined(addresses: tuple[str, ...], read: Read) -> str:
    """Join these modules and all their imports into one script.

    It knows `import {a, b as c} from "…"`, `import "…"`, and `export` before a function, class or const.
    Raises `ValueError` for any other import or export, and for modules that import each other.
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
    """The address of an import in the module at `importer`."""
    return f"{importer.rpartition('/')[0]}/{imported[2:]}" if imported.startswith("./") else imported


def _taken(names: str | None, address: str) -> str:
    """The line that takes `names` from the module at `address`; empty for a module that is only run."""
    return f"const {{{names.replace(' as ', ': ')}}} = {_name(address)};\n" if names else ""


def _name(address: str) -> str:
    return re.sub(r"\W", "_", address)


def small(text: str) -> str:
    """Remove comments on their own lines or after code, blank lines and indents from a script.

    Text after `//` stays where it holds a quote: it may be the end of a string.
    """
    return INDENT.sub("", AT_THE_END.sub("", COMMENT.sub("", text)))


def small_style(text: str) -> str:
    """Remove a style's comments and needless spaces."""
    return ZERO.sub("", SPACES.sub(r"\1\2", small(IN_A_STYLE.sub("", text)))).replace(";}", "}")


def keys_said(script: str) -> Callable[[str], bool]:
    """Give a judge of keys: true for a message that the script says.

    A key stands in the script whole, or its beginning does, before a part in braces. Where a script builds
    the first part of keys, every quoted word counts as one.
    """
    keys = {key for key, end in SAID.findall(script) if end != "${"}
    begins = {key for key, end in SAID.findall(script) if end == "${"}
    if BEGUN_LATER.search(script):
        begins |= {f"{first}." for first in FIRST.findall(script)}
    every = tuple(begins)
    return lambda key: key in keys or key.startswith(every)


def loaded(text: str, address: str, game: str) -> list[str]:
    """Addresses of the modules that the one at `address` loads, at once or later, on a page of `game`."""
    folder = address.rpartition("/")[0]
    addresses = [re.sub(r"\$\{[^}]*\}", game, address) for address in LOADED.findall(text)]
    return [f"{folder}/{address[2:]}" if address.startswith("./") else address for address in addresses]
