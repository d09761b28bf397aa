"""The settings file says everything a run needs, and a wrong one is refused in one line."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from evalcore.errors import SettingsError
from evalcore.settings import (
    EmbeddingSettings,
    EvalSettings,
    GridSettings,
    RetrievalSettings,
    Settings,
    Strategy,
)


def refusal(text: str) -> str:
    with pytest.raises(SettingsError) as caught:
        Settings.from_yaml(text, "run.yaml")
    message = str(caught.value)
    assert message.splitlines() == [message]
    return message


def test_an_empty_file_gives_the_defaults_of_the_specification() -> None:
    settings = Settings.from_yaml("", "run.yaml")
    assert settings == Settings()
    assert settings.embedding.model == "sentence-transformers/all-MiniLM-L6-v2"
    assert (settings.embedding.cache, settings.embedding.prefixes) == (True, True)
    assert settings.embedding.precision == "float32"
    assert (settings.retrieval.mode, settings.retrieval.top_k, settings.retrieval.compare) == ("dense", 5, ())
    scoring = settings.eval
    assert (scoring.fuzzy_threshold, scoring.ranking_metric, scoring.balanced_lambda) == (
        0.9,
        "balanced",
        0.05,
    )
    assert (scoring.min_floor_tokens, scoring.bootstrap_resamples, scoring.seed) == (200, 10_000, 0)
    assert settings.grid is None
    assert [s.name for s in settings.strategies] == [
        "fixed",
        "recursive",
        "semantic",
        "semantic_no_floor",
        "structure",
    ]
    assert settings.strategies[0].values == {"chunk_size": 512, "overlap": 64}


def test_the_example_of_the_specification_is_read() -> None:
    settings = Settings.from_yaml(
        """embedding: {model: sentence-transformers/all-MiniLM-L6-v2, cache: true, prefixes: true,
  precision: float32}
retrieval: {mode: dense, top_k: 5, compare: [dense, bm25, hybrid]}
eval: {fuzzy_threshold: 0.90, ranking_metric: balanced, balanced_lambda: 0.05, min_floor_tokens: 200,
  bootstrap_resamples: 10000, seed: 0}
strategies:
  - {name: recursive, params: {chunk_size: 512, overlap: 64}}
  - {name: recursive, params: {overlap: 0, chunk_size: 256}}
