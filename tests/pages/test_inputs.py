"""Corpus, Questions and Grid: what is put in, what is refused, what is undone."""

from __future__ import annotations

import pytest

from evalcore.grid import axes_of, expand
from evalcore.settings import Settings
from tests.pages.conftest import Open, checked, said
from tests.pages.staged import TEXT, Staged, questions

YAML = b"questions:\n- {id: q1, query: How long?, gold_snippets: [within 30 days of delivery]}\n"


def test_files_given_are_read_and_refused_with_their_reason(
    workspace: Staged, project: str, open_page: Open
) -> None:
    app = open_page("corpus", project=project)
    box = app.file_uploader[0]
    box.set_value(
        [("policy.md", TEXT, "text/markdown"), ("photo.png", b"\x89PNG\r\n\x1a\n\x00", "image/png")]
    )
    app = checked(box.run())
    assert "2 given = 1 read + 1 refused" in said(app)
    assert "photo.png" in said(app)
    assert [f.name for f in workspace.files(project) if f.status != "refused"] == ["policy.md"]
    assert app.main.dataframe, "the table of files is shown in the same run"


def test_one_selected_file_shows_its_text_as_text(workspace: Staged, project: str, open_page: Open) -> None:
    workspace.add_files(project, [("a.md", b"# Price\n\n$5 and $6 :smile: <img src=x onerror=alert(1)>\n")])
    app = open_page("corpus", project=project)
    app.session_state[f"corpus.table.{project}.1"] = {"selection": {"rows": [0], "columns": [], "cells": []}}
    app = checked(app.run())
    shown = [t.value for t in app.main.text]
    assert any("$5 and $6 :smile: <img src=x onerror=alert(1)>" in text for text in shown)


def test_removed_files_come_back(workspace: Staged, filled: str, open_page: Open) -> None:
    app = open_page("corpus", project=filled)
    app.session_state[f"corpus.table.{filled}.1"] = {"selection": {"rows": [0], "columns": [], "cells": []}}
    app = checked(app.run())
    app = checked(app.get_by_key("corpus.remove").click().run())
    assert workspace.files(filled) == []
    app = checked(app.get_by_key("corpus.undo").click().run())
    assert [f.name for f in workspace.files(filled)] == ["policy.md"]


def test_a_document_without_headings_says_what_that_means(
    workspace: Staged, project: str, open_page: Open
) -> None:
    workspace.add_files(project, [("plain.txt", b"No headings here.\n")])
    app = open_page("corpus", project=project)
    app.session_state[f"corpus.table.{project}.1"] = {"selection": {"rows": [0], "columns": [], "cells": []}}
    assert "No headings were found" in said(checked(app.run()))


def test_a_question_file_is_saved_and_checked(workspace: Staged, filled: str, open_page: Open) -> None:
    app = open_page("questions", project=filled)
    box = app.file_uploader[0]
    box.set_value(("new.yaml", YAML, "application/yaml"))
    checked(box.run())
    row = workspace.questions_row(filled)
    assert row is not None
    assert (row.count, row.errors) == (1, 0)


def test_a_wrong_question_file_is_refused_in_one_line(
    workspace: Staged, filled: str, open_page: Open
) -> None:
    app = open_page("questions", project=filled)
    box = app.file_uploader[0]
    box.set_value(("bad.yaml", b"questions:\n- {query: no id}\n", "application/yaml"))
    app = checked(box.run())
    assert any("bad.yaml" in text.value and "id" in text.value for text in app.main.text)
    row = workspace.questions_row(filled)
    assert row is not None
    assert row.count == 2, "the questions that were there stay"


def test_replaced_questions_can_be_undone(workspace: Staged, filled: str, open_page: Open) -> None:
    workspace.save_questions(filled, questions(wrong=True))
    app = open_page("questions", project=filled)
    checked(app.get_by_key("questions.undo").click().run())
    assert workspace.questions(filled) == questions()


def test_an_empty_questions_page_shows_each_format_to_copy(project: str, open_page: Open) -> None:
    codes = [code.value for code in open_page("questions", project=project).main.code]
    assert len(codes) == 4
    assert all("Devices may be returned within 30 days of delivery." in code for code in codes)


def test_the_problem_of_a_question_is_shown_beside_it(
    workspace: Staged, filled: str, open_page: Open
) -> None:
    workspace.save_questions(filled, questions(wrong=True))
    app = open_page("questions", project=filled)
    words = said(app)
    assert "How long is the $return$ :smile: window?" in words
    assert any("q1" in text.value for text in app.main.text), "the problem names its question"


@pytest.mark.parametrize(("kind", "shown"), [("policy", "1 of 2 questions"), ("Any", "2 of 2 questions")])
def test_questions_are_filtered_by_type(kind: str, shown: str, filled: str, open_page: Open) -> None:
    app = open_page("questions", project=filled)
    app = checked(app.get_by_key("questions.type").set_value(kind).run())
    assert shown in said(app)


