"""The laws of embedders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from evalcore.embedding.base import Role
from evalcore.embedding.plugged import PluggedEmbedder, raw_rows
from evalcore.plugged import Made
from evalcore.testing.base import Check, Make, expect, run_all
from evalcore.testing.texts import AWKWARD, PASSAGES, QUESTIONS

Array = npt.NDArray[Any]
ROLES: tuple[Role, ...] = ("query", "passage")
TOLERANCE = 1e-5
"""How far numbers of two equal unit rows may be apart: beside other texts a model's last digits change."""
SAME = 0.9999
"""A cosine from which two rows count as one."""
_TEXTS = [*PASSAGES[:6], *QUESTIONS]
_LONGEST = 400


def check_embedder(make: Make) -> None:
    """Run all checks on what `make()` returns: an object with `encode(texts, role)`, or such a function.

    Raises:
        ConformanceError: one line per check that failed.
    """
    run_all(embedder_checks(), make)


def embedder_checks() -> list[Check]:
    """Return the checks; `run(make)` takes what `check_embedder` takes."""
    return [
        Check("one_row_per_text", "a row belongs to its text by its place", _one_row_per_text),
        Check("rows_of_numbers", "other things have no cosine", _numbers),
        Check("one_length", "rows of unequal length have no cosine", _one_length),
        Check("finite_numbers", "NaN and infinity rank nothing", _finite),
        Check("unit_rows_after_scaling", "a zero row is equally far from everything", _unit),
        Check("same_text_same_row", "a text's row is computed once and remembered", _same_text),
        Check(
            "same_row_alone_and_in_a_batch", "what is remembered was computed beside other texts", _any_batch
        ),
        Check("same_row_in_any_order", "which texts are missing differs from run to run", _any_order),
        Check("both_roles", "questions and chunks are embedded in their roles", _roles),
        Check("empty_text", "a question may be empty", _empty),
        Check("awkward_texts", "documents hold such texts", _awkward),
        Check("same_rows_from_another_instance", "a run that is resumed is another process", _instances),
        Check("distinct_texts_distinct_rows", "texts with one row cannot be told apart", _distinct),
        Check("texts_left_alone", "the same texts are cut, shown and scored", _no_mutation),
    ]


def _raw(made: Any, texts: list[str], role: Role) -> Any:
    """Return what the embedder gives, before anybody scales it."""
    if hasattr(made, "encode") or not hasattr(made, "space"):
        return raw_rows(made, texts, role)
    # It learns from all passages: the texts first, so that their order and number play a part.
    corpus = list(dict.fromkeys([*texts, *PASSAGES, *QUESTIONS]))
    space = made.space(corpus)
    places = [corpus.index(text) for text in texts]
    found = space.passages[places] if role == "passage" else space.queries(texts)
    return found.toarray() if hasattr(found, "toarray") else found


def _array(made: Any, texts: Sequence[str], role: Role) -> Array:
    return np.asarray(_raw(made, list(texts), role), dtype=np.float64)


def _each(made: Any, texts: Sequence[str]) -> list[tuple[Role, Array]]:
    return [(role, _array(made, texts, role)) for role in ROLES]


def _one_row_per_text(make: Make) -> None:
    for role in ROLES:
        rows = _raw(make(), list(_TEXTS), role)
        count = len(rows)
        expect(
            count == len(_TEXTS), f"found {count} rows for {len(_TEXTS)} texts ({role}); expected one each"
        )


def _numbers(make: Make) -> None:
    found = np.asarray(_raw(make(), _TEXTS[:1], "passage"))
    expect(
        found.ndim == 2 and found.dtype.kind in "fiu",
        f"found {found.dtype} in {found.ndim} dimensions; expected numbers in 2",
    )


def _one_length(make: Make) -> None:
    made = make()
    lengths = {
        len(row) for role in ROLES for texts in (_TEXTS, _TEXTS[:1]) for row in _raw(made, list(texts), role)
    }
    expect(
        len(lengths) == 1 and 0 not in lengths,
        f"found rows of {sorted(lengths)} numbers; expected one length",
    )


