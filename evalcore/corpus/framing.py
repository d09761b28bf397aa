"""Messages between a process and its reading child: a JSON header and a payload of bytes."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from typing import IO, Any

from evalcore.corpus.document import Document, Element, ElementKind

_LENGTHS = struct.Struct(">II")


def write_message(stream: IO[bytes], header: Mapping[str, Any], payload: bytes = b"") -> None:
    """Write one message and flush."""
    head = json.dumps(header).encode()
    stream.write(_LENGTHS.pack(len(head), len(payload)))
    stream.write(head)
    stream.write(payload)
    stream.flush()


def read_message(stream: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    """Read one message; None when the other side is gone."""
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head_size, payload_size = _LENGTHS.unpack(lengths)
    head, payload = stream.read(head_size), stream.read(payload_size)
    if len(head) < head_size or len(payload) < payload_size:
        return None
    return json.loads(head), payload


def pack_document(document: Document) -> tuple[dict[str, Any], bytes]:
    """Return a document as header and payload (its text in UTF-8)."""
    header = {
        "id": document.id,
        "elements": [[e.kind.value, e.start, e.end, e.level] for e in document.elements],
        "metadata": dict(document.metadata),
        "warnings": list(document.warnings),
    }
    return header, document.text.encode("utf-8")


def unpack_document(header: Mapping[str, Any], payload: bytes) -> Document:
    """Return the document of a header and payload."""
    elements = tuple(Element(ElementKind(kind), *numbers) for kind, *numbers in header["elements"])
    return Document(
        header["id"], payload.decode("utf-8"), elements, header["metadata"], tuple(header["warnings"])
    )
