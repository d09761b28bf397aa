"""Chunk sets and cells as Parquet, exactly: what is read equals what was written, to the last bit."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evalcore.chunking.base import Chunk, ChunkSet
from evalcore.embedding.quality import EmbeddingQuality
from evalcore.run.files import write_atomic
from evalcore.run.inputs import configuration_from_dict, configuration_to_dict
from evalcore.run.record import CellMeasures, CellResult, QuestionOutcome
from evalcore.text.span import Span

if TYPE_CHECKING:
    import pyarrow as pa

FORMAT = 1
_NAME = b"evalgrid"
_CHUNK_COLUMNS = ("doc_id", "start", "end", "text", "tokens", "contains_table", "section_path", "oversized")
_CELL_COLUMNS = (
    "question_id",
    "chunks",
    "scores",
    "is_hit",
    "found",
    "slots",
    "first_hit_rank",
    "split",
    "tokens",
    "found_tokens",
)
# Cells of earlier versions have neither.
_LATER_COLUMNS = ("ranking", "query_ms")


def write_chunks(path: Path, strategy: str, chunk_set: ChunkSet) -> None:
    """Write the chunks of a strategy, one row each.

    Raises:
        WorkspaceError: the folder cannot be written.
    """
    import pyarrow as pa

    chunks = chunk_set.chunks
    columns = {
        "doc_id": pa.array([_safe(c.span.doc_id) for c in chunks], pa.binary()),
        "start": pa.array([c.span.start for c in chunks], pa.int64()),
        "end": pa.array([c.span.end for c in chunks], pa.int64()),
        "text": pa.array([_safe(c.text) for c in chunks], pa.large_binary()),
        "tokens": pa.array([c.tokens for c in chunks], pa.int64()),
        "contains_table": pa.array([c.contains_table for c in chunks], pa.bool_()),
        "section_path": pa.array([[_safe(t) for t in c.section_path] for c in chunks], pa.list_(pa.binary())),
        "oversized": pa.array([c.oversized for c in chunks], pa.bool_()),
    }
    _write(path, columns, {"strategy": strategy})


def read_chunks(path: Path) -> tuple[str, ChunkSet] | None:
    """Read a strategy's name and chunks; None when the file is damaged or no such file."""
    found = _read(path, _CHUNK_COLUMNS)
    if found is None:
        return None
    rows, header = found
    return str(header.get("strategy")), ChunkSet(tuple(_chunk(*row) for row in rows))


def write_cell(path: Path, cell: CellResult) -> None:
    """Write a finished cell, one row per question.

    Raises:
        WorkspaceError: the folder cannot be written.
    """
    import pyarrow as pa

    types = {
        "question_id": pa.binary(),
        "chunks": pa.list_(pa.int64()),
        "scores": pa.list_(pa.float64()),
        "is_hit": pa.list_(pa.bool_()),
        "found": pa.list_(pa.int64()),
        "slots": pa.int64(),
        "first_hit_rank": pa.int64(),
        "split": pa.bool_(),
        "tokens": pa.int64(),
        "found_tokens": pa.int64(),
    }
    rows = [_outcome_row(outcome) for outcome in cell.outcomes]
    columns = {name: pa.array([row[name] for row in rows], kind) for name, kind in types.items()}
    columns["ranking"] = pa.array([list(ranking) for ranking in cell.rankings], pa.list_(pa.int64()))
    header = {"configuration": configuration_to_dict(cell.configuration)}
    if cell.measures is not None:
        columns["query_ms"] = pa.array(list(cell.measures.query_ms), pa.float64())
        header["measures"] = _measures_to_dict(cell.measures)
    _write(path, columns, header)


def read_cell(path: Path) -> CellResult | None:
    """Read a finished cell; None when the file is damaged or no such file."""
    found = _read(path, _CELL_COLUMNS, _LATER_COLUMNS)
    if found is None:
        return None
    rows, header = found
    try:
        configuration = configuration_from_dict(header["configuration"])
        outcomes = tuple(_outcome(*row[:-2]) for row in rows)
        rankings = tuple(tuple(row[-2]) for row in rows if row[-2] is not None)
        measures = _measures(header, tuple(row[-1] for row in rows))
    except (KeyError, ValueError, TypeError):
        return None
    if len(rankings) != len(outcomes):
        rankings = ()
    return CellResult(configuration, outcomes, rankings, measures)


