"""Counts the random one-line faults in the source that the tests of `make test` notice.

`python -m lab.faults --n 200 --seed 1` copies the working tree, runs the quick tests once to learn which
lines each reaches, and puts one fault after another into the copy: a comparison turned round, a condition
negated, a number one off, a statement left out, two arguments swapped. For each it runs tests that reach the
line, until one fails. Read the missed ones: some faults are harmless.
"""

from __future__ import annotations

import ast
import random
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import click
from coverage import CoverageData

PACKAGES = ("companion", "hardware", "web")
QUICK = "not slow and not browser"
MOST_TESTS = 60
"""The most tests tried for a line, drawn by chance."""
PATIENCE_S = 180
PAIRS = [(ast.Lt, ast.GtE), (ast.Gt, ast.LtE), (ast.Eq, ast.NotEq), (ast.In, ast.NotIn), (ast.Is, ast.IsNot)]


def turned(op: ast.AST) -> ast.cmpop:
    """`<` for `>=`, and so on."""
    return next(b() if isinstance(op, a) else a() for a, b in PAIRS if isinstance(op, a | b))


def faults_of(node: ast.AST) -> Iterator[tuple[str, Callable[[], ast.AST]]]:
    """The faults that a node may get: a name, and a function that makes the node's replacement."""
    match node:
        case ast.Compare(left=left, ops=[ast.cmpop() as op], comparators=[right]):
            yield "comparison", lambda: ast.Compare(left, [turned(op)], [right])
        case ast.If(test=test) | ast.While(test=test):
            yield "condition", lambda: ast.UnaryOp(ast.Not(), test)
        case ast.Constant(value=bool(value)):
            yield "truth", lambda: ast.Constant(not value)
        case ast.Constant(value=int(value) | float(value)):
            yield "number", lambda: ast.Constant(value + 1)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            yield "sign", lambda: ast.BinOp(left, ast.Sub() if isinstance(op, ast.Add) else ast.Add(), right)
        case ast.BoolOp(op=op, values=values):
            yield "and/or", lambda: ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.Call(func=func, args=[first, second, *rest], keywords=keywords):
            yield "arguments", lambda: ast.Call(func, [second, first, *rest], keywords)
        case ast.Expr(value=ast.Call()) | ast.AugAssign():
            yield "left out", lambda: ast.Pass()


def fault_in(root: Path, path: Path, line: int, chance: random.Random) -> tuple[str, str] | None:
    """A random fault in a line: its description, and the file's text with it; None if there cannot be one."""
    source = (root / path).read_text("utf-8")
    places: list[tuple[Any, str, Callable[[], ast.AST]]] = [
        (node.test if isinstance(node, ast.If | ast.While) else node, name, made)
        for node in ast.walk(ast.parse(source))
        for name, made in faults_of(node)
        if getattr(node, "lineno", 0) == line
    ]
    one_line = [place for place in places if place[0].lineno == line == place[0].end_lineno]
    if not one_line:
        return None
    node, name, made = chance.choice(one_line)
    rows = source.encode().splitlines(keepends=True)
    row, new = rows[line - 1], ast.unparse(ast.fix_missing_locations(made()))
    put = new if name == "left out" else f"({new})"
    rows[line - 1] = wrong = row[: node.col_offset] + put.encode() + row[node.end_col_offset :]
    text = b"".join(rows).decode()
    try:
        compile(text, path, "exec")
    except SyntaxError:  # inside an f-string, where places are not exact
        return None
    return f"{name}: {row.decode().strip()}  ->  {wrong.decode().strip()}", text


def pytest_in(root: Path, *words: str, patience_s: float | None = None) -> bool:
    """Run pytest in a copy; true if it passes in time."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, check=False, timeout=patience_s)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def reached_lines(root: Path, tests: str) -> dict[Path, dict[int, list[str]]]:
    """The files of the product, their lines, and the tests that reach each line."""
    pytest_in(root, "-m", QUICK, "-n", "auto", "--cov", "--cov-context=test", "--cov-report=", *tests.split())
    data = CoverageData(str(root / ".coverage"))
    data.read()
    reached: dict[Path, dict[int, list[str]]] = {}
    for file in data.measured_files():
        path = Path(file).resolve().relative_to(root)
        if path.suffix == ".py" and path.parts[0] in PACKAGES and "tests" not in path.parts:
            contexts = data.contexts_by_lineno(file).items()
            named = {n: sorted({name.partition("|")[0] for name in names if name}) for n, names in contexts}
            reached[path] = {line: names for line, names in named.items() if names}
    return {path: lines for path, lines in reached.items() if lines}


def noticed(root: Path, file: Path, text: str, tests: list[str]) -> bool:
    """True when a test fails with this text in a file."""
    right = file.read_text("utf-8")
    file.write_text(text, "utf-8")
    is_noticed = not pytest_in(root, "-x", "-n", "0", *tests, patience_s=PATIENCE_S)
    file.write_text(right, "utf-8")
    return is_noticed


@click.command()
@click.option("--n", default=200, show_default=True, help="How many faults.")
@click.option("--seed", default=1, show_default=True)
@click.option("--tests", default="", help="Only these tests, as pytest takes them; default: all quick ones.")
def main(n: int, seed: int, tests: str) -> None:
    """Print a line for each fault, and the share that was noticed."""
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        root = (Path(folder) / "tree").resolve()
        left_out = shutil.ignore_patterns(".git", ".venv*", "node_modules", "__pycache__")
        shutil.copytree(".", root, ignore=left_out)
        (root.parent / "shared").symlink_to(Path("../shared").resolve())
        reached = reached_lines(root, tests)
        lines = [(path, line) for path in sorted(reached) for line in sorted(reached[path])]
        seen = tried = 0
        while tried < n:
            path, line = chance.choice(lines)
            fault = fault_in(root, path, line, chance)
            if fault is None:
                continue
            what, text = fault
            reaching = reached[path][line]
            some = chance.sample(reaching, min(MOST_TESTS, len(reaching)))
            is_seen = noticed(root, root / path, text, some)
            tried, seen = tried + 1, seen + is_seen
            click.echo(f"{'noticed' if is_seen else 'MISSED '} {path}:{line} {what}")
    click.echo(f"{seen} of {tried} noticed, {100 * seen / tried:.0f} %")


if __name__ == "__main__":
    main()
