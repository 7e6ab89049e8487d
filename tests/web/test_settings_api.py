"""The settings over HTTP and on their page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import companion
from companion import files
from companion.errors import SettingError, UserError
from companion.messages import LANGUAGES
from companion.play.table import Table
from companion.service import updates
from companion.service.table_settings import TableSettings
from companion.settings import SETTINGS, SettingsFile, Value
from tests.conftest import BED
from tests.running import pages_of
from tests.web.conftest import Browser
from tests.web.seated import be_host
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
    made = pages_of(table, None, settings=settings)
    made.test_client_class = Browser
    return made.test_client()


@pytest.fixture
def owner(client: FlaskClient) -> FlaskClient:
    """One that has typed the PIN."""
    return be_host(client.application, client.application.test_client())


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


def test_the_page_tells_of_a_newer_version_and_what_changed(client: FlaskClient, home: Path) -> None:
    page = client.get("/settings").text
    assert f"Table Companion {companion.__version__}" in page
    assert "apt upgrade" not in page
    files.write_json(home / updates.KEPT, updates.Newer("99.0", "- Dice of <five> colours."))
    page = client.get("/settings").text
    assert "Version 99.0 is out" in page
    assert "- Dice of &lt;five&gt; colours." in page
    korean = client.get("/settings", headers={"Accept-Language": "ko"}).text
    assert "바뀐 점(영어)" in korean, "the list is written in English alone"


def test_a_change_is_taken_at_once_and_kept_for_the_next_start(
    client: FlaskClient, file: SettingsFile
) -> None:
    assert change(client, table_name="Mei's kitchen", time_limit=12.5) == 200
    assert "Mei&#39;s kitchen" in client.get("/new").text
    again = TableSettings(file, {})
    assert (again.value("table_name"), again.value("time_limit")) == ("Mei's kitchen", 12.5)
    assert "# Each seat's time in minutes:" in file.path.read_text("utf-8")


def test_the_tables_name_loses_the_signs_that_nobody_sees(client: FlaskClient, file: SettingsFile) -> None:
    assert change(client, table_name="\u2066Mei\u202e\u0000's  kitchen") == 200
    assert now(client, "table_name")["value"] == "Mei's kitchen"
    assert TableSettings(file, {}).value("table_name") == "Mei's kitchen"


def test_the_command_line_has_the_last_word(client: FlaskClient, file: SettingsFile) -> None:
    change(client, rotate="90")
    assert now(client, "rotate")["value"] == "90"
    assert TableSettings(file, {"rotate": "180"}).value("rotate") == "180"


def test_a_password_is_kept_for_the_owner_of_the_file_and_never_shown(
    owner: FlaskClient, file: SettingsFile
) -> None:
    assert change(owner, broker_password="open sesame") == 200
    assert (now(owner, "broker_password")["value"], now(owner, "broker_password")["is_set"]) == ("", True)
    assert "sesame" not in owner.get("/settings").text + owner.get("/api/settings").text
    assert "A password is kept." in owner.get("/settings").text
    assert file.path.stat().st_mode & 0o777 == 0o600
    assert TableSettings(file, {}).value("broker_password") == "open sesame"
    too_long = owner.post("/api/settings", json={"values": {"broker_password": "sesame" * 99}})
    assert "sesame" not in too_long.text


OF_THE_OWNER: dict[str, Value] = {
    "broker": "mqtt://elsewhere",
    "broker_user": "mei",
    "broker_password": "sesame",
    "broker_table": "one",
    "broker_root": "club",
    "broker_home": "home",
    "open": True,
}


@pytest.mark.parametrize("name", OF_THE_OWNER)
def test_broker_and_open_are_for_who_has_typed_the_pin(
    client: FlaskClient, owner: FlaskClient, file: SettingsFile, name: str
) -> None:
    stranger, sits = client, client.application.test_client()
    answers = [change(stranger, **{name: OF_THE_OWNER[name], "sound": False})]
    sits.post("/api/seats/take", json={"seat": "cat"})
    answers.append(change(sits, **{name: OF_THE_OWNER[name]}))
    assert answers == [403, 403]
    assert not file.path.exists()
    assert now(sits, "sound")["value"] is True
    assert change(owner, **{name: OF_THE_OWNER[name]}) == 200


def test_the_refusal_and_the_page_say_that_the_pin_is_wanted(client: FlaskClient, owner: FlaskClient) -> None:
    answer = client.post("/api/settings", json={"values": {"open": True}}).json
    assert (answer["rule"], "PIN" in answer["says"]) == ("pin-first", True)
    for name in OF_THE_OWNER:
        field = f'id="setting-{name}"[^>]* disabled'
        assert re.search(field, client.get("/settings").text)
        assert not re.search(field, owner.get("/settings").text)


def test_at_an_open_table_too(table: Table, file: SettingsFile) -> None:
    app = pages_of(table, None, settings=TableSettings(file, {"open": True}))
    app.test_client_class = Browser
    assert change(app.test_client(), open=False) == 403
    assert change(be_host(app, app.test_client()), open=False) == 200
    assert TableSettings(file, {}).value("open") is False


def test_a_new_address_forgets_the_login_of_the_old_one(owner: FlaskClient, file: SettingsFile) -> None:
    change(owner, broker="mqtts://club", broker_user="mei", broker_password="sesame")
    assert change(owner, broker="mqtts://club") == 200
    assert now(owner, "broker_password")["is_set"], "it is the same address"
    assert change(owner, broker="mqtt://club") == 200
    assert (now(owner, "broker_user")["value"], now(owner, "broker_password")["is_set"]) == ("", False)
    assert TableSettings(file, {}).value("broker_password") == ""


def test_a_new_password_keeps_the_user(owner: FlaskClient) -> None:
    change(owner, broker="club", broker_user="mei", broker_password="sesame")
    change(owner, broker="house", broker_password="barley")
    assert (now(owner, "broker_user")["value"], now(owner, "broker_password")["is_set"]) == ("mei", True)


def test_another_address_on_the_command_line_forgets_what_was_typed_for_the_old_one(
    file: SettingsFile,
) -> None:
    file.write({"broker": "club", "broker_user": "mei", "broker_password": "sesame"})
    given: list[dict[str, Value]] = [{}, {"broker": "club"}, {"broker": "house"}]
    assert [TableSettings(file, each).value("broker_password") for each in given] == ["sesame", "sesame", ""]


def test_a_password_of_the_command_line_goes_to_no_address_of_the_page(file: SettingsFile) -> None:
    file.write({"broker": "club"})
    settings = TableSettings(file, {"broker_password": "sesame"})
    with pytest.raises(SettingError, match="--broker"):
        settings.change({"broker": "house"})
    assert settings.value("broker") == "club"
    assert TableSettings(file, {"broker_password": "sesame"}).value("broker") == "club"


def test_an_address_that_cannot_be_kept_is_not_quoted(owner: FlaskClient) -> None:
    given = f"mqtt://mei:sesame@{'club' * 60}"
    answer = owner.post("/api/settings", json={"values": {"broker": given}})
    assert (answer.status_code, "sesame" in answer.text) == (400, False)


def test_what_needs_a_restart_says_that_it_waits(client: FlaskClient, settings: TableSettings) -> None:
    assert change(client, panel="standard") == 200
    assert now(client, "panel")["waits"]
    assert settings.value("panel") is None
    assert "it takes effect at the next start" in client.get("/settings").text


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
    assert change(client, **values) == (409 if "panel" in values else 400)
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
        raise UserError("Start the companion again.")

    settings.took("camera", "none")
    settings.offer("camera", lambda: ("none", "usb:0"))
    settings.when_changed(refuse, "camera")
    assert change(client, camera="usb:0") == 409
    assert now(client, "camera")["value"] == "none"


def test_the_tables_language_is_for_phones_that_have_chosen_none(client: FlaskClient) -> None:
    change(client, language="ko")
    assert 'lang="ko"' in client.get("/settings", headers={"Accept-Language": "en"}).text
    client.set_cookie("language", "zh-Hant")
    assert 'lang="zh-Hant"' in client.get("/settings").text


def test_the_page_has_a_field_and_words_for_each_setting_in_every_language(client: FlaskClient) -> None:
    page = client.get("/settings").text
    words = messages_of_page(BED)
    for setting in SETTINGS:
        assert f'data-setting="{setting.name}"' in page
        for key in (f"settings.{setting.name}", f"settings.{setting.name}-how"):
            assert {tag: words.say(key, tag) for tag in LANGUAGES}.keys() == LANGUAGES.keys()


def test_a_line_of_the_file_that_cannot_be_is_named(file: SettingsFile) -> None:
    file.path.write_text('table_name = "ours"\nrotate = "45"\n', "utf-8")
    with pytest.raises(UserError, match=r"settings\.toml, line 2: The setting “rotate” cannot be '45'"):
        TableSettings(file, {})


def test_cameras_have_a_name_in_each_language(client: FlaskClient) -> None:
    with client.application.test_request_context(headers={"Accept-Language": "ko"}):
        named = [camera_name(each) for each in ("none", "virtual", "usb:1", "http://pi/stream")]
    assert named == ["카메라 없음", "없음: 그려진 테이블(데모)", "USB 카메라 1", "http://pi/stream"]