""",
        "run.yaml",
    )
    assert settings.retrieval.compare == ("dense", "bm25", "hybrid")
    assert settings.strategies == (
        Strategy(name="recursive", params=(("chunk_size", 512), ("overlap", 64))),
        Strategy(name="recursive", params=(("chunk_size", 256), ("overlap", 0))),
    )


def test_a_grid_takes_single_values_and_lists() -> None:
    settings = Settings.from_yaml(
        "grid: {chunker: ['recursive:512', fixed], index: dense, reranker: [null, lexical], candidates: 50,"
        " k: 10}",
        "run.yaml",
    )
    assert settings.grid == GridSettings(
        chunker=("recursive:512", "fixed"),
        index=("dense",),
        reranker=(None, "lexical"),
        candidates=(50,),
        k=10,
    )
    assert settings.grid is not None
    assert settings.grid.mode == "ofat"


def test_a_key_with_nothing_behind_it_keeps_its_default() -> None:
    assert Settings.from_yaml("eval:\nretrieval:\n  top_k:\nstrategies:\ngrid:\n", "run.yaml") == Settings()


def test_settings_cannot_be_changed_and_can_be_hashed() -> None:
    settings = Settings()
    with pytest.raises(ValidationError, match="frozen"):
        settings.eval.seed = 3
    assert len({settings, Settings(), Settings(eval=EvalSettings(seed=1))}) == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("evil: 1", "line 1: unknown setting evil; known: embedding, retrieval, eval, strategies, grid, "
         "budget_seconds"),
        ("eval:\n  sed: 1", "line 2: unknown setting eval.sed; known: fuzzy_threshold, ranking_metric, "
         "balanced_lambda, min_floor_tokens, relevance, relevance_threshold, bootstrap_resamples, seed"),
        ("strategies:\n- {name: x, size: 3}",
         "line 2: unknown setting strategies.0.size; known: name, params"),
        ("eval: {fuzzy_threshold: 1.5}", "line 1: eval.fuzzy_threshold is 1.5; expected at most 1.0"),
        ("eval: {fuzzy_threshold: 0.4}", "line 1: eval.fuzzy_threshold is 0.4; expected at least 0.5"),
        ("eval: {balanced_lambda: -1}", "line 1: eval.balanced_lambda is -1; expected at least 0.0"),
        ("eval: {balanced_lambda: 1e999}", "line 1: eval.balanced_lambda is inf; expected a finite number"),
        ("eval: {bootstrap_resamples: 99}", "line 1: eval.bootstrap_resamples is 99; expected at least 100"),
        ("eval: {bootstrap_resamples: 1000001}",
         "line 1: eval.bootstrap_resamples is 1000001; expected at most 1000000"),
        ("eval:\n\n  seed: -1", "line 3: eval.seed is -1; expected at least 0"),
        ("eval: {seed: 1.5}", "line 1: eval.seed is 1.5; expected a whole number"),
        ("eval: {seed: '1'}", "line 1: eval.seed is '1'; expected a whole number"),
        ("eval: {ranking_metric: best}", "line 1: eval.ranking_metric is 'best'; expected one of 'balanced', "
         "'recall_at_k', 'mrr', 'hit_rate_at_k'"),
        ("retrieval: {top_k: 0}", "line 1: retrieval.top_k is 0; expected at least 1"),
        ("retrieval: {top_k: true}", "line 1: retrieval.top_k is true; expected a whole number"),
        ("retrieval: {mode: sparse}",
         "line 1: retrieval.mode is 'sparse'; expected one of 'dense', 'bm25', 'hybrid'"),
        ("retrieval: {compare: [bm25, bm25]}", "line 1: retrieval.compare holds 'bm25' twice; give it once"),
        ("embedding: {cache: no}", "line 1: embedding.cache is 'no'; expected true or false"),
        ("embedding: {model: ''}", "line 1: embedding.model is ''; expected a text that is not empty"),
        ("embedding: {precision: int8}",
         "line 1: embedding.precision is 'int8'; expected one of 'float32', 'bfloat16'"),
        ("strategies: []", "line 1: strategies is empty; expected at least one strategy"),
        ("strategies:\n- fixed", "line 2: strategies.0 is 'fixed'; expected a mapping"),
        ("strategies:\n- params: {}", "line 2: strategies.0.name is missing; expected a text"),
        ("strategies:\n- {name: x, params: [1]}",
         "line 2: strategies.0.params is [1]; expected a mapping of parameters"),
        ("strategies:\n- {name: x, params: {a: true}}", "line 2: strategies.0.params holds a: true; "
         "expected a number or a text"),
        ("grid:\n  chunker:\n  - 512", "line 3: grid.chunker.0 is 512; expected a text"),
        ("grid: {reranker: [null, 5]}", "line 1: grid.reranker.1 is 5; expected a text"),
        ("grid: {candidates: [0]}", "line 1: grid.candidates.0 is 0; expected at least 1"),
        ("grid: {mode: all}", "line 1: grid.mode is 'all'; expected one of 'factorial', 'ofat', 'staged'"),
        ("grid: {}\nstrategies: [{name: x}]", "line 1: strategies and grid are both given; give one of them"),
        ("- 1", "line 1: the file is [1]; expected a mapping"),
        ("eval: 5", "line 1: eval is 5; expected a mapping"),
        ("eval: {seed: 1, seed: 2}", "line 1: key 'seed' is on line 1 already; give it once"),
        ("eval: 'a", "line 1: not valid YAML: a quotation mark or bracket that opens here is never closed"),
        ("eval: !!python/name:os.system x", "line 1: tag 'tag:yaml.org,2002:python/name:os.system'; "
         "expected plain text without a tag"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_named_with_its_line_and_what_was_expected(text: str, message: str) -> None:
    assert refusal(text) == f"run.yaml: {message}"


def test_bytes_are_read_in_their_encoding_and_refused_when_they_have_none() -> None:
    assert Settings.from_yaml("eval: {seed: 3}".encode("utf-16"), "run.yaml").eval.seed == 3
    with pytest.raises(SettingsError, match=r"^run\.yaml: line 1: byte 0xe9 is not UTF-8 text"):
        Settings.from_yaml(b"embedding: {model: caf\xe9}", "run.yaml")


def test_a_dict_is_checked_as_a_file_is() -> None:
    with pytest.raises(SettingsError, match=r"^settings: eval\.seed is -1; expected at least 0$"):
        Settings.from_dict({"eval": {"seed": -1}})


TEXT = st.sampled_from(["no", "1e3", "007", "~", "recursive:512,overlap=64", "a: b", "E:\\models", "\u2028"])
VALUE = st.integers(-5, 5000) | st.floats(0, 1) | TEXT
PARAMS = st.dictionaries(st.sampled_from(["chunk_size", "overlap", "tokenizer"]), VALUE).map(
    lambda values: tuple(sorted(values.items()))
)
STRATEGIES = st.lists(st.builds(Strategy, name=TEXT, params=PARAMS), min_size=1, max_size=3).map(tuple)
AXIS = st.lists(TEXT, max_size=2).map(tuple)
GRIDS = st.builds(
    GridSettings,
    parser=AXIS,
    chunker=AXIS,
    embedder=AXIS,
    index=AXIS,
    reranker=st.lists(st.none() | TEXT, max_size=2).map(tuple),
    candidates=st.lists(st.integers(1, 99), max_size=2).map(tuple),
    mode=st.sampled_from(["factorial", "ofat", "staged"]),
    k=st.none() | st.integers(1, 20),
    headline=st.none() | TEXT,
)
EVALS = st.builds(
    EvalSettings,
    fuzzy_threshold=st.floats(0.5, 1),
    ranking_metric=st.sampled_from(["balanced", "recall_at_k", "mrr", "hit_rate_at_k"]),
    balanced_lambda=st.floats(0, 10),
    bootstrap_resamples=st.integers(100, 1_000_000),
    seed=st.integers(0, 2**40),
)
COMMON = {
    "embedding": st.builds(EmbeddingSettings, model=TEXT, precision=st.sampled_from(["float32", "bfloat16"])),
    "retrieval": st.builds(
        RetrievalSettings, top_k=st.integers(1, 99), compare=st.sampled_from([(), ("bm25",)])
    ),
    "eval": EVALS,
}
SETTINGS = st.builds(Settings, **COMMON, strategies=STRATEGIES) | st.builds(Settings, **COMMON, grid=GRIDS)


@given(settings=SETTINGS)
def test_settings_survive_yaml_and_json(settings: Settings) -> None:
    assert Settings.from_yaml(settings.to_yaml(), "run.yaml") == settings
    assert Settings.from_dict(json.loads(json.dumps(settings.to_dict(), allow_nan=False))) == settings
