"""The network: all-MiniLM-L6-v2's encoder, reading a claim and its evidence together, with three classes on top.

Written out in plain torch so that one can see what is trained and exported. It differs from the usual BERT
classifier in one place: the last layer is computed for the first token only, since only that one is read
(a seventh less work, in training as in use).
"""

import json
from pathlib import Path

import torch
import torch.nn.functional as F  # noqa: N812
from safetensors.torch import load_file
from torch import Tensor, nn

LABELS = ("SUPPORTED", "REFUTED", "NEI")


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
        mixed = F.scaled_dot_product_attention(
            self._split(self.query(read)),
            self._split(self.key(hidden)),
            self._split(self.value(hidden)),
            mask,
        )
        mixed = mixed.transpose(1, 2).flatten(2)
        state = self.norm(read + self.attended(mixed))
        return self.out_norm(state + self.narrow(F.gelu(self.widen(state))))  # type: ignore[no-any-return]

    def _split(self, states: Tensor) -> Tensor:
        return states.unflatten(2, (self.heads, -1)).transpose(1, 2)


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


def load_base(folder: Path) -> Verifier:
    """The encoder with the published weights of a BERT model, the classes on top still untrained."""
    config = json.loads((folder / "config.json").read_text())
    model = Verifier(
        config["vocab_size"],
        config["hidden_size"],
        config["num_hidden_layers"],
        config["num_attention_heads"],
        config["intermediate_size"],
        config["max_position_embeddings"],
    )
    published = load_file(folder / "model.safetensors")
    renamed = {_our_name(name): tensor for name, tensor in published.items()}
    model.load_state_dict({n: t for n, t in renamed.items() if n in model.state_dict()}, strict=False)
    left = [n for n in model.state_dict() if n not in renamed and not n.startswith("classes")]
    if left:
        raise ValueError(f"the base model has no weights for {left}")
    model.words.weight.requires_grad = False  # keeps rare words where a billion sentences have put them
    return model


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
