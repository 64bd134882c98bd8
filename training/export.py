"""Write the trained verifier as ONNX with 8-bit weights: `python -m training.export --help`.

The graph is built by hand, and runs as it is written here: what an optimiser would make of it is slower. Sums and
normalisations stay apart, because onnxruntime's operator for both together takes seven times as long as the two;
attention is ONNX's own operator, which takes half the time of onnxruntime's.

Weights of products are kept as 8-bit integers, a scale for each column. They use seven of the eight bits: processors
without VNNI add two products in 16 bits, which overflow otherwise. What multiplies them is brought to 8 bits with a
scale that is measured here, on claims that were held out: a pair then gets the same numbers, whatever it is read
together with. The table of words has four bits a number, two of them in a byte.
"""

import argparse
import hashlib
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import onnx
import torch
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from torch import Tensor, nn

from training.base import base_folder
from training.families import read_families, rows_of
from training.model import LABELS, MIDDLE, Layer, Verifier, in_four_bits, load_base
from training.rows import Row, is_held_out, read_rows
from training.verifier import SEED, TOKENS, as_excerpt, as_tensors, encode

OPSET = 24
"""The first whose attention knows how long each pair is."""
LARGEST = 63
"""Of a quantised weight: seven bits with the sign."""
MEASURED = 400
"""Rows of either kind, public and ours, that tell what states the dense layers get."""


class Range(NamedTuple):
    """What the states that a dense layer gets are between; zero is in it."""

    low: float
    high: float


Ranges = dict[nn.Module, Range]


class Whole(NamedTuple):
    """States in 8 bits: the names of the numbers, of what one step is, and of the number that stands for zero."""

    states: str
    step: str
    zero: str


def measure(model: Verifier, rows: Sequence[Row], tokenizer: Tokenizer) -> Ranges:
    """What each dense layer gets when the rows are read."""
    ranges: Ranges = {}

    def widen(layer: nn.Module, given: tuple[Tensor]) -> None:
        low, high = ranges.get(layer, (0.0, 0.0))
        ranges[layer] = Range(min(low, float(given[0].min())), max(high, float(given[0].max())))

    hooks = [m.register_forward_pre_hook(widen) for m in model.modules() if isinstance(m, nn.Linear)]
    with torch.inference_mode():
        for encoding in encode(rows, tokenizer):
            model(*as_tensors([encoding]))
    for hook in hooks:
        hook.remove()
    return ranges


class Graph:
    """Nodes and weights as they are added; each method gives the name of its result."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self._whole: dict[tuple[str, Range], Whole] = {}

    def weight(self, name: str, values: np.ndarray | np.generic) -> str:
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(values), name))
        return name

    def node(
        self, op: str, inputs: Sequence[str], name: str, *, domain: str = "", **attributes: object
    ) -> str:
        self.nodes.append(helper.make_node(op, list(inputs), [name], name=name, domain=domain, **attributes))
        return name

    def product(self, states: str, part: nn.Linear, name: str, within: Range) -> str:
        """A dense layer; `within`: what states it may get."""
        whole = self._in_eight_bits(states, within)
        values, scales = quantised(part.weight.numpy().T, axis=0)
        inputs = [
            whole.states,
            self.weight(f"{name}.weight", values),
            whole.step,
            self.weight(f"{name}.scale", scales),
            whole.zero,
            self.weight(f"{name}.zero", np.zeros(scales.shape, np.int8)),
            self.weight(f"{name}.bias", part.bias.numpy()),
        ]
        return self.node("MatMulIntegerToFloat", inputs, name, domain="com.microsoft")

    def _in_eight_bits(self, states: str, within: Range) -> Whole:
        """Made once for all the layers that get the same."""
        if (states, within) not in self._whole:
            name = f"{states}.whole{len(self._whole)}"
            step = (within.high - within.low) / 255
            scale = self.weight(f"{name}.step", np.float32(step))
            zero = self.weight(f"{name}.zero", np.uint8(round(-within.low / step)))
            self._whole[states, within] = Whole(
                self.node("QuantizeLinear", [states, scale, zero], name), scale, zero
            )
        return self._whole[states, within]

    def table(self, places: str, weight: Tensor, name: str) -> str:
        """Rows of a table of embeddings in four bits, each row with a scale of its own."""
        levels, scales = in_four_bits(weight)
        first, second = levels.numpy().astype(np.uint8).reshape(len(levels), 2, -1).transpose(1, 0, 2)
        packed = self.weight(f"{name}.packed", first + second * 16)
        scale = self.node(
            "Gather", [self.weight(f"{name}.scales", scales.numpy()[:, None]), places], f"{name}.scale"
        )
        rows = self.node("Gather", [packed, places], f"{name}.row")
        both = self.node("Cast", [rows], f"{name}.both", to=TensorProto.FLOAT)
        sixteen, middle = (
            self.weight(f"{name}.{part}", np.float32(value))
            for part, value in (("sixteen", 16), ("middle", MIDDLE))
        )
        high = self.node("Floor", [self.node("Div", [both, sixteen], f"{name}.sixteenth")], f"{name}.high")
        low = self.node("Sub", [both, self.node("Mul", [high, sixteen], f"{name}.upper")], f"{name}.low")
        joined = self.node("Concat", [low, high], f"{name}.levels", axis=2)
        return self.node("Mul", [self.node("Sub", [joined, middle], f"{name}.centred"), scale], name)

    def added(self, states: str, new: str, norm: nn.LayerNorm, name: str) -> str:
        inputs = [
            self.node("Add", [states, new], f"{name}.sum"),
            self.weight(f"{name}.gamma", norm.weight.detach().numpy()),
            self.weight(f"{name}.beta", norm.bias.detach().numpy()),
        ]
        return self.node("LayerNormalization", inputs, name, axis=-1, epsilon=float(norm.eps))


def quantised(values: np.ndarray, *, axis: int) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers and the scales that take them back, one scale for each line across `axis`."""
    scales = np.maximum(np.abs(values).max(axis=axis), 1e-8).astype(np.float32) / LARGEST
    rounded = np.round(values / np.expand_dims(scales, axis))
    return rounded.astype(np.int8), scales


