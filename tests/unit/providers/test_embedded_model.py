"""The files of the embedded model: verified before use, small enough to ship, loaded once."""

from importlib.resources import files
from pathlib import Path

import pytest

from veridic.domain.errors import DamagedModelError
from veridic.providers.embedded import onnx_model
from veridic.providers.embedded.onnx_model import embedded_model

FOLDER = Path(str(files("veridic.providers.embedded")))
MEGABYTE = 1_000_000


def test_model_files_stay_under_thirty_megabytes() -> None:
    assert sum((FOLDER / name).stat().st_size for name in ("verifier.onnx", "tokenizer.json")) < 30 * MEGABYTE


def test_model_is_loaded_once() -> None:
    assert embedded_model() is embedded_model()


@pytest.mark.parametrize("name", ["verifier.onnx", "tokenizer.json"])
def test_damaged_file_is_refused_with_advice(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for each in ("verifier.onnx", "tokenizer.json", "digests.json"):
        (tmp_path / each).write_bytes((FOLDER / each).read_bytes())
    damaged = bytearray((tmp_path / name).read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (tmp_path / name).write_bytes(damaged)
    monkeypatch.setattr(onnx_model, "files", lambda _package: tmp_path)
    with pytest.raises(DamagedModelError, match=f"{name}.*Install Veridic again"):
        embedded_model.__wrapped__()


def test_vector_reflects_topic_of_sentence() -> None:
    one, like, other = embedded_model().vectors(
        ["Taxes rose by five percent.", "Taxes went up by five per cent.", "Thank you, good night."]
    )
    assert one.shape == (onnx_model.VECTOR,)
    assert (
        one @ like / (one @ one) ** 0.5 / (like @ like) ** 0.5
        > one @ other / (one @ one) ** 0.5 / (other @ other) ** 0.5
    )