def test_a_filter_that_nothing_fits_says_so(filled: str, open_page: Open) -> None:
    app = open_page("questions", project=filled)
    app = checked(app.get_by_key("questions.find").set_value("zebra").run())
    assert "No question fits" in said(app)


def saved_grid(workspace: Staged, project: str) -> list[str]:
    return [c.key for c in expand(axes_of(workspace.settings(project))).configurations]


def form_key(project: str, name: str, revision: int = 0) -> str:
    return f"grid.{project}.{revision}.{name}"


def test_choosing_retrievers_is_saved_and_counted(workspace: Staged, filled: str, open_page: Open) -> None:
    app = open_page("grid", project=filled)
    app = checked(app.get_by_key(form_key(filled, "retrievers")).set_value(["dense", "bm25", "hybrid"]).run())
    assert workspace.settings(filled).retrieval.compare == ("dense", "bm25", "hybrid")
    assert len(saved_grid(workspace, filled)) == 15
    assert app.main.metric[0].value == "15"


def test_no_retriever_at_all_keeps_the_last_one(workspace: Staged, filled: str, open_page: Open) -> None:
    app = open_page("grid", project=filled)
    checked(app.get_by_key(form_key(filled, "retrievers")).set_value([]).run())
    assert workspace.settings(filled).retrieval.mode == "dense"


def test_taking_out_and_adding_ways_of_cutting_is_saved(
    workspace: Staged, filled: str, open_page: Open
) -> None:
    app = open_page("grid", project=filled)
    for place, name in ((4, "structure"), (3, "semantic_no_floor"), (2, "semantic")):
        revision = int(app.session_state["grid.revision"])
        app = checked(app.get_by_key(f"{form_key(filled, f'{place}.{name}', revision)}.out").click().run())
    assert [s.name for s in workspace.settings(filled).strategies] == ["fixed", "recursive"]
    revision = int(app.session_state["grid.revision"])
    app = checked(app.get_by_key(form_key(filled, "add", revision)).set_value("sentence").run())
    app = checked(app.get_by_key(form_key(filled, "add.go", revision)).click().run())
    assert [s.name for s in workspace.settings(filled).strategies] == ["fixed", "recursive", "sentence"]


def test_a_changed_size_is_saved_and_an_impossible_one_says_why(
    workspace: Staged, filled: str, open_page: Open
) -> None:
    app = open_page("grid", project=filled)
    app = checked(app.get_by_key(form_key(filled, "0.fixed.overlap")).set_value(600).run())
    assert workspace.settings(filled).strategies[0].values["overlap"] == 600
    assert any("overlap" in text.value for text in app.main.text)
    assert app.get_by_key("grid.start").proto.disabled


def test_a_settings_file_replaces_the_form(workspace: Staged, filled: str, open_page: Open) -> None:
    app = open_page("grid", project=filled)
    box = app.file_uploader[0]
    box.set_value(("s.yaml", b"strategies: [{name: structure}]\nretrieval: {top_k: 7}\n", "application/yaml"))
    checked(box.run())
    assert workspace.settings(filled) == Settings.from_yaml(
        b"strategies: [{name: structure}]\nretrieval: {top_k: 7}\n", "s.yaml"
    )


def test_a_wrong_settings_file_changes_nothing(workspace: Staged, filled: str, open_page: Open) -> None:
    app = open_page("grid", project=filled)
    box = app.file_uploader[0]
    box.set_value(("s.yaml", b"strategies: [{name: nonsense}]\n", "application/yaml"))
    app = checked(box.run())
    assert any("nonsense" in text.value for text in app.main.text)
    assert workspace.settings(filled) == Settings()


def test_settings_changed_elsewhere_are_followed_and_not_overwritten(
    workspace: Staged, filled: str, open_page: Open
) -> None:
    app = open_page("grid", project=filled)
    other = Settings.from_yaml("strategies: [{name: sentence}]\n", "s.yaml")
    workspace.save_settings(filled, other)
    app = checked(app.run())
    assert workspace.settings(filled) == other


def test_questions_with_errors_run_only_when_told_to(workspace: Staged, filled: str, open_page: Open) -> None:
    workspace.save_questions(filled, questions(wrong=True))
    app = open_page("grid", project=filled)
    assert app.get_by_key("grid.start").proto.disabled
    app = checked(app.get_by_key("grid.anyway").check().run())
    assert not app.get_by_key("grid.start").proto.disabled


def test_the_start_button_says_what_is_missing(project: str, open_page: Open) -> None:
    app = open_page("grid", project=project)
    assert app.get_by_key("grid.start").proto.disabled
    assert "Add documents first." in said(app)
    assert "Add questions first." in said(app)
