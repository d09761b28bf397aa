"""What the numbers are called, what each means in one line, how it is made and when it misleads."""

from __future__ import annotations

from dataclasses import dataclass

PRODUCT = "Evalgrid"


@dataclass(frozen=True, slots=True)
class Term:
    """A number on screen: its name, one plain line, its formula and when it misleads."""

    name: str
    line: str
    formula: str
    misleads: str

    @property
    def help(self) -> str:
        """All of it, as a tooltip."""
        return f"{self.line}\n\n**How it is made.** {self.formula}\n\n**When it misleads.** {self.misleads}"


TERMS: dict[str, Term] = {
    "recall": Term(
        "Recall",
        "Answers found: how much of what answers a question is inside the chunks that came back.",
        "Per question: passages found ÷ passages to find; then the mean over all scored questions. "
        "The range beside it holds the true value 95 times in 100.",
        "Large chunks find more just by being large. Read it beside tokens.",
    ),
    "balanced": Term(
        "Balanced",
        "Recall, less a charge for reading more text than the thriftiest configuration.",
        "recall − λ · (tokens ÷ smallest tokens in this table − 1); λ is set on the Grid page.",
        "It depends on the other rows of the table. Do not compare it between runs.",
    ),
    "hit": Term(
        "Hit rate",
        "Share of questions for which at least one answer passage came back.",
        "Questions with a passage found ÷ scored questions.",
        "A question that needs two passages counts as a hit with one.",
    ),
    "mrr": Term(
        "MRR",
        "How early the first answer comes: 1.00 is always first, 0.50 is typically second.",
        "Mean of 1 ÷ rank of the first chunk with an answer; 0 where none came back.",
        "It says nothing about a second passage that a question also needs.",
    ),
    "precision": Term(
        "Precision",
        "Share of the chunks that came back which hold an answer.",
        "Per question: chunks with a passage ÷ chunks that came back; then the mean.",
        "With one passage per question and k = 5 it cannot exceed 0.20 without overlap.",
    ),
    "tokens": Term(
        "Tokens",
        "Text that a language model would have to read for one question.",
        "cl100k_base tokens of the chunks that came back, mean per question.",
        "Your model may count tokens differently; the order rarely changes.",
    ),
    "chunks": Term(
        "Chunks",
        "Pieces that this strategy cuts your documents into.",
        "Counted over the whole corpus.",
        "More pieces mean more vectors to store, not better answers.",
    ),
    "tiny": Term(
        "Tiny",
        "Share of chunks too short to make sense alone.",
        "Chunks below the floor (200 tokens unless you set another) ÷ chunks.",
        "Short documents give short chunks whatever the strategy.",
    ),
    "oversized": Term(
        "Oversized",
        "Share of chunks longer than the model reads, so that their ends are not seen.",
        "Chunks above the strategy's own limit or the model's input length ÷ chunks.",
        "It does not matter to keyword search, which reads everything.",
    ),
    "boundaries": Term(
        "Clean cuts",
        "Share of chunks that neither start nor end inside a sentence.",
        "Chunks with both ends between sentences ÷ chunks.",
        "Lists and tables have no sentences; there it says little.",
    ),
    "tables": Term(
        "Whole tables",
        "Share of your tables that are inside one chunk.",
        "Source tables within a single chunk ÷ source tables.",
        "Empty when no table was found in the documents.",
    ),
    "chance": Term(
        "Chance of being best",
        "How often each one comes out first when the questions are drawn again by chance.",
        "Share of 10,000 resamples of the questions in which it scores highest.",
        "It covers chance in the questions, not whether they resemble your users'.",
    ),
}

RANKING_METRICS: dict[str, tuple[str, str]] = {
    "balanced": ("Balanced", "recall, less a charge for reading more text"),
    "recall_at_k": ("Recall", "how much of each answer was found"),
    "mrr": ("MRR", "how early the first answer comes"),
    "hit_rate_at_k": ("Hit rate", "whether any answer was found"),
}

RETRIEVERS: dict[str, str] = {
    "dense": "Dense (by meaning)",
    "bm25": "BM25 (by words)",
    "hybrid": "Hybrid (both)",
}

AXES: dict[str, tuple[str, str]] = {
    "chunking": ("Chunking", "way of cutting"),
    "retrieval": ("Retrieval", "way of searching"),
}
