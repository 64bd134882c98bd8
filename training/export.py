"""Write the trained verifier as ONNX with 8-bit weights: `python -m training.export --help`.

The graph is built by hand from onnxruntime's fused operators, so that nothing is left to the pattern matching
of an optimiser: one product for query, key and value, attention, and sums with their normalisation are one
operator each. Weights of products are kept as 8-bit integers, a scale for each column; what multiplies them is
quantised on the fly. They use seven of the eight bits: processors without VNNI add two products in 16 bits,
which overflow otherwise.
"""

import argparse
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper

from training.model import LABELS, Layer, Verifier, load_base
from training.verifier import TOKENS, base_folder

OPSET = 17
LARGEST = 63
"""Of a quantised weight: seven bits with the sign."""


class Graph:
    """Nodes and weights as they are added; each method gives the name of its result."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []

    def weight(self, name: str, values: np.ndarray) -> str:
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(
        self, op: str, inputs: Sequence[str], name: str, *, domain: str = "", **attributes: object
    ) -> str:
        self.nodes.append(helper.make_node(op, list(inputs), [name], name=name, domain=domain, **attributes))
        return name

    def product(self, states: str, weight: torch.Tensor, bias: torch.Tensor, name: str) -> str:
        """A dense layer; `weight` as torch keeps it, a row for each output."""
        values, scales = quantised(weight.numpy().T, axis=0)
        inputs = [
            states,
            self.weight(f"{name}.weight", values),
            self.weight(f"{name}.scale", scales),
            self.weight(f"{name}.zero", np.zeros(scales.shape, np.int8)),
            self.weight(f"{name}.bias", bias.numpy()),
        ]
        return self.node("DynamicQuantizeMatMul", inputs, name, domain="com.microsoft")

    def table(self, places: str, weight: torch.Tensor, name: str) -> str:
        """Rows of a table of embeddings, each row with a scale of its own."""
        values, scales = quantised(weight.numpy(), axis=1, largest=127)
        rows = self.node("Gather", [self.weight(f"{name}.rows", values), places], f"{name}.row")
        scale = self.node("Gather", [self.weight(f"{name}.scales", scales[:, None]), places], f"{name}.scale")
        as_float = self.node("Cast", [rows], f"{name}.float", to=TensorProto.FLOAT)
        return self.node("Mul", [as_float, scale], name)

    def added(self, states: str, new: str, norm: torch.nn.LayerNorm, name: str) -> str:
        inputs = [
            states,
            new,
            self.weight(f"{name}.gamma", norm.weight.detach().numpy()),
            self.weight(f"{name}.beta", norm.bias.detach().numpy()),
        ]
        return self.node(
            "SkipLayerNormalization", inputs, name, domain="com.microsoft", epsilon=float(norm.eps)
        )


def quantised(values: np.ndarray, *, axis: int, largest: int = LARGEST) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers and the scales that take them back, one scale for each line across `axis`."""
    scales = np.maximum(np.abs(values).max(axis=axis), 1e-8).astype(np.float32) / largest
    rounded = np.round(values / np.expand_dims(scales, axis))
    return rounded.astype(np.int8), scales


def build(model: Verifier) -> onnx.ModelProto:
    """Inputs `ids`, `segments`, `mask`; outputs `logits` (a pair's classes) and `vector` (its mean state
    after each layer but the last, one behind the other)."""
    graph = Graph()
    with torch.no_grad():
        hidden = _embedded(graph, model)
        states = []
        for number, layer in enumerate(model.layers[:-1]):
            hidden = _layer(graph, layer, hidden, hidden, f"layer{number}")
            states.append(hidden)
        _means(graph, states)
        first = graph.node("Slice", [hidden, *_first_token(graph)], "first")
        last = _layer(graph, model.layers[-1], hidden, first, "last")
        flat = graph.node("Squeeze", [last, graph.weight("one", np.array([1]))], "read")
        pooled = graph.node(
            "Tanh", [graph.product(flat, model.pool.weight, model.pool.bias, "pool")], "pooled"
        )
        classes = [
            graph.weight("classes.weight", model.classes.weight.numpy().T),
            graph.weight("classes.bias", model.classes.bias.numpy()),
        ]
        graph.node("Gemm", [pooled, *classes], "logits")
    width = model.words.embedding_dim
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT32, ["pairs", "tokens"])
        for name in ("ids", "segments", "mask")
    ]
    outputs = [
        helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["pairs", len(LABELS)]),
        helper.make_tensor_value_info("vector", TensorProto.FLOAT, ["pairs", width * len(states)]),
    ]
    made = helper.make_graph(graph.nodes, "verifier", inputs, outputs, graph.weights)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid("com.microsoft", 1)]
    return helper.make_model(made, opset_imports=opsets, ir_version=8, producer_name="veridic")


