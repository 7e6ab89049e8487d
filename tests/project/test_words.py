"""Every word that people read stands in all languages, and asks for the same facts in each."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from string import Formatter

from companion.games.registry import games
from companion.messages import LANGUAGES, Messages, messages_of_game
from tests.project import sources

FILES = [path for path in sources.texts() if path.name == "messages.toml" and path.parts[0] != "tests"]
WORDS = {path: list(Messages.from_files(sources.ROOT / path)) for path in FILES}
"""Each file's words: key, and what is said in each language."""


def facts(sentence: str) -> set[str]:
    """The names in braces; one that only chooses a word (`{n:move|moves}`) may be one language's alone."""
    return {name for _, name, choice, _ in Formatter().parse(sentence) if name is not None and not choice}


def test_each_word_is_said_in_every_language_and_in_no_other() -> None:
    assert Path("companion/messages.toml") in WORDS
    differing = {
        f"{path}: {key}": wrong
        for path, words in WORDS.items()
        for key, said in words
        if (wrong := LANGUAGES.keys() ^ {language for language, sentence in said.items() if sentence.strip()})
    }
    assert differing == {}


def test_each_language_asks_for_the_same_facts() -> None:
    differing = [
        f"{path}: {key}"
        for path, words in WORDS.items()
        for key, said in words
        if len({frozenset(facts(sentence)) for sentence in said.values()}) > 1
    ]
    assert differing == []


SAYERS = (".py", ".js", ".html")
"""Which files say words; each game's data files name some as well."""
MADE = re.compile(r"""["'`]((?:[a-z]+\.)?[a-z-]*[-.])(?:\$?\{|["'] ~)""")
"""The beginning of a key that is put together while the program runs."""
WITHOUT_A_SAYER = {"name", "option", "option-help", "choice", "lot", "notation", "short-rules", "own"}
"""What the data name (seats, cards, toys), options and lots, which the form for a new match says, what the
frame of every game's page says, the rules in short, which have a page of their own, and what the page says on
which people make files of their own."""

BY_ITS_OWN_NAME = {"rule", "why", "outcome", "fault"}
"""What one part names and another says: the name alone must stand somewhere."""


QUOTED = re.compile(r"""(?<=["'`])[\w.-]+(?=["'`])""")
"""What stands in quotes and may be a key, or what stands behind its first dot."""


def said(key: str, quoted: set[str], made: set[str]) -> bool:
    """Whether a word is said: whole, by what stands behind its first dot, or made of parts."""
    head, _, rest = key.partition(".")
    if {key, rest} & quoted:
        return True
    begins = made - ({f"{head}."} if head in BY_ITS_OWN_NAME else set())
    return any(key.startswith(begun) or rest.startswith(begun) for begun in begins)


def sayers(path: Path) -> str:
    """All that may say the words of a file: its own folder, what the camera tells it, the commands; for words
    that games share, everything."""
    shared = path.parent in (Path("companion"), Path("web"))
    folders = sources.PACKAGES if shared else (path.parent, Path("hardware"), Path("companion/commands"))
    kinds = SAYERS if shared else (*SAYERS, ".toml")
    return "".join(
        sources.read(file)
        for file in sources.texts()
        if file.suffix in kinds
        and file.name != "messages.toml"
        and "tests" not in file.parts
        and any(file.is_relative_to(folder) for folder in folders)
    )


def test_each_word_is_said_somewhere() -> None:
    unsaid = []
    for path, words in WORDS.items():
        source = sayers(path)
        quoted, made = set(QUOTED.findall(source)), set(MADE.findall(source))
        keys = (key for key, _ in words if key.partition(".")[0] not in WITHOUT_A_SAYER)
        unsaid += [f"{path}: {key}" for key in keys if not said(key, quoted, made)]
    assert unsaid == []


def test_each_option_and_choice_that_is_worded_is_there() -> None:
    for slug, game in games().items():
        options = game.options_type.__struct_fields__
        worded = [key.split(".")[:2] for key, _ in messages_of_game(slug)]
        assert {name for head, name in worded if head in ("option", "option-help", "choice")} <= set(options)


def test_each_game_has_its_name_in_every_language() -> None:
    for game in games().values():
        assert game.names.keys() == LANGUAGES.keys()


def test_a_missing_extra_is_named_with_a_command_to_paste() -> None:
    extras = tomllib.loads(sources.read(Path("pyproject.toml")))["project"]["optional-dependencies"]
    said = [
        sentence
        for words in WORDS.values()
        for key, sentences in words
        if key.endswith((".not-installed", "-no-gpiozero"))
        for sentence in sentences.values()
    ]
    assert len(said) == 3 * len(LANGUAGES)
    for sentence in said:
        named = re.search(r"pip install 'table-companion\[(\w+)\]'", sentence)
        assert named, sentence
        assert named[1] in extras
