"""Equally long arrays of numbers and a JSON header in one Parquet file, whole or not at all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from evalcore.run.files import sha256, write_atomic

if TYPE_CHECKING:
    import pyarrow.parquet as pq

Floats = npt.NDArray[np.float64]
_NAME = b"evalgrid"
_DIGEST = b"evalgrid-sha256"


def write_columns(path: Path, columns: Mapping[str, Floats], header: Mapping[str, Any]) -> None:
    """Write float64 columns of one length, NaN included, and the header; on disk on return.

    Raises:
        WorkspaceError: the folder cannot be written.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    content = json.dumps(header, allow_nan=False).encode("ascii")
    table = pa.table({name: pa.array(values, pa.float64()) for name, values in columns.items()})
    stream = BytesIO()
    # Parquet's own checksums cover the columns and not the header.
    table = table.replace_schema_metadata({_NAME: content, _DIGEST: sha256(content).encode("ascii")})
    pq.write_table(table, stream, compression="zstd", write_page_checksum=True)
    write_atomic(path, stream.getvalue())


def read_columns(path: Path) -> tuple[dict[str, Floats], dict[str, Any]] | None:
    """Read what `write_columns` wrote; None when the file is damaged or no such file."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        source = pq.ParquetFile(BytesIO(path.read_bytes()), page_checksum_verification=True)
        metadata = source.schema_arrow.metadata or {}
        if sha256(metadata[_NAME]).encode("ascii") != metadata[_DIGEST]:
            return None
        columns = {name: _column(source, name) for name in source.schema_arrow.names}
        return columns, json.loads(metadata[_NAME])
    except (OSError, pa.ArrowException, KeyError, ValueError, TypeError):
        return None


def _column(source: pq.ParquetFile, name: str) -> Floats:
    # One after another and copied: a whole table takes several times the memory of its numbers.
    values: Floats = source.read([name], use_threads=False)[name].to_numpy()
    return values.copy()