def _measures_to_dict(measures: CellMeasures) -> dict[str, Any]:
    quality = measures.embedding_quality
    return {
        "build_ms": measures.build_ms,
        "index_bytes": measures.index_bytes,
        "usd_per_1k": measures.usd_per_1k,
        "embedding_quality": None if quality is None else asdict(quality),
    }


def _measures(header: Mapping[str, Any], query_ms: tuple[float, ...]) -> CellMeasures | None:
    """Read what `_measures_to_dict` wrote; None in cells of earlier versions."""
    values = header.get("measures")
    if values is None:
        return None
    quality = values["embedding_quality"]
    return CellMeasures(
        build_ms=values["build_ms"],
        query_ms=query_ms,
        index_bytes=values["index_bytes"],
        usd_per_1k=values["usd_per_1k"],
        embedding_quality=None if quality is None else EmbeddingQuality(**quality),
    )


def _outcome_row(outcome: QuestionOutcome) -> dict[str, Any]:
    return {
        "question_id": _safe(outcome.question_id),
        "chunks": list(outcome.chunks),
        "scores": [float(score) for score in outcome.scores],
        "is_hit": [bool(hit) for hit in outcome.is_hit],
        "found": list(outcome.found),
        "slots": outcome.slots,
        "first_hit_rank": outcome.first_hit_rank,
        "split": bool(outcome.split),
        "tokens": outcome.tokens,
        "found_tokens": outcome.found_tokens,
    }


def _outcome(
    question_id: bytes,
    chunks: list[int],
    scores: list[float],
    is_hit: list[bool],
    found: list[int],
    slots: int,
    first_hit_rank: int | None,
    split: bool,
    tokens: int,
    found_tokens: int,
) -> QuestionOutcome:
    return QuestionOutcome(
        question_id=_text(question_id),
        chunks=tuple(chunks),
        scores=tuple(scores),
        is_hit=tuple(is_hit),
        found=tuple(found),
        slots=slots,
        first_hit_rank=first_hit_rank,
        split=split,
        tokens=tokens,
        found_tokens=found_tokens,
    )


def _chunk(
    doc_id: bytes,
    start: int,
    end: int,
    text: bytes,
    tokens: int,
    contains_table: bool,
    section_path: list[bytes],
    oversized: bool,
) -> Chunk:
    path = tuple(_text(title) for title in section_path)
    return Chunk(Span(_text(doc_id), start, end), _text(text), tokens, contains_table, path, oversized)


def _write(path: Path, columns: dict[str, pa.Array], header: Mapping[str, Any]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    content = json.dumps({"format": FORMAT, **header}, sort_keys=True, allow_nan=False)
    table = pa.table(columns).replace_schema_metadata({_NAME: content.encode("ascii")})
    stream = BytesIO()
    pq.write_table(table, stream, compression="zstd", write_page_checksum=True)
    write_atomic(path, stream.getvalue())


def _read(
    path: Path, names: tuple[str, ...], later: tuple[str, ...] = ()
) -> tuple[list[tuple[Any, ...]], dict[str, Any]] | None:
    """Return rows of the columns `names`, then `later`; of these, those that are not there hold None."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        source = pq.ParquetFile(BytesIO(path.read_bytes()), page_checksum_verification=True)
        # Single-threaded: a server that reads small files needs no pool of threads for it.
        table = source.read(use_threads=False)
        header = json.loads((table.schema.metadata or {})[_NAME])
        if header["format"] != FORMAT:
            return None
        columns = table.to_pydict()
        nothing = [None] * table.num_rows
        chosen = [*(columns[name] for name in names), *(columns.get(name, nothing) for name in later)]
        return list(zip(*chosen, strict=True)), header
    except (OSError, pa.ArrowException, KeyError, ValueError, TypeError):
        return None


# Bytes instead of Parquet's strings: a text may hold half of a surrogate pair, which UTF-8 proper refuses.
def _safe(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogatepass")