def _finite(make: Make) -> None:
    for role, rows in _each(make(), _TEXTS):
        expect(np.isfinite(rows).all(), f"found NaN or infinity ({role}); expected finite numbers")


def _unit(make: Make) -> None:
    made = make()
    if not hasattr(made, "space"):
        made = PluggedEmbedder(Made("embedder", "", None, make))
    for role, rows in _each(made, _TEXTS):
        lengths = np.sqrt((rows * rows).sum(axis=1))
        expect(
            np.allclose(lengths, 1, atol=TOLERANCE, rtol=0),
            f"found rows of length {lengths.min():g} to {lengths.max():g} ({role}); expected 1",
        )


def _same_text(make: Make) -> None:
    for role, rows in _each(make(), [*_TEXTS[:3], *_TEXTS[:3]]):
        _equal(rows[:3], rows[3:], f"found two rows for one text ({role}); expected one")


def _any_batch(make: Make) -> None:
    made = make()
    for role in ROLES:
        whole = _array(made, _TEXTS, role)
        alone = np.concatenate([_array(made, [text], role) for text in _TEXTS])
        _equal(whole, alone, f"found another row for a text alone ({role}); expected the same")


def _any_order(make: Make) -> None:
    made = make()
    for role in ROLES:
        forward, backward = (_array(made, texts, role) for texts in (_TEXTS, _TEXTS[::-1]))
        _equal(forward, backward[::-1], f"found other rows in reverse order ({role}); expected the same")


def _roles(make: Make) -> None:
    made = make()
    shapes = [_array(made, _TEXTS, role).shape[1:] for role in ROLES]
    expect(shapes[0] == shapes[1], f"found rows of shape {shapes[0]} and {shapes[1]}; expected one space")


def _empty(make: Make) -> None:
    for role, rows in _each(make(), ["", _TEXTS[0]]):
        expect(
            rows.shape[:1] == (2,) and np.isfinite(rows).all(),
            f"found shape {rows.shape} for two texts ({role}); expected a row of finite numbers each",
        )


def _awkward(make: Make) -> None:
    texts = [text[:_LONGEST] for text in AWKWARD.values()]
    for role, rows in _each(make(), texts):
        expect(
            len(rows) == len(texts) and np.isfinite(rows).all(),
            f"found NaN, infinity or {len(rows)} rows for {len(texts)} texts ({role}); expected one each",
        )


def _instances(make: Make) -> None:
    one, another = make(), make()
    for role in ROLES:
        first, second = _array(one, _TEXTS, role), _array(another, _TEXTS, role)
        _equal(first, second, f"found other rows from another instance ({role}); expected the same")


def _distinct(make: Make) -> None:
    rows = _scaled(_array(make(), _TEXTS, "passage"))
    cosines = rows @ rows.T - np.eye(len(rows))
    first, second = np.unravel_index(int(cosines.argmax()), cosines.shape)
    expect(
        cosines.max() < SAME,
        f"found one row for {_TEXTS[first]!r} and {_TEXTS[second]!r}; expected two",
    )


def _no_mutation(make: Make) -> None:
    made = make()
    for role in ROLES:
        texts = list(_TEXTS)
        _raw(made, texts, role)
        expect(texts == _TEXTS, f"found the list of texts changed ({role}); expected it as it was")


def _equal(first: Array, second: Array, found: str) -> None:
    same = first.shape == second.shape and np.allclose(
        _scaled(first), _scaled(second), atol=TOLERANCE, rtol=0, equal_nan=True
    )
    expect(same, found)


def _scaled(rows: Array) -> Array:
    lengths = np.sqrt((rows * rows).sum(axis=-1, keepdims=True))
    return np.asarray(rows / np.where(lengths > 0, lengths, 1.0))