def _embedded(graph: Graph, model: Verifier) -> str:
    words = graph.table("ids", model.words.weight.detach(), "words")
    length = graph.node("Shape", ["ids"], "length", start=1)
    zero, rows = graph.weight("zero", np.array([0])), graph.weight("rows_axis", np.array([0]))
    positions = graph.weight("position.rows", model.positions.weight.detach().numpy()[:TOKENS])
    segments = graph.weight("segment.rows", model.segments.weight.detach().numpy())
    by_place = graph.node("Slice", [positions, zero, length, rows], "by_place")
    by_segment = graph.node("Gather", [segments, "segments"], "by_segment")
    placed = graph.node("Add", [by_segment, by_place], "placed")
    return graph.added(words, placed, model.norm, "embedded")


def _layer(graph: Graph, layer: Layer, hidden: str, read: str, name: str) -> str:
    parts = (layer.query, layer.key, layer.value)
    if read == hidden:
        weight, bias = torch.cat([p.weight for p in parts]), torch.cat([p.bias for p in parts])
        joined = graph.product(hidden, weight, bias, f"{name}.qkv")
        query, key, value = _thirds(graph, joined, name)
    else:
        query = graph.product(read, parts[0].weight, parts[0].bias, f"{name}.query")
        key = graph.product(hidden, parts[1].weight, parts[1].bias, f"{name}.key")
        value = graph.product(hidden, parts[2].weight, parts[2].bias, f"{name}.value")
    mixed = graph.node(
        "MultiHeadAttention",
        [query, key, value, "", "mask"],
        f"{name}.mixed",
        domain="com.microsoft",
        num_heads=layer.heads,
    )
    attended = graph.product(mixed, layer.attended.weight, layer.attended.bias, f"{name}.attended")
    state = graph.added(read, attended, layer.norm, f"{name}.state")
    wide = graph.product(state, layer.widen.weight, layer.widen.bias, f"{name}.wide")
    active = graph.node("Gelu", [wide], f"{name}.active", domain="com.microsoft")
    narrow = graph.product(active, layer.narrow.weight, layer.narrow.bias, f"{name}.narrow")
    return graph.added(state, narrow, layer.out_norm, f"{name}.out")


def _thirds(graph: Graph, joined: str, name: str) -> list[str]:
    names = [f"{name}.{part}" for part in ("query", "key", "value")]
    graph.nodes.append(helper.make_node("Split", [joined], names, name=f"{name}.split", axis=2))
    return names


def _first_token(graph: Graph) -> list[str]:
    return [
        graph.weight(f"first.{name}", np.array([value]))
        for name, value in (("start", 0), ("end", 1), ("axis", 1))
    ]


def _means(graph: Graph, states: Sequence[str]) -> None:
    counted = graph.node("Cast", ["mask"], "counted", to=TensorProto.FLOAT)
    column = graph.node("Unsqueeze", [counted, graph.weight("last_axis", np.array([2]))], "column")
    tokens = graph.weight("tokens_axis", np.array([1]))
    count = graph.node("ReduceSum", [column, tokens], "count", keepdims=0)
    means = []
    for number, hidden in enumerate(states):
        kept = graph.node("Mul", [hidden, column], f"kept{number}")
        total = graph.node("ReduceSum", [kept, tokens], f"total{number}", keepdims=0)
        means.append(graph.node("Div", [total, count], f"mean{number}"))
    graph.node("Concat", means, "vector", axis=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--weights", type=Path, required=True, help="verifier.pt, as the training wrote it")
    parser.add_argument(
        "--out", type=Path, required=True, help="folder for verifier.onnx, tokenizer.json, digests.json"
    )
    options = parser.parse_args()
    model = load_base(base_folder())
    model.load_state_dict(torch.load(options.weights))
    options.out.mkdir(parents=True, exist_ok=True)
    onnx.save(build(model.eval()), options.out / "verifier.onnx")
    (options.out / "tokenizer.json").write_bytes((base_folder() / "tokenizer.json").read_bytes())
    digests = {
        name: hashlib.sha256((options.out / name).read_bytes()).hexdigest()
        for name in ("verifier.onnx", "tokenizer.json")
    }
    (options.out / "digests.json").write_text(json.dumps(digests, indent=2) + "\n")


if __name__ == "__main__":
    main()
