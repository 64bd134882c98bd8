"""The embedded verifier: an ONNX model with 8-bit weights, run by onnxruntime."""

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from veridic.domain.errors import DamagedModelError

if TYPE_CHECKING:
    import onnxruntime
    from tokenizers import Encoding, Tokenizer

TOKENS = 192
"""Tokens of a pair that the model reads; it was trained on no more."""
VECTOR = 5 * 384
"""Length of a text's vector. It joins early layers, which encode the words, with later ones, which encode the topic."""
BATCH_TOKENS = 512
"""Padded tokens in a batch: enough to keep the cores busy, few enough to stay in their caches."""
_MAX_THREADS = 4
_MAX_CHARACTERS = 20_000
"""Characters of a text that are tokenized, far more than `TOKENS` can hold."""


_most_threads = _MAX_THREADS


def use_threads(number: int) -> None:
    """Limit the threads that the model of this process uses: one, where each core has a process of its own. To be called
    before the model is first used."""
    global _most_threads  # noqa: PLW0603  as the model itself, it is the process's
    _most_threads = number


class OnnxModel:
    """The `PairModel` that ships. Open it with `embedded_model`, which checks the files first."""

    def __init__(self, session: "onnxruntime.InferenceSession", tokenizer: "Tokenizer") -> None:
        self._session = session
        self._tokenizer = tokenizer

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """See `PairModel.logits`."""
        texts = [(_tokenizable(claim), _tokenizable(evidence)) for claim, evidence in pairs]
        return self._run("logits", self._tokenizer.encode_batch(texts), 3)

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return `VECTOR` numbers for each text: the mean of its tokens' states after every second layer."""
        return self._run(
            "vector", self._tokenizer.encode_batch([_tokenizable(text) for text in texts]), VECTOR
        )

    def _run(self, output: str, encodings: Sequence["Encoding"], width: int) -> NDArray[np.float32]:
        results = np.zeros((len(encodings), width), np.float32)
        for indexes in _batches([len(encoding.ids) for encoding in encodings]):
            batch = [encodings[i] for i in indexes]
            (output_rows,) = self._session.run([output], _inputs(batch))
            results[indexes] = output_rows
        return results


@lru_cache(maxsize=1)
def embedded_model() -> OnnxModel:
    """Return the model in the package, loaded at the first call. Raises `DamagedModelError` if a file doesn't match its published digest."""
    import onnxruntime
    from tokenizers import Tokenizer

    weights, vocabulary = _read_verified("verifier.onnx"), _read_verified("tokenizer.json")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(os.cpu_count() or 1, _most_threads)
    # The exported graph is already in its fastest form: the optimizers' fused operators run slower.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    # A spinning thread takes CPU time from the event loop and from other claims.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_str(vocabulary.decode())
    tokenizer.enable_truncation(TOKENS, strategy="longest_first")
    tokenizer.no_padding()
    return OnnxModel(session, tokenizer)


def check_files() -> None:
    """Raise `DamagedModelError` if a file of the model is missing or not what was published; load nothing."""
    for name in ("verifier.onnx", "tokenizer.json"):
        try:
            _read_verified(name)
        except OSError:
            raise DamagedModelError(
                f"The file {name} of the embedded verifier can't be read. Install Veridic again."
            ) from None


def published_digest(name: str = "verifier.onnx") -> str:
    """Return the SHA-256 of a file of the model. Weights fitted on top of the network are valid for one digest only."""
    folder = files("veridic.providers.embedded")
    digest: str = json.loads((folder / "digests.json").read_text())[name]
    return digest


def _tokenizable(text: str) -> str:
    """Truncate a text, and replace lone surrogates, which the tokenizer rejects."""
    return text[:_MAX_CHARACTERS].encode("utf-8", "replace").decode("utf-8")


def _read_verified(name: str) -> bytes:
    folder = files("veridic.providers.embedded")
    content = (folder / name).read_bytes()
    if hashlib.sha256(content).hexdigest() != published_digest(name):
        raise DamagedModelError(
            f"The file {name} of the embedded verifier is damaged: it doesn't match its digest. Install Veridic again."
        )
    return content


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield indexes in batches of similar length, to keep padding low."""
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[index] > BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _inputs(encodings: Sequence["Encoding"]) -> dict[str, NDArray[np.int32]]:
    longest = max(len(encoding.ids) for encoding in encodings)
    shape = (len(encodings), longest)
    inputs = {name: np.zeros(shape, np.int32) for name in ("ids", "segments", "mask")}
    for row, encoding in enumerate(encodings):
        length = len(encoding.ids)
        inputs["ids"][row, :length] = encoding.ids
        inputs["segments"][row, :length] = encoding.type_ids
        inputs["mask"][row, :length] = 1
    return inputs
