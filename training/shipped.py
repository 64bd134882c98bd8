"""The network as it ships, brought back into torch, so that a training can go on from it.

`python -m training.shipped --out FILE` writes what `training.prose --start` reads. Weights in 8 bits, multiplied out, are
within half a step of what was trained; a training from there makes up for it.
"""

import argparse
from importlib.resources import files
from pathlib import Path

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper

from training.model import MIDDLE, Verifier, load_base

_DENSE = {
    "query": "query",
    "key": "key",
    "value": "value",
    "attended": "attended",
    "wide": "widen",
    "narrow": "narrow",
}
"""How the graph names the dense parts of a layer, and how the network does."""


def shipped() -> Verifier:
    """The network in the package."""
    content = (files("veridic.providers.embedded") / "verifier.onnx").read_bytes()
    stored = {
        part.name: numpy_helper.to_array(part) for part in onnx.load_from_string(content).graph.initializer
    }
    model = load_base()
    state = model.state_dict()
    state["words.weight"] = torch.tensor(_words(stored))
    rows = stored["position.rows"]
    state["positions.weight"][: len(rows)] = torch.tensor(rows)
    state["segments.weight"] = torch.tensor(stored["segment.rows"])
    state |= _norm(stored, "embedded", "norm")
    for number in range(len(model.layers)):
        name = f"layer{number}" if number + 1 < len(model.layers) else "last"
        for theirs, ours in _DENSE.items():
            state |= _dense(stored, f"{name}.{theirs}", f"layers.{number}.{ours}")
        state |= _norm(stored, f"{name}.state", f"layers.{number}.norm")
        state |= _norm(stored, f"{name}.out", f"layers.{number}.out_norm")
    state |= _dense(stored, "pool", "pool")
    state["classes.weight"] = torch.tensor(stored["classes.weight"].T.copy())
    state["classes.bias"] = torch.tensor(stored["classes.bias"])
    model.load_state_dict(state)
    return model


def _words(stored: dict[str, NDArray[np.generic]]) -> NDArray[np.float32]:
    packed = stored["words.packed"]
    levels = np.concatenate([packed % 16, packed // 16], axis=1).astype(np.float32)
    return (levels - np.float32(MIDDLE)) * stored["words.scales"].astype(np.float32)


def _dense(stored: dict[str, NDArray[np.generic]], theirs: str, ours: str) -> dict[str, torch.Tensor]:
    whole, scale = stored[f"{theirs}.weight"], stored[f"{theirs}.scale"]
    weight = (whole.astype(np.float32) * scale.astype(np.float32)).T.copy()
    return {f"{ours}.weight": torch.tensor(weight), f"{ours}.bias": torch.tensor(stored[f"{theirs}.bias"])}


def _norm(stored: dict[str, NDArray[np.generic]], theirs: str, ours: str) -> dict[str, torch.Tensor]:
    return {
        f"{ours}.weight": torch.tensor(stored[f"{theirs}.gamma"]),
        f"{ours}.bias": torch.tensor(stored[f"{theirs}.beta"]),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="where the weights are written")
    options = parser.parse_args()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(shipped().state_dict(), options.out)


if __name__ == "__main__":
    main()