def build(model: Verifier, ranges: Ranges) -> onnx.ModelProto:
    """Inputs `ids`, `segments`, `mask`; outputs `logits` (a pair's classes) and `vector` (its mean state
    after every second layer, one behind the other)."""
    graph = Graph()
    with torch.no_grad():
        hidden = _embedded(graph, model)
        _lengths(graph)
        states = []
        for number, layer in enumerate(model.layers[:-1]):
            hidden = _layer(graph, layer, hidden, hidden, f"layer{number}", ranges)
            states.append(hidden)
        states = states[1::2]
        _means(graph, states)
        first = graph.node("Slice", [hidden, *_first_token(graph)], "first")
        last = _layer(graph, model.layers[-1], hidden, first, "last", ranges)
        flat = graph.node("Squeeze", [last, graph.weight("one", np.array([1]))], "read")
        pool = graph.product(flat, model.pool, "pool", ranges[model.pool])
        pooled = graph.node("Tanh", [pool], "pooled")
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
    return helper.make_model(made, opset_imports=opsets, ir_version=10, producer_name="veridic")


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


def _lengths(graph: Graph) -> None:
    """How many tokens each pair has: those behind are padding and not attended to."""
    mask = graph.node("Cast", ["mask"], "whole_mask", to=TensorProto.INT64)
    graph.node("ReduceSum", [mask, graph.weight("mask_axis", np.array([1]))], "lengths", keepdims=0)


def _layer(graph: Graph, layer: Layer, hidden: str, read: str, name: str, ranges: Ranges) -> str:
    def dense(states: str, part: nn.Linear, what: str) -> str:
        return graph.product(states, part, f"{name}.{what}", ranges[part])

    query = dense(read, layer.query, "query")
    key, value = dense(hidden, layer.key, "key"), dense(hidden, layer.value, "value")
    mixed = graph.node(
        "Attention",
        [query, key, value, "", "", "", "lengths"],
        f"{name}.mixed",
        q_num_heads=layer.heads,
        kv_num_heads=layer.heads,
    )
    attended = dense(mixed, layer.attended, "attended")
    state = graph.added(read, attended, layer.norm, f"{name}.state")
    wide = dense(state, layer.widen, "wide")
    narrow = dense(graph.node("Gelu", [wide], f"{name}.active"), layer.narrow, "narrow")
    return graph.added(state, narrow, layer.out_norm, f"{name}.out")


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
    parser.add_argument("--data", type=Path, required=True, help="verifier-train.jsonl.gz")
    options = parser.parse_args()
    model = load_base()
    model.load_state_dict(torch.load(options.weights))
    model.eval()
    rng = random.Random(SEED)
    rows = rng.sample([as_excerpt(row) for row in read_rows(options.data) if is_held_out(row)], MEASURED)
    rows += rng.sample(list(rows_of(read_families(held_out=True), rng)), MEASURED)
    ranges = measure(model, rows, Tokenizer.from_file(str(base_folder() / "tokenizer.json")))
    options.out.mkdir(parents=True, exist_ok=True)
    onnx.save(build(model, ranges), options.out / "verifier.onnx")
    (options.out / "tokenizer.json").write_bytes((base_folder() / "tokenizer.json").read_bytes())
    digests = {
        name: hashlib.sha256((options.out / name).read_bytes()).hexdigest()
        for name in ("verifier.onnx", "tokenizer.json")
    }
    (options.out / "digests.json").write_text(json.dumps(digests, indent=2) + "\n")


if __name__ == "__main__":
    main()
