import os
import time
from pathlib import Path

from veridic.config.settings import Settings
from veridic.engine.cache_expiry import KEPT_DAYS, keep_used
from veridic.engine.open_evidence import open_against

LONG_AGO = time.time() - (KEPT_DAYS + 1) * 86_400


def aged(path: Path) -> Path:
    os.utime(path, (LONG_AGO, LONG_AGO))
    return path


def test_unused_entries_are_deleted_and_others_stay(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "index").write_text("x")
    (tmp_path / "old.json").write_text("x")
    (tmp_path / "fresh.json").write_text("x")
    for name in ("old", "old.json"):
        aged(tmp_path / name)
    keep_used(tmp_path, [])
    assert [entry.name for entry in tmp_path.iterdir()] == ["fresh.json"]


def test_used_entries_stay_and_are_touched(tmp_path: Path) -> None:
    used = tmp_path / "index"
    used.mkdir()
    aged(used)
    keep_used(tmp_path, ["index", "never-made"])
    assert used.stat().st_mtime > LONG_AGO + 86_400


def test_a_link_is_deleted_but_not_its_target(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious.txt").write_text("x")
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "link").symlink_to(outside)
    os.utime(cache / "link", (LONG_AGO, LONG_AGO), follow_symlinks=False)
    keep_used(cache, [])
    assert not list(cache.iterdir())
    assert (outside / "precious.txt").exists()


def test_a_missing_folder_is_no_error(tmp_path: Path) -> None:
    keep_used(tmp_path / "none", ["x"])


def test_the_index_of_an_unused_folder_is_deleted(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "home")
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "facts.txt").write_text("The tower is 330 metres tall.")
    open_against(str(tmp_path / "first"), settings)
    paths = settings.home / "cache" / "paths"
    for entry in paths.iterdir():
        aged(entry)
    open_against(str(tmp_path / "second"), settings)
    (kept,) = (entry for entry in paths.iterdir() if not entry.name.startswith("."))
    assert open_against(str(tmp_path / "second"), settings).corpus.name == kept.name
