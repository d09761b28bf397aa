"""The embedding model that a run's settings name, as far as it is known on this machine."""

from __future__ import annotations

from evalcore.embedding.models import ModelInfo, find_model
from evalcore.embedding.registry import TRANSFORMER, embedder_name, embedder_spec
from evalcore.errors import EvalgridError
from evalcore.settings import Settings


def main_model(settings: Settings) -> ModelInfo | None:
    """Return the settings' embedding model; None when it is no model, or not on this machine."""
    try:
        spec = embedder_spec(settings.embedding.model)
        return find_model(embedder_name(spec), fetch=False) if spec.name == TRANSFORMER else None
    except EvalgridError:
        return None
