"""The embedding models that a run names, as far as they are known on this machine."""

from __future__ import annotations

from evalcore.embedding.models import ModelInfo, find_model
from evalcore.embedding.registry import TRANSFORMER, embedder_name, embedder_spec
from evalcore.errors import EvalgridError
from evalcore.settings import Settings


def main_model(settings: Settings) -> ModelInfo | None:
    """Return the settings' embedding model; None when it is no model, or not on this machine."""
    return model_of(settings.embedding.model)


def model_of(embedder: str) -> ModelInfo | None:
    """Return the model that an embedder's spec string names; None when it is none, or not on this machine."""
    try:
        spec = embedder_spec(embedder)
        return find_model(embedder_name(spec), fetch=False) if spec.name == TRANSFORMER else None
    except EvalgridError:
        return None
