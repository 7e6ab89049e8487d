"""What README and its fellows tell is there: commands, options, settings, games, links."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click

from companion.cli import COMMANDS, LazyGroup, companion
from companion.commands.rules import seats_said
from companion.games import watching
from companion.games.registry import games
from companion.settings import SETTINGS
from tests.project import sources

README = sources.read(Path("README.md"))
DOCS = sources.read(Path("docs/settings.md"))
ENVIRONMENT = re.compile(r"""environ(?:\.get\(|\[)\s*["']([A-Z_]+)["']""")


def lines_to_type(text: str) -> Iterator[str]:
    """Everything a page tells to type: lines of its shell blocks, and code among its words."""
    for block in re.findall(r"^ *```sh\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL):
        yield from (line.partition("#")[0].strip() for line in block.splitlines())
    yield from re.findall(r"(?<!`)`([^`\n]+)`(?!`)", text)


def uses_of(program: str) -> list[tuple[Path, list[str]]]:
    """Each use of a program on any page: the page, and the words after the program."""
    uses = []
    for path in sources.prose():
        for line in lines_to_type(sources.read(path)):
            first, _, rest = line.partition(" ")
            if Path(first).name == program:
                uses.append((path, shlex.split(rest)))
    return uses


def command(name: str) -> click.Command:
    """A command of `companion` by its name."""
    assert isinstance(companion, LazyGroup)
    subcommand = companion.get_command(click.Context(companion), name)
    assert subcommand is not None, name
    return subcommand


def options(of: click.Command) -> set[str]:
    """Every way to spell its options."""
    spelled = {opt for parameter in of.params for opt in (*parameter.opts, *parameter.secondary_opts)}
    return {opt for opt in spelled if opt.startswith("-")} | {"--help", "-h"}


def rows(text: str) -> list[list[str]]:
    """The rows of all tables of a page, cell by cell."""
    lines = [line for line in text.splitlines() if line.startswith("| ") and "---" not in line]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_each_command_is_there_with_examples() -> None:
    for name in COMMANDS:
        epilog = command(name).epilog or ""
        assert command(name).help, name
        assert "xample" in epilog, name
        assert f"companion {name}" in epilog, name


def test_the_commands_that_pages_tell_are_there() -> None:
    uses = [(path, words) for path, words in uses_of("companion") if words]
    assert uses
    for path, (name, *rest) in uses:
        if name.startswith("-"):
            assert name in {"--help", "--version"}, path
            continue
        known = options(command(name))
        assert {word.partition("=")[0] for word in rest if word.startswith("-")} <= known, (path, name)


def test_code_among_words_stands_on_one_line() -> None:
    """Else the tests here would not see it."""
    broken = []
    for path in sources.prose():
        prose = re.sub(r"^ *```.*?^ *```$", "", sources.read(path), flags=re.MULTILINE | re.DOTALL)
        codes = (code for paragraph in prose.split("\n\n") for code in re.findall(r"`([^`]*)`", paragraph))
        broken += [f"{path}: {code}" for code in codes if "\n" in code]
    assert broken == []


def test_the_make_targets_that_pages_tell_are_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", sources.read(Path("Makefile")), re.MULTILINE))
    uses = uses_of("make")
    assert {"run", "test"} <= {words[0] for _, words in uses if words}
    for path, words in uses:
        assert {word for word in words if "=" not in word} <= targets, path


def test_the_table_of_games_is_that_of_the_registry() -> None:
    table = [row for row in rows(README) if len(row) == 4 and row[1].startswith("`") and row[0] != "game"]
    ours = [each for each in games().values() if each.folder.is_relative_to(sources.ROOT)]
    assert table == [
        [
            " · ".join(game.names.values()),
            f"`{game.slug}`",
            seats_said(game.seat_counts),
            ", ".join(sorted(watching.sees(game))) or "nothing",
        ]
        for game in ours
    ]


def test_each_setting_of_run_is_told_with_its_default() -> None:
    settings = {row[0].strip("`"): row[1] for row in rows(DOCS) if row[0].startswith("`--")}
    parameters = {parameter.opts[0]: parameter for parameter in command("run").params}
    assert settings.keys() == parameters.keys()
    for name in ("--host", "--port"):
        assert settings[name] == f"`{parameters[name].default}`"


def test_the_settings_of_the_page_are_those_of_the_command_line_and_of_the_docs() -> None:
    parameters = {parameter.opts[0]: parameter for parameter in command("run").params}
    listed = {row[0].strip("`"): row for row in rows(DOCS) if row[0].startswith("`--")}
    for setting in SETTINGS:
        option = parameters[setting.flag]
        assert isinstance(option, click.Option)
        assert option.help == setting.help
        assert getattr(option.default, "name", None) in (None, "UNSET"), "the list has the defaults"
        assert listed[setting.flag][3] == ("at once" if setting.at_once else "at the next start")
    others = listed.keys() - {setting.flag for setting in SETTINGS}
    assert {listed[flag][3] for flag in others} == {"–"}


def test_each_variable_that_is_read_is_told() -> None:
    read = {name for path in sources.modules() for name in ENVIRONMENT.findall(sources.read(path))}
    assert read == {row[0].strip("`") for row in rows(DOCS) if re.fullmatch(r"`[A-Z_]+`", row[0])}


def test_links_lead_somewhere() -> None:
    links = [
        (path, target)
        for path in sources.prose()
        for target in re.findall(r"\]\(([^)\s]+)\)", sources.read(path))
        if not target.startswith(("http://", "https://"))
    ]
    assert [f"{path}: {target}" for path, target in links if not leads_somewhere(path, target)] == []


def leads_somewhere(path: Path, target: str) -> bool:
    """True when the file of a page's link exists, and has the heading that it names."""
    file, _, heading = target.partition("#")
    there = Path(os.path.normpath(path.parent / file)) if file else path
    if not (sources.ROOT / there).exists():
        return False
    headings = re.findall(r"^#+ (.+)$", sources.read(there), re.MULTILINE) if heading else []
    return not heading or heading in {
        re.sub(r"[^\w -]", "", text.lower()).replace(" ", "-") for text in headings
    }


def test_the_readme_leads_to_every_page() -> None:
    linked = {target.partition("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", README)}
    assert {str(path) for path in sources.prose() if path.parts[0] == "docs"} <= linked


def test_every_page_begins_with_its_title() -> None:
    without = [path for path in sources.prose() if not sources.read(path).lstrip().startswith(("# ", "<"))]
    assert without == []


def test_the_pages_that_people_expect_are_there() -> None:
    assert {Path(page) for page in ("CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")} <= set(sources.prose())


def test_each_promise_of_security_names_the_tests_that_hold_it() -> None:
    promises = [row for row in rows(sources.read(Path("SECURITY.md"))) if row[0] != "promise"]
    assert len(promises) > 10
    for promise, tested in promises:
        named = re.findall(r"`(tests/[\w/]+\.py)`", tested)
        assert named, promise
        assert all((sources.ROOT / path).is_file() for path in named), promise


def test_ci_calls_make_test_and_stops_at_what_fails() -> None:
    run = sources.read(Path(".ci/run"))
    assert os.access(sources.ROOT / ".ci/run", os.X_OK)
    assert "set -euo pipefail" in run
    assert re.search(r"^make test\b", run, re.MULTILINE)


def test_the_road_of_a_move_leads_through_code_that_is_there() -> None:
    road = sources.read(Path("CONTRIBUTING.md")).partition("## Check it")[0]
    stops = re.findall(r"^\d+\. `([\w/.]+)`(?:, `([\w.]+)`)?", road, re.MULTILINE)
    assert len(stops) == 12
    for path, name in stops:
        text = sources.read(Path(path))
        assert all(
            re.search(rf"^ *(?:class|def) {part}\b", text, re.MULTILINE) for part in name.split(".") if part
        ), name
