"""What the tests about the project itself read: its files, and what each one imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("companion", "hardware", "web")
LEFT_OUT = {"__pycache__", "node_modules"}


@cache
def modules() -> list[Path]:
    """Every module of the product, tests of games left out, as paths below the root."""
    paths = (path.relative_to(ROOT) for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
    return sorted(path for path in paths if "tests" not in path.parts)


@cache
def texts() -> list[Path]:
    """Every text that the project carries, as paths below the root; caches and environments left out."""
    folders = (*PACKAGES, "tests", "docs", "systemd", ".ci")
    kinds = {".py", ".md", ".toml", ".html", ".css", ".js", ".ts", ".json", ".jsonl", ".service", ".svg", ""}
    inside = (path for folder in folders for path in (ROOT / folder).rglob("*"))
    return sorted(
        path.relative_to(ROOT)
        for path in (*inside, *ROOT.glob("[!.]*"), ROOT / ".gitignore")
        if path.is_file() and path.suffix in kinds and not LEFT_OUT & set(path.parts)
    )


def prose() -> list[Path]:
    """The pages that people read: README and its fellows, and docs/."""
    return [path for path in texts() if path.suffix == ".md"]


@cache
def read(path: Path) -> str:
    """The text of a path below the root."""
    return (ROOT / path).read_text("utf-8")


@cache
def tree(path: Path) -> ast.Module:
    """The syntax tree of a path below the root."""
    return ast.parse(read(path), str(path))


@cache
def imported(path: Path) -> frozenset[str]:
    """The full name of everything that a module imports, wherever in it: `companion.paths`, `cv2.aruco`."""
    return frozenset(_imported(path))


def _imported(path: Path) -> Iterator[str]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for each in node.names:
                inner = f"{node.module}.{each.name}"
                yield inner if is_module(inner) else node.module


@cache
def is_module(name: str) -> bool:
    """Whether a dotted name is a module or package of the product."""
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()
