"""The network: MiniLM's encoder of twelve layers, reading a claim and its evidence together, with three classes on top.

Written out in plain torch so that one can see what is trained and exported. It differs from the usual BERT
classifier in two places. The last layer is computed for the first token only, since only that one is read. And words
are kept in four bits a number: the table of words is a third of the network, and would take it past 30 MB. It is
rounded before the training, which keeps it as it is, so that the layers above learn to read it so.
"""

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor, nn

from training.base import base_folder, published_weights

LABELS = ("SUPPORTED", "REFUTED", "NEI")
HEAD = 32
"""The width of one head of attention."""
MIDDLE = 7.5
"""Of sixteen steps, counted from 0."""


class Layer(nn.Module):
    """One transformer layer of BERT: attention, then two dense layers, each added and normalised."""

    def __init__(self, size: int, heads: int, inner: int) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value = (nn.Linear(size, size) for _ in range(3))
        self.attended = nn.Linear(size, size)
        self.norm = nn.LayerNorm(size, eps=1e-12)
        self.widen, self.narrow = nn.Linear(size, inner), nn.Linear(inner, size)
        self.out_norm = nn.LayerNorm(size, eps=1e-12)

    def forward(self, hidden: Tensor, mask: Tensor, read: Tensor) -> Tensor:
        """`read`: the tokens whose new state is wanted."""
        query, key, value = self.query(read), self.key(hidden), self.value(hidden)
        attend = _attend if self.training else F.scaled_dot_product_attention
        mixed = attend(self._split(query), self._split(key), self._split(value), mask)
        mixed = mixed.transpose(1, 2).flatten(2)
        state = self.norm(read + self.attended(mixed))
        return self.out_norm(state + self.narrow(F.gelu(self.widen(state))))  # type: ignore[no-any-return]

    def _split(self, states: Tensor) -> Tensor:
        return states.unflatten(2, (self.heads, -1)).transpose(1, 2)


def _attend(query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
    """As torch's own, of which going backwards takes several times as long on a processor."""
    scores = query @ key.transpose(-1, -2) * query.shape[-1] ** -0.5 + mask
    return torch.softmax(scores, dim=-1) @ value


class Verifier(nn.Module):
    """`forward(ids, segments, mask)` gives three logits a pair, in the order of `LABELS`."""

    def __init__(
        self, vocabulary: int, size: int, layers: int, heads: int, inner: int, positions: int
    ) -> None:
        super().__init__()
        self.words = nn.Embedding(vocabulary, size)
        self.positions = nn.Embedding(positions, size)
        self.segments = nn.Embedding(2, size)
        self.norm = nn.LayerNorm(size, eps=1e-12)
        self.layers = nn.ModuleList(Layer(size, heads, inner) for _ in range(layers))
        self.pool = nn.Linear(size, size)
        self.classes = nn.Linear(size, len(LABELS))
        self.dropout = nn.Dropout(0.1)

    def forward(self, ids: Tensor, segments: Tensor, mask: Tensor) -> Tensor:
        places = torch.arange(ids.shape[1], device=ids.device)
        hidden = self.words(ids) + self.positions(places)[None] + self.segments(segments)
        hidden = self.dropout(self.norm(hidden))
        bias = ((1.0 - mask.to(hidden.dtype)) * -1e4)[:, None, None, :]
        for layer in self.layers[:-1]:
            hidden = layer(hidden, bias, hidden)
        first = self.layers[-1](hidden, bias, hidden[:, :1])[:, 0]
        return self.classes(self.dropout(torch.tanh(self.pool(first))))  # type: ignore[no-any-return]


def load_base() -> Verifier:
    """The encoder with the published weights, the classes on top still untrained."""
    published = published_weights(base_folder() / "model.onnx")
    renamed = {_our_name(name): tensor for name, tensor in published.items()}
    vocabulary, size = renamed["words.weight"].shape
    layers = 1 + max(int(name.split(".")[1]) for name in renamed if name.startswith("layers."))
    inner, positions = len(renamed["layers.0.widen.bias"]), len(renamed["positions.weight"])
    model = Verifier(vocabulary, size, layers, size // HEAD, inner, positions)
    model.load_state_dict({n: t for n, t in renamed.items() if n in model.state_dict()}, strict=False)
    left = [n for n in model.state_dict() if n not in renamed and not n.startswith("classes")]
    if left:
        raise ValueError(f"the base model has no weights for {left}")
    levels, scales = in_four_bits(model.words.weight.detach())
    model.words.weight.data = (levels - MIDDLE) * scales[:, None]
    model.words.weight.requires_grad = False
    return model


def in_four_bits(table: Tensor) -> tuple[Tensor, Tensor]:
    """Whole numbers from 0 to 15, and for each row what one step is: `(number - MIDDLE) * step` is the value."""
    scales = table.abs().amax(1).clamp(min=1e-8) / MIDDLE
    return (table / scales[:, None] + MIDDLE).round().clamp(0, 15), scales


_NAMES = {
    "embeddings.word_embeddings": "words",
    "embeddings.position_embeddings": "positions",
    "embeddings.token_type_embeddings": "segments",
    "embeddings.LayerNorm": "norm",
    "encoder.layer.": "layers.",
    "attention.self.": "",
    "attention.output.dense": "attended",
    "attention.output.LayerNorm": "norm",
    "intermediate.dense": "widen",
    "output.dense": "narrow",
    "output.LayerNorm": "out_norm",
    "pooler.dense": "pool",
}


def _our_name(name: str) -> str:
    for theirs, ours in _NAMES.items():
        name = name.replace(theirs, ours)
    return name
