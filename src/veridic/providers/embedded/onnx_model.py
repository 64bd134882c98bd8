"""The verifier as it ships: ONNX with 8-bit weights, run by onnxruntime."""

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
"""What the model reads of a pair; it was trained on no more."""
VECTOR = 5 * 384
"""Early layers know what words a text has, later ones what it is about; what is learned on top wants both."""
BATCH_TOKENS = 512
"""Padded tokens in a batch: enough to keep the cores busy, few enough to stay in their caches."""
_MOST_THREADS = 4
_CHARACTERS = 20_000
"""Far more than `TOKENS` can hold; what is behind isn't even looked at."""


class OnnxModel:
    """Keeps `PairModel`. Open it with `embedded_model`, which checks the files first."""

    def __init__(self, session: "onnxruntime.InferenceSession", tokenizer: "Tokenizer") -> None:
        self._session = session
        self._tokenizer = tokenizer

    def logits(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """See `PairModel.logits`."""
        readable = [(_readable(claim), _readable(evidence)) for claim, evidence in pairs]
        return self._run("logits", self._tokenizer.encode_batch(readable), 3)

    def vectors(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """`VECTOR` numbers for each text: the mean of its tokens' states after every second layer."""
        return self._run("vector", self._tokenizer.encode_batch([_readable(text) for text in texts]), VECTOR)

    def _run(self, output: str, encodings: Sequence["Encoding"], width: int) -> NDArray[np.float32]:
        results = np.zeros((len(encodings), width), np.float32)
        for chosen in _batches([len(encoding.ids) for encoding in encodings]):
            batch = [encodings[i] for i in chosen]
            (found,) = self._session.run([output], _inputs(batch))
            results[chosen] = found
        return results


@lru_cache(maxsize=1)
def embedded_model() -> OnnxModel:
    """The model in the package, loaded at the first call; `DamagedModelError` where its files aren't what was published."""
    import onnxruntime
    from tokenizers import Tokenizer

    weights, words = _verified("verifier.onnx"), _verified("tokenizer.json")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = min(os.cpu_count() or 1, _MOST_THREADS)
    # The graph is written as it runs best; what optimisers know to join takes longer joined.
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    # A thread that waits in a loop for its next piece of work takes the time of those that have some: other claims, the event loop.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_str(words.decode())
    tokenizer.enable_truncation(TOKENS, strategy="longest_first")
    tokenizer.no_padding()
    return OnnxModel(session, tokenizer)


def published_digest(name: str = "verifier.onnx") -> str:
    """The SHA-256 of a file of the model; what is fitted on top of the network is fitted for one of them."""
    folder = files("veridic.providers.embedded")
    digest: str = json.loads((folder / "digests.json").read_text())[name]
    return digest


def _readable(text: str) -> str:
    """The part of a text that can matter, without half characters, which the tokenizer refuses."""
    return text[:_CHARACTERS].encode("utf-8", "replace").decode("utf-8")


def _verified(name: str) -> bytes:
    folder = files("veridic.providers.embedded")
    content = (folder / name).read_bytes()
    if hashlib.sha256(content).hexdigest() != published_digest(name):
        raise DamagedModelError(
            f"The file {name} of the embedded verifier is damaged: it doesn't match its digest. Install Veridic again."
        )
    return content


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Indexes in batches of like length, so that little is padded."""
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
