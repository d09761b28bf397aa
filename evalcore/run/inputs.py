"""What a run started with, kept so that later edits of the project do not reach it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evalcore.corpus.document import Corpus, Document
from evalcore.corpus.parsers import Reread
from evalcore.errors import WorkspaceError
from evalcore.evalset.items import EvalSet
from evalcore.grid import Configuration
from evalcore.run.codec import evalset_from_dict, evalset_to_dict
from evalcore.run.files import read_json, sha256, write_json
from evalcore.run.record import RunInputs
from evalcore.settings import Settings
from evalcore.specs import Spec
from evalcore.text.tokens import CL100K

INPUTS = "inputs.json"
FORMAT = 1


@dataclass(frozen=True, slots=True)
class FrozenInputs:
    """The inputs of a run as stored: `texts` holds (document id, key of its text) in corpus order.

    `plugins` are those among its values, as `evalcore.plugins.identities` gives them.
    """

    texts: tuple[tuple[str, str], ...]
    evalset: EvalSet
    settings: Settings
    configurations: tuple[Configuration, ...]
    plugins: Mapping[str, str] = field(default_factory=dict)

    def thaw(
        self, load: Callable[[str, str], Document], reread: Callable[[str, Document], Document] | None = None
    ) -> RunInputs:
        """Return the inputs with their documents; `load` takes a text's key and the document's id.

        `reread` takes a text's key and its document and reads the PDF behind it again, with layout.
        """
        keys = dict(self.texts)
        again: Reread | None = (
            None if reread is None else lambda document: reread(keys[document.id], document)
        )
        corpus = Corpus(tuple(load(key, doc_id) for doc_id, key in self.texts))
        planned = self.configurations if self.plugins else ()
        return RunInputs(corpus, self.evalset, self.settings, again, self.plugins, planned)


def write_inputs(folder: Path, inputs: FrozenInputs) -> None:
    """Write the inputs of the run in `folder`.

    Raises:
        WorkspaceError: the folder cannot be written.
    """
    write_json(folder / INPUTS, inputs_to_dict(inputs))


def read_inputs(folder: Path) -> FrozenInputs:
    """Read the inputs of the run in `folder`.

    Raises:
        WorkspaceError: they are missing, damaged, or of a newer version.
    """
    value = read_json(folder / INPUTS)
    try:
        if value["format"] > FORMAT:
            raise WorkspaceError(f"{folder / INPUTS} was written by a newer version; update the program")
        return _inputs_from_dict(value)
    except (KeyError, ValueError, TypeError) as error:
        raise WorkspaceError(f"{folder / INPUTS} is damaged: {error}; start the run again") from error


def inputs_to_dict(inputs: FrozenInputs) -> dict[str, Any]:
    """Return the inputs as a JSON value."""
    return {
        "format": FORMAT,
        "documents": [list(text) for text in inputs.texts],
        "questions": evalset_to_dict(inputs.evalset),
        "settings": inputs.settings.to_dict(),
        "configurations": [configuration_to_dict(c) for c in inputs.configurations],
        **({"plugins": dict(inputs.plugins)} if inputs.plugins else {}),
    }


def inputs_key(inputs: FrozenInputs) -> str:
    """Return a hash that is equal for equal inputs."""
    return sha256(json.dumps(inputs_to_dict(inputs), sort_keys=True).encode("ascii"))


def configuration_to_dict(configuration: Configuration) -> dict[str, Any]:
    """Return a configuration as a JSON value."""
    chunker = configuration.chunker
    unsaid = configuration.unsaid_tokenizer
    return {
        "parser": configuration.parser,
        "chunker": {"name": chunker.name, "params": [list(pair) for pair in chunker.params]},
        "embedder": configuration.embedder,
        "index": configuration.index,
        "reranker": configuration.reranker,
        "candidates": configuration.candidates,
        "strategy": configuration.strategy,
        "retriever": configuration.retriever,
        **({} if unsaid == CL100K else {"unsaid_tokenizer": unsaid}),
    }


def configuration_from_dict(value: Mapping[str, Any]) -> Configuration:
    """Read what `configuration_to_dict` wrote.

    Raises:
        KeyError, ValueError, TypeError: when it is not that.
    """
    chunker = value["chunker"]
    params = tuple((str(name), given) for name, given in chunker["params"])
    return Configuration(**{**value, "chunker": Spec(chunker["name"], params)})


def _inputs_from_dict(value: Mapping[str, Any]) -> FrozenInputs:
    documents: Sequence[Sequence[str]] = value["documents"]
    return FrozenInputs(
        texts=tuple((doc_id, key) for doc_id, key in documents),
        evalset=evalset_from_dict(value["questions"]),
        settings=Settings.from_dict(value["settings"]),
        configurations=tuple(configuration_from_dict(c) for c in value["configurations"]),
        plugins={str(plugin): str(identity) for plugin, identity in value.get("plugins", {}).items()},
    )
