"""Documents and questions to JSON values and back, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from evalcore.corpus.document import Document, Element, ElementKind
from evalcore.evalset.items import EvalItem, EvalSet, GoldAnchor


def document_to_dict(document: Document) -> dict[str, Any]:
    """Return a document as a JSON value; its id is left out: it depends on the files beside it."""
    return {
        "text": document.text,
        "elements": [[e.kind.value, e.start, e.end, e.level] for e in document.elements],
        "metadata": dict(document.metadata),
        "warnings": list(document.warnings),
    }


def document_from_dict(doc_id: str, value: Mapping[str, Any]) -> Document:
    """Read what `document_to_dict` wrote and give it its id.

    Raises:
        KeyError, ValueError, TypeError: when it is not that.
    """
    elements = tuple(
        Element(ElementKind(kind), start, end, level) for kind, start, end, level in value["elements"]
    )
    return Document(doc_id, value["text"], elements, dict(value["metadata"]), tuple(value["warnings"]))


def evalset_to_dict(evalset: EvalSet) -> dict[str, Any]:
    """Return a question set as a JSON value."""
    return {"id": evalset.id, "items": [_item_to_dict(item) for item in evalset]}


def evalset_from_dict(value: Mapping[str, Any]) -> EvalSet:
    """Read what `evalset_to_dict` wrote.

    Raises:
        KeyError, ValueError, TypeError: when it is not that.
    """
    return EvalSet(value["id"], tuple(_item_from_dict(item) for item in value["items"]))


def _item_to_dict(item: EvalItem) -> dict[str, Any]:
    return {
        "id": item.id,
        "question": item.question,
        "slots": [[_anchor_to_dict(anchor) for anchor in slot] for slot in item.slots],
        "qtype": item.qtype,
        "tags": list(item.tags),
        "answer": item.answer,
        "reviewed": item.reviewed,
    }


def _item_from_dict(value: Mapping[str, Any]) -> EvalItem:
    return EvalItem(
        id=value["id"],
        question=value["question"],
        anchors=[tuple(GoldAnchor(**anchor) for anchor in slot) for slot in value["slots"]],
        qtype=value["qtype"],
        tags=value["tags"],
        answer=value["answer"],
        reviewed=value["reviewed"],
    )


def _anchor_to_dict(anchor: GoldAnchor) -> dict[str, Any]:
    return {
        "source_id": anchor.source_id,
        "quote": anchor.quote,
        "occurrence": anchor.occurrence,
        "grade": anchor.grade,
    }
