"""The settings over HTTP and on their page."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.errors import MendableError
from companion.messages import LANGUAGES
from companion.play.table import Table
from companion.service.table_settings import TableSettings
from companion.settings import SETTINGS, SettingsFile, Value
from tests.conftest import BED
from tests.web.conftest import Browser
from web.app import create_app
from web.language import messages_of_page
from web.settings_api import camera_name


@pytest.fixture
def file(tmp_path: Path) -> SettingsFile:
    """Where settings are kept; none are yet."""
    return SettingsFile(tmp_path / "settings.toml")


@pytest.fixture
def settings(file: SettingsFile) -> TableSettings:
    """Settings of a table that was started with `--rotate 180`."""
    return TableSettings(file, {"rotate": "180", "camera": None})


@pytest.fixture
def client(table: Table, settings: TableSettings) -> FlaskClient:
    """A browser at that table."""
    made = create_app(table, None, settings=settings)
    state = made.extensions["companion"]
    settings.when_changed("table_name", lambda name: setattr(state, "table_name", str(name)))
    settings.when_changed("language", lambda tag: setattr(state, "language", str(tag)))
    made.test_client_class = Browser
    return made.test_client()


def now(client: FlaskClient, name: str) -> dict[str, object]:
    """A setting as the page is told of it."""
    return next(each for each in client.get("/api/settings").json or () if each["name"] == name)


def change(client: FlaskClient, **values: Value) -> int:
    """Change settings; the status of the answer."""
    return client.post("/api/settings", json={"values": values}).status_code


def test_every_setting_is_there_and_says_where_it_comes_from(client: FlaskClient) -> None:
    assert [each["name"] for each in client.get("/api/settings").json or ()] == [s.name for s in SETTINGS]
    assert (now(client, "rotate")["value"], now(client, "rotate")["on_command_line"]) == ("180", True)
    assert (now(client, "sound")["value"], now(client, "sound")["on_command_line"]) == (True, False)


def test_a_change_is_taken_at_once_and_kept_for_the_next_start(
    client: FlaskClient, file: SettingsFile
) -> None:
    assert change(client, table_name="Mei's kitchen", time_limit=12.5) == 200
    assert "Mei&#39;s kitchen" in client.get("/welcome").text
    again = TableSettings(file, {})
    assert (again.value("table_name"), again.value("time_limit")) == ("Mei's kitchen", 12.5)
    assert "# Each seat's time for a match, in minutes." in file.path.read_text("utf-8")


def test_the_command_line_has_the_last_word(client: FlaskClient, file: SettingsFile) -> None:
    change(client, rotate="90")
    assert now(client, "rotate")["value"] == "90"
    assert TableSettings(file, {"rotate": "180"}).value("rotate") == "180"


def test_a_password_is_kept_for_the_owner_of_the_file_and_never_shown(
    client: FlaskClient, file: SettingsFile
) -> None:
    assert change(client, broker_password="open sesame") == 200
    assert (now(client, "broker_password")["value"], now(client, "broker_password")["is_set"]) == ("", True)
    assert "sesame" not in client.get("/settings").text + client.get("/api/settings").text
    assert "A password is kept." in client.get("/settings").text
    assert file.path.stat().st_mode & 0o777 == 0o600
    assert TableSettings(file, {}).value("broker_password") == "open sesame"
    too_long = client.post("/api/settings", json={"values": {"broker_password": "sesame" * 99}})
    assert "sesame" not in too_long.text


def test_what_needs_a_restart_says_that_it_waits(client: FlaskClient, settings: TableSettings) -> None:
    assert change(client, panel="standard") == 200
    assert now(client, "panel")["waits"]
    assert settings.value("panel") is None
    assert "it holds from the next start on" in client.get("/settings").text


@pytest.mark.parametrize(
    "values",
    [
        {"rotate": "45"},
        {"time_limit": 0},
        {"panel": "/etc/passwd"},
        {"table_name": "x" * 41},
        {"colour": "red"},
    ],
)
def test_what_cannot_be_is_refused_and_nothing_changes(
    client: FlaskClient, file: SettingsFile, values: dict[str, Value]
) -> None:
    assert change(client, **values) == 409
    assert not file.path.exists()


@pytest.mark.parametrize(
    ("values", "says"),
    [
        (
            {"rotate": "45"},
            {
                "en": "The setting “The picture is turned by” cannot be '45'",
                "ko": "“화면 회전” 설정을",
                "zh-TW": "設定「畫面旋轉」不能是",
            },
        ),
        ({"panel": "/etc"}, {"en": "choose one of off", "ko": "off, standard 중에서", "zh-TW": "請從 off"}),
        ({"colour": "red"}, {"en": "There is no setting 'colour'", "ko": "설정은 없습니다", "zh-TW": "沒有"}),
    ],
)
def test_a_refusal_is_in_the_askers_language(
    client: FlaskClient, values: dict[str, Value], says: dict[str, str]
) -> None:
    for language, part in says.items():
        answer = client.post("/api/settings", json={"values": values}, headers={"Accept-Language": language})
        assert part in (answer.json or {})["says"]


def test_a_camera_that_cannot_be_changed_now_keeps_the_old_one(
    client: FlaskClient, settings: TableSettings
) -> None:
    def refuse(source: Value) -> None:
        raise MendableError("Start the companion again.")

    settings.took("camera", "none")
    settings.offer("camera", lambda: ("none", "usb:0"))
    settings.when_changed("camera", refuse)
    assert change(client, camera="usb:0") == 409
    assert now(client, "camera")["value"] == "none"


def test_the_tables_language_is_for_phones_that_have_chosen_none(client: FlaskClient) -> None:
    change(client, language="ko")
    assert 'lang="ko"' in client.get("/settings", headers={"Accept-Language": "en"}).text
    client.set_cookie("language", "zh-Hant")
    assert 'lang="zh-Hant"' in client.get("/settings").text


def test_a_table_without_settings_offers_none(blind: FlaskClient) -> None:
    assert blind.get("/settings").status_code == 404
    assert "/settings" not in blind.get("/history").text


def test_the_page_has_a_field_and_words_for_each_setting_in_every_language(client: FlaskClient) -> None:
    page = client.get("/settings").text
    words = messages_of_page(BED)
    for setting in SETTINGS:
        assert f'data-setting="{setting.name}"' in page
        for key in (f"settings.{setting.name}", f"settings.{setting.name}-how"):
            assert {tag: words.say(key, tag) for tag in LANGUAGES}.keys() == LANGUAGES.keys()


def test_a_line_of_the_file_that_cannot_be_is_named(file: SettingsFile) -> None:
    file.path.write_text('table_name = "ours"\nrotate = "45"\n', "utf-8")
    with pytest.raises(MendableError, match=r"settings\.toml, line 2: The setting “rotate” cannot be '45'"):
        TableSettings(file, {})


def test_cameras_have_a_name_in_each_language(client: FlaskClient) -> None:
    with client.application.test_request_context(headers={"Accept-Language": "ko"}):
        named = [camera_name(each) for each in ("none", "virtual", "usb:1", "http://pi/stream")]
    assert named == ["카메라 없음", "없음: 그려진 테이블(시연)", "USB 카메라 1", "http://pi/stream"]
