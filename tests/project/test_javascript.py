"""The pages' JavaScript is checked whole, by tools whose versions are written down."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.project import sources
from tests.project.test_add_a_game import blocks
from tests.web import page_types

SCRIPTS = {
    path: sources.read(path)
    for path in sources.texts()
    if path.suffix == ".js" and path.parts[0] in sources.PACKAGES
}
CHECKED = re.compile(r"web/static/\w+\.js|companion/games/\w+/page\w*\.js|companion/hall/\w+\.js")
OF_ANY_TYPE = re.compile(r"@\w+ *\{[^\n]*\bany\b[^\n]*\}")
UNCHECKED = re.compile(r"@ts-(?:ignore|nocheck|expect-error)|eslint-disable")
TSC = sources.ROOT / "node_modules" / ".bin" / "tsc"


def test_every_script_is_checked_and_nothing_in_it_is_of_any_type() -> None:
    assert [path for path in SCRIPTS if not CHECKED.fullmatch(path.as_posix())] == []
    loose = {path: [*OF_ANY_TYPE.findall(text), *UNCHECKED.findall(text)] for path, text in SCRIPTS.items()}
    assert {path: where for path, where in loose.items() if where} == {}


def test_the_tools_have_one_version_and_the_product_needs_none_of_them() -> None:
    package = json.loads(sources.read(Path("package.json")))
    lock = json.loads(sources.read(Path("package-lock.json")))["packages"]
    assert "dependencies" not in package
    for name, version in package["devDependencies"].items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), name
        assert lock[f"node_modules/{name}"]["version"] == version


@pytest.mark.skipif(not TSC.exists() or not shutil.which("node"), reason="no tsc here (npm ci)")
def test_the_page_that_contributing_shows_passes_too(tmp_path: Path) -> None:
    (script,) = (block for block in blocks("js") if "nim/page.js" in block)
    (tmp_path / "page.js").write_text(script, "utf-8")
    (tmp_path / "page_types.d.ts").write_text(
        f"{page_types.HEAD.format(view='NimView', options='object', move='object')}\n"
        "export interface NimView {\n  left: number;\n  may_take: number;\n}\n",
        "utf-8",
    )
    options = json.loads(sources.read(Path("tsconfig.json")))
    options["compilerOptions"]["paths"] = {"/static/*": [f"{sources.ROOT}/web/static/*"]}
    (tmp_path / "tsconfig.json").write_text(json.dumps(options | {"include": ["page*"]}), "utf-8")
    done = subprocess.run([TSC, "-p", tmp_path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
