"""Folders that look like models, written without any model library."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

TYPES = "sentence_transformers.models."


def write_json(path: Path, content: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content), encoding="utf-8")


def write_weights(path: Path, content: bytes = b"") -> None:
    header = b"{}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<Q", len(header)) + header + content)


def write_model(folder: Path, **config: Any) -> Path:
    """Write a transformer with mean pooling: 32 numbers, 128 tokens unless `config` says otherwise."""
    modules = [("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize")]
    write_json(folder / "modules.json", [{"path": path, "type": TYPES + kind} for path, kind in modules])
    write_json(
        folder / "config.json",
        {"hidden_size": 32, "max_position_embeddings": 512, "model_type": "bert", **config},
    )
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": 128, "do_lower_case": False})
    write_json(
        folder / "1_Pooling" / "config.json",
        {"word_embedding_dimension": 32, "pooling_mode_cls_token": False, "pooling_mode_mean_tokens": True},
    )
    write_weights(folder / "model.safetensors")
    return folder
