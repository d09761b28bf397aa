"""Measures cells by the chunks that hold the evidence: for the views, and between the stages of a grid."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from evalcore.chunking.base import ChunkSet
from evalcore.run.record import CellResult, RunInputs
from evalcore.run.search import CUT_OFFS, headline_cut_off
from evalcore.scoring.cell import CellScores, Evidence, JudgedChunks, Ranked, score_cell
from evalcore.scoring.matching import Matcher


class Gauge:
    """What cells are measured with, each part made once: evidence by parser, judgements by chunk set."""

    def __init__(self, inputs: RunInputs) -> None:
        self._inputs = inputs
        self._items = {item.id: item for item in inputs.evalset.scored}
        self._evidence: dict[str, Evidence] = {}
        self._chunks: dict[str, JudgedChunks] = {}
        self._matcher = Matcher(inputs.settings.eval.fuzzy_threshold)

    def score(self, cell: CellResult, chunk_set: ChunkSet) -> CellScores:
        """Return every metric of a cell, question by question; `chunk_set` is what the cell searched.

        Metrics at cut-offs deeper than its rankings were kept are left out.
        """
        top_k = self._inputs.settings.top_k
        depth = max(CUT_OFFS[-1], self.headline(cell), top_k) if cell.measures is not None else top_k
        return score_cell(
            list(self._ranked(cell)),
            self._judged(cell, chunk_set),
            self._matcher,
            cut_offs=[k for k in (*CUT_OFFS, top_k) if k <= depth],
            headline=self.headline(cell),
            top_k=top_k,
        )

    def headline(self, cell: CellResult) -> int:
        """Return the headline's cut-off; the run's k where earlier versions kept no deeper rankings."""
        settings = self._inputs.settings
        cut_off = headline_cut_off(settings)
        return cut_off if cell.measures is not None else min(cut_off, settings.top_k)

    @property
    def clusters(self) -> dict[str, str]:
        """The documents of each question's gold: questions with the same ones belong together."""
        found: dict[str, str] = {}
        for evidence in self._evidence.values():
            for question, located in evidence.located.items():
                if located is not None:
                    documents = {slot[0].span.doc_id for slot in located}
                    found.setdefault(question, " & ".join(sorted(documents)))
        return found

    def _judged(self, cell: CellResult, chunk_set: ChunkSet) -> JudgedChunks:
        strategy = cell.configuration.strategy
        if strategy not in self._chunks:
            scoring = self._inputs.settings.eval
            evidence = self._located(cell.configuration.parser)
            self._chunks[strategy] = JudgedChunks(
                chunk_set, evidence, scoring.relevance, scoring.relevance_threshold
            )
        return self._chunks[strategy]

    def _located(self, parser: str) -> Evidence:
        if parser not in self._evidence:
            self._evidence[parser] = Evidence(self._inputs.evalset.scored, self._inputs.corpus_under(parser))
        return self._evidence[parser]

    def _ranked(self, cell: CellResult) -> Iterator[Ranked]:
        for outcome, ranking in zip(cell.outcomes, cell.rankings, strict=True):
            hits = tuple(p for p, hit in zip(outcome.chunks, outcome.is_hit, strict=True) if hit)
            yield Ranked(self._items[outcome.question_id], ranking, hits, len(outcome.found))


def headline_score(inputs: RunInputs, metric: str) -> Callable[[CellResult, ChunkSet], float | None]:
    """Return a function that gives a cell's mean of a metric, None where no question counts for it."""
    gauge = Gauge(inputs)
    return lambda cell, chunk_set: gauge.score(cell, chunk_set).mean(metric)
