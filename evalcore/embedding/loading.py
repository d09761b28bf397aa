"""Loads what a model folder holds: safetensors only, no remote code, no network."""

from __future__ import annotations

import os
from typing import Any

from evalcore.embedding.models import ModelInfo
from evalcore.errors import ModelError


def load_local(info: ModelInfo, kind: str, failure: str) -> Any:
    """Return the model as the class `kind` of sentence-transformers, in float32, ready to be asked.

    Raises:
        ModelError: `failure` and why, in one line.
    """
    # Read when torch is first imported: threads that spin while they wait halve the speed on a busy machine.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    import sentence_transformers
    from transformers.utils import logging

    logging.disable_progress_bar()
    try:
        model = getattr(sentence_transformers, kind)(
            str(info.folder),
            local_files_only=True,
            trust_remote_code=False,
            model_kwargs={"use_safetensors": True, "dtype": "float32"},
        )
    except Exception as error:  # whatever the libraries raise about these files, the model cannot be used
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise ModelError(f"{failure}: {reason[0]}") from error
    return model.eval()
